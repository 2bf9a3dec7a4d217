// Generated from spec/github/pull_requests.yaml by `make generate`. Do not edit.

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
import { pullRequestsStore } from "./facts.ts";
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
import {
  apiSearchParams,
  createParams,
  getParams,
  listParams,
  mergeActionParams,
  syncParams,
  updateParams,
} from "./validators/pull_requests.js";

/** How a pull request is merged. */
export type MergeMethod = "merge" | "rebase" | "squash";
/** Whether it can be merged. */
export type Mergeable = "conflicting" | "mergeable" | "unknown";
/** Which pull requests to list. */
export type PullRequestStatesFilter = "CLOSED" | "MERGED" | "OPEN";
/** Overall result of the reviews. */
export type ReviewDecision = "approved" | "changes_requested" | "review_required";

/** Pull requests of a repository. A merged one is `closed` and has `mergedAt`. */
export interface PullRequest {
  /** GraphQL node ID. */
  readonly id: string;
  /** The people assigned. */
  readonly assignees: readonly Account[];
  /** Who wrote it; null when the account was deleted. */
  readonly author: Actor | null;
  /** Target branch. */
  readonly baseRefName: string;
  /** Text in Markdown. */
  readonly body: string;
  /** When it was closed; null while it is open. */
  readonly closedAt: string | null;
  /** When it was created. */
  readonly createdAt: string;
  /** Numeric ID of the REST API. */
  readonly databaseId: number | null;
  /** Source branch. */
  readonly headRefName: string;
  /** Repository of the source branch, as `owner/name`; null when that repository was deleted. */
  readonly headRepository: string | null;
  /** Whether it is a draft. */
  readonly isDraft: boolean;
  /** Labels. */
  readonly labels: readonly LabelReference[];
  /** Whether the conversation is locked. */
  readonly locked: boolean;
  /** When it was merged; null when it was not. */
  readonly mergedAt: string | null;
  /** Who merged it. */
  readonly mergedBy: Actor | null;
  /** The milestone it belongs to. */
  readonly milestone: MilestoneReference | null;
  /** Number within the repository. */
  readonly number: number;
  /** The repository as `owner/name`. */
  readonly repository: string;
  /** `open` or `closed`; a merged one is `closed`. */
  readonly state: OpenClosed;
  /** Title. */
  readonly title: string;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Address of its web page. */
  readonly url: string;
  /** Lines added. */
  readonly additions?: number;
  /** How the author is related to the repository. */
  readonly authorAssociation?: AuthorAssociation;
  /** Login of the account that wrote it, for cached search. */
  readonly authorLogin?: string | null;
  /** The body as plain text. */
  readonly bodyText?: string;
  /** Number of files changed. */
  readonly changedFiles?: number;
  /** Number of comments in the conversation. */
  readonly commentCount?: number;
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
  /** Login of the account that merged it, for cached search. */
  readonly mergedByLogin?: string | null;
  /** Title of its milestone, for cached search. */
  readonly milestoneTitle?: string | null;
  /** Number of reactions. */
  readonly reactionCount?: number;
  /** Overall result of its reviews. */
  readonly reviewDecision?: ReviewDecision | null;
  /** Who was asked for a review. */
  readonly reviewRequests?: readonly Reviewer[];
  /** Number of comments in the conversation and on lines. */
  readonly totalCommentCount?: number | null;
}

/** What a merge made. */
export interface MergeResult {
  /** Whether it was merged. */
  readonly merged: boolean;
  /** What GitHub says of it. */
  readonly message: string;
  /** SHA of the merge commit. */
  readonly sha: string;
}

/** The response when a pull request is created. Names are those of GitHub's REST API. */
export interface PullRequestRecord {
  /** Lines added. */
  readonly additions: number;
  /** The people assigned. */
  readonly assignees: readonly (Readonly<Record<string, unknown>>)[];
  /** How the author is related to the repository. */
  readonly author_association: string;
  /** The target branch. */
  readonly base: Readonly<Record<string, unknown>>;
  /** Text in Markdown. */
  readonly body: string | null;
  /** Number of files changed. */
  readonly changed_files: number;
  /** When it was closed. */
  readonly closed_at: string | null;
  /** Number of comments in the conversation. */
  readonly comments: number;
  /** Number of commits. */
  readonly commits: number;
  /** When it was created. */
  readonly created_at: string;
  /** Lines removed. */
  readonly deletions: number;
  /** Address of its diff. */
  readonly diff_url: string;
  /** Whether it is a draft. */
  readonly draft: boolean | null;
  /** The source branch. */
  readonly head: Readonly<Record<string, unknown>>;
  /** Address of its web page. */
  readonly html_url: string;
  /** Numeric ID. */
  readonly id: number;
  /** Labels. */
  readonly labels: readonly (Readonly<Record<string, unknown>>)[];
  /** Whether the conversation is locked. */
  readonly locked: boolean;
  /** SHA of the merge commit or of GitHub's test merge. */
  readonly merge_commit_sha: string | null;
  /** When it was merged. */
  readonly merged_at: string | null;
  /** The milestone it belongs to. */
  readonly milestone: Readonly<Record<string, unknown>> | null;
  /** GraphQL node ID. */
  readonly node_id: string;
  /** Number within the repository. */
  readonly number: number;
  /** Address of its patch. */
  readonly patch_url: string;
  /** The people asked for a review. */
  readonly requested_reviewers: readonly (Readonly<Record<string, unknown>>)[];
  /** Number of comments on lines. */
  readonly review_comments: number;
  /** `open` or `closed`. */
  readonly state: string;
  /** Title. */
  readonly title: string;
  /** When it was last changed. */
  readonly updated_at: string;
  /** Address in the REST API. */
  readonly url: string;
  /** Who created it. */
  readonly user: Readonly<Record<string, unknown>> | null;
}

/** A person or team that was asked for a review. */
export interface Reviewer {
  /** Login; null for a team. */
  readonly login: string | null;
  /** Slug of a team; null for a person. */
  readonly team: string | null;
}

export interface PullRequestsGetParams {
  /** Number within the repository. */
  readonly number: number;
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  readonly fields?: readonly FieldPath[];
}

export interface PullRequestsListParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Which states to list. Default is all. */
  readonly states?: readonly PullRequestStatesFilter[];
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface PullRequestsApiSearchParams {
  /** Query in GitHub's search syntax. */
  readonly query: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface PullRequestsCreateParams {
  /** Target branch. */
  readonly base: string;
  /** Source branch. A branch of another repository in the same network is written as `user:branch`. */
  readonly head: string;
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Title. */
  readonly title: string;
  /** Text in Markdown. */
  readonly body?: string;
  /** Whether to create it as a draft. */
  readonly draft?: boolean;
  /** Whether maintainers may push to the source branch. */
  readonly maintainer_can_modify?: boolean;
  readonly fields?: readonly FieldPath[];
}

export interface PullRequestsUpdateParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Number of the pull request. */
  readonly pull_number: number;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** New target branch. */
  readonly base?: string;
  /** New text in Markdown. */
  readonly body?: string;
  /** Whether maintainers may push to the source branch. */
  readonly maintainer_can_modify?: boolean;
  /** State that the pull request shall have. */
  readonly state?: OpenClosed;
  /** New title. */
  readonly title?: string;
  readonly fields?: readonly FieldPath[];
}

export interface PullRequestsMergeParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Number of the pull request. */
  readonly pull_number: number;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Text of the merge commit below its title. */
  readonly commit_message?: string;
  /** Title of the merge commit. */
  readonly commit_title?: string;
  /** How it is merged. */
  readonly merge_method?: MergeMethod;
  /** The newest commit that the source branch must have, so that nothing unseen is merged. */
  readonly sha?: string;
  readonly fields?: readonly FieldPath[];
}

export interface PullRequestsSyncParams {
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

export const pullRequestPlan: RecordPlan = {
  name: "PullRequest",
  on: "PullRequest",
  fields: {
    id: { select: "id", read: "id" },
    assignees: {
      select: ["assignees(first:100){nodes{", "}pageInfo{hasNextPage endCursor}}"],
      read: "assignees.nodes",
      list: "empty",
      cut: "assignees.pageInfo.hasNextPage",
      next: "assignees.pageInfo.endCursor",
      of: () => accountPlan,
    },
    author: { select: ["author{", "}"], read: "author", of: () => actorPlan },
    baseRefName: { select: "baseRefName", read: "baseRefName" },
    body: { select: "body", read: "body" },
    closedAt: { select: "closedAt", read: "closedAt", is: "timestamp" },
    createdAt: { select: "createdAt", read: "createdAt", is: "timestamp" },
    databaseId: { select: "databaseId:fullDatabaseId", read: "databaseId", as: { kind: "integer" }, is: "integer" },
    headRefName: { select: "headRefName", read: "headRefName" },
    headRepository: { select: "headRepository{nameWithOwner}", read: "headRepository.nameWithOwner" },
    isDraft: { select: "isDraft", read: "isDraft", is: "boolean" },
    labels: {
      select: ["labels(first:100){nodes{", "}pageInfo{hasNextPage endCursor}}"],
      read: "labels.nodes",
      list: "empty",
      cut: "labels.pageInfo.hasNextPage",
      next: "labels.pageInfo.endCursor",
      of: () => labelReferencePlan,
    },
    locked: { select: "locked", read: "locked", is: "boolean" },
    mergedAt: { select: "mergedAt", read: "mergedAt", is: "timestamp" },
    mergedBy: { select: ["mergedBy{", "}"], read: "mergedBy", of: () => actorPlan },
    milestone: { select: ["milestone{", "}"], read: "milestone", of: () => milestoneReferencePlan },
    number: { select: "number", read: "number", is: "integer" },
    repository: { select: "repository{nameWithOwner}", read: "repository.nameWithOwner" },
    state: {
      select: "state",
      read: "state",
      as: { kind: "map", values: { CLOSED: "closed", MERGED: "closed", OPEN: "open" } },
      values: ["closed", "open"],
    },
    title: { select: "title", read: "title" },
    updatedAt: { select: "updatedAt", read: "updatedAt", is: "timestamp" },
    url: { select: "url", read: "url" },
    additions: { select: "additions", read: "additions", is: "integer", onRequest: true },
    authorAssociation: {
      select: "authorAssociation",
      read: "authorAssociation",
      values: ["COLLABORATOR", "CONTRIBUTOR", "FIRST_TIMER", "FIRST_TIME_CONTRIBUTOR", "MANNEQUIN", "MEMBER", "NONE", "OWNER"],
      onRequest: true,
    },
    authorLogin: { select: "authorLogin:author{login}", read: "authorLogin.login", onRequest: true },
    bodyText: { select: "bodyText", read: "bodyText", onRequest: true },
    changedFiles: { select: "changedFiles", read: "changedFiles", is: "integer", onRequest: true },
    commentCount: { select: "commentCount:comments{totalCount}", read: "commentCount.totalCount", is: "integer", onRequest: true },
    commitCount: { select: "commitCount:commits{totalCount}", read: "commitCount.totalCount", is: "integer", onRequest: true },
    deletions: { select: "deletions", read: "deletions", is: "integer", onRequest: true },
    headSha: { select: "headSha:headRefOid", read: "headSha", onRequest: true },
    isCrossRepository: { select: "isCrossRepository", read: "isCrossRepository", is: "boolean", onRequest: true },
    lastEditedAt: { select: "lastEditedAt", read: "lastEditedAt", is: "timestamp", onRequest: true },
    maintainerCanModify: { select: "maintainerCanModify", read: "maintainerCanModify", is: "boolean", onRequest: true },
    mergeCommit: { select: ["mergeCommit{", "}"], read: "mergeCommit", onRequest: true, of: () => commitReferencePlan },
    mergeable: {
      select: "mergeable",
      read: "mergeable",
      as: { kind: "lower" },
      values: ["conflicting", "mergeable", "unknown"],
      onRequest: true,
    },
    mergedByLogin: { select: "mergedByLogin:mergedBy{login}", read: "mergedByLogin.login", onRequest: true },
    milestoneTitle: { select: "milestoneTitle:milestone{title}", read: "milestoneTitle.title", onRequest: true },
    reactionCount: { select: "reactionCount:reactions{totalCount}", read: "reactionCount.totalCount", is: "integer", onRequest: true },
    reviewDecision: {
      select: "reviewDecision",
      read: "reviewDecision",
      as: { kind: "lower" },
      values: ["approved", "changes_requested", "review_required"],
      onRequest: true,
    },
    reviewRequests: {
      select: ["reviewRequests(first:100){nodes{", "}pageInfo{hasNextPage endCursor}}"],
      read: "reviewRequests.nodes",
      list: "empty",
      cut: "reviewRequests.pageInfo.hasNextPage",
      next: "reviewRequests.pageInfo.endCursor",
      onRequest: true,
      of: () => reviewerPlan,
    },
    totalCommentCount: { select: "totalCommentCount:totalCommentsCount", read: "totalCommentCount", is: "integer", onRequest: true },
  },
  overflow: {
    id: "id",
    batch: 50,
    frame: ["query PullRequestsOverflow(", "){", "}"],
    variables: ["$id_", ":ID!$after_", ":String"],
    lists: {
      assignees: [
        "p",
        ":node(id:$id_",
        "){...on PullRequest{assignees(first:100 after:$after_",
        "){nodes{databaseId id login url}pageInfo{hasNextPage endCursor}}}}",
      ],
      labels: [
        "p",
        ":node(id:$id_",
        "){...on PullRequest{labels(first:100 after:$after_",
        "){nodes{color id name}pageInfo{hasNextPage endCursor}}}}",
      ],
      reviewRequests: [
        "p",
        ":node(id:$id_",
        "){...on PullRequest{reviewRequests(first:100 after:$after_",
        "){nodes{login:requestedReviewer{...on User{login}}team:requestedReviewer{...on Team{slug}}}pageInfo{hasNextPage endCursor}}}}",
      ],
    },
  },
};

export const mergeResultPlan: RecordPlan = {
  name: "MergeResult",
  fields: {
    merged: { read: "merged", always: true, is: "boolean" },
    message: { read: "message", always: true },
    sha: { read: "sha", always: true },
  },
};

export const pullRequestRecordPlan: RecordPlan = {
  name: "PullRequestRecord",
  brief: ["number", "title", "state", "draft", "html_url"],
  fields: {
    additions: { read: "additions", always: true, is: "integer" },
    assignees: { read: "assignees", list: "empty", open: true },
    author_association: { read: "author_association", always: true },
    base: { read: "base", always: true, open: true },
    body: { read: "body" },
    changed_files: { read: "changed_files", always: true, is: "integer" },
    closed_at: { read: "closed_at", is: "timestamp" },
    comments: { read: "comments", always: true, is: "integer" },
    commits: { read: "commits", always: true, is: "integer" },
    created_at: { read: "created_at", always: true, is: "timestamp" },
    deletions: { read: "deletions", always: true, is: "integer" },
    diff_url: { read: "diff_url", always: true },
    draft: { read: "draft", is: "boolean" },
    head: { read: "head", always: true, open: true },
    html_url: { read: "html_url", always: true },
    id: { read: "id", always: true, is: "integer" },
    labels: { read: "labels", list: "empty", open: true },
    locked: { read: "locked", always: true, is: "boolean" },
    merge_commit_sha: { read: "merge_commit_sha" },
    merged_at: { read: "merged_at", is: "timestamp" },
    milestone: { read: "milestone", open: true },
    node_id: { read: "node_id", always: true },
    number: { read: "number", always: true, is: "integer" },
    patch_url: { read: "patch_url", always: true },
    requested_reviewers: { read: "requested_reviewers", list: "empty", open: true },
    review_comments: { read: "review_comments", always: true, is: "integer" },
    state: { read: "state", always: true },
    title: { read: "title", always: true },
    updated_at: { read: "updated_at", always: true, is: "timestamp" },
    url: { read: "url", always: true },
    user: { read: "user", open: true },
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

/** Reads one pull request by its number. */
export const get: Action<PullRequestsGetParams, Single<PullRequest>> = {
  name: "pull_requests.get",
  traits: actionTraits.get,
  params: ["number", "owner", "repo"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query PullRequestsGet($owner:String!$repo:String!$number:Int!){repository(owner:$owner name:$repo){pullRequest(number:$number){...record}}}",
    variables: ["owner", "repo", "number"],
    path: ["repository", "pullRequest"],
    record: pullRequestPlan,
  },
};

/** Lists the pull requests of a repository, newest first. */
export const list: Action<PullRequestsListParams, Page<PullRequest>> = {
  name: "pull_requests.list",
  traits: actionTraits.list,
  params: ["owner", "repo", "states", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query PullRequestsList($owner:String!$repo:String!$states:[PullRequestState!]$first:Int!$after:String){repository(owner:$owner name:$repo){pullRequests(states:$states orderBy:{field:CREATED_AT direction:DESC}first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["owner", "repo", "states"],
    path: ["repository", "pullRequests"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    counts: true,
    record: pullRequestPlan,
  },
};

/** Searches pull requests on GitHub, with `is:pr` added to the query. */
export const apiSearch: Action<PullRequestsApiSearchParams, Page<PullRequest>> = {
  name: "pull_requests.api_search",
  traits: actionTraits.api_search,
  params: ["query", "after", "per_page"],
  validate: apiSearchParams,
  operation: {
    kind: "graphql-list",
    document: "query PullRequestsApiSearch($searchQuery:String!$first:Int!$after:String){search(type:ISSUE query:$searchQuery first:$first after:$after){nodes{__typename ...record}pageInfo{hasNextPage endCursor}issueCount}}",
    variables: [],
    computed: { searchQuery: { template: ["", "query", ""], qualify: "is:pr" } },
    narrow: ["PullRequest"],
    path: ["search"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    total: "issueCount",
    record: pullRequestPlan,
  },
};

/** Creates a pull request. Needs write access to the source branch. */
export const create: Action<PullRequestsCreateParams, Answer<PullRequestRecord>> = {
  name: "pull_requests.create",
  traits: actionTraits.create,
  params: ["base", "head", "owner", "repo", "title", "body", "draft", "maintainer_can_modify"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/repos/{owner}/{repo}/pulls",
    query: [],
    body: ["base", "head", "title", "body", "draft", "maintainer_can_modify"],
    record: pullRequestRecordPlan,
  },
};

/** Changes a pull request, closes it or opens it again. */
export const update: Action<PullRequestsUpdateParams, Answer<PullRequestRecord>> = {
  name: "pull_requests.update",
  traits: actionTraits.update,
  params: ["owner", "pull_number", "repo", "base", "body", "maintainer_can_modify", "state", "title"],
  validate: updateParams,
  operation: {
    kind: "rest",
    method: "PATCH",
    path: "/repos/{owner}/{repo}/pulls/{pull_number}",
    query: [],
    body: ["base", "body", "maintainer_can_modify", "state", "title"],
    record: pullRequestRecordPlan,
  },
  changes: ["base", "body", "maintainer_can_modify", "state", "title"],
};

/** Merges a pull request. Needs push access. */
export const mergeAction: Action<PullRequestsMergeParams, Answer<MergeResult>> = {
  name: "pull_requests.merge",
  traits: { writes: true, list: false, updates: false, idempotent: false },
  params: ["owner", "pull_number", "repo", "commit_message", "commit_title", "merge_method", "sha"],
  validate: mergeActionParams,
  operation: {
    kind: "rest",
    method: "PUT",
    path: "/repos/{owner}/{repo}/pulls/{pull_number}/merge",
    query: [],
    body: ["commit_message", "commit_title", "merge_method", "sha"],
    record: mergeResultPlan,
  },
};

/** Reads the pull requests of a repository, the last changed first. */
export const sync: Action<PullRequestsSyncParams, Page<PullRequest>> = {
  name: "pull_requests.sync",
  traits: actionTraits.list,
  params: ["owner", "repo", "after", "per_page"],
  validate: syncParams,
  operation: {
    kind: "graphql-list",
    document: "query PullRequestsSync($owner:String!$repo:String!$first:Int!$after:String){repository(owner:$owner name:$repo){pullRequests(orderBy:{field:UPDATED_AT direction:DESC}first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["owner", "repo"],
    path: ["repository", "pullRequests"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    counts: true,
    record: pullRequestPlan,
  },
};

/** How a sync reads for several parents. */
export const getBatch: SyncBatch = {
  size: 50,
  document: {
    frame: ["query PullRequestsGetBatch($owner:String!$repo:String!", "){repository(owner:$owner name:$repo){", "}}"],
    variables: ["$number_", ":Int!"],
    parent: ["p", ":pullRequest(number:$number_", "){...record}"],
    own: ["number"],
    alias: 1,
  },
};

/** Pull requests of a repository. A merged one is `closed` and has `mergedAt`. */
export const entity: Entity = {
  actions: { get, list, api_search: apiSearch, create, update, merge: mergeAction },
  record: pullRequestPlan,
  store: pullRequestsStore,
  aliases: ["pr", "prs", "pull", "pulls", "pull_request", "merge_request", "merge_requests"],
  brief: ["number", "title", "state", "author.login", "isDraft", "updatedAt"],
  sync: [
    {
      scope: "repository",
      action: sync,
      size: { param: "per_page", value: 100 },
      cursor: { field: "updatedAt", overlap: 60 },
      verification: { action: get, params: { number: "number" }, days: 7, batch: getBatch },
    },
  ],
  relations: [{ table: "repositories", on: "repositories.nameWithOwner = pull_requests.repository" }],
};
