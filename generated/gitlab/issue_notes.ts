// Generated from spec/gitlab/issue_notes.yaml by `make generate`. Do not edit.

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
import { issueNotesStore } from "./facts.ts";
import type { Direction, Order } from "./shared.ts";
import { createParams, deleteActionParams, getParams, listParams, updateParams } from "./validators/issue_notes.js";

/** Comments on issues, and what GitLab writes there about changes. */
export interface Note {
  /** Id within the GitLab server. */
  readonly id: number;
  /** User name of who wrote it. */
  readonly author: string | null;
  /** Text in Markdown. */
  readonly body: string;
  /** When it was created. */
  readonly createdAt: string;
  /** Whether only members see it. */
  readonly internal: boolean;
  /** Number of what it is a note on. */
  readonly on: number;
  /** Id of the project. */
  readonly project: number;
  /** Whether its thread is resolved, where it can be. */
  readonly resolved: boolean | null;
  /** Whether GitLab wrote it about a change. */
  readonly system: boolean;
  /** When it was last changed. */
  readonly updatedAt: string;
}

export interface IssueNotesGetParams {
  /** Number of the issue within its project. */
  readonly issue: number;
  /** Id of the note. */
  readonly note: number;
  /** Path of the project, such as `group/name`, or its id. */
  readonly project: string;
  readonly fields?: readonly FieldPath[];
}

export interface IssueNotesListParams {
  /** Number of the issue within its project. */
  readonly issue: number;
  /** Path of the project, such as `group/name`, or its id. */
  readonly project: string;
  /** Time by which they are ordered. Default `created_at`. */
  readonly orderBy?: Order;
  /** Which end comes first. Default `asc`. */
  readonly sort?: Direction;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface IssueNotesCreateParams {
  /** Text in GitLab's Markdown. */
  readonly body: string;
  /** Number of the issue within its project. */
  readonly issue: number;
  /** Path of the project, such as `group/name`, or its id. */
  readonly project: string;
  /** Whether only members see it. */
  readonly internal?: boolean;
  readonly fields?: readonly FieldPath[];
}

export interface IssueNotesUpdateParams {
  /** Text in GitLab's Markdown. */
  readonly body: string;
  /** Number of the issue within its project. */
  readonly issue: number;
  /** Id of the note. */
  readonly note: number;
  /** Path of the project, such as `group/name`, or its id. */
  readonly project: string;
  readonly fields?: readonly FieldPath[];
}

export interface IssueNotesDeleteParams {
  /** Number of the issue within its project. */
  readonly issue: number;
  /** Id of the note. */
  readonly note: number;
  /** Path of the project, such as `group/name`, or its id. */
  readonly project: string;
  readonly fields?: readonly FieldPath[];
}

export const notePlan: RecordPlan = {
  name: "Note",
  fields: {
    id: { read: "id", always: true, is: "integer" },
    author: { read: "author.username" },
    body: { read: "body", always: true },
    createdAt: { read: "created_at", always: true, is: "timestamp" },
    internal: { read: "internal", always: true, is: "boolean" },
    on: { read: "noteable_iid", always: true, is: "integer" },
    project: { read: "project_id", always: true, is: "integer" },
    resolved: { read: "resolved", is: "boolean" },
    system: { read: "system", always: true, is: "boolean" },
    updatedAt: { read: "updated_at", always: true, is: "timestamp" },
  },
};

/** Reads one note. */
export const get: Action<IssueNotesGetParams, Single<Note>> = {
  name: "issue_notes.get",
  traits: actionTraits.get,
  params: ["issue", "note", "project"],
  validate: getParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/projects/{project}/issues/{issue}/notes/{note}",
    query: [],
    body: [],
    record: notePlan,
  },
};

/** Lists the notes on an issue. */
export const list: Action<IssueNotesListParams, Page<Note>> = {
  name: "issue_notes.list",
  traits: actionTraits.list,
  params: ["issue", "project", "orderBy", "sort", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/projects/{project}/issues/{issue}/notes",
    query: [{ param: "orderBy", name: "order_by" }, "sort", "per_page"],
    body: [],
    list: { page: { size: "per_page", cursor: "after", max: 100 }, by: { kind: "link" } },
    record: notePlan,
  },
};

/** Comments on an issue. */
export const create: Action<IssueNotesCreateParams, Answer<Note>> = {
  name: "issue_notes.create",
  traits: actionTraits.create,
  params: ["body", "issue", "project", "internal"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/projects/{project}/issues/{issue}/notes",
    query: [],
    body: ["body", "internal"],
    limit: "POST /projects/{id}/issues/{issue_iid}/notes",
    record: notePlan,
  },
};

/** Changes a note of the token's user. */
export const update: Action<IssueNotesUpdateParams, Answer<Note>> = {
  name: "issue_notes.update",
  traits: actionTraits.update,
  params: ["body", "issue", "note", "project"],
  validate: updateParams,
  operation: {
    kind: "rest",
    method: "PUT",
    path: "/projects/{project}/issues/{issue}/notes/{note}",
    query: [],
    body: ["body"],
    record: notePlan,
  },
};

/** Removes a note. */
export const deleteAction: Action<IssueNotesDeleteParams, Answer<Note>> = {
  name: "issue_notes.delete",
  traits: { writes: true, list: false, updates: false, idempotent: true },
  params: ["issue", "note", "project"],
  validate: deleteActionParams,
  operation: {
    kind: "rest",
    method: "DELETE",
    path: "/projects/{project}/issues/{issue}/notes/{note}",
    query: [],
    body: [],
    record: notePlan,
  },
};

/** Comments on issues, and what GitLab writes there about changes. */
export const entity: Entity = {
  actions: { get, list, create, update, delete: deleteAction },
  record: notePlan,
  store: issueNotesStore,
  aliases: ["comments", "notes"],
  brief: ["id", "author", "createdAt", "body"],
  sync: [
    {
      scope: "project",
      action: list,
      size: { param: "per_page", value: 100 },
      each: { entity: "issues", params: { issue: "iid" }, changed: "updatedAt" },
    },
  ],
  relations: [{ table: "issues", on: "issues.key = ANY(issue_notes.parent)" }],
};
