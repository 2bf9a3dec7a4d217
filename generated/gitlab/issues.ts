// Generated from spec/gitlab/issues.yaml by `make generate`. Do not edit.

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
import { issuesStore } from "./facts.ts";
import { type Direction, type Order, type Person, personPlan } from "./shared.ts";
import { createParams, deleteActionParams, getParams, listParams, updateParams } from "./validators/issues.js";

/** Whether it is open. */
export type IssueState = "closed" | "opened";
/** A change of the state. */
export type StateEvent = "close" | "reopen";

/** Issues of a project. */
export interface Issue {
  /** Id within the GitLab server. */
  readonly id: number;
  /** Who works on it. */
  readonly assignees: readonly Person[];
  /** User name of who wrote it. */
  readonly author: string | null;
  /** When it was closed. */
  readonly closedAt: string | null;
  /** Whether only members see it. */
  readonly confidential: boolean;
  /** When it was created. */
  readonly createdAt: string;
  /** Description in Markdown. */
  readonly description: string | null;
  /** When it is due. */
  readonly dueDate: string | null;
  /** Number within the project. */
  readonly iid: number;
  /** `issue`, `incident`, `test_case` or `task`. */
  readonly kind: string;
  /** Names of its labels. */
  readonly labels: readonly string[];
  /** Title of its milestone. */
  readonly milestone: string | null;
  /** Id of the project. */
  readonly project: number;
  /** Whether it is open. */
  readonly state: IssueState;
  /** Title. */
  readonly title: string;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Number of votes for it. */
  readonly upvotes: number;
  /** Number of its notes, without those that GitLab wrote. */
  readonly userNotes: number;
  /** Address of its web page. */
  readonly webUrl: string;
}

export interface IssuesGetParams {
  /** Number of the issue within its project. */
  readonly issue: number;
  /** Path of the project, such as `group/name`, or its id. */
  readonly project: string;
  readonly fields?: readonly FieldPath[];
}

export interface IssuesListParams {
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
  readonly state?: IssueState;
  /** Only those changed since then. */
  readonly updatedAfter?: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface IssuesCreateParams {
  /** Path of the project, such as `group/name`, or its id. */
  readonly project: string;
  /** Title. */
  readonly title: string;
  /** Ids of users. An empty list removes all. */
  readonly assignees?: readonly number[];
  /** Whether only members see it. */
  readonly confidential?: boolean;
  /** Description in GitLab's Markdown. */
  readonly description?: string;
  /** When it is due. */
  readonly dueDate?: string;
  /** Names of labels between commas. In a change they replace the labels, and an empty text removes all. */
  readonly labels?: string;
  readonly fields?: readonly FieldPath[];
}

export interface IssuesUpdateParams {
  /** Number of the issue within its project. */
  readonly issue: number;
  /** Path of the project, such as `group/name`, or its id. */
  readonly project: string;
  /** Ids of users. An empty list removes all. */
  readonly assignees?: readonly number[];
  /** Closes or reopens it. */
  readonly change?: StateEvent;
  /** Description in GitLab's Markdown. */
  readonly description?: string;
  /** When it is due. */
  readonly dueDate?: string | null;
  /** Names of labels between commas. In a change they replace the labels, and an empty text removes all. */
  readonly labels?: string;
  /** Title. */
  readonly title?: string;
  readonly fields?: readonly FieldPath[];
}

export interface IssuesDeleteParams {
  /** Number of the issue within its project. */
  readonly issue: number;
  /** Path of the project, such as `group/name`, or its id. */
  readonly project: string;
  readonly fields?: readonly FieldPath[];
}

export const issuePlan: RecordPlan = {
  name: "Issue",
  fields: {
    id: { read: "id", always: true, is: "integer" },
    assignees: { read: "assignees", list: "empty", of: () => personPlan },
    author: { read: "author.username" },
    closedAt: { read: "closed_at", is: "timestamp" },
    confidential: { read: "confidential", always: true, is: "boolean" },
    createdAt: { read: "created_at", always: true, is: "timestamp" },
    description: { read: "description" },
    dueDate: { read: "due_date", is: "timestamp" },
    iid: { read: "iid", always: true, is: "integer" },
    kind: { read: "issue_type", always: true },
    labels: { read: "labels", list: "empty" },
    milestone: { read: "milestone.title" },
    project: { read: "project_id", always: true, is: "integer" },
    state: { read: "state", always: true, values: ["closed", "opened"] },
    title: { read: "title", always: true },
    updatedAt: { read: "updated_at", always: true, is: "timestamp" },
    upvotes: { read: "upvotes", always: true, is: "integer" },
    userNotes: { read: "user_notes_count", always: true, is: "integer" },
    webUrl: { read: "web_url", always: true },
  },
};

/** Reads one issue. */
export const get: Action<IssuesGetParams, Single<Issue>> = {
  name: "issues.get",
  traits: actionTraits.get,
  params: ["issue", "project"],
  validate: getParams,
  operation: { kind: "rest", method: "GET", path: "/projects/{project}/issues/{issue}", query: [], body: [], record: issuePlan },
};

/** Lists the issues of a project. */
export const list: Action<IssuesListParams, Page<Issue>> = {
  name: "issues.list",
  traits: actionTraits.list,
  params: ["project", "labels", "orderBy", "search", "sort", "state", "updatedAfter", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/projects/{project}/issues",
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
    record: issuePlan,
  },
};

/** Creates an issue. */
export const create: Action<IssuesCreateParams, Answer<Issue>> = {
  name: "issues.create",
  traits: actionTraits.create,
  params: ["project", "title", "assignees", "confidential", "description", "dueDate", "labels"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/projects/{project}/issues",
    query: [],
    body: [
      "title",
      { param: "assignees", name: "assignee_ids" },
      "confidential",
      "description",
      { param: "dueDate", name: "due_date" },
      "labels",
    ],
    limit: "POST /projects/{id}/issues",
    record: issuePlan,
  },
};

/** Changes, closes or reopens an issue. */
export const update: Action<IssuesUpdateParams, Answer<Issue>> = {
  name: "issues.update",
  traits: actionTraits.update,
  params: ["issue", "project", "assignees", "change", "description", "dueDate", "labels", "title"],
  validate: updateParams,
  operation: {
    kind: "rest",
    method: "PUT",
    path: "/projects/{project}/issues/{issue}",
    query: [],
    body: [
      { param: "assignees", name: "assignee_ids" },
      { param: "change", name: "state_event" },
      "description",
      { param: "dueDate", name: "due_date" },
      "labels",
      "title",
    ],
    record: issuePlan,
  },
  changes: ["assignees", "change", "description", "dueDate", "labels", "title"],
};

/** Removes an issue. Only owners of the project may. */
export const deleteAction: Action<IssuesDeleteParams, Answer<Issue>> = {
  name: "issues.delete",
  traits: { writes: true, list: false, updates: false, idempotent: true },
  params: ["issue", "project"],
  validate: deleteActionParams,
  operation: { kind: "rest", method: "DELETE", path: "/projects/{project}/issues/{issue}", query: [], body: [], record: issuePlan },
};

/** Issues of a project. */
export const entity: Entity = {
  actions: { get, list, create, update, delete: deleteAction },
  record: issuePlan,
  store: issuesStore,
  brief: ["iid", "title", "state", "labels", "updatedAt"],
  sync: [
    {
      scope: "project",
      action: list,
      size: { param: "per_page", value: 100 },
      cursor: { field: "updatedAt", overlap: 60 },
    },
  ],
};
