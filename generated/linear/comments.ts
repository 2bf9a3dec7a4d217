// Generated from spec/linear/comments.yaml by `make generate`. Do not edit.

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
import { commentsStore } from "./facts.ts";
import { type Person, type Removed, personPlan, removedPlan } from "./shared.ts";
import { createParams, deleteActionParams, getParams, listParams, updateParams } from "./validators/comments.js";

/** Comments on issues. */
export interface Comment {
  /** Id. */
  readonly id: string;
  /** Text in Markdown. */
  readonly body: string;
  /** When it was created. */
  readonly createdAt: string;
  /** Id of the issue. */
  readonly issue: string | null;
  /** Id of the comment that it answers. */
  readonly parent: string | null;
  /** When its thread was resolved. */
  readonly resolvedAt: string | null;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Address of its web page. */
  readonly url: string;
  /** Who wrote it. */
  readonly user: Person | null;
  /** Name of who wrote it. */
  readonly userName: string | null;
}

export interface CommentsGetParams {
  /** Id. */
  readonly id: string;
  readonly fields?: readonly FieldPath[];
}

export interface CommentsListParams {
  /** Id or key of the issue. */
  readonly issue: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface CommentsCreateParams {
  /** Text in Markdown. */
  readonly body: string;
  /** Id of the issue. */
  readonly issue: string;
  /** Id of the comment to answer. */
  readonly parent?: string;
  readonly fields?: readonly FieldPath[];
}

export interface CommentsUpdateParams {
  /** Id. */
  readonly id: string;
  /** New text in Markdown. */
  readonly body?: string;
  readonly fields?: readonly FieldPath[];
}

export interface CommentsDeleteParams {
  /** Id. */
  readonly id: string;
  readonly fields?: readonly FieldPath[];
}

export const commentPlan: RecordPlan = {
  name: "Comment",
  on: "Comment",
  fields: {
    id: { select: "id", read: "id" },
    body: { select: "body", read: "body" },
    createdAt: { select: "createdAt", read: "createdAt", is: "timestamp" },
    issue: { select: "issue{id}", read: "issue.id" },
    parent: { select: "parent{id}", read: "parent.id" },
    resolvedAt: { select: "resolvedAt", read: "resolvedAt", is: "timestamp" },
    updatedAt: { select: "updatedAt", read: "updatedAt", is: "timestamp" },
    url: { select: "url", read: "url" },
    user: { select: ["user{", "}"], read: "user", of: () => personPlan },
    userName: { select: "userName:user{name}", read: "userName.name" },
  },
};

/** Reads one comment. */
export const get: Action<CommentsGetParams, Single<Comment>> = {
  name: "comments.get",
  traits: actionTraits.get,
  params: ["id"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query CommentsGet($id:String){comment(id:$id){...record}}",
    variables: ["id"],
    path: ["comment"],
    record: commentPlan,
  },
};

/** Lists the comments of an issue, newest first. */
export const list: Action<CommentsListParams, Page<Comment>> = {
  name: "comments.list",
  traits: actionTraits.list,
  params: ["issue", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query CommentsList($issue:String!$first:Int!$after:String){issue(id:$issue){comments(first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["issue"],
    path: ["issue", "comments"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    record: commentPlan,
  },
};

/** Comments on an issue. */
export const create: Action<CommentsCreateParams, Answer<Comment>> = {
  name: "comments.create",
  traits: actionTraits.create,
  params: ["body", "issue", "parent"],
  validate: createParams,
  operation: {
    kind: "graphql-write",
    document: "mutation CommentsCreate($input:CommentCreateInput!){commentCreate(input:$input){comment{...record}success}}",
    variables: [],
    computed: { input: { input: ["body", { param: "issue", name: "issueId" }, { param: "parent", name: "parentId" }] } },
    path: ["commentCreate", "comment"],
    success: ["commentCreate", "success"],
    record: commentPlan,
  },
};

/** Changes the text of a comment. */
export const update: Action<CommentsUpdateParams, Answer<Comment>> = {
  name: "comments.update",
  traits: actionTraits.update,
  params: ["id", "body"],
  validate: updateParams,
  operation: {
    kind: "graphql-write",
    document: "mutation CommentsUpdate($id:String!$input:CommentUpdateInput!){commentUpdate(id:$id input:$input){comment{...record}success}}",
    variables: ["id"],
    computed: { input: { input: ["body"] } },
    path: ["commentUpdate", "comment"],
    success: ["commentUpdate", "success"],
    record: commentPlan,
  },
  changes: ["body"],
};

/** Removes a comment. */
export const deleteAction: Action<CommentsDeleteParams, Answer<Removed>> = {
  name: "comments.delete",
  traits: { writes: true, list: false, updates: false, idempotent: true },
  params: ["id"],
  validate: deleteActionParams,
  operation: {
    kind: "graphql-write",
    document: "mutation CommentsDelete($id:String!){commentDelete(id:$id){...record success}}",
    variables: ["id"],
    path: ["commentDelete"],
    success: ["commentDelete", "success"],
    record: removedPlan,
  },
};

/** Comments on issues. */
export const entity: Entity = {
  actions: { get, list, create, update, delete: deleteAction },
  record: commentPlan,
  store: commentsStore,
  brief: ["id", "issue", "user.name", "createdAt", "body"],
  sync: [
    {
      scope: "team",
      action: list,
      size: { param: "per_page", value: 100 },
      each: { entity: "issues", params: { issue: "id" }, changed: "updatedAt" },
    },
  ],
  relations: [{ table: "issues", on: "issues.id = comments.issue" }],
};
