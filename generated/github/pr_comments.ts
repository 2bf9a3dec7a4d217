// Generated from spec/github/pr_comments.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  type SyncBatch,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { prCommentsStore } from "./facts.ts";
import { type Actor, type AuthorAssociation, actorPlan } from "./shared.ts";
import { getParams, listParams } from "./validators/pr_comments.js";

/** Comments on lines of code of a pull request. Comments on its conversation are `comments`. */
export interface ReviewComment {
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
  /** The part of the diff that it is about. */
  readonly diffHunk: string;
  /** Line of the file; null when it is outdated or about the whole file. */
  readonly line: number | null;
  /** Number of the pull request. */
  readonly number: number;
  /** Whether the code has changed since. */
  readonly outdated: boolean;
  /** File that it is about. */
  readonly path: string;
  /** Node ID of the comment that it answers. */
  readonly replyTo: string | null;
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
  /** The commit that it is about. */
  readonly commitSha?: string | null;
  /** Whether it is hidden. */
  readonly isMinimized?: boolean;
  /** When its text was last edited; null when it never was. */
  readonly lastEditedAt?: string | null;
  /** Line of the file when the comment was made. */
  readonly originalLine?: number | null;
  /** Number of reactions. */
  readonly reactionCount?: number;
  /** Node ID of the review that it belongs to. */
  readonly reviewId?: string | null;
  /** First line of a comment on several lines. */
  readonly startLine?: number | null;
}

export interface PrCommentsGetParams {
  /** GraphQL node ID of the comment (`id` in a list), not the numeric one. */
  readonly id: string;
  readonly fields?: readonly FieldPath[];
}

export interface PrCommentsListParams {
  /** Number of the pull request. */
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

export const reviewCommentPlan: RecordPlan = {
  name: "ReviewComment",
  on: "PullRequestReviewComment",
  fields: {
    id: { select: "id", read: "id" },
    author: { select: ["author{", "}"], read: "author", of: () => actorPlan },
    body: { select: "body", read: "body" },
    createdAt: { select: "createdAt", read: "createdAt", is: "timestamp" },
    databaseId: { select: "databaseId:fullDatabaseId", read: "databaseId", as: { kind: "integer" }, is: "integer" },
    diffHunk: { select: "diffHunk", read: "diffHunk" },
    line: { select: "line", read: "line", is: "integer" },
    number: { select: "number:pullRequest{number}", read: "number.number", is: "integer" },
    outdated: { select: "outdated", read: "outdated", is: "boolean" },
    path: { select: "path", read: "path" },
    replyTo: { select: "replyTo{id}", read: "replyTo.id" },
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
    commitSha: { select: "commitSha:commit{oid}", read: "commitSha.oid", onRequest: true },
    isMinimized: { select: "isMinimized", read: "isMinimized", is: "boolean", onRequest: true },
    lastEditedAt: { select: "lastEditedAt", read: "lastEditedAt", is: "timestamp", onRequest: true },
    originalLine: { select: "originalLine", read: "originalLine", is: "integer", onRequest: true },
    reactionCount: { select: "reactionCount:reactions{totalCount}", read: "reactionCount.totalCount", is: "integer", onRequest: true },
    reviewId: { select: "reviewId:pullRequestReview{id}", read: "reviewId.id", onRequest: true },
    startLine: { select: "startLine", read: "startLine", is: "integer", onRequest: true },
  },
};

/** Reads one review comment by its node ID. */
export const get: Action<PrCommentsGetParams, Single<ReviewComment>> = {
  name: "pr_comments.get",
  traits: actionTraits.get,
  params: ["id"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query PrCommentsGet($id:ID!){node(id:$id){__typename ...record}}",
    variables: ["id"],
    narrow: ["PullRequestReviewComment"],
    path: ["node"],
    record: reviewCommentPlan,
  },
};

/** Lists the review comments of a pull request, thread by thread, each thread oldest first. */
export const list: Action<PrCommentsListParams, Page<ReviewComment>> = {
  name: "pr_comments.list",
  traits: actionTraits.list,
  params: ["number", "owner", "repo", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query PrCommentsList($owner:String!$repo:String!$number:Int!$first:Int!$after:String$size:Int!){repository(owner:$owner name:$repo){pullRequest(number:$number){reviewThreads(first:$first after:$after){edges{cursor node{id comments(first:$size){edges{cursor node{...record}}pageInfo{hasNextPage}}}}pageInfo{hasNextPage endCursor}}}}}",
    variables: ["owner", "repo", "number"],
    path: ["repository", "pullRequest", "reviewThreads"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    nested: {
      inner: "comments",
      rest: "query PrCommentsListRest($parent:ID!$size:Int!$inside:String){node(id:$parent){...on PullRequestReviewThread{comments(first:$size after:$inside){edges{cursor node{...record}}pageInfo{hasNextPage}}}}}",
    },
    record: reviewCommentPlan,
  },
};

/** How a sync reads for several parents. */
export const listBatch: SyncBatch = {
  size: 50,
  first: 10,
  document: {
    frame: [
      "query PrCommentsListBatch($owner:String!$repo:String!$first:Int!$size:Int!",
      "){repository(owner:$owner name:$repo){",
      "}}",
    ],
    variables: ["$number_", ":Int!$after_", ":String"],
    parent: [
      "p",
      ":pullRequest(number:$number_",
      "){reviewThreads(first:$first after:$after_",
      "){edges{cursor node{id comments(first:$size){edges{cursor node{...record}}pageInfo{hasNextPage}}}}pageInfo{hasNextPage endCursor}}}",
    ],
    own: ["number", "after"],
    alias: 1,
  },
  rest: {
    frame: ["query PrCommentsListRestBatch($size:Int!", "){", "}"],
    variables: ["$parent_", ":ID!$inside_", ":String"],
    parent: [
      "p",
      ":node(id:$parent_",
      "){...on PullRequestReviewThread{comments(first:$size after:$inside_",
      "){edges{cursor node{...record}}pageInfo{hasNextPage}}}}",
    ],
    own: ["parent", "inside"],
    alias: 0,
  },
};

/** Comments on lines of code of a pull request. Comments on its conversation are `comments`. */
export const entity: Entity = {
  actions: { get, list },
  record: reviewCommentPlan,
  store: prCommentsStore,
  aliases: ["review_comment", "review_comments", "pull_request_comment", "pull_request_comments"],
  brief: ["number", "path", "line", "author.login", "createdAt", "body"],
  sync: [
    {
      scope: "repository",
      action: list,
      size: { param: "per_page", value: 100 },
      each: { entity: "pull_requests", params: { number: "number" }, changed: "updatedAt", batch: listBatch },
    },
  ],
  relations: [
    {
      table: "pull_requests",
      on: "pull_requests.repository = pr_comments.repository AND pull_requests.number = pr_comments.number",
    },
    { table: "repositories", on: "repositories.nameWithOwner = pr_comments.repository" },
  ],
};
