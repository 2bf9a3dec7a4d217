// Generated from spec/jira/users.yaml by `make generate`. Do not edit.

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

/** People, apps and customers of the site. */
export interface User {
  /** Account id. */
  readonly accountId: string;
  /** Whether the account can be used. */
  readonly active: boolean;
  /** E-mail address, where its owner shows it. */
  readonly email: string | null;
  /** `atlassian`, `app` or `customer`. */
  readonly kind: string | null;
  /** Name. */
  readonly name: string;
  /** Time zone. */
  readonly timeZone: string | null;
}

export interface UsersGetParams {
  /** Account id. */
  readonly accountId: string;
  readonly fields?: readonly FieldPath[];
}

export interface UsersListParams {
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface UsersApiSearchParams {
  /** Beginning of the name or address. */
  readonly query: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const userPlan: RecordPlan = {
  name: "User",
  fields: {
    accountId: { read: "accountId", always: true },
    active: { read: "active", always: true, is: "boolean" },
    email: { read: "emailAddress" },
    kind: { read: "accountType" },
    name: { read: "displayName", always: true },
    timeZone: { read: "timeZone" },
  },
};

/** Reads one user. */
export const get: Action<UsersGetParams, Single<User>> = {
  name: "users.get",
  traits: actionTraits.get,
  params: ["accountId"],
  validate: getParams,
  operation: { kind: "rest", method: "GET", path: "/rest/api/3/user", query: ["accountId"], body: [], record: userPlan },
};

/** Lists users. */
export const list: Action<UsersListParams, Page<User>> = {
  name: "users.list",
  traits: actionTraits.list,
  params: ["after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/rest/api/3/users/search",
    query: [{ param: "per_page", name: "maxResults" }],
    body: [],
    list: { page: { size: "per_page", cursor: "after", max: 100 }, by: { kind: "offset", param: "startAt", end: "empty" } },
    record: userPlan,
  },
};

/** Finds users by name or address. */
export const apiSearch: Action<UsersApiSearchParams, Page<User>> = {
  name: "users.api_search",
  traits: actionTraits.api_search,
  params: ["query", "after", "per_page"],
  validate: apiSearchParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/rest/api/3/user/search",
    query: ["query", { param: "per_page", name: "maxResults" }],
    body: [],
    list: { page: { size: "per_page", cursor: "after", max: 100 }, by: { kind: "offset", param: "startAt", end: "empty" } },
    record: userPlan,
  },
};

/** People, apps and customers of the site. */
export const entity: Entity = {
  actions: { get, list, api_search: apiSearch },
  record: userPlan,
  store: usersStore,
  brief: ["accountId", "name", "email", "active"],
  sync: [{ scope: "site", action: list, size: { param: "per_page", value: 100 } }],
};
