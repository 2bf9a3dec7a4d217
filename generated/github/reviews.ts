// Generated from spec/github/reviews.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Answer,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type SyncBatch,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { reviewsStore } from "./facts.ts";
import { type Actor, type AuthorAssociation, actorPlan } from "./shared.ts";
import { createParams, listParams } from "./validators/reviews.js";

/** What a new review says. */
export type ReviewEvent = "APPROVE" | "COMMENT" | "REQUEST_CHANGES";
/** What a review says. */
export type ReviewState = "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED" | "DISMISSED" | "PENDING";

/** Reviews of a pull request. */
export interface Review {
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
  /** Number of the pull request. */
  readonly number: number;
  /** The repository as `owner/name`. */
  readonly repository: string;
  /** What the review says. */
  readonly state: ReviewState;
  /** When it was submitted; null while it is pending. */
  readonly submittedAt: string | null;
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
  /** Number of comments on lines in this review. */
  readonly commentCount?: number;
  /** The commit that was reviewed. */
  readonly commitSha?: string | null;
  /** When its text was last edited; null when it never was. */
  readonly lastEditedAt?: string | null;
  /** Number of reactions. */
  readonly reactionCount?: number;
}

/** The response when a review is created. Names are those of GitHub's REST API. */
export interface ReviewRecord {
  /** Text in Markdown. */
  readonly body: string;
  /** The commit that was reviewed. */
  readonly commit_id: string | null;
  /** Address of its web page. */
  readonly html_url: string;
  /** Numeric ID. */
  readonly id: number;
  /** GraphQL node ID. */
  readonly node_id: string;
  /** What the review says. */
  readonly state: string;
  /** When it was submitted. */
  readonly submitted_at: string | null;
  /** Who wrote it. */
  readonly user: Readonly<Record<string, unknown>> | null;
}

export interface ReviewsListParams {
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

export interface ReviewsCreateParams {
  /** What the review says. */
  readonly event: ReviewEvent;
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Number of the pull request. */
  readonly pull_number: number;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Text in Markdown. Only an approval may go without. */
  readonly body?: string;
  /** The commit that was reviewed; the newest one without it. */
  readonly commit_id?: string;
  readonly fields?: readonly FieldPath[];
}

export const reviewPlan: RecordPlan = {
  name: "Review",
  on: "PullRequestReview",
  fields: {
    id: { select: "id", read: "id" },
    author: { select: ["author{", "}"], read: "author", of: () => actorPlan },
    body: { select: "body", read: "body" },
    createdAt: { select: "createdAt", read: "createdAt", is: "timestamp" },
    databaseId: { select: "databaseId:fullDatabaseId", read: "databaseId", as: { kind: "integer" }, is: "integer" },
    number: { select: "number:pullRequest{number}", read: "number.number", is: "integer" },
    repository: { select: "repository{nameWithOwner}", read: "repository.nameWithOwner" },
    state: { select: "state", read: "state", values: ["APPROVED", "CHANGES_REQUESTED", "COMMENTED", "DISMISSED", "PENDING"] },
    submittedAt: { select: "submittedAt", read: "submittedAt", is: "timestamp" },
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
    commentCount: { select: "commentCount:comments{totalCount}", read: "commentCount.totalCount", is: "integer", onRequest: true },
    commitSha: { select: "commitSha:commit{oid}", read: "commitSha.oid", onRequest: true },
    lastEditedAt: { select: "lastEditedAt", read: "lastEditedAt", is: "timestamp", onRequest: true },
    reactionCount: { select: "reactionCount:reactions{totalCount}", read: "reactionCount.totalCount", is: "integer", onRequest: true },
  },
};

export const reviewRecordPlan: RecordPlan = {
  name: "ReviewRecord",
  brief: ["id", "state", "html_url"],
  fields: {
    body: { read: "body", always: true },
    commit_id: { read: "commit_id" },
    html_url: { read: "html_url", always: true },
    id: { read: "id", always: true, is: "integer" },
    node_id: { read: "node_id", always: true },
    state: { read: "state", always: true },
    submitted_at: { read: "submitted_at", is: "timestamp" },
    user: { read: "user", open: true },
  },
};

/** Lists the reviews of a pull request, oldest first. */
export const list: Action<ReviewsListParams, Page<Review>> = {
  name: "reviews.list",
  traits: actionTraits.list,
  params: ["number", "owner", "repo", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query ReviewsList($owner:String!$repo:String!$number:Int!$first:Int!$after:String){repository(owner:$owner name:$repo){pullRequest(number:$number){reviews(first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}}",
    variables: ["owner", "repo", "number"],
    path: ["repository", "pullRequest", "reviews"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    counts: true,
    record: reviewPlan,
  },
};

/** Approves a pull request, asks for changes or comments on it. */
export const create: Action<ReviewsCreateParams, Answer<ReviewRecord>> = {
  name: "reviews.create",
  traits: actionTraits.create,
  params: ["event", "owner", "pull_number", "repo", "body", "commit_id"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/repos/{owner}/{repo}/pulls/{pull_number}/reviews",
    query: [],
    body: ["event", "body", "commit_id"],
    record: reviewRecordPlan,
  },
};

/** How a sync reads for several parents. */
export const listBatch: SyncBatch = {
  size: 50,
  first: 20,
  document: {
    frame: ["query ReviewsListBatch($owner:String!$repo:String!$first:Int!", "){repository(owner:$owner name:$repo){", "}}"],
    variables: ["$number_", ":Int!$after_", ":String"],
    parent: [
      "p",
      ":pullRequest(number:$number_",
      "){reviews(first:$first after:$after_",
      "){nodes{...record}pageInfo{hasNextPage endCursor}}}",
    ],
    own: ["number", "after"],
    alias: 1,
  },
};

/** Reviews of a pull request. */
export const entity: Entity = {
  actions: { list, create },
  record: reviewPlan,
  store: reviewsStore,
  aliases: ["pull_request_review", "pull_request_reviews"],
  brief: ["number", "author.login", "state", "submittedAt", "body"],
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
      on: "pull_requests.repository = reviews.repository AND pull_requests.number = reviews.number",
    },
    { table: "repositories", on: "repositories.nameWithOwner = reviews.repository" },
  ],
};
