// Generated from spec/jira/connector.yaml by `make generate`. Do not edit.

import { type Client, type ClientPlan, type ConnectorClass, connectorClass } from "../../runtime/client/index.ts";
import type * as attachments from "./attachments.ts";
import type * as comments from "./comments.ts";
import type * as issues from "./issues.ts";
import type * as projects from "./projects.ts";
import type * as transitions from "./transitions.ts";
import type * as users from "./users.ts";

export * from "../../runtime/client/index.ts";
export type { Attachment, AttachmentsCreateParams } from "./attachments.ts";
export type { Comment, CommentsCreateParams, CommentsDeleteParams, CommentsListParams, CommentsUpdateParams } from "./comments.ts";
export type { Created, Issue, IssuesApiSearchParams, IssuesCreateParams, IssuesDeleteParams, IssuesGetParams, IssuesListParams, IssuesTransitionParams, IssuesUpdateParams, Person } from "./issues.ts";
export type { Project, ProjectsGetParams, ProjectsListParams } from "./projects.ts";
export type { Transition, TransitionsListParams } from "./transitions.ts";
export type { User, UsersApiSearchParams, UsersGetParams, UsersListParams } from "./users.ts";

/** What the methods of {@link JiraCloud} take and return. */
export interface JiraCloudEntities {
  /** Files of issues. */
  attachments: {
    name: "attachments";
    actions: Pick<typeof attachments, "create">;
    record: attachments.Attachment;
    search: {  };
  };
  /** Comments on issues. */
  comments: {
    name: "comments";
    actions: Pick<typeof comments, "list" | "create" | "update"> & { delete: typeof comments.deleteAction };
    record: comments.Comment;
    search: { id: "string"; author: "string"; authorId: "string"; createdAt: "timestamp"; issue: "string"; text: "string"; updatedAt: "timestamp" };
    semantic: "text";
  };
  /** Issues of a project. */
  issues: {
    name: "issues";
    actions: Pick<typeof issues, "get" | "list" | "apiSearch" | "create" | "update"> & { delete: typeof issues.deleteAction; transition: typeof issues.transitionAction };
    record: issues.Issue;
    search: { id: "string"; assignee: "string"; assigneeId: "string"; createdAt: "timestamp"; description: "string"; dueDate: "timestamp"; key: "string"; kind: "string"; labels: "string[]"; parent: "string"; priority: "string"; project: "string"; resolution: "string"; resolvedAt: "timestamp"; status: "string"; statusCategory: "string"; summary: "string"; updatedAt: "timestamp" };
    semantic: "description" | "summary";
  };
  /** Projects that the user may browse. */
  projects: {
    name: "projects";
    actions: Pick<typeof projects, "get" | "list">;
    record: projects.Project;
    search: { id: "string"; description: "string"; key: "string"; lead: "string"; name: "string"; private: "boolean"; simplified: "boolean"; type: "string" };
    semantic: "description";
  };
  /** The changes of status that an issue allows now. */
  transitions: {
    name: "transitions";
    actions: Pick<typeof transitions, "list">;
    record: transitions.Transition;
    search: { id: "string" };
  };
  /** People, apps and customers of the site. */
  users: {
    name: "users";
    actions: Pick<typeof users, "get" | "list" | "apiSearch">;
    record: users.User;
    search: { accountId: "string"; active: "boolean"; email: "string"; kind: "string"; name: "string"; timeZone: "string" };
  };
}

/** The credentials that Jira Cloud takes. */
export type JiraCloudCredential =
  | { readonly kind: "token"; readonly email: string; readonly token: string };
export type ClientOptions = import("../../runtime/client/index.ts").ClientOptions<JiraCloudCredential>;
export type LocalOptions = import("../../runtime/client/index.ts").LocalOptions<JiraCloudCredential>;

/** Entities and actions of Jira Cloud, for both modes of its client. */
export const plan: ClientPlan = {
  name: "jira",
  title: "Jira Cloud",
  entities: {
    attachments: { create: { writes: true } },
    comments: { list: { cursor: "after" }, create: { writes: true }, update: { writes: true }, delete: { writes: true } },
    issues: {
      get: {},
      list: { cursor: "after" },
      api_search: { cursor: "after" },
      create: { writes: true },
      update: { writes: true },
      delete: { writes: true },
      transition: { writes: true },
    },
    projects: { get: {}, list: { cursor: "after" } },
    transitions: { list: {} },
    users: { get: {}, list: { cursor: "after" }, api_search: { cursor: "after" } },
  },
};

/** Client of Jira Cloud, in hosted mode only, as browsers use it. Projects, issues, comments, transitions and users of a Jira Cloud site. */
export const JiraCloud: ConnectorClass<JiraCloudEntities, JiraCloudCredential> = connectorClass(plan);

export type JiraCloud = Client<JiraCloudEntities>;
