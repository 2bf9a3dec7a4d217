// Generated from spec/github/discussions.yaml by `make generate`. Do not edit.

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
import { discussionsStore } from "./facts.ts";
import {
  type Actor,
  type AuthorAssociation,
  type LabelReference,
  type OpenClosed,
  type OpenClosedFilter,
  actorPlan,
  labelReferencePlan,
} from "./shared.ts";
import { apiSearchParams, getParams, listParams } from "./validators/discussions.js";

/** Why a discussion is in its state. */
export type DiscussionStateReason = "duplicate" | "outdated" | "reopened" | "resolved";

/** Discussions of a repository. */
export interface Discussion {
  /** GraphQL node ID. */
  readonly id: string;
  /** When the answer was chosen. */
  readonly answerChosenAt: string | null;
  /** Who wrote it; null when the account was deleted. */
  readonly author: Actor | null;
  /** Text in Markdown. */
  readonly body: string;
  /** Its category. */
  readonly category: DiscussionCategory;
  /** When it was closed; null while it is open. */
  readonly closedAt: string | null;
  /** Number of comments. */
  readonly commentCount: number;
  /** When it was created. */
  readonly createdAt: string;
  /** Numeric ID of the REST API. */
  readonly databaseId: number | null;
  /** Whether an answer was chosen; null where the category has no answers. */
  readonly isAnswered: boolean | null;
  /** Labels. */
  readonly labels: readonly LabelReference[];
  /** Whether the conversation is locked. */
  readonly locked: boolean;
  /** Number within the repository. */
  readonly number: number;
  /** The repository as `owner/name`. */
  readonly repository: string;
  /** `open` or `closed`. */
  readonly state: OpenClosed;
  /** Why it is in that state. */
  readonly stateReason: DiscussionStateReason | null;
  /** Title. */
  readonly title: string;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Number of upvotes. */
  readonly upvoteCount: number;
  /** Address of its web page. */
  readonly url: string;
  /** The comment chosen as the answer. */
  readonly answer?: DiscussionAnswer | null;
  /** How the author is related to the repository. */
  readonly authorAssociation?: AuthorAssociation;
  /** Login of the account that wrote it, for cached search. */
  readonly authorLogin?: string | null;
  /** The body as plain text. */
  readonly bodyText?: string;
  /** Slug of its category, for cached search. */
  readonly categorySlug?: string;
  /** When its text was last edited; null when it never was. */
  readonly lastEditedAt?: string | null;
  /** Number of reactions. */
  readonly reactionCount?: number;
}

/** The comment chosen as the answer. */
export interface DiscussionAnswer {
  /** Who wrote it. */
  readonly author: Actor | null;
  /** Text in Markdown. */
  readonly body: string;
  /** When it was created. */
  readonly createdAt: string;
  /** GraphQL node ID. */
  readonly id: string;
  /** Address of its web page. */
  readonly url: string;
}

/** Category of a discussion. */
export interface DiscussionCategory {
  /** GraphQL node ID. */
  readonly id: string;
  /** Whether its discussions can have an answer. */
  readonly isAnswerable: boolean;
  /** Name. */
  readonly name: string;
  /** Name in addresses. */
  readonly slug: string;
}

export interface DiscussionsGetParams {
  /** Number within the repository. */
  readonly number: number;
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  readonly fields?: readonly FieldPath[];
}

export interface DiscussionsListParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Only those with an answer or only those without one. */
  readonly answered?: boolean;
  /** Which states to list. Default is all. */
  readonly states?: readonly OpenClosedFilter[];
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface DiscussionsApiSearchParams {
  /** Query in GitHub's search syntax. */
  readonly query: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const discussionPlan: RecordPlan = {
  name: "Discussion",
  on: "Discussion",
  fields: {
    id: { select: "id", read: "id" },
    answerChosenAt: { select: "answerChosenAt", read: "answerChosenAt", is: "timestamp" },
    author: { select: ["author{", "}"], read: "author", of: () => actorPlan },
    body: { select: "body", read: "body" },
    category: { select: ["category{", "}"], read: "category", of: () => discussionCategoryPlan },
    closedAt: { select: "closedAt", read: "closedAt", is: "timestamp" },
    commentCount: { select: "commentCount:comments{totalCount}", read: "commentCount.totalCount", is: "integer" },
    createdAt: { select: "createdAt", read: "createdAt", is: "timestamp" },
    databaseId: { select: "databaseId", read: "databaseId", as: { kind: "integer" }, is: "integer" },
    isAnswered: { select: "isAnswered", read: "isAnswered", is: "boolean" },
    labels: {
      select: ["labels(first:100){nodes{", "}pageInfo{hasNextPage endCursor}}"],
      read: "labels.nodes",
      list: "empty",
      cut: "labels.pageInfo.hasNextPage",
      next: "labels.pageInfo.endCursor",
      of: () => labelReferencePlan,
    },
    locked: { select: "locked", read: "locked", is: "boolean" },
    number: { select: "number", read: "number", is: "integer" },
    repository: { select: "repository{nameWithOwner}", read: "repository.nameWithOwner" },
    state: {
      select: "state:closed",
      read: "state",
      as: { kind: "map", values: { false: "open", true: "closed" } },
      values: ["closed", "open"],
    },
    stateReason: {
      select: "stateReason",
      read: "stateReason",
      as: { kind: "lower" },
      values: ["duplicate", "outdated", "reopened", "resolved"],
    },
    title: { select: "title", read: "title" },
    updatedAt: { select: "updatedAt", read: "updatedAt", is: "timestamp" },
    upvoteCount: { select: "upvoteCount", read: "upvoteCount", is: "integer" },
    url: { select: "url", read: "url" },
    answer: { select: ["answer{", "}"], read: "answer", onRequest: true, of: () => discussionAnswerPlan },
    authorAssociation: {
      select: "authorAssociation",
      read: "authorAssociation",
      values: ["COLLABORATOR", "CONTRIBUTOR", "FIRST_TIMER", "FIRST_TIME_CONTRIBUTOR", "MANNEQUIN", "MEMBER", "NONE", "OWNER"],
      onRequest: true,
    },
    authorLogin: { select: "authorLogin:author{login}", read: "authorLogin.login", onRequest: true },
    bodyText: { select: "bodyText", read: "bodyText", onRequest: true },
    categorySlug: { select: "categorySlug:category{slug}", read: "categorySlug.slug", onRequest: true },
    lastEditedAt: { select: "lastEditedAt", read: "lastEditedAt", is: "timestamp", onRequest: true },
    reactionCount: { select: "reactionCount:reactions{totalCount}", read: "reactionCount.totalCount", is: "integer", onRequest: true },
  },
  overflow: {
    id: "id",
    batch: 50,
    frame: ["query DiscussionsOverflow(", "){", "}"],
    variables: ["$id_", ":ID!$after_", ":String"],
    lists: {
      labels: [
        "p",
        ":node(id:$id_",
        "){...on Discussion{labels(first:100 after:$after_",
        "){nodes{color id name}pageInfo{hasNextPage endCursor}}}}",
      ],
    },
  },
};

export const discussionAnswerPlan: RecordPlan = {
  name: "DiscussionAnswer",
  on: "DiscussionComment",
  fields: {
    author: { select: ["author{", "}"], read: "author", of: () => actorPlan },
    body: { select: "body", read: "body" },
    createdAt: { select: "createdAt", read: "createdAt", is: "timestamp" },
    id: { select: "id", read: "id" },
    url: { select: "url", read: "url" },
  },
};

export const discussionCategoryPlan: RecordPlan = {
  name: "DiscussionCategory",
  on: "DiscussionCategory",
  fields: {
    id: { select: "id", read: "id" },
    isAnswerable: { select: "isAnswerable", read: "isAnswerable", is: "boolean" },
    name: { select: "name", read: "name" },
    slug: { select: "slug", read: "slug" },
  },
};

/** Reads one discussion by its number. */
export const get: Action<DiscussionsGetParams, Single<Discussion>> = {
  name: "discussions.get",
  traits: actionTraits.get,
  params: ["number", "owner", "repo"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query DiscussionsGet($owner:String!$repo:String!$number:Int!){repository(owner:$owner name:$repo){discussion(number:$number){...record}}}",
    variables: ["owner", "repo", "number"],
    path: ["repository", "discussion"],
    record: discussionPlan,
  },
};

/** Lists the discussions of a repository, the last changed first. */
export const list: Action<DiscussionsListParams, Page<Discussion>> = {
  name: "discussions.list",
  traits: actionTraits.list,
  params: ["owner", "repo", "answered", "states", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query DiscussionsList($owner:String!$repo:String!$states:[DiscussionState!]$answered:Boolean$first:Int!$after:String){repository(owner:$owner name:$repo){discussions(states:$states answered:$answered orderBy:{field:UPDATED_AT direction:DESC}first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["owner", "repo", "states", "answered"],
    path: ["repository", "discussions"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    counts: true,
    record: discussionPlan,
  },
};

/** Searches discussions on GitHub. */
export const apiSearch: Action<DiscussionsApiSearchParams, Page<Discussion>> = {
  name: "discussions.api_search",
  traits: actionTraits.api_search,
  params: ["query", "after", "per_page"],
  validate: apiSearchParams,
  operation: {
    kind: "graphql-list",
    document: "query DiscussionsApiSearch($searchQuery:String!$first:Int!$after:String){search(type:DISCUSSION query:$searchQuery first:$first after:$after){nodes{__typename ...record}pageInfo{hasNextPage endCursor}discussionCount}}",
    variables: [],
    computed: { searchQuery: { template: ["", "query", ""] } },
    narrow: ["Discussion"],
    path: ["search"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    total: "discussionCount",
    record: discussionPlan,
  },
};

/** How a sync reads for several parents. */
export const getBatch: SyncBatch = {
  size: 50,
  document: {
    frame: ["query DiscussionsGetBatch($owner:String!$repo:String!", "){repository(owner:$owner name:$repo){", "}}"],
    variables: ["$number_", ":Int!"],
    parent: ["p", ":discussion(number:$number_", "){...record}"],
    own: ["number"],
    alias: 1,
  },
};

/** Discussions of a repository. */
export const entity: Entity = {
  actions: { get, list, api_search: apiSearch },
  record: discussionPlan,
  store: discussionsStore,
  brief: ["number", "title", "category.name", "author.login", "isAnswered", "updatedAt"],
  sync: [
    {
      scope: "repository",
      action: list,
      size: { param: "per_page", value: 100 },
      cursor: { field: "updatedAt", overlap: 60 },
      verification: { action: get, params: { number: "number" }, days: 7, batch: getBatch },
    },
  ],
  relations: [{ table: "repositories", on: "repositories.nameWithOwner = discussions.repository" }],
};
