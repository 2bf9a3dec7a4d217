// Generated from spec/github/repositories.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { repositoriesStore } from "./facts.ts";
import { apiSearchParams, getParams, listParams } from "./validators/repositories.js";

/** What the token's account may do in a repository. */
export type RepositoryPermission = "ADMIN" | "MAINTAIN" | "READ" | "TRIAGE" | "WRITE";
/** Who can see a repository. */
export type RepositoryVisibility = "INTERNAL" | "PRIVATE" | "PUBLIC";

/** Repositories of a user, one by name, and search over all of GitHub. */
export interface Repository {
  /** GraphQL node ID. */
  readonly id: string;
  /** When it was created. */
  readonly createdAt: string;
  /** Numeric ID of the REST API. */
  readonly databaseId: number | null;
  /** Name of the default branch; null in an empty repository. */
  readonly defaultBranch: string | null;
  /** Description. */
  readonly description: string | null;
  /** Number of forks. */
  readonly forkCount: number;
  /** Its own home page. */
  readonly homepageUrl: string | null;
  /** Whether it is archived and so read-only. */
  readonly isArchived: boolean;
  /** Whether it is a fork. */
  readonly isFork: boolean;
  /** Whether it is private. */
  readonly isPrivate: boolean;
  /** Whether it is a template for new repositories. */
  readonly isTemplate: boolean;
  /** Its license. */
  readonly license: License | null;
  /** Short name without the owner. */
  readonly name: string;
  /** `owner/name`. */
  readonly nameWithOwner: string;
  /** The user or organization that owns it. */
  readonly owner: RepositoryOwner;
  /** Login of the owner, for cached search. */
  readonly ownerLogin: string;
  /** The language of most of its code. */
  readonly primaryLanguage: Language | null;
  /** When something was last pushed. */
  readonly pushedAt: string | null;
  /** Number of stars. */
  readonly stargazerCount: number;
  /** Topics. */
  readonly topics: readonly Topic[];
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Address of its web page. */
  readonly url: string;
  /** Who can see it. */
  readonly visibility: RepositoryVisibility;
  /** Size in kilobytes. */
  readonly diskUsage?: number | null;
  /** Whether discussions are on. */
  readonly hasDiscussionsEnabled?: boolean;
  /** Whether issues are on. */
  readonly hasIssuesEnabled?: boolean;
  /** Whether the wiki is on. */
  readonly hasWikiEnabled?: boolean;
  /** Whether nothing was ever pushed to it. */
  readonly isEmpty?: boolean;
  /** All languages. */
  readonly languages?: readonly Language[];
  /** Key of its license, for cached search. */
  readonly licenseKey?: string | null;
  /** Number of open issues. */
  readonly openIssueCount?: number;
  /** Number of open pull requests. */
  readonly openPullRequestCount?: number;
  /** Login of the organization that owns it; null where a user does. */
  readonly organization?: string | null;
  /** The repository it was forked from, as `owner/name`. */
  readonly parent?: string | null;
  /** Name of the language of most of its code, for cached search. */
  readonly primaryLanguageName?: string | null;
  /** The repository as `owner/name`. */
  readonly repository?: string;
  /** Address to clone it by SSH. */
  readonly sshUrl?: string;
  /** What the token's account may do in it. */
  readonly viewerPermission?: RepositoryPermission | null;
  /** Number of people who watch it. */
  readonly watcherCount?: number;
}

/** A programming language. */
export interface Language {
  /** Color used on GitHub. */
  readonly color: string | null;
  /** Name. */
  readonly name: string;
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

/** The user or organization that owns a repository. */
export interface RepositoryOwner {
  /** Address of the picture. */
  readonly avatarUrl?: string;
  /** GraphQL node ID. */
  readonly id: string;
  /** `User` or `Organization`. */
  readonly kind: string;
  /** Login. */
  readonly login: string;
  /** Web page of the account. */
  readonly url: string;
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
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface RepositoriesApiSearchParams {
  /** Query in GitHub's search syntax. */
  readonly query: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Number of results; above 100 the service walks several pages of the platform. Default 30. 1 to 1000. */
  readonly limit?: number;
  readonly fields?: readonly FieldPath[];
}

export const repositoryPlan: RecordPlan = {
  name: "Repository",
  on: "Repository",
  fields: {
    id: { select: "id", read: "id" },
    createdAt: { select: "createdAt", read: "createdAt", is: "timestamp" },
    databaseId: { select: "databaseId", read: "databaseId", as: { kind: "integer" }, is: "integer" },
    defaultBranch: { select: "defaultBranch:defaultBranchRef{name}", read: "defaultBranch.name" },
    description: { select: "description", read: "description" },
    forkCount: { select: "forkCount", read: "forkCount", is: "integer" },
    homepageUrl: { select: "homepageUrl", read: "homepageUrl" },
    isArchived: { select: "isArchived", read: "isArchived", is: "boolean" },
    isFork: { select: "isFork", read: "isFork", is: "boolean" },
    isPrivate: { select: "isPrivate", read: "isPrivate", is: "boolean" },
    isTemplate: { select: "isTemplate", read: "isTemplate", is: "boolean" },
    license: { select: ["license:licenseInfo{", "}"], read: "license", of: () => licensePlan },
    name: { select: "name", read: "name" },
    nameWithOwner: { select: "nameWithOwner", read: "nameWithOwner" },
    owner: { select: ["owner{", "}"], read: "owner", of: () => repositoryOwnerPlan },
    ownerLogin: { select: "ownerLogin:owner{login}", read: "ownerLogin.login" },
    primaryLanguage: { select: ["primaryLanguage{", "}"], read: "primaryLanguage", of: () => languagePlan },
    pushedAt: { select: "pushedAt", read: "pushedAt", is: "timestamp" },
    stargazerCount: { select: "stargazerCount", read: "stargazerCount", is: "integer" },
    topics: {
      select: ["topics:repositoryTopics(first:100){nodes{", "}pageInfo{hasNextPage endCursor}}"],
      read: "topics.nodes",
      list: "empty",
      cut: "topics.pageInfo.hasNextPage",
      next: "topics.pageInfo.endCursor",
      of: () => topicPlan,
    },
    updatedAt: { select: "updatedAt", read: "updatedAt", is: "timestamp" },
    url: { select: "url", read: "url" },
    visibility: { select: "visibility", read: "visibility", values: ["INTERNAL", "PRIVATE", "PUBLIC"] },
    diskUsage: { select: "diskUsage", read: "diskUsage", is: "integer", onRequest: true },
    hasDiscussionsEnabled: { select: "hasDiscussionsEnabled", read: "hasDiscussionsEnabled", is: "boolean", onRequest: true },
    hasIssuesEnabled: { select: "hasIssuesEnabled", read: "hasIssuesEnabled", is: "boolean", onRequest: true },
    hasWikiEnabled: { select: "hasWikiEnabled", read: "hasWikiEnabled", is: "boolean", onRequest: true },
    isEmpty: { select: "isEmpty", read: "isEmpty", is: "boolean", onRequest: true },
    languages: {
      select: ["languages(first:100){nodes{", "}pageInfo{hasNextPage endCursor}}"],
      read: "languages.nodes",
      list: "empty",
      cut: "languages.pageInfo.hasNextPage",
      next: "languages.pageInfo.endCursor",
      onRequest: true,
      of: () => languagePlan,
    },
    licenseKey: { select: "licenseKey:licenseInfo{key}", read: "licenseKey.key", onRequest: true },
    openIssueCount: {
      select: "openIssueCount:issues(states: OPEN){totalCount}",
      read: "openIssueCount.totalCount",
      is: "integer",
      onRequest: true,
    },
    openPullRequestCount: {
      select: "openPullRequestCount:pullRequests(states: OPEN){totalCount}",
      read: "openPullRequestCount.totalCount",
      is: "integer",
      onRequest: true,
    },
    organization: { select: "organization:owner{... on Organization{login}}", read: "organization.login", onRequest: true },
    parent: { select: "parent{nameWithOwner}", read: "parent.nameWithOwner", onRequest: true },
    primaryLanguageName: { select: "primaryLanguageName:primaryLanguage{name}", read: "primaryLanguageName.name", onRequest: true },
    repository: { select: "repository:nameWithOwner", read: "repository", onRequest: true },
    sshUrl: { select: "sshUrl", read: "sshUrl", onRequest: true },
    viewerPermission: {
      select: "viewerPermission",
      read: "viewerPermission",
      values: ["ADMIN", "MAINTAIN", "READ", "TRIAGE", "WRITE"],
      onRequest: true,
    },
    watcherCount: { select: "watcherCount:watchers{totalCount}", read: "watcherCount.totalCount", is: "integer", onRequest: true },
  },
  overflow: {
    id: "id",
    batch: 50,
    frame: ["query RepositoriesOverflow(", "){", "}"],
    variables: ["$id_", ":ID!$after_", ":String"],
    lists: {
      topics: [
        "p",
        ":node(id:$id_",
        "){...on Repository{topics:repositoryTopics(first:100 after:$after_",
        "){nodes{name:topic{name}}pageInfo{hasNextPage endCursor}}}}",
      ],
      languages: [
        "p",
        ":node(id:$id_",
        "){...on Repository{languages(first:100 after:$after_",
        "){nodes{color name}pageInfo{hasNextPage endCursor}}}}",
      ],
    },
  },
};

export const languagePlan: RecordPlan = {
  name: "Language",
  on: "Language",
  fields: { color: { select: "color", read: "color" }, name: { select: "name", read: "name" } },
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

export const repositoryOwnerPlan: RecordPlan = {
  name: "RepositoryOwner",
  on: "RepositoryOwner",
  fields: {
    avatarUrl: { select: "avatarUrl", read: "avatarUrl", onRequest: true },
    id: { select: "id", read: "id" },
    kind: { select: "kind:__typename", read: "kind" },
    login: { select: "login", read: "login" },
    url: { select: "url", read: "url" },
  },
};

export const topicPlan: RecordPlan = { name: "Topic", on: "RepositoryTopic", fields: { name: { select: "name:topic{name}", read: "name.name" } } };

/** Reads one repository. A repository that was renamed is found under its old name. */
export const get: Action<RepositoriesGetParams, Single<Repository>> = {
  name: "repositories.get",
  traits: actionTraits.get,
  params: ["owner", "repo"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query RepositoriesGet($owner:String!$repo:String!){repository(owner:$owner name:$repo){...record}}",
    variables: ["owner", "repo"],
    path: ["repository"],
    record: repositoryPlan,
  },
};

/** Lists the repositories that a user owns, last pushed first. */
export const list: Action<RepositoriesListParams, Page<Repository>> = {
  name: "repositories.list",
  traits: actionTraits.list,
  params: ["username", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query RepositoriesList($username:String!$first:Int!$after:String){user(login:$username){repositories(ownerAffiliations:[OWNER]orderBy:{field:PUSHED_AT direction:DESC}first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["username"],
    path: ["user", "repositories"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    counts: true,
    record: repositoryPlan,
  },
};

/** Searches repositories on GitHub. */
export const apiSearch: Action<RepositoriesApiSearchParams, Page<Repository>> = {
  name: "repositories.api_search",
  traits: actionTraits.api_search,
  params: ["query", "after", "limit"],
  validate: apiSearchParams,
  operation: {
    kind: "graphql-list",
    document: "query RepositoriesApiSearch($searchQuery:String!$first:Int!$after:String){search(type:REPOSITORY query:$searchQuery first:$first after:$after){nodes{__typename ...record}pageInfo{hasNextPage endCursor}repositoryCount}}",
    variables: [],
    computed: { searchQuery: { template: ["", "query", ""] } },
    narrow: ["Repository"],
    path: ["search"],
    items: "nodes",
    page: { size: "limit", cursor: "after", max: 100 },
    total: "repositoryCount",
    record: repositoryPlan,
  },
};

/** Repositories of a user, one by name, and search over all of GitHub. */
export const entity: Entity = {
  actions: { get, list, api_search: apiSearch },
  record: repositoryPlan,
  store: repositoriesStore,
  aliases: ["repo", "repos", "repository"],
  brief: ["nameWithOwner", "description", "primaryLanguage.name", "stargazerCount", "isPrivate", "pushedAt"],
  sync: [{ scope: "repository", action: get }, { scope: "user", action: list, size: { param: "per_page", value: 100 } }],
  relations: [{ table: "organizations", on: "organizations.login = repositories.organization" }],
};
