// Generated from spec/jira/comments.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Answer,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { commentsStore } from "./facts.ts";
import { createParams, deleteActionParams, listParams, updateParams } from "./validators/comments.js";

/** Comments on issues. */
export interface Comment {
  /** Id. */
  readonly id: string;
  /** Who wrote it. */
  readonly author: string | null;
  /** Account id of who wrote it. */
  readonly authorId: string | null;
  /** When it was created. */
  readonly createdAt: string;
  /** Key of the issue. */
  readonly issue: string;
  /** Its text. */
  readonly text: string | null;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** The comment in the Atlassian Document Format. */
  readonly document?: Readonly<Record<string, unknown>> | null;
}

export interface CommentsListParams {
  /** Key or id of the issue. */
  readonly issue: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface CommentsCreateParams {
  /** Key or id of the issue. */
  readonly issue: string;
  /** Text, of which each line becomes a paragraph. */
  readonly text: string;
  readonly fields?: readonly FieldPath[];
}

export interface CommentsUpdateParams {
  /** Id of the comment. */
  readonly comment: string;
  /** Key or id of the issue. */
  readonly issue: string;
  /** Text, of which each line becomes a paragraph. */
  readonly text: string;
  readonly fields?: readonly FieldPath[];
}

export interface CommentsDeleteParams {
  /** Id of the comment. */
  readonly comment: string;
  /** Key or id of the issue. */
  readonly issue: string;
  readonly fields?: readonly FieldPath[];
}

export const commentPlan: RecordPlan = {
  name: "Comment",
  fields: {
    id: { read: "id", always: true },
    author: { read: "author.displayName" },
    authorId: { read: "author.accountId" },
    createdAt: { read: "created", always: true, is: "timestamp" },
    issue: { param: "issue" },
    text: { read: "body", as: { kind: "text" } },
    updatedAt: { read: "updated", always: true, is: "timestamp" },
    document: { read: "body", open: true, onRequest: true },
  },
};

/** Lists the comments on an issue, oldest first. */
export const list: Action<CommentsListParams, Page<Comment>> = {
  name: "comments.list",
  traits: actionTraits.list,
  params: ["issue", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/rest/api/3/issue/{issue}/comment",
    query: [{ param: "per_page", name: "maxResults" }],
    body: [],
    fixed: { query: { orderBy: "created" } },
    answer: "comments",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "offset", param: "startAt", end: { total: "total" } },
    },
    record: commentPlan,
  },
};

/** Comments on an issue. */
export const create: Action<CommentsCreateParams, Answer<Comment>> = {
  name: "comments.create",
  traits: actionTraits.create,
  params: ["issue", "text"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/rest/api/3/issue/{issue}/comment",
    query: [],
    body: [
      {
        param: "text",
        name: "body",
        as: { content: [{ content: [{ text: "{line}", type: "text" }], type: "paragraph" }], type: "doc", version: 1 },
      },
    ],
    record: commentPlan,
  },
};

/** Changes a comment. */
export const update: Action<CommentsUpdateParams, Answer<Comment>> = {
  name: "comments.update",
  traits: actionTraits.update,
  params: ["comment", "issue", "text"],
  validate: updateParams,
  operation: {
    kind: "rest",
    method: "PUT",
    path: "/rest/api/3/issue/{issue}/comment/{comment}",
    query: [],
    body: [
      {
        param: "text",
        name: "body",
        as: { content: [{ content: [{ text: "{line}", type: "text" }], type: "paragraph" }], type: "doc", version: 1 },
      },
    ],
    record: commentPlan,
  },
};

/** Removes a comment. */
export const deleteAction: Action<CommentsDeleteParams, Answer<Comment>> = {
  name: "comments.delete",
  traits: { writes: true, list: false, updates: false, idempotent: true },
  params: ["comment", "issue"],
  validate: deleteActionParams,
  operation: {
    kind: "rest",
    method: "DELETE",
    path: "/rest/api/3/issue/{issue}/comment/{comment}",
    query: [],
    body: [],
    record: commentPlan,
  },
};

/** Comments on issues. */
export const entity: Entity = {
  actions: { list, create, update, delete: deleteAction },
  record: commentPlan,
  store: commentsStore,
  brief: ["id", "author", "createdAt", "text"],
  sync: [
    {
      scope: "project",
      action: list,
      size: { param: "per_page", value: 100 },
      each: { entity: "issues", params: { issue: "key" }, changed: "updatedAt" },
    },
  ],
  relations: [{ table: "issues", on: "issues.key = comments.issue" }],
};
