// Generated from spec/gitlab/merge_requests.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Answer,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { mergeRequestsStore } from "./facts.ts";
import type { StateEvent } from "./issues.ts";
import { type Direction, type Order, type Person, personPlan } from "./shared.ts";
import {
  createParams,
  getParams,
  listParams,
  mergeActionParams,
  rebaseActionParams,
  updateParams,
} from "./validators/merge_requests.js";

/** How far it is. */
export type MergeRequestState = "closed" | "locked" | "merged" | "opened";

/** Merge requests of a project. */
export interface MergeRequest {
  /** Id within the GitLab server. */
  readonly id: number;
  /** Who works on it. */
  readonly assignees: readonly Person[];
  /** User name of who wrote it. */
  readonly author: string | null;
  /** When it was closed. */
  readonly closedAt: string | null;
  /** When it was created. */
  readonly createdAt: string;
  /** Description in Markdown. */
  readonly description: string | null;
  /** Whether it is not ready. */
  readonly draft: boolean;
  /** Number within the project. */
  readonly iid: number;
  /** Names of its labels. */
  readonly labels: readonly string[];
  /** Whether it can be merged: `mergeable`, `conflict`, `draft_status` … */
  readonly mergeStatus: string | null;
  /** When it was merged. */
  readonly mergedAt: string | null;
  /** User name of who merged it. */
  readonly mergedBy: string | null;
  /** Title of its milestone. */
  readonly milestone: string | null;
  /** Id of the project. */
  readonly project: number;
  /** Who reviews it. */
  readonly reviewers: readonly Person[];
  /** Its newest commit. */
  readonly sha: string | null;
  /** Branch that is merged. */
  readonly sourceBranch: string;
  /** How far it is. */
  readonly state: MergeRequestState;
  /** Branch into which it is merged. */
  readonly targetBranch: string;
  /** Title. */
  readonly title: string;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Number of its notes, without those that GitLab wrote. */
  readonly userNotes: number;
  /** Address of its web page. */
  readonly webUrl: string;
}

export interface MergeRequestsGetParams {
  /** Number of the merge request within its project. */
  readonly mergeRequest: number;
  /** Path of the project, such as `group/name`, or its id. */
  readonly project: string;
  readonly fields?: readonly FieldPath[];
}

export interface MergeRequestsListParams {
  /** Path of the project, such as `group/name`, or its id. */
  readonly project: string;
  /** Only those with all of these labels. */
  readonly labels?: string;
  /** Time by which they are ordered. Default `updated_at`. */
  readonly orderBy?: Order;
  /** Only those whose title or description has these words. */
  readonly search?: string;
  /** Which end comes first. Default `desc`. */
  readonly sort?: Direction;
  /** Only those in this state. */
  readonly state?: MergeRequestState;
  /** Only those changed since then. */
  readonly updatedAfter?: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface MergeRequestsCreateParams {
  /** Path of the project, such as `group/name`, or its id. */
  readonly project: string;
  /** Branch to merge. */
  readonly sourceBranch: string;
  /** Branch into which it is merged. */
  readonly targetBranch: string;
  /** Title. */
  readonly title: string;
  /** Ids of users. An empty list removes all. */
  readonly assignees?: readonly number[];
  /** Description in GitLab's Markdown. */
  readonly description?: string;
  /** Names of labels between commas. In a change they replace the labels, and an empty text removes all. */
  readonly labels?: string;
  readonly fields?: readonly FieldPath[];
}

export interface MergeRequestsUpdateParams {
  /** Number of the merge request within its project. */
  readonly mergeRequest: number;
  /** Path of the project, such as `group/name`, or its id. */
  readonly project: string;
  /** Ids of users. An empty list removes all. */
  readonly assignees?: readonly number[];
  /** Closes or reopens it. */
  readonly change?: StateEvent;
  /** Description in GitLab's Markdown. */
  readonly description?: string;
  /** Names of labels between commas. In a change they replace the labels, and an empty text removes all. */
  readonly labels?: string;
  /** Branch into which it is merged. */
  readonly targetBranch?: string;
  /** Title. */
  readonly title?: string;
  readonly fields?: readonly FieldPath[];
}

export interface MergeRequestsMergeParams {
  /** Number of the merge request within its project. */
  readonly mergeRequest: number;
  /** Path of the project, such as `group/name`, or its id. */
  readonly project: string;
  /** Whether the branch is removed. */
  readonly removeBranch?: boolean;
  /** The newest commit that the branch must have, so that nothing unseen is merged. */
  readonly sha?: string;
  /** Whether its commits become one. */
  readonly squash?: boolean;
  readonly fields?: readonly FieldPath[];
}

export interface MergeRequestsRebaseParams {
  /** Number of the merge request within its project. */
  readonly mergeRequest: number;
  /** Path of the project, such as `group/name`, or its id. */
  readonly project: string;
  /** Whether no pipeline is started. */
  readonly skipCi?: boolean;
  readonly fields?: readonly FieldPath[];
}

export const mergeRequestPlan: RecordPlan = {
  name: "MergeRequest",
  fields: {
    id: { read: "id", always: true, is: "integer" },
    assignees: { read: "assignees", list: "empty", of: () => personPlan },
    author: { read: "author.username" },
    closedAt: { read: "closed_at", is: "timestamp" },
    createdAt: { read: "created_at", always: true, is: "timestamp" },
    description: { read: "description" },
    draft: { read: "draft", always: true, is: "boolean" },
    iid: { read: "iid", always: true, is: "integer" },
    labels: { read: "labels", list: "empty" },
    mergeStatus: { read: "detailed_merge_status" },
    mergedAt: { read: "merged_at", is: "timestamp" },
    mergedBy: { read: "merge_user.username" },
    milestone: { read: "milestone.title" },
    project: { read: "project_id", always: true, is: "integer" },
    reviewers: { read: "reviewers", list: "empty", of: () => personPlan },
    sha: { read: "sha" },
    sourceBranch: { read: "source_branch", always: true },
    state: { read: "state", always: true, values: ["closed", "locked", "merged", "opened"] },
    targetBranch: { read: "target_branch", always: true },
    title: { read: "title", always: true },
    updatedAt: { read: "updated_at", always: true, is: "timestamp" },
    userNotes: { read: "user_notes_count", always: true, is: "integer" },
    webUrl: { read: "web_url", always: true },
  },
};

/** Reads one merge request. */
export const get: Action<MergeRequestsGetParams, Single<MergeRequest>> = {
  name: "merge_requests.get",
  traits: actionTraits.get,
  params: ["mergeRequest", "project"],
  validate: getParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/projects/{project}/merge_requests/{mergeRequest}",
    query: [],
    body: [],
    record: mergeRequestPlan,
  },
};

/** Lists the merge requests of a project. */
export const list: Action<MergeRequestsListParams, Page<MergeRequest>> = {
  name: "merge_requests.list",
  traits: actionTraits.list,
  params: ["project", "labels", "orderBy", "search", "sort", "state", "updatedAfter", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/projects/{project}/merge_requests",
    query: [
      "labels",
      { param: "orderBy", name: "order_by" },
      "search",
      "sort",
      "state",
      { param: "updatedAfter", name: "updated_after" },
      "per_page",
    ],
    body: [],
    list: { page: { size: "per_page", cursor: "after", max: 100 }, by: { kind: "link" } },
    record: mergeRequestPlan,
  },
};

/** Asks to merge a branch. */
export const create: Action<MergeRequestsCreateParams, Answer<MergeRequest>> = {
  name: "merge_requests.create",
  traits: actionTraits.create,
  params: ["project", "sourceBranch", "targetBranch", "title", "assignees", "description", "labels"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/projects/{project}/merge_requests",
    query: [],
    body: [
      { param: "sourceBranch", name: "source_branch" },
      { param: "targetBranch", name: "target_branch" },
      "title",
      { param: "assignees", name: "assignee_ids" },
      "description",
      "labels",
    ],
    record: mergeRequestPlan,
  },
};

/** Changes, closes or reopens a merge request. */
export const update: Action<MergeRequestsUpdateParams, Answer<MergeRequest>> = {
  name: "merge_requests.update",
  traits: actionTraits.update,
  params: ["mergeRequest", "project", "assignees", "change", "description", "labels", "targetBranch", "title"],
  validate: updateParams,
  operation: {
    kind: "rest",
    method: "PUT",
    path: "/projects/{project}/merge_requests/{mergeRequest}",
    query: [],
    body: [
      { param: "assignees", name: "assignee_ids" },
      { param: "change", name: "state_event" },
      "description",
      "labels",
      { param: "targetBranch", name: "target_branch" },
      "title",
    ],
    record: mergeRequestPlan,
  },
  changes: ["assignees", "change", "description", "labels", "targetBranch", "title"],
};

/** Merges a merge request. */
export const mergeAction: Action<MergeRequestsMergeParams, Answer<MergeRequest>> = {
  name: "merge_requests.merge",
  traits: { writes: true, list: false, updates: false, idempotent: false },
  params: ["mergeRequest", "project", "removeBranch", "sha", "squash"],
  validate: mergeActionParams,
  operation: {
    kind: "rest",
    method: "PUT",
    path: "/projects/{project}/merge_requests/{mergeRequest}/merge",
    query: [],
    body: [{ param: "removeBranch", name: "should_remove_source_branch" }, "sha", "squash"],
    record: mergeRequestPlan,
  },
};

/** Moves the commits of its branch behind those of the target branch. GitLab does it in the background; the response has the merge request when it has ended. */
export const rebaseAction: Action<MergeRequestsRebaseParams, Answer<MergeRequest>> = {
  name: "merge_requests.rebase",
  traits: { writes: true, list: false, updates: false, idempotent: true },
  params: ["mergeRequest", "project", "skipCi"],
  validate: rebaseActionParams,
  operation: {
    kind: "rest",
    method: "PUT",
    path: "/projects/{project}/merge_requests/{mergeRequest}/rebase",
    query: [],
    body: [{ param: "skipCi", name: "skip_ci" }],
    poll: {
      path: "/projects/{id}/merge_requests/{merge_request_iid}",
      places: { id: { param: "project" }, merge_request_iid: { param: "mergeRequest" } },
      query: { include_rebase_in_progress: "true" },
      every: 1000,
      until: [{ rebase_in_progress: false }],
      failed: [{ merge_error: { not: null }, rebase_in_progress: false }],
      message: "merge_error",
    },
    record: mergeRequestPlan,
  },
};

/** Merge requests of a project. */
export const entity: Entity = {
  actions: { get, list, create, update, merge: mergeAction, rebase: rebaseAction },
  record: mergeRequestPlan,
  store: mergeRequestsStore,
  aliases: ["pull_requests"],
  brief: ["iid", "title", "state", "sourceBranch", "updatedAt"],
  sync: [
    {
      scope: "project",
      action: list,
      size: { param: "per_page", value: 100 },
      cursor: { field: "updatedAt", overlap: 60 },
    },
  ],
};
