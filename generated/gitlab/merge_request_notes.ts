// Generated from spec/gitlab/merge_request_notes.yaml by `make generate`. Do not edit.

import { type Action, type Answer, type Entity, type FieldPath, type Page, actionTraits } from "../../runtime/contract/public.ts";
import { mergeRequestNotesStore } from "./facts.ts";
import { type Note, notePlan } from "./issue_notes.ts";
import type { Direction, Order } from "./shared.ts";
import { createParams, listParams } from "./validators/merge_request_notes.js";

export interface MergeRequestNotesListParams {
  /** Number of the merge request within its project. */
  readonly mergeRequest: number;
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

export interface MergeRequestNotesCreateParams {
  /** Text in GitLab's Markdown. */
  readonly body: string;
  /** Number of the merge request within its project. */
  readonly mergeRequest: number;
  /** Path of the project, such as `group/name`, or its id. */
  readonly project: string;
  readonly fields?: readonly FieldPath[];
}

/** Lists the notes on a merge request. */
export const list: Action<MergeRequestNotesListParams, Page<Note>> = {
  name: "merge_request_notes.list",
  traits: actionTraits.list,
  params: ["mergeRequest", "project", "orderBy", "sort", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/projects/{project}/merge_requests/{mergeRequest}/notes",
    query: [{ param: "orderBy", name: "order_by" }, "sort", "per_page"],
    body: [],
    list: { page: { size: "per_page", cursor: "after", max: 100 }, by: { kind: "link" } },
    record: notePlan,
  },
};

/** Comments on a merge request. */
export const create: Action<MergeRequestNotesCreateParams, Answer<Note>> = {
  name: "merge_request_notes.create",
  traits: actionTraits.create,
  params: ["body", "mergeRequest", "project"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/projects/{project}/merge_requests/{mergeRequest}/notes",
    query: [],
    body: ["body"],
    limit: "POST /projects/{id}/merge_requests/{merge_request_iid}/notes",
    record: notePlan,
  },
};

/** Comments on merge requests, and what GitLab writes there about changes. */
export const entity: Entity = {
  actions: { list, create },
  record: notePlan,
  store: mergeRequestNotesStore,
  brief: ["id", "author", "createdAt", "body"],
  sync: [
    {
      scope: "project",
      action: list,
      size: { param: "per_page", value: 100 },
      each: { entity: "merge_requests", params: { mergeRequest: "iid" }, changed: "updatedAt" },
    },
  ],
  relations: [{ table: "merge_requests", on: "merge_requests.key = ANY(merge_request_notes.parent)" }],
};
