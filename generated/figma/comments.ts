// Generated from spec/figma/comments.yaml by `make generate`. Do not edit.

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
import { type Done, type User, donePlan, userPlan } from "./shared.ts";
import { createParams, deleteActionParams, listParams } from "./validators/comments.js";

/** Comments on a file. */
export interface Comment {
  /** Key of the file. */
  readonly file: string;
  /** Id. */
  readonly id: string;
  /** When it was created. */
  readonly createdAt: string;
  /** Its text. */
  readonly message: string;
  /** Number within the file, of comments that begin a thread. */
  readonly number: string | null;
  /** Id of the comment that it answers; empty where it begins a thread. */
  readonly parent: string | null;
  /** When its thread was resolved; null while it is open. */
  readonly resolvedAt: string | null;
  /** Who wrote it. */
  readonly user: User;
  /** Name of the user. */
  readonly userHandle: string;
  /** Who reacted to it and with what. */
  readonly reactions?: readonly (Readonly<Record<string, unknown>>)[];
}

export interface CommentsListParams {
  /** Key of the file. */
  readonly file: string;
  /** Whether texts are given as Markdown. */
  readonly markdown?: boolean;
  readonly fields?: readonly FieldPath[];
}

export interface CommentsCreateParams {
  /** Key of the file. */
  readonly file: string;
  /** Its text. */
  readonly message: string;
  /** Id of the comment to answer. It must be one that begins a thread. */
  readonly parent?: string;
  readonly fields?: readonly FieldPath[];
}

export interface CommentsDeleteParams {
  /** Id of the comment. */
  readonly comment: string;
  /** Key of the file. */
  readonly file: string;
  readonly fields?: readonly FieldPath[];
}

export const commentPlan: RecordPlan = {
  name: "Comment",
  fields: {
    file: { read: "file_key", always: true },
    id: { read: "id", always: true },
    createdAt: { read: "created_at", always: true, is: "timestamp" },
    message: { read: "message", always: true },
    number: { read: "order_id" },
    parent: { read: "parent_id" },
    resolvedAt: { read: "resolved_at", is: "timestamp" },
    user: { read: "user", always: true, of: () => userPlan },
    userHandle: { read: "user.handle", always: true },
    reactions: { read: "reactions", list: "empty", open: true, onRequest: true },
  },
};

/** Lists all comments on a file. */
export const list: Action<CommentsListParams, Page<Comment>> = {
  name: "comments.list",
  traits: actionTraits.list,
  params: ["file", "markdown"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/v1/files/{file}/comments",
    query: [{ param: "markdown", name: "as_md" }],
    body: [],
    answer: "comments",
    list: { by: { kind: "single" } },
    record: commentPlan,
  },
};

/** Comments on a file, or answers a comment. */
export const create: Action<CommentsCreateParams, Answer<Comment>> = {
  name: "comments.create",
  traits: actionTraits.create,
  params: ["file", "message", "parent"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/v1/files/{file}/comments",
    query: [],
    body: ["message", { param: "parent", name: "comment_id" }],
    record: commentPlan,
  },
};

/** Removes a comment of the token's own user. */
export const deleteAction: Action<CommentsDeleteParams, Answer<Done>> = {
  name: "comments.delete",
  traits: { writes: true, list: false, updates: false, idempotent: true },
  params: ["comment", "file"],
  validate: deleteActionParams,
  operation: { kind: "rest", method: "DELETE", path: "/v1/files/{file}/comments/{comment}", query: [], body: [], record: donePlan },
};

/** Comments on a file. */
export const entity: Entity = {
  actions: { list, create, delete: deleteAction },
  record: commentPlan,
  store: commentsStore,
  brief: ["id", "userHandle", "createdAt", "message", "parent"],
  sync: [{ scope: "team", action: list, each: { entity: "files", params: { file: "key" } } }],
  relations: [{ table: "files", on: "files.key = comments.file" }],
};
