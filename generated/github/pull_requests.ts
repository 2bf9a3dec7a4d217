// Generated from spec/github/pull_requests.yaml by `make generate`. Do not edit.

import {
  type Answer,
  type Entity,
  type FieldPath,
  type RecordPlan,
  getAction,
  listAction,
  restAction,
} from "../../runtime/contract/index.ts";
import {
  type Account,
  type Actor,
  type AuthorAssociation,
  type CommitReference,
  type LabelReference,
  type MilestoneReference,
  type OpenClosed,
  accountPlan,
  actorPlan,
  commitReferencePlan,
  labelReferencePlan,
  milestoneReferencePlan,
} from "./shared.ts";
import { apiSearchParams, createParams, getParams, listParams } from "./validators/pull_requests.js";

/** Which pull requests to list. */
export type PullRequestStatesFilter = "OPEN" | "CLOSED" | "MERGED";
/** What the reviews amount to. */
export type ReviewDecision = "approved" | "changes_requested" | "review_required";
/** Whether it can be merged. */
export type Mergeable = "conflicting" | "mergeable" | "unknown";

/** Pull requests of a repository. A merged one is `closed` and has `mergedAt`. */
export interface PullRequest {
  /** GraphQL node ID. */
  readonly id: string;
  /** Numeric ID of the REST API. */
  readonly databaseId: number | null;
  /** Number within the repository. */
  readonly number: number;
  /** The repository as `owner/name`. */
  readonly repository: string;
  /** Title. */
  readonly title: string;
  /** Text in Markdown. */
  readonly body: string;
  /** `open` or `closed`; a merged one is `closed`. */
  readonly state: OpenClosed;
  /** Whether it is a draft. */
  readonly isDraft: boolean;
  /** Who wrote it; null when the account was deleted. */
  readonly author: Actor | null;
  /** Branch it goes into. */
  readonly baseRefName: string;
  /** Branch it comes from. */
  readonly headRefName: string;
  /** Repository it comes from, as `owner/name`; null when that was deleted. */
  readonly headRepository: string | null;
  /** Labels. */
  readonly labels: readonly LabelReference[];
  /** The people assigned. */
  readonly assignees: readonly Account[];
  /** The milestone it belongs to. */
  readonly milestone: MilestoneReference | null;
  /** Whether the conversation is locked. */
  readonly locked: boolean;
  /** When it was created. */
  readonly createdAt: string;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** When it was closed; null while it is open. */
  readonly closedAt: string | null;
  /** When it was merged; null when it was not. */
  readonly mergedAt: string | null;
  /** Who merged it. */
  readonly mergedBy: Actor | null;
  /** Address of its web page. */
  readonly url: string;
  /** Lines added. */
  readonly additions?: number;
  /** How the author is related to the repository. */
  readonly authorAssociation?: AuthorAssociation;
  /** The body as plain text. */
  readonly bodyText?: string;
  /** Number of files changed. */
  readonly changedFiles?: number;
  /** Number of comments in the conversation and on lines. */
  readonly commentCount?: number | null;
  /** Number of commits. */
  readonly commitCount?: number;
  /** Lines removed. */
  readonly deletions?: number;
  /** SHA of its last commit. */
  readonly headSha?: string;
  /** Whether it comes from another repository. */
  readonly isCrossRepository?: boolean;
  /** When its text was last edited; null when it never was. */
  readonly lastEditedAt?: string | null;
  /** Whether maintainers may push to its branch. */
  readonly maintainerCanModify?: boolean;
  /** The commit that merged it. */
  readonly mergeCommit?: CommitReference | null;
  /** Whether it can be merged. */
  readonly mergeable?: Mergeable;
  /** Number of reactions. */
  readonly reactionCount?: number;
  /** What its reviews amount to. */
  readonly reviewDecision?: ReviewDecision | null;
  /** Who was asked for a review. */
  readonly reviewRequests?: readonly Reviewer[];
}

/** A person or team that was asked for a review. */
export interface Reviewer {
  /** Login; null for a team. */
  readonly login: string | null;
  /** Slug of a team; null for a person. */
  readonly team: string | null;
}

/** What creating a pull request answers. Names are those of GitHub's REST API. */
export interface PullRequestRecord {
  /** Numeric ID. */
  readonly id: number;
  /** GraphQL node ID. */
  readonly node_id: string;
  /** Address in the REST API. */
  readonly url: string;
  /** Address of its web page. */
  readonly html_url: string;
  /** Address of its diff. */
  readonly diff_url: string;
  /** Address of its patch. */
  readonly patch_url: string;
  /** Number within the repository. */
  readonly number: number;
  /** `open` or `closed`. */
  readonly state: string;
  /** Whether the conversation is locked. */
  readonly locked: boolean;
  /** Title. */
  readonly title: string;
  /** Text in Markdown. */
  readonly body: string | null;
  /** Who created it. */
  readonly user: Readonly<Record<string, unknown>> | null;
  /** When it was created. */
  readonly created_at: string;
  /** When it was last changed. */
  readonly updated_at: string;
  /** When it was closed. */
  readonly closed_at: string | null;
  /** When it was merged. */
  readonly merged_at: string | null;
  /** SHA of the merge commit or of GitHub's test merge. */
  readonly merge_commit_sha: string | null;
  /** Whether it is a draft. */
  readonly draft: boolean;
  /** The source branch. */
  readonly head: Readonly<Record<string, unknown>>;
  /** The target branch. */
  readonly base: Readonly<Record<string, unknown>>;
  /** How the author is related to the repository. */
  readonly author_association: string;
  /** Labels. */
  readonly labels: readonly (Readonly<Record<string, unknown>>)[];
  /** The milestone it belongs to. */
  readonly milestone: Readonly<Record<string, unknown>> | null;
  /** The people assigned. */
  readonly assignees: readonly (Readonly<Record<string, unknown>>)[];
  /** The people asked for a review. */
  readonly requested_reviewers: readonly (Readonly<Record<string, unknown>>)[];
  /** Number of comments in the conversation. */
  readonly comments: number;
  /** Number of comments on lines. */
  readonly review_comments: number;
  /** Number of commits. */
  readonly commits: number;
  /** Lines added. */
  readonly additions: number;
  /** Lines removed. */
  readonly deletions: number;
  /** Number of files changed. */
  readonly changed_files: number;
}

export interface PullRequestsGetParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Number within the repository. */
  readonly number: number;
  readonly fields?: readonly FieldPath[];
}

export interface PullRequestsListParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Which states to list. Default is all. */
  readonly states?: readonly PullRequestStatesFilter[];
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  /** Cursor: `end_cursor` of the previous answer. An empty string means the first page. */
  readonly after?: string;
  readonly fields?: readonly FieldPath[];
}

export interface PullRequestsApiSearchParams {
  /** Query in GitHub's search syntax. */
  readonly query: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  /** Cursor: `end_cursor` of the previous answer. An empty string means the first page. */
  readonly after?: string;
  readonly fields?: readonly FieldPath[];
}

export interface PullRequestsCreateParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Title. */
  readonly title: string;
  /** Source branch; from another repository of the same network as `user:branch`. */
  readonly head: string;
  /** Target branch. */
  readonly base: string;
  /** Text in Markdown. */
  readonly body?: string;
  /** Whether to create it as a draft. */
  readonly draft?: boolean;
  /** Whether maintainers may push to the source branch. */
  readonly maintainer_can_modify?: boolean;
  readonly fields?: readonly FieldPath[];
}


export const pullRequestPlan: RecordPlan = {
  name: "PullRequest",
  on: "PullRequest",
  fields: {
    id: { select: "id", read: "id" },
    databaseId: { select: "databaseId:fullDatabaseId", read: "databaseId", as: { kind: "integer" } },
    number: { select: "number", read: "number" },
    repository: { select: "repository{nameWithOwner}", read: "repository.nameWithOwner" },
    title: { select: "title", read: "title" },
    body: { select: "body", read: "body" },
    state: {
      select: "state",
      read: "state",
      as: { kind: "map", values: { OPEN: "open", CLOSED: "closed", MERGED: "closed" } },
    },
    isDraft: { select: "isDraft", read: "isDraft" },
    author: { select: ["author{", "}"], read: "author", of: () => actorPlan },
    baseRefName: { select: "baseRefName", read: "baseRefName" },
    headRefName: { select: "headRefName", read: "headRefName" },
    headRepository: { select: "headRepository{nameWithOwner}", read: "headRepository.nameWithOwner" },
    labels: {
      select: ["labels(first:20){nodes{", "}pageInfo{hasNextPage}}"],
      read: "labels.nodes",
      list: "empty",
      cut: "labels.pageInfo.hasNextPage",
      of: () => labelReferencePlan,
    },
    assignees: {
      select: ["assignees(first:10){nodes{", "}pageInfo{hasNextPage}}"],
      read: "assignees.nodes",
      list: "empty",
      cut: "assignees.pageInfo.hasNextPage",
      of: () => accountPlan,
    },
    milestone: { select: ["milestone{", "}"], read: "milestone", of: () => milestoneReferencePlan },
    locked: { select: "locked", read: "locked" },
    createdAt: { select: "createdAt", read: "createdAt" },
    updatedAt: { select: "updatedAt", read: "updatedAt" },
    closedAt: { select: "closedAt", read: "closedAt" },
    mergedAt: { select: "mergedAt", read: "mergedAt" },
    mergedBy: { select: ["mergedBy{", "}"], read: "mergedBy", of: () => actorPlan },
    url: { select: "url", read: "url" },
    additions: { select: "additions", read: "additions", onRequest: true },
    authorAssociation: { select: "authorAssociation", read: "authorAssociation", onRequest: true },
    bodyText: { select: "bodyText", read: "bodyText", onRequest: true },
    changedFiles: { select: "changedFiles", read: "changedFiles", onRequest: true },
    commentCount: { select: "commentCount:totalCommentsCount", read: "commentCount", onRequest: true },
    commitCount: { select: "commitCount:commits{totalCount}", read: "commitCount.totalCount", onRequest: true },
    deletions: { select: "deletions", read: "deletions", onRequest: true },
    headSha: { select: "headSha:headRefOid", read: "headSha", onRequest: true },
    isCrossRepository: { select: "isCrossRepository", read: "isCrossRepository", onRequest: true },
    lastEditedAt: { select: "lastEditedAt", read: "lastEditedAt", onRequest: true },
    maintainerCanModify: { select: "maintainerCanModify", read: "maintainerCanModify", onRequest: true },
    mergeCommit: { select: ["mergeCommit{", "}"], read: "mergeCommit", onRequest: true, of: () => commitReferencePlan },
    mergeable: { select: "mergeable", read: "mergeable", as: { kind: "lower" }, onRequest: true },
    reactionCount: { select: "reactionCount:reactions{totalCount}", read: "reactionCount.totalCount", onRequest: true },
    reviewDecision: { select: "reviewDecision", read: "reviewDecision", as: { kind: "lower" }, onRequest: true },
    reviewRequests: {
      select: ["reviewRequests(first:10){nodes{", "}pageInfo{hasNextPage}}"],
      read: "reviewRequests.nodes",
      list: "empty",
      cut: "reviewRequests.pageInfo.hasNextPage",
      onRequest: true,
      of: () => reviewerPlan,
    },
  },
};

export const reviewerPlan: RecordPlan = {
  name: "Reviewer",
  on: "ReviewRequest",
  fields: {
    login: { select: "login:requestedReviewer{... on User{login}}", read: "login.login" },
    team: { select: "team:requestedReviewer{... on Team{slug}}", read: "team.slug" },
  },
};

export const pullRequestRecordPlan: RecordPlan = {
  name: "PullRequestRecord",
  fields: {
    id: { read: "id" },
    node_id: { read: "node_id" },
    url: { read: "url" },
    html_url: { read: "html_url" },
    diff_url: { read: "diff_url" },
    patch_url: { read: "patch_url" },
    number: { read: "number" },
    state: { read: "state" },
    locked: { read: "locked" },
    title: { read: "title" },
    body: { read: "body" },
    user: { read: "user", open: true },
    created_at: { read: "created_at" },
    updated_at: { read: "updated_at" },
    closed_at: { read: "closed_at" },
    merged_at: { read: "merged_at" },
    merge_commit_sha: { read: "merge_commit_sha" },
    draft: { read: "draft" },
    head: { read: "head", open: true },
    base: { read: "base", open: true },
    author_association: { read: "author_association" },
    labels: { read: "labels", list: "empty", open: true },
    milestone: { read: "milestone", open: true },
    assignees: { read: "assignees", list: "empty", open: true },
    requested_reviewers: { read: "requested_reviewers", list: "empty", open: true },
    comments: { read: "comments" },
    review_comments: { read: "review_comments" },
    commits: { read: "commits" },
    additions: { read: "additions" },
    deletions: { read: "deletions" },
    changed_files: { read: "changed_files" },
  },
};

/** Reads one pull request by its number. */
export const get = getAction<PullRequestsGetParams, PullRequest>({
  name: "pull_requests.get",
  params: ["owner", "repo", "number"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query PullRequestsGet($owner:String!$repo:String!$number:Int!){repository(owner:$owner name:$repo){pullRequest(number:$number){...record}}}",
    variables: ["owner", "repo", "number"],
    path: ["repository", "pullRequest"],
    record: pullRequestPlan,
  },
});

/** Lists the pull requests of a repository, newest first. */
export const list = listAction<PullRequestsListParams, PullRequest>({
  name: "pull_requests.list",
  params: ["owner", "repo", "states", "per_page", "after"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query PullRequestsList($owner:String!$repo:String!$states:[PullRequestState!]$first:Int!$after:String){repository(owner:$owner name:$repo){pullRequests(states:$states orderBy:{field:CREATED_AT direction:DESC}first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["owner", "repo", "states"],
    path: ["repository", "pullRequests"],
    items: "nodes",
    size: "per_page",
    pageLimit: 100,
    record: pullRequestPlan,
  },
});

/** Searches pull requests on GitHub, with `is:pr` added to the query. */
export const apiSearch = listAction<PullRequestsApiSearchParams, PullRequest>({
  name: "pull_requests.api_search",
  params: ["query", "per_page", "after"],
  validate: apiSearchParams,
  operation: {
    kind: "graphql-list",
    document: "query PullRequestsApiSearch($searchQuery:String!$first:Int!$after:String){search(type:ISSUE query:$searchQuery first:$first after:$after){nodes{__typename ...record}pageInfo{hasNextPage endCursor}issueCount}}",
    variables: [],
    computed: { searchQuery: { template: ["", "query", ""], qualify: "is:pr" } },
    narrow: true,
    path: ["search"],
    items: "nodes",
    size: "per_page",
    pageLimit: 100,
    total: "issueCount",
    record: pullRequestPlan,
  },
});

/** Creates a pull request. Needs write access to the source branch. */
export const create = restAction<PullRequestsCreateParams, Answer<PullRequestRecord>>({
  name: "pull_requests.create",
  params: ["owner", "repo", "title", "head", "base", "body", "draft", "maintainer_can_modify"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/repos/{owner}/{repo}/pulls",
    query: [],
    body: ["title", "head", "base", "body", "draft", "maintainer_can_modify"],
    record: pullRequestRecordPlan,
  },
});

/** Pull requests of a repository. A merged one is `closed` and has `mergedAt`. */
export const entity: Entity = { actions: { get, list, api_search: apiSearch, create } };
