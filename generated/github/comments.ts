// Generated from spec/github/comments.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Answer,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  type SyncBatch,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { commentsStore } from "./facts.ts";
import { type Actor, type AuthorAssociation, actorPlan } from "./shared.ts";
import { createParams, getParams, listParams } from "./validators/comments.js";

/** Comments on issues and on the conversation of pull requests. Comments on lines of code are `pr_comments`. */
export interface Comment {
  /** GraphQL node ID. */
  readonly id: string;
  /** Who wrote it; null when the account was deleted. */
  readonly author: Actor | null;
  /** Text in Markdown. */
  readonly body: string;
  /** When it was created. */
  readonly createdAt: string;
  /** Numeric ID of the REST API. */
  readonly databaseId: number | null;
  /** Number of the issue or pull request. */
  readonly number: number;
  /** The repository as `owner/name`. */
  readonly repository: string;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Address of its web page. */
  readonly url: string;
  /** How the author is related to the repository. */
  readonly authorAssociation?: AuthorAssociation;
  /** Login of the account that wrote it, for cached search. */
  readonly authorLogin?: string | null;
  /** The body as plain text. */
  readonly bodyText?: string;
  /** Whether it is hidden. */
  readonly isMinimized?: boolean;
  /** When its text was last edited; null when it never was. */
  readonly lastEditedAt?: string | null;
  /** Why it is hidden. */
  readonly minimizedReason?: string | null;
  /** Number of reactions. */
  readonly reactionCount?: number;
}

/** The response when a comment is created. Names are those of GitHub's REST API. */
export interface CommentRecord {
  /** How the author is related to the repository. */
  readonly author_association: string | null;
  /** Text in Markdown. */
  readonly body: string | null;
  /** When it was created. */
  readonly created_at: string;
  /** Address of its web page. */
  readonly html_url: string;
  /** Numeric ID. */
  readonly id: number;
  /** Address of the issue in the REST API. */
  readonly issue_url: string;
  /** GraphQL node ID. */
  readonly node_id: string;
  /** The app through which it was created. */
  readonly performed_via_github_app: Readonly<Record<string, unknown>> | null;
  /** Number of reactions of each kind. */
  readonly reactions: Readonly<Record<string, unknown>> | null;
  /** When it was last changed. */
  readonly updated_at: string;
  /** Address in the REST API. */
  readonly url: string;
  /** Who wrote it. */
  readonly user: Readonly<Record<string, unknown>> | null;
}

export interface CommentsGetParams {
  /** GraphQL node ID of the comment (`id` in a list), not the numeric one. */
  readonly id: string;
  readonly fields?: readonly FieldPath[];
}

export interface CommentsListParams {
  /** Number of the issue or pull request. */
  readonly number: number;
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface CommentsCreateParams {
  /** Text in Markdown. */
  readonly body: string;
  /** Number of the issue or pull request. */
  readonly issue_number: number;
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  readonly fields?: readonly FieldPath[];
}

export const commentPlan: RecordPlan = {
  name: "Comment",
  on: "IssueComment",
  fields: {
    id: { select: "id", read: "id" },
    author: { select: ["author{", "}"], read: "author", of: () => actorPlan },
    body: { select: "body", read: "body" },
    createdAt: { select: "createdAt", read: "createdAt", is: "timestamp" },
    databaseId: { select: "databaseId:fullDatabaseId", read: "databaseId", as: { kind: "integer" }, is: "integer" },
    number: { select: "number:issue{number}", read: "number.number", is: "integer" },
    repository: { select: "repository{nameWithOwner}", read: "repository.nameWithOwner" },
    updatedAt: { select: "updatedAt", read: "updatedAt", is: "timestamp" },
    url: { select: "url", read: "url" },
    authorAssociation: {
      select: "authorAssociation",
      read: "authorAssociation",
      values: ["COLLABORATOR", "CONTRIBUTOR", "FIRST_TIMER", "FIRST_TIME_CONTRIBUTOR", "MANNEQUIN", "MEMBER", "NONE", "OWNER"],
      onRequest: true,
    },
    authorLogin: { select: "authorLogin:author{login}", read: "authorLogin.login", onRequest: true },
    bodyText: { select: "bodyText", read: "bodyText", onRequest: true },
    isMinimized: { select: "isMinimized", read: "isMinimized", is: "boolean", onRequest: true },
    lastEditedAt: { select: "lastEditedAt", read: "lastEditedAt", is: "timestamp", onRequest: true },
    minimizedReason: { select: "minimizedReason", read: "minimizedReason", onRequest: true },
    reactionCount: { select: "reactionCount:reactions{totalCount}", read: "reactionCount.totalCount", is: "integer", onRequest: true },
  },
};

export const commentRecordPlan: RecordPlan = {
  name: "CommentRecord",
  brief: ["id", "node_id", "created_at", "html_url"],
  fields: {
    author_association: { read: "author_association" },
    body: { read: "body" },
    created_at: { read: "created_at", always: true, is: "timestamp" },
    html_url: { read: "html_url", always: true },
    id: { read: "id", always: true, is: "integer" },
    issue_url: { read: "issue_url", always: true },
    node_id: { read: "node_id", always: true },
    performed_via_github_app: { read: "performed_via_github_app", open: true },
    reactions: { read: "reactions", open: true },
    updated_at: { read: "updated_at", always: true, is: "timestamp" },
    url: { read: "url", always: true },
    user: { read: "user", open: true },
  },
};

/** Reads one comment by its node ID. */
export const get: Action<CommentsGetParams, Single<Comment>> = {
  name: "comments.get",
  traits: actionTraits.get,
  params: ["id"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query CommentsGet($id:ID!){node(id:$id){__typename ...record}}",
    variables: ["id"],
    narrow: ["IssueComment"],
    path: ["node"],
    record: commentPlan,
  },
};

/** Lists the comments on an issue or pull request, oldest first. */
export const list: Action<CommentsListParams, Page<Comment>> = {
  name: "comments.list",
  traits: actionTraits.list,
  params: ["number", "owner", "repo", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query CommentsList($owner:String!$repo:String!$number:Int!$first:Int!$after:String){repository(owner:$owner name:$repo){issueOrPullRequest(number:$number){...on Issue{comments(first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}...on PullRequest{comments(first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}}}",
    variables: ["owner", "repo", "number"],
    path: ["repository", "issueOrPullRequest", "comments"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    counts: true,
    record: commentPlan,
  },
};

/** Comments on an issue or a pull request. Read access suffices. */
export const create: Action<CommentsCreateParams, Answer<CommentRecord>> = {
  name: "comments.create",
  traits: actionTraits.create,
  params: ["body", "issue_number", "owner", "repo"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/repos/{owner}/{repo}/issues/{issue_number}/comments",
    query: [],
    body: ["body"],
    record: commentRecordPlan,
  },
};

/** How a sync reads for several parents. */
export const listBatch: SyncBatch = {
  size: 50,
  first: 20,
  document: {
    frame: ["query CommentsListBatch($owner:String!$repo:String!$first:Int!", "){repository(owner:$owner name:$repo){", "}}"],
    variables: ["$number_", ":Int!$after_", ":String"],
    parent: [
      "p",
      ":issueOrPullRequest(number:$number_",
      "){...on Issue{comments(first:$first after:$after_",
      "){nodes{...record}pageInfo{hasNextPage endCursor}}}...on PullRequest{comments(first:$first after:$after_",
      "){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    ],
    own: ["number", "after"],
    alias: 1,
  },
};

/** Comments on issues and on the conversation of pull requests. Comments on lines of code are `pr_comments`. */
export const entity: Entity = {
  actions: { get, list, create },
  record: commentPlan,
  store: commentsStore,
  aliases: ["issue_comment", "issue_comments"],
  brief: ["id", "number", "author.login", "createdAt", "body"],
  sync: [
    {
      scope: "repository",
      action: list,
      size: { param: "per_page", value: 100 },
      each: {
        entity: "issues",
        params: { number: "number" },
        unless: { commentCount: 0 },
        changed: "updatedAt",
        batch: listBatch,
      },
    },
    {
      scope: "repository",
      action: list,
      size: { param: "per_page", value: 100 },
      each: {
        entity: "pull_requests",
        params: { number: "number" },
        unless: { commentCount: 0 },
        changed: "updatedAt",
        batch: listBatch,
      },
    },
  ],
  relations: [
    { table: "issues", on: "issues.repository = comments.repository AND issues.number = comments.number" },
    {
      table: "pull_requests",
      on: "pull_requests.repository = comments.repository AND pull_requests.number = comments.number",
    },
    { table: "repositories", on: "repositories.nameWithOwner = comments.repository" },
  ],
};
