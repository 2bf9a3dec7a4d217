// Generated from spec/github/issues.yaml by `make generate`. Do not edit.

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
import { issuesStore } from "./facts.ts";
import {
  type Account,
  type Actor,
  type AuthorAssociation,
  type LabelReference,
  type MilestoneReference,
  type OpenClosed,
  type OpenClosedFilter,
  accountPlan,
  actorPlan,
  labelReferencePlan,
  milestoneReferencePlan,
} from "./shared.ts";
import { apiSearchParams, createParams, getParams, listParams, syncParams, updateParams } from "./validators/issues.js";

/** Why an issue is in its state. */
export type IssueStateReason = "completed" | "duplicate" | "not_planned" | "reopened";
/** The reason to give when an issue is closed or opened again. */
export type IssueStateReasonChange = "completed" | "not_planned" | "reopened";

/** Issues of a repository. GitHub numbers issues and pull requests together; this entity has only the issues. */
export interface Issue {
  /** GraphQL node ID. */
  readonly id: string;
  /** The people assigned. */
  readonly assignees: readonly Account[];
  /** Who wrote it; null when the account was deleted. */
  readonly author: Actor | null;
  /** Text in Markdown. */
  readonly body: string;
  /** When it was closed; null while it is open. */
  readonly closedAt: string | null;
  /** Number of comments. */
  readonly commentCount: number;
  /** When it was created. */
  readonly createdAt: string;
  /** Numeric ID of the REST API. */
  readonly databaseId: number | null;
  /** Labels. */
  readonly labels: readonly LabelReference[];
  /** Whether the conversation is locked. */
  readonly locked: boolean;
  /** The milestone it belongs to. */
  readonly milestone: MilestoneReference | null;
  /** Number within the repository. */
  readonly number: number;
  /** The repository as `owner/name`. */
  readonly repository: string;
  /** `open` or `closed`. */
  readonly state: OpenClosed;
  /** Why it is in that state. */
  readonly stateReason: IssueStateReason | null;
  /** Title. */
  readonly title: string;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Address of its web page. */
  readonly url: string;
  /** Why the conversation is locked. */
  readonly activeLockReason?: string | null;
  /** How the author is related to the repository. */
  readonly authorAssociation?: AuthorAssociation;
  /** Login of the account that wrote it, for cached search. */
  readonly authorLogin?: string | null;
  /** The body as plain text. */
  readonly bodyText?: string;
  /** Whether it is pinned in its repository. */
  readonly isPinned?: boolean | null;
  /** When its text was last edited; null when it never was. */
  readonly lastEditedAt?: string | null;
  /** Title of its milestone, for cached search. */
  readonly milestoneTitle?: string | null;
  /** The issue of which this one is a sub-issue. */
  readonly parent?: IssueReference | null;
  /** Who took part in the conversation. */
  readonly participants?: readonly Account[];
  /** Number of reactions. */
  readonly reactionCount?: number;
  /** How many sub-issues there are and how many are done. */
  readonly subIssues?: SubIssues;
}

/** The response when an issue is created or updated. Names are those of GitHub's REST API. */
export interface IssueRecord {
  /** Why the conversation is locked. */
  readonly active_lock_reason: string | null;
  /** The first of the people assigned. */
  readonly assignee: Readonly<Record<string, unknown>> | null;
  /** The people assigned. */
  readonly assignees: readonly (Readonly<Record<string, unknown>>)[];
  /** How the author is related to the repository. */
  readonly author_association: string | null;
  /** Text in Markdown. */
  readonly body: string | null;
  /** When it was closed. */
  readonly closed_at: string | null;
  /** Who closed it. */
  readonly closed_by: Readonly<Record<string, unknown>> | null;
  /** Number of comments. */
  readonly comments: number;
  /** Address of its comments. */
  readonly comments_url: string;
  /** When it was created. */
  readonly created_at: string;
  /** Address of its events. */
  readonly events_url: string;
  /** Address of its web page. */
  readonly html_url: string;
  /** Numeric ID. */
  readonly id: number;
  /** How many issues block it and are blocked by it. */
  readonly issue_dependencies_summary: Readonly<Record<string, unknown>> | null;
  /** Values of the organization's own fields. */
  readonly issue_field_values: readonly (Readonly<Record<string, unknown>>)[];
  /** Labels. */
  readonly labels: readonly (Readonly<Record<string, unknown>>)[];
  /** Address template of its labels. */
  readonly labels_url: string;
  /** Whether the conversation is locked. */
  readonly locked: boolean;
  /** The milestone it belongs to. */
  readonly milestone: Readonly<Record<string, unknown>> | null;
  /** GraphQL node ID. */
  readonly node_id: string;
  /** Number within the repository. */
  readonly number: number;
  /** The app through which it was created. */
  readonly performed_via_github_app: Readonly<Record<string, unknown>> | null;
  /** The comment pinned in it. */
  readonly pinned_comment: Readonly<Record<string, unknown>> | null;
  /** Number of reactions of each kind. */
  readonly reactions: Readonly<Record<string, unknown>> | null;
  /** Address of the repository in the REST API. */
  readonly repository_url: string;
  /** `open` or `closed`. */
  readonly state: string;
  /** Why it is in that state. */
  readonly state_reason: string | null;
  /** How many sub-issues there are and how many are done. */
  readonly sub_issues_summary: Readonly<Record<string, unknown>> | null;
  /** Address of its timeline. */
  readonly timeline_url: string | null;
  /** Title. */
  readonly title: string;
  /** The organization's type of the issue. */
  readonly type: Readonly<Record<string, unknown>> | null;
  /** When it was last changed. */
  readonly updated_at: string;
  /** Address in the REST API. */
  readonly url: string;
  /** Who created it. */
  readonly user: Readonly<Record<string, unknown>> | null;
}

/** Another issue, in short. */
export interface IssueReference {
  /** GraphQL node ID. */
  readonly id: string;
  /** Number within its repository. */
  readonly number: number;
  /** Its repository as `owner/name`. */
  readonly repository: string;
  /** Title. */
  readonly title: string;
  /** Address of its web page. */
  readonly url: string;
}

/** Progress of the sub-issues. */
export interface SubIssues {
  /** How many are done. */
  readonly completed: number;
  /** Share that is done, in percent. */
  readonly percentCompleted: number;
  /** How many there are. */
  readonly total: number;
}

export interface IssuesGetParams {
  /** Number within the repository. */
  readonly number: number;
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  readonly fields?: readonly FieldPath[];
}

export interface IssuesListParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Which states to list. Default is all. */
  readonly states?: readonly OpenClosedFilter[];
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface IssuesApiSearchParams {
  /** Query in GitHub's search syntax. */
  readonly query: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface IssuesCreateParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Title. */
  readonly title: string;
  /** Logins of the people to assign. Dropped without push access. */
  readonly assignees?: readonly string[];
  /** Text in Markdown. */
  readonly body?: string;
  /** Names of labels. GitHub ignores them when the token has no push access. */
  readonly labels?: readonly string[];
  /** Number of a milestone, or null for none. Dropped without push access. */
  readonly milestone?: number | null;
  readonly fields?: readonly FieldPath[];
}

export interface IssuesUpdateParams {
  /** Number of the issue. */
  readonly issue_number: number;
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Replaces all assignees; an empty list removes them. */
  readonly assignees?: readonly string[];
  /** New text in Markdown. */
  readonly body?: string;
  /** Replaces all labels; an empty list removes them. */
  readonly labels?: readonly string[];
  /** Number of a milestone; null removes it. */
  readonly milestone?: number | null;
  /** State that the issue shall have. */
  readonly state?: OpenClosed;
  /** Why; goes with `state`. */
  readonly state_reason?: IssueStateReasonChange | null;
  /** New title. */
  readonly title?: string;
  readonly fields?: readonly FieldPath[];
}

export interface IssuesSyncParams {
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

export const issuePlan: RecordPlan = {
  name: "Issue",
  on: "Issue",
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
    body: { select: "body", read: "body" },
    closedAt: { select: "closedAt", read: "closedAt", is: "timestamp" },
    commentCount: { select: "commentCount:comments{totalCount}", read: "commentCount.totalCount", is: "integer" },
    createdAt: { select: "createdAt", read: "createdAt", is: "timestamp" },
    databaseId: { select: "databaseId:fullDatabaseId", read: "databaseId", as: { kind: "integer" }, is: "integer" },
    labels: {
      select: ["labels(first:100){nodes{", "}pageInfo{hasNextPage endCursor}}"],
      read: "labels.nodes",
      list: "empty",
      cut: "labels.pageInfo.hasNextPage",
      next: "labels.pageInfo.endCursor",
      of: () => labelReferencePlan,
    },
    locked: { select: "locked", read: "locked", is: "boolean" },
    milestone: { select: ["milestone{", "}"], read: "milestone", of: () => milestoneReferencePlan },
    number: { select: "number", read: "number", is: "integer" },
    repository: { select: "repository{nameWithOwner}", read: "repository.nameWithOwner" },
    state: { select: "state", read: "state", as: { kind: "lower" }, values: ["closed", "open"] },
    stateReason: {
      select: "stateReason(enableDuplicate: true)",
      read: "stateReason",
      as: { kind: "lower" },
      values: ["completed", "duplicate", "not_planned", "reopened"],
    },
    title: { select: "title", read: "title" },
    updatedAt: { select: "updatedAt", read: "updatedAt", is: "timestamp" },
    url: { select: "url", read: "url" },
    activeLockReason: { select: "activeLockReason", read: "activeLockReason", as: { kind: "lower" }, onRequest: true },
    authorAssociation: {
      select: "authorAssociation",
      read: "authorAssociation",
      values: ["COLLABORATOR", "CONTRIBUTOR", "FIRST_TIMER", "FIRST_TIME_CONTRIBUTOR", "MANNEQUIN", "MEMBER", "NONE", "OWNER"],
      onRequest: true,
    },
    authorLogin: { select: "authorLogin:author{login}", read: "authorLogin.login", onRequest: true },
    bodyText: { select: "bodyText", read: "bodyText", onRequest: true },
    isPinned: { select: "isPinned", read: "isPinned", is: "boolean", onRequest: true },
    lastEditedAt: { select: "lastEditedAt", read: "lastEditedAt", is: "timestamp", onRequest: true },
    milestoneTitle: { select: "milestoneTitle:milestone{title}", read: "milestoneTitle.title", onRequest: true },
    parent: { select: ["parent{", "}"], read: "parent", onRequest: true, of: () => issueReferencePlan },
    participants: {
      select: ["participants(first:20){nodes{", "}pageInfo{hasNextPage}}"],
      read: "participants.nodes",
      list: "empty",
      cut: "participants.pageInfo.hasNextPage",
      onRequest: true,
      of: () => accountPlan,
    },
    reactionCount: { select: "reactionCount:reactions{totalCount}", read: "reactionCount.totalCount", is: "integer", onRequest: true },
    subIssues: { select: ["subIssues:subIssuesSummary{", "}"], read: "subIssues", onRequest: true, of: () => subIssuesPlan },
  },
  overflow: {
    id: "id",
    batch: 50,
    frame: ["query IssuesOverflow(", "){", "}"],
    variables: ["$id_", ":ID!$after_", ":String"],
    lists: {
      assignees: [
        "p",
        ":node(id:$id_",
        "){...on Issue{assignees(first:100 after:$after_",
        "){nodes{databaseId id login url}pageInfo{hasNextPage endCursor}}}}",
      ],
      labels: [
        "p",
        ":node(id:$id_",
        "){...on Issue{labels(first:100 after:$after_",
        "){nodes{color id name}pageInfo{hasNextPage endCursor}}}}",
      ],
    },
  },
};

export const issueRecordPlan: RecordPlan = {
  name: "IssueRecord",
  brief: ["number", "title", "state", "state_reason", "labels.name", "assignees.login", "html_url"],
  fields: {
    active_lock_reason: { read: "active_lock_reason" },
    assignee: { read: "assignee", open: true },
    assignees: { read: "assignees", list: "empty", open: true },
    author_association: { read: "author_association" },
    body: { read: "body" },
    closed_at: { read: "closed_at", is: "timestamp" },
    closed_by: { read: "closed_by", open: true },
    comments: { read: "comments", always: true, is: "integer" },
    comments_url: { read: "comments_url", always: true },
    created_at: { read: "created_at", always: true, is: "timestamp" },
    events_url: { read: "events_url", always: true },
    html_url: { read: "html_url", always: true },
    id: { read: "id", always: true, is: "integer" },
    issue_dependencies_summary: { read: "issue_dependencies_summary", open: true },
    issue_field_values: { read: "issue_field_values", list: "empty", open: true },
    labels: { read: "labels", list: "empty", open: true },
    labels_url: { read: "labels_url", always: true },
    locked: { read: "locked", always: true, is: "boolean" },
    milestone: { read: "milestone", open: true },
    node_id: { read: "node_id", always: true },
    number: { read: "number", always: true, is: "integer" },
    performed_via_github_app: { read: "performed_via_github_app", open: true },
    pinned_comment: { read: "pinned_comment", open: true },
    reactions: { read: "reactions", open: true },
    repository_url: { read: "repository_url", always: true },
    state: { read: "state", always: true },
    state_reason: { read: "state_reason" },
    sub_issues_summary: { read: "sub_issues_summary", open: true },
    timeline_url: { read: "timeline_url" },
    title: { read: "title", always: true },
    type: { read: "type", open: true },
    updated_at: { read: "updated_at", always: true, is: "timestamp" },
    url: { read: "url", always: true },
    user: { read: "user", open: true },
  },
};

export const issueReferencePlan: RecordPlan = {
  name: "IssueReference",
  on: "Issue",
  fields: {
    id: { select: "id", read: "id" },
    number: { select: "number", read: "number", is: "integer" },
    repository: { select: "repository{nameWithOwner}", read: "repository.nameWithOwner" },
    title: { select: "title", read: "title" },
    url: { select: "url", read: "url" },
  },
};

export const subIssuesPlan: RecordPlan = {
  name: "SubIssues",
  on: "SubIssuesSummary",
  fields: {
    completed: { select: "completed", read: "completed", is: "integer" },
    percentCompleted: { select: "percentCompleted", read: "percentCompleted", is: "integer" },
    total: { select: "total", read: "total", is: "integer" },
  },
};

/** Reads one issue by its number. */
export const get: Action<IssuesGetParams, Single<Issue>> = {
  name: "issues.get",
  traits: actionTraits.get,
  params: ["number", "owner", "repo"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query IssuesGet($owner:String!$repo:String!$number:Int!){repository(owner:$owner name:$repo){issue(number:$number){...record}}}",
    variables: ["owner", "repo", "number"],
    path: ["repository", "issue"],
    record: issuePlan,
  },
};

/** Lists the issues of a repository, newest first. */
export const list: Action<IssuesListParams, Page<Issue>> = {
  name: "issues.list",
  traits: actionTraits.list,
  params: ["owner", "repo", "states", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query IssuesList($owner:String!$repo:String!$states:[IssueState!]$first:Int!$after:String){repository(owner:$owner name:$repo){issues(states:$states orderBy:{field:CREATED_AT direction:DESC}first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["owner", "repo", "states"],
    path: ["repository", "issues"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    counts: true,
    record: issuePlan,
  },
};

/** Searches issues on GitHub, with `is:issue` added to the query. */
export const apiSearch: Action<IssuesApiSearchParams, Page<Issue>> = {
  name: "issues.api_search",
  traits: actionTraits.api_search,
  params: ["query", "after", "per_page"],
  validate: apiSearchParams,
  operation: {
    kind: "graphql-list",
    document: "query IssuesApiSearch($searchQuery:String!$first:Int!$after:String){search(type:ISSUE query:$searchQuery first:$first after:$after){nodes{__typename ...record}pageInfo{hasNextPage endCursor}issueCount}}",
    variables: [],
    computed: { searchQuery: { template: ["", "query", ""], qualify: "is:issue" } },
    narrow: ["Issue"],
    path: ["search"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    total: "issueCount",
    record: issuePlan,
  },
};

/** Creates an issue. Anyone who can read the repository may; without push access GitHub silently drops labels, assignees and milestone. */
export const create: Action<IssuesCreateParams, Answer<IssueRecord>> = {
  name: "issues.create",
  traits: actionTraits.create,
  params: ["owner", "repo", "title", "assignees", "body", "labels", "milestone"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/repos/{owner}/{repo}/issues",
    query: [],
    body: ["title", "assignees", "body", "labels", "milestone"],
    record: issueRecordPlan,
  },
};

/** Changes an issue, closes it or opens it again. Needs push access. What is left out stays as it is. */
export const update: Action<IssuesUpdateParams, Answer<IssueRecord>> = {
  name: "issues.update",
  traits: actionTraits.update,
  params: ["issue_number", "owner", "repo", "assignees", "body", "labels", "milestone", "state", "state_reason", "title"],
  validate: updateParams,
  operation: {
    kind: "rest",
    method: "PATCH",
    path: "/repos/{owner}/{repo}/issues/{issue_number}",
    query: [],
    body: ["assignees", "body", "labels", "milestone", "state", "state_reason", "title"],
    record: issueRecordPlan,
  },
  changes: ["assignees", "body", "labels", "milestone", "state", "state_reason", "title"],
  transitions: [
    { set: { state: "closed" }, allow: { state_reason: ["completed", "not_planned"] } },
    { set: { state: "open" }, allow: { state_reason: ["reopened"] } },
  ],
};

/** Reads the issues of a repository, the last changed first. */
export const sync: Action<IssuesSyncParams, Page<Issue>> = {
  name: "issues.sync",
  traits: actionTraits.list,
  params: ["owner", "repo", "after", "per_page"],
  validate: syncParams,
  operation: {
    kind: "graphql-list",
    document: "query IssuesSync($owner:String!$repo:String!$first:Int!$after:String){repository(owner:$owner name:$repo){issues(orderBy:{field:UPDATED_AT direction:DESC}first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["owner", "repo"],
    path: ["repository", "issues"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    counts: true,
    record: issuePlan,
  },
};

/** How a sync reads for several parents. */
export const getBatch: SyncBatch = {
  size: 100,
  document: {
    frame: ["query IssuesGetBatch($owner:String!$repo:String!", "){repository(owner:$owner name:$repo){", "}}"],
    variables: ["$number_", ":Int!"],
    parent: ["p", ":issue(number:$number_", "){...record}"],
    own: ["number"],
    alias: 1,
  },
};

/** Issues of a repository. GitHub numbers issues and pull requests together; this entity has only the issues. */
export const entity: Entity = {
  actions: { get, list, api_search: apiSearch, create, update },
  record: issuePlan,
  store: issuesStore,
  brief: ["number", "title", "state", "labels.name", "updatedAt"],
  sync: [
    {
      scope: "repository",
      action: sync,
      size: { param: "per_page", value: 100 },
      cursor: { field: "updatedAt", overlap: 60 },
      verification: { action: get, params: { number: "number" }, days: 7, batch: getBatch },
    },
  ],
  relations: [{ table: "repositories", on: "repositories.nameWithOwner = issues.repository" }],
};
