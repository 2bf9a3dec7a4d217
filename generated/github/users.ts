// Generated from spec/github/users.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { usersStore } from "./facts.ts";
import { apiSearchParams, getParams, listParams } from "./validators/users.js";

/** Users, one by login, the members of an organization, and search over all of GitHub. */
export interface User {
  /** GraphQL node ID. */
  readonly id: string;
  /** Address of the picture. */
  readonly avatarUrl: string;
  /** What they say about themselves. */
  readonly bio: string | null;
  /** Company. */
  readonly company: string | null;
  /** When it was created. */
  readonly createdAt: string;
  /** Numeric ID of the REST API. */
  readonly databaseId: number | null;
  /** Where they are. */
  readonly location: string | null;
  /** Login. */
  readonly login: string;
  /** Name shown on the profile. */
  readonly name: string | null;
  /** Logins of the organizations that it was found in as a member: when members are listed, that organization. */
  readonly organization: readonly string[];
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Address of its web page. */
  readonly url: string;
  /** Their web site. */
  readonly websiteUrl: string | null;
  /** Public e-mail address; empty when there is none. Needs the scope `user:email`. */
  readonly email?: string;
  /** Number of followers. */
  readonly followerCount?: number;
  /** Number of people they follow. */
  readonly followingCount?: number;
  /** Whether they look for work. */
  readonly isHireable?: boolean;
  /** Whether they work for GitHub. */
  readonly isSiteAdmin?: boolean;
  /** Pronouns. */
  readonly pronouns?: string | null;
  /** Number of repositories that they own and the token may see. */
  readonly repositoryCount?: number;
  /** Name on X. */
  readonly twitterUsername?: string | null;
}

export interface UsersGetParams {
  /** Login of the user. */
  readonly username: string;
  readonly fields?: readonly FieldPath[];
}

export interface UsersListParams {
  /** Login of the organization. */
  readonly org: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface UsersApiSearchParams {
  /** Query in GitHub's search syntax. */
  readonly query: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Number of results; above 100 the service walks several pages of the platform. Default 30. 1 to 1000. */
  readonly limit?: number;
  readonly fields?: readonly FieldPath[];
}

export const userPlan: RecordPlan = {
  name: "User",
  on: "User",
  fields: {
    id: { select: "id", read: "id" },
    avatarUrl: { select: "avatarUrl", read: "avatarUrl" },
    bio: { select: "bio", read: "bio" },
    company: { select: "company", read: "company" },
    createdAt: { select: "createdAt", read: "createdAt", is: "timestamp" },
    databaseId: { select: "databaseId", read: "databaseId", as: { kind: "integer" }, is: "integer" },
    location: { select: "location", read: "location" },
    login: { select: "login", read: "login" },
    name: { select: "name", read: "name" },
    organization: { param: "org", list: "empty" },
    updatedAt: { select: "updatedAt", read: "updatedAt", is: "timestamp" },
    url: { select: "url", read: "url" },
    websiteUrl: { select: "websiteUrl", read: "websiteUrl" },
    email: { select: "email", read: "email", onRequest: true },
    followerCount: { select: "followerCount:followers{totalCount}", read: "followerCount.totalCount", is: "integer", onRequest: true },
    followingCount: {
      select: "followingCount:following{totalCount}",
      read: "followingCount.totalCount",
      is: "integer",
      onRequest: true,
    },
    isHireable: { select: "isHireable", read: "isHireable", is: "boolean", onRequest: true },
    isSiteAdmin: { select: "isSiteAdmin", read: "isSiteAdmin", is: "boolean", onRequest: true },
    pronouns: { select: "pronouns", read: "pronouns", onRequest: true },
    repositoryCount: {
      select: "repositoryCount:repositories(ownerAffiliations: [OWNER]){totalCount}",
      read: "repositoryCount.totalCount",
      is: "integer",
      onRequest: true,
    },
    twitterUsername: { select: "twitterUsername", read: "twitterUsername", onRequest: true },
  },
};

/** Reads one user by login. */
export const get: Action<UsersGetParams, Single<User>> = {
  name: "users.get",
  traits: actionTraits.get,
  params: ["username"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query UsersGet($username:String!){user(login:$username){...record}}",
    variables: ["username"],
    path: ["user"],
    record: userPlan,
  },
};

/** Lists the members of an organization. Those who are not members see public members only. */
export const list: Action<UsersListParams, Page<User>> = {
  name: "users.list",
  traits: actionTraits.list,
  params: ["org", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query UsersList($org:String!$first:Int!$after:String){organization(login:$org){membersWithRole(first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["org"],
    path: ["organization", "membersWithRole"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    counts: true,
    record: userPlan,
  },
};

/** Searches users on GitHub. Organizations, which GitHub finds too, are left out by adding `type:user` to the query. */
export const apiSearch: Action<UsersApiSearchParams, Page<User>> = {
  name: "users.api_search",
  traits: actionTraits.api_search,
  params: ["query", "after", "limit"],
  validate: apiSearchParams,
  operation: {
    kind: "graphql-list",
    document: "query UsersApiSearch($searchQuery:String!$first:Int!$after:String){search(type:USER query:$searchQuery first:$first after:$after){nodes{__typename ...record}pageInfo{hasNextPage endCursor}userCount}}",
    variables: [],
    computed: { searchQuery: { template: ["", "query", ""], qualify: "type:user" } },
    narrow: ["User"],
    path: ["search"],
    items: "nodes",
    page: { size: "limit", cursor: "after", max: 100 },
    total: "userCount",
    record: userPlan,
  },
};

/** Users, one by login, the members of an organization, and search over all of GitHub. */
export const entity: Entity = {
  actions: { get, list, api_search: apiSearch },
  record: userPlan,
  store: usersStore,
  aliases: ["account", "accounts", "people"],
  brief: ["login", "name", "company", "location"],
  sync: [{ scope: "organization", action: list, size: { param: "per_page", value: 100 } }, { scope: "user", action: get }],
  relations: [{ table: "organizations", on: "organizations.login = ANY(users.organization)" }],
};
