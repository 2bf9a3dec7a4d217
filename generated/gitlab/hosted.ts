// Generated from spec/gitlab/connector.yaml by `make generate`. Do not edit.

import { type Client, type ClientPlan, type ConnectorClass, connectorClass } from "../../runtime/client/index.ts";
import type * as issueNotes from "./issue_notes.ts";
import type * as issues from "./issues.ts";
import type * as mergeRequestNotes from "./merge_request_notes.ts";
import type * as mergeRequests from "./merge_requests.ts";
import type * as pipelines from "./pipelines.ts";
import type * as projects from "./projects.ts";
import type * as users from "./users.ts";

export * from "../../runtime/client/index.ts";
export type { IssueNotesCreateParams, IssueNotesDeleteParams, IssueNotesGetParams, IssueNotesListParams, IssueNotesUpdateParams, Note } from "./issue_notes.ts";
export type { Issue, IssueState, IssuesCreateParams, IssuesDeleteParams, IssuesGetParams, IssuesListParams, IssuesUpdateParams, StateEvent } from "./issues.ts";
export type { MergeRequestNotesCreateParams, MergeRequestNotesListParams } from "./merge_request_notes.ts";
export type { MergeRequest, MergeRequestState, MergeRequestsCreateParams, MergeRequestsGetParams, MergeRequestsListParams, MergeRequestsMergeParams, MergeRequestsRebaseParams, MergeRequestsUpdateParams } from "./merge_requests.ts";
export type { Pipeline, PipelineStatus, PipelinesCancelParams, PipelinesCreateParams, PipelinesGetParams, PipelinesListParams, PipelinesRetryParams } from "./pipelines.ts";
export type { Project, ProjectsGetParams, ProjectsListParams, Visibility } from "./projects.ts";
export type { User, UsersApiSearchParams, UsersGetParams, UsersListParams } from "./users.ts";
export type { Direction, Order, Person } from "./shared.ts";

/** What the methods of {@link GitLab} take and return. */
export interface GitLabEntities {
  /** Comments on issues, and what GitLab writes there about changes. */
  issueNotes: {
    name: "issue_notes";
    actions: Pick<typeof issueNotes, "get" | "list" | "create" | "update"> & { delete: typeof issueNotes.deleteAction };
    record: issueNotes.Note;
    search: { id: "integer"; author: "string"; body: "string"; createdAt: "timestamp"; internal: "boolean"; on: "integer"; project: "integer"; resolved: "boolean"; system: "boolean"; updatedAt: "timestamp" };
    semantic: "body";
  };
  /** Issues of a project. */
  issues: {
    name: "issues";
    actions: Pick<typeof issues, "get" | "list" | "create" | "update"> & { delete: typeof issues.deleteAction };
    record: issues.Issue;
    search: { id: "integer"; assignees: "string[]"; author: "string"; closedAt: "timestamp"; confidential: "boolean"; createdAt: "timestamp"; description: "string"; dueDate: "timestamp"; iid: "integer"; kind: "string"; labels: "string[]"; milestone: "string"; project: "integer"; state: "string"; title: "string"; updatedAt: "timestamp"; upvotes: "integer"; userNotes: "integer" };
    semantic: "description" | "title";
  };
  /** Comments on merge requests, and what GitLab writes there about changes. */
  mergeRequestNotes: {
    name: "merge_request_notes";
    actions: Pick<typeof mergeRequestNotes, "list" | "create">;
    record: issueNotes.Note;
    search: { id: "integer"; author: "string"; body: "string"; createdAt: "timestamp"; internal: "boolean"; on: "integer"; project: "integer"; resolved: "boolean"; system: "boolean"; updatedAt: "timestamp" };
    semantic: "body";
  };
  /** Merge requests of a project. */
  mergeRequests: {
    name: "merge_requests";
    actions: Pick<typeof mergeRequests, "get" | "list" | "create" | "update"> & { merge: typeof mergeRequests.mergeAction; rebase: typeof mergeRequests.rebaseAction };
    record: mergeRequests.MergeRequest;
    search: { id: "integer"; assignees: "string[]"; author: "string"; closedAt: "timestamp"; createdAt: "timestamp"; description: "string"; draft: "boolean"; iid: "integer"; labels: "string[]"; mergeStatus: "string"; mergedAt: "timestamp"; mergedBy: "string"; milestone: "string"; project: "integer"; reviewers: "string[]"; sha: "string"; sourceBranch: "string"; state: "string"; targetBranch: "string"; title: "string"; updatedAt: "timestamp"; userNotes: "integer" };
    semantic: "description" | "title";
  };
  /** Runs of the jobs of a project. */
  pipelines: {
    name: "pipelines";
    actions: Pick<typeof pipelines, "get" | "list" | "create"> & { cancel: typeof pipelines.cancelAction; retry: typeof pipelines.retryAction };
    record: pipelines.Pipeline;
    search: { id: "integer"; createdAt: "timestamp"; iid: "integer"; name: "string"; project: "integer"; ref: "string"; sha: "string"; source: "string"; status: "string"; updatedAt: "timestamp" };
  };
  /** Repositories with their issues and merge requests. */
  projects: {
    name: "projects";
    actions: Pick<typeof projects, "get" | "list">;
    record: projects.Project;
    search: { id: "integer"; archived: "boolean"; createdAt: "timestamp"; defaultBranch: "string"; description: "string"; lastActivityAt: "timestamp"; name: "string"; openIssues: "integer"; path: "string"; stars: "integer"; topics: "string[]"; visibility: "string" };
    semantic: "description";
  };
  /** People and bots. */
  users: {
    name: "users";
    actions: Pick<typeof users, "get" | "list" | "apiSearch">;
    record: users.User;
    search: { id: "integer"; name: "string"; state: "string"; username: "string" };
  };
}

/** The credentials that GitLab takes. */
export type GitLabCredential =
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "oauth"; readonly token: string };
export type ClientOptions = import("../../runtime/client/index.ts").ClientOptions<GitLabCredential>;
export type LocalOptions = import("../../runtime/client/index.ts").LocalOptions<GitLabCredential>;

/** Entities and actions of GitLab, for both modes of its client. */
export const plan: ClientPlan = {
  name: "gitlab",
  title: "GitLab",
  entities: {
    issue_notes: { get: {}, list: { cursor: "after" }, create: { writes: true }, update: { writes: true }, delete: { writes: true } },
    issues: { get: {}, list: { cursor: "after" }, create: { writes: true }, update: { writes: true }, delete: { writes: true } },
    merge_request_notes: { list: { cursor: "after" }, create: { writes: true } },
    merge_requests: {
      get: {},
      list: { cursor: "after" },
      create: { writes: true },
      update: { writes: true },
      merge: { writes: true },
      rebase: { writes: true },
    },
    pipelines: { get: {}, list: { cursor: "after" }, create: { writes: true }, cancel: { writes: true }, retry: { writes: true } },
    projects: { get: {}, list: { cursor: "after" } },
    users: { get: {}, list: { cursor: "after" }, api_search: { cursor: "after" } },
  },
};

/** Client of GitLab, in hosted mode only, as browsers use it. Projects, issues, merge requests, their notes, pipelines and users of GitLab.com or of a GitLab server of your own. */
export const GitLab: ConnectorClass<GitLabEntities, GitLabCredential> = connectorClass(plan);

export type GitLab = Client<GitLabEntities>;
