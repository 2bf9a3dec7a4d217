// Generated from spec/linear/connector.yaml by `make generate`. Do not edit.

import { type Client, type ClientPlan, type ConnectorClass, connectorClass } from "../../runtime/client/index.ts";
import type * as comments from "./comments.ts";
import type * as cycles from "./cycles.ts";
import type * as issues from "./issues.ts";
import type * as labels from "./labels.ts";
import type * as projects from "./projects.ts";
import type * as teams from "./teams.ts";
import type * as users from "./users.ts";
import type * as workflowStates from "./workflow_states.ts";

export * from "../../runtime/client/index.ts";
export type { Comment, CommentsCreateParams, CommentsDeleteParams, CommentsGetParams, CommentsListParams, CommentsUpdateParams } from "./comments.ts";
export type { Cycle, CyclesGetParams, CyclesListParams } from "./cycles.ts";
export type { Issue, IssuesApiSearchParams, IssuesArchiveParams, IssuesCreateParams, IssuesGetParams, IssuesListParams, IssuesUpdateParams } from "./issues.ts";
export type { IssueLabel, LabelsGetParams, LabelsListParams } from "./labels.ts";
export type { Project, ProjectsGetParams, ProjectsListParams } from "./projects.ts";
export type { Team, TeamsGetParams, TeamsListParams } from "./teams.ts";
export type { User, UsersGetParams, UsersListParams } from "./users.ts";
export type { WorkflowState, WorkflowStatesGetParams, WorkflowStatesListParams } from "./workflow_states.ts";
export type { LabelReference, Person, Removed, StateReference } from "./shared.ts";

/** What the methods of {@link Linear} take and return. */
export interface LinearEntities {
  /** Comments on issues. */
  comments: {
    name: "comments";
    actions: Pick<typeof comments, "get" | "list" | "create" | "update"> & { delete: typeof comments.deleteAction };
    record: comments.Comment;
    search: { id: "string"; body: "string"; createdAt: "timestamp"; issue: "string"; parent: "string"; resolvedAt: "timestamp"; updatedAt: "timestamp"; url: "string"; userName: "string" };
    semantic: "body";
  };
  /** Cycles of the teams. */
  cycles: {
    name: "cycles";
    actions: Pick<typeof cycles, "get" | "list">;
    record: cycles.Cycle;
    search: { id: "string"; completedAt: "timestamp"; createdAt: "timestamp"; endsAt: "timestamp"; name: "string"; number: "integer"; progress: "number"; startsAt: "timestamp"; team: "string"; updatedAt: "timestamp" };
  };
  /** Issues of the teams. */
  issues: {
    name: "issues";
    actions: Pick<typeof issues, "get" | "list" | "apiSearch" | "create" | "update"> & { archive: typeof issues.archiveAction };
    record: issues.Issue;
    search: { id: "string"; archivedAt: "timestamp"; assigneeName: "string"; canceledAt: "timestamp"; completedAt: "timestamp"; createdAt: "timestamp"; cycle: "string"; description: "string"; dueDate: "timestamp"; estimate: "integer"; identifier: "string"; labels: "string[]"; number: "integer"; parent: "string"; priority: "integer"; project: "string"; startedAt: "timestamp"; stateName: "string"; team: "string"; title: "string"; updatedAt: "timestamp"; url: "string" };
    semantic: "description";
  };
  /** Labels for issues, of a team or of the whole workspace. */
  labels: {
    name: "labels";
    actions: Pick<typeof labels, "get" | "list">;
    record: labels.IssueLabel;
    search: { id: "string"; createdAt: "timestamp"; description: "string"; name: "string"; team: "string"; updatedAt: "timestamp" };
  };
  /** Projects, to which issues of several teams may belong. */
  projects: {
    name: "projects";
    actions: Pick<typeof projects, "get" | "list">;
    record: projects.Project;
    search: { id: "string"; canceledAt: "timestamp"; completedAt: "timestamp"; createdAt: "timestamp"; description: "string"; name: "string"; progress: "number"; startDate: "timestamp"; startedAt: "timestamp"; status: "string"; targetDate: "timestamp"; updatedAt: "timestamp"; url: "string" };
  };
  /** Teams of the workspace. */
  teams: {
    name: "teams";
    actions: Pick<typeof teams, "get" | "list">;
    record: teams.Team;
    search: { id: "string"; createdAt: "timestamp"; description: "string"; key: "string"; name: "string"; updatedAt: "timestamp" };
  };
  /** Members of the workspace. */
  users: {
    name: "users";
    actions: Pick<typeof users, "get" | "list">;
    record: users.User;
    search: { id: "string"; active: "boolean"; admin: "boolean"; createdAt: "timestamp"; displayName: "string"; email: "string"; name: "string"; updatedAt: "timestamp"; url: "string" };
  };
  /** States that issues of a team go through. */
  workflowStates: {
    name: "workflow_states";
    actions: Pick<typeof workflowStates, "get" | "list">;
    record: workflowStates.WorkflowState;
    search: { id: "string"; createdAt: "timestamp"; name: "string"; position: "number"; team: "string"; type: "string"; updatedAt: "timestamp" };
  };
}

/** The credentials that Linear takes. */
export type LinearCredential =
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "oauth"; readonly token: string };
export type ClientOptions = import("../../runtime/client/index.ts").ClientOptions<LinearCredential>;
export type LocalOptions = import("../../runtime/client/index.ts").LocalOptions<LinearCredential>;

/** Entities and actions of Linear, for both modes of its client. */
export const plan: ClientPlan = {
  name: "linear",
  title: "Linear",
  entities: {
    comments: { get: {}, list: { cursor: "after" }, create: { writes: true }, update: { writes: true }, delete: { writes: true } },
    cycles: { get: {}, list: { cursor: "after" } },
    issues: {
      get: {},
      list: { cursor: "after" },
      api_search: { cursor: "after" },
      create: { writes: true },
      update: { writes: true },
      archive: { writes: true },
    },
    labels: { get: {}, list: { cursor: "after" } },
    projects: { get: {}, list: { cursor: "after" } },
    teams: { get: {}, list: { cursor: "after" } },
    users: { get: {}, list: { cursor: "after" } },
    workflow_states: { get: {}, list: { cursor: "after" } },
  },
};

/** Client of Linear, in hosted mode only, as browsers use it. Teams, issues, comments, projects, cycles, workflow states, labels and users of a Linear workspace. */
export const Linear: ConnectorClass<LinearEntities, LinearCredential> = connectorClass(plan);

export type Linear = Client<LinearEntities>;
