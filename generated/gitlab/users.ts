// Generated from spec/gitlab/users.yaml by `make generate`. Do not edit.

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

/** People and bots. */
export interface User {
  /** Id within the GitLab server. */
  readonly id: number;
  /** Full name. */
  readonly name: string;
  /** `active` or `blocked`. */
  readonly state: string;
  /** User name. */
  readonly username: string;
  /** Address of its web page. */
  readonly webUrl: string;
  /** What they say of themselves, of one user. */
  readonly bio?: string | null;
  /** What they do, of one user. */
  readonly jobTitle?: string | null;
}

export interface UsersGetParams {
  /** Id of the user. */
  readonly user: number;
  readonly fields?: readonly FieldPath[];
}

export interface UsersListParams {
  /** Path of the project, such as `group/name`, or its id. */
  readonly project: string;
  /** Only those whose name or user name has these words. */
  readonly search?: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface UsersApiSearchParams {
  /** Only those whose title or description has these words. */
  readonly search: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const userPlan: RecordPlan = {
  name: "User",
  fields: {
    id: { read: "id", always: true, is: "integer" },
    name: { read: "name", always: true },
    state: { read: "state", always: true },
    username: { read: "username", always: true },
    webUrl: { read: "web_url", always: true },
    bio: { read: "bio", onRequest: true },
    jobTitle: { read: "job_title", onRequest: true },
  },
};

/** Reads one user. */
export const get: Action<UsersGetParams, Single<User>> = {
  name: "users.get",
  traits: actionTraits.get,
  params: ["user"],
  validate: getParams,
  operation: { kind: "rest", method: "GET", path: "/users/{user}", query: [], body: [], record: userPlan },
};

/** Lists the users of a project. */
export const list: Action<UsersListParams, Page<User>> = {
  name: "users.list",
  traits: actionTraits.list,
  params: ["project", "search", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/projects/{project}/users",
    query: ["search", "per_page"],
    body: [],
    list: { page: { size: "per_page", cursor: "after", max: 100 }, by: { kind: "link" } },
    record: userPlan,
  },
};

/** Finds users of the whole server by name, user name or public address. */
export const apiSearch: Action<UsersApiSearchParams, Page<User>> = {
  name: "users.api_search",
  traits: actionTraits.api_search,
  params: ["search", "after", "per_page"],
  validate: apiSearchParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/users",
    query: ["search", "per_page"],
    body: [],
    list: { page: { size: "per_page", cursor: "after", max: 100 }, by: { kind: "link" } },
    record: userPlan,
  },
};

/** People and bots. */
export const entity: Entity = {
  actions: { get, list, api_search: apiSearch },
  record: userPlan,
  store: usersStore,
  brief: ["id", "username", "name", "state"],
  sync: [{ scope: "project", action: list, size: { param: "per_page", value: 100 } }],
};
