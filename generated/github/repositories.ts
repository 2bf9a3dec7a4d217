// Generated from spec/github/repositories.yaml by `make generate`. Do not edit.

import { type Entity, type FieldPath, type RecordPlan, getAction, listAction } from "../../runtime/contract/index.ts";
import { apiSearchParams, getParams, listParams } from "./validators/repositories.js";

/** Who can see a repository. */
export type RepositoryVisibility = "PUBLIC" | "PRIVATE" | "INTERNAL";
/** What the token's account may do in a repository. */
export type RepositoryPermission = "ADMIN" | "MAINTAIN" | "READ" | "TRIAGE" | "WRITE";

/** Repositories of a user, one by name, and search over all of GitHub. */
export interface Repository {
  /** GraphQL node ID. */
  readonly id: string;
  /** Numeric ID of the REST API. */
  readonly databaseId: number | null;
  /** Short name without the owner. */
  readonly name: string;
  /** `owner/name`. */
  readonly nameWithOwner: string;
  /** The user or organization that owns it. */
  readonly owner: RepositoryOwner;
  /** Description. */
  readonly description: string | null;
  /** Address of its web page. */
  readonly url: string;
  /** Its own home page. */
  readonly homepageUrl: string | null;
  /** Who can see it. */
  readonly visibility: RepositoryVisibility;
  /** Whether it is private. */
  readonly isPrivate: boolean;
  /** Whether it is a fork. */
  readonly isFork: boolean;
  /** Whether it is archived and so read-only. */
  readonly isArchived: boolean;
  /** Whether it is a template for new repositories. */
  readonly isTemplate: boolean;
  /** The language most of it is written in. */
  readonly primaryLanguage: Language | null;
  /** Topics. */
  readonly topics: readonly Topic[];
  /** Name of the default branch; null in an empty repository. */
  readonly defaultBranch: string | null;
  /** Its license. */
  readonly license: License | null;
  /** Number of stars. */
  readonly stargazerCount: number;
  /** Number of forks. */
  readonly forkCount: number;
  /** When it was created. */
  readonly createdAt: string;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** When something was last pushed. */
  readonly pushedAt: string | null;
  /** Size in kilobytes. */
  readonly diskUsage?: number | null;
  /** Whether discussions are on. */
  readonly hasDiscussionsEnabled?: boolean;
  /** Whether issues are on. */
  readonly hasIssuesEnabled?: boolean;
  /** Whether the wiki is on. */
  readonly hasWikiEnabled?: boolean;
  /** Whether nothing was ever pushed. */
  readonly isEmpty?: boolean;
  /** All languages. */
  readonly languages?: readonly Language[];
  /** Number of open issues. */
  readonly openIssueCount?: number;
  /** Number of open pull requests. */
  readonly openPullRequestCount?: number;
  /** The repository it was forked from, as `owner/name`. */
  readonly parent?: string | null;
  /** Address to clone it by SSH. */
  readonly sshUrl?: string;
  /** What the token's account may do in it. */
  readonly viewerPermission?: RepositoryPermission | null;
  /** Number of people who watch it. */
  readonly watcherCount?: number;
}

/** The user or organization that owns a repository. */
export interface RepositoryOwner {
  /** GraphQL node ID. */
  readonly id: string;
  /** Login. */
  readonly login: string;
  /** Web page of the account. */
  readonly url: string;
  /** Address of the picture. */
  readonly avatarUrl?: string;
  /** `User` or `Organization`. */
  readonly kind: string;
}

/** A programming language. */
export interface Language {
  /** Name. */
  readonly name: string;
  /** Color used on GitHub. */
  readonly color: string | null;
}

/** A license. */
export interface License {
  /** Key. */
  readonly key: string;
  /** Full name. */
  readonly name: string;
  /** Identifier in the SPDX list. */
  readonly spdxId: string | null;
}

/** A topic of a repository. */
export interface Topic {
  /** Name. */
  readonly name: string;
}

export interface RepositoriesGetParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  readonly fields?: readonly FieldPath[];
}

export interface RepositoriesListParams {
  /** Login of the user. */
  readonly username: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  /** Cursor: `end_cursor` of the previous answer. An empty string means the first page. */
  readonly after?: string;
  readonly fields?: readonly FieldPath[];
}

export interface RepositoriesApiSearchParams {
  /** Query in GitHub's search syntax. */
  readonly query: string;
  /** Number of results; above 100 the service walks several pages of the platform. Default 30. 1 to 1000. */
  readonly limit?: number;
  /** Cursor: `end_cursor` of the previous answer. An empty string means the first page. */
  readonly after?: string;
  readonly fields?: readonly FieldPath[];
}


export const repositoryPlan: RecordPlan = {
  name: "Repository",
  on: "Repository",
  fields: {
    id: { select: "id", read: "id" },
    databaseId: { select: "databaseId", read: "databaseId", as: { kind: "integer" } },
    name: { select: "name", read: "name" },
    nameWithOwner: { select: "nameWithOwner", read: "nameWithOwner" },
    owner: { select: ["owner{", "}"], read: "owner", of: () => repositoryOwnerPlan },
    description: { select: "description", read: "description" },
    url: { select: "url", read: "url" },
    homepageUrl: { select: "homepageUrl", read: "homepageUrl" },
    visibility: { select: "visibility", read: "visibility" },
    isPrivate: { select: "isPrivate", read: "isPrivate" },
    isFork: { select: "isFork", read: "isFork" },
    isArchived: { select: "isArchived", read: "isArchived" },
    isTemplate: { select: "isTemplate", read: "isTemplate" },
    primaryLanguage: { select: ["primaryLanguage{", "}"], read: "primaryLanguage", of: () => languagePlan },
    topics: {
      select: ["topics:repositoryTopics(first:20){nodes{", "}pageInfo{hasNextPage}}"],
      read: "topics.nodes",
      list: "empty",
      cut: "topics.pageInfo.hasNextPage",
      of: () => topicPlan,
    },
    defaultBranch: { select: "defaultBranch:defaultBranchRef{name}", read: "defaultBranch.name" },
    license: { select: ["license:licenseInfo{", "}"], read: "license", of: () => licensePlan },
    stargazerCount: { select: "stargazerCount", read: "stargazerCount" },
    forkCount: { select: "forkCount", read: "forkCount" },
    createdAt: { select: "createdAt", read: "createdAt" },
    updatedAt: { select: "updatedAt", read: "updatedAt" },
    pushedAt: { select: "pushedAt", read: "pushedAt" },
    diskUsage: { select: "diskUsage", read: "diskUsage", onRequest: true },
    hasDiscussionsEnabled: { select: "hasDiscussionsEnabled", read: "hasDiscussionsEnabled", onRequest: true },
    hasIssuesEnabled: { select: "hasIssuesEnabled", read: "hasIssuesEnabled", onRequest: true },
    hasWikiEnabled: { select: "hasWikiEnabled", read: "hasWikiEnabled", onRequest: true },
    isEmpty: { select: "isEmpty", read: "isEmpty", onRequest: true },
    languages: {
      select: ["languages(first:20){nodes{", "}pageInfo{hasNextPage}}"],
      read: "languages.nodes",
      list: "empty",
      cut: "languages.pageInfo.hasNextPage",
      onRequest: true,
      of: () => languagePlan,
    },
    openIssueCount: { select: "openIssueCount:issues(states: OPEN){totalCount}", read: "openIssueCount.totalCount", onRequest: true },
    openPullRequestCount: {
      select: "openPullRequestCount:pullRequests(states: OPEN){totalCount}",
      read: "openPullRequestCount.totalCount",
      onRequest: true,
    },
    parent: { select: "parent{nameWithOwner}", read: "parent.nameWithOwner", onRequest: true },
    sshUrl: { select: "sshUrl", read: "sshUrl", onRequest: true },
    viewerPermission: { select: "viewerPermission", read: "viewerPermission", onRequest: true },
    watcherCount: { select: "watcherCount:watchers{totalCount}", read: "watcherCount.totalCount", onRequest: true },
  },
};

export const repositoryOwnerPlan: RecordPlan = {
  name: "RepositoryOwner",
  on: "RepositoryOwner",
  fields: {
    id: { select: "id", read: "id" },
    login: { select: "login", read: "login" },
    url: { select: "url", read: "url" },
    avatarUrl: { select: "avatarUrl", read: "avatarUrl", onRequest: true },
    kind: { select: "kind:__typename", read: "kind" },
  },
};

export const languagePlan: RecordPlan = {
  name: "Language",
  on: "Language",
  fields: { name: { select: "name", read: "name" }, color: { select: "color", read: "color" } },
};

export const licensePlan: RecordPlan = {
  name: "License",
  on: "License",
  fields: {
    key: { select: "key", read: "key" },
    name: { select: "name", read: "name" },
    spdxId: { select: "spdxId", read: "spdxId" },
  },
};

export const topicPlan: RecordPlan = { name: "Topic", on: "RepositoryTopic", fields: { name: { select: "name:topic{name}", read: "name.name" } } };

/** Reads one repository. A repository that was renamed is found under its old name. */
export const get = getAction<RepositoriesGetParams, Repository>({
  name: "repositories.get",
  params: ["owner", "repo"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query RepositoriesGet($owner:String!$repo:String!){repository(owner:$owner name:$repo){...record}}",
    variables: ["owner", "repo"],
    path: ["repository"],
    record: repositoryPlan,
  },
});

/** Lists the repositories that a user owns, last pushed first. */
export const list = listAction<RepositoriesListParams, Repository>({
  name: "repositories.list",
  params: ["username", "per_page", "after"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query RepositoriesList($username:String!$first:Int!$after:String){user(login:$username){repositories(ownerAffiliations:[OWNER]orderBy:{field:PUSHED_AT direction:DESC}first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["username"],
    path: ["user", "repositories"],
    items: "nodes",
    size: "per_page",
    pageLimit: 100,
    record: repositoryPlan,
  },
});

/** Searches repositories on GitHub. */
export const apiSearch = listAction<RepositoriesApiSearchParams, Repository>({
  name: "repositories.api_search",
  params: ["query", "limit", "after"],
  validate: apiSearchParams,
  operation: {
    kind: "graphql-list",
    document: "query RepositoriesApiSearch($searchQuery:String!$first:Int!$after:String){search(type:REPOSITORY query:$searchQuery first:$first after:$after){nodes{__typename ...record}pageInfo{hasNextPage endCursor}repositoryCount}}",
    variables: [],
    computed: { searchQuery: { template: ["", "query", ""] } },
    narrow: true,
    path: ["search"],
    items: "nodes",
    size: "limit",
    pageLimit: 100,
    total: "repositoryCount",
    record: repositoryPlan,
  },
});

/** Repositories of a user, one by name, and search over all of GitHub. */
export const entity: Entity = { actions: { get, list, api_search: apiSearch } };
