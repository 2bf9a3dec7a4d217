// Generated from spec/slack/users.yaml by `make generate`. Do not edit.

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
import { getParams, listParams } from "./validators/users.js";

/** People and bots of the workspace. */
export interface User {
  /** Id. */
  readonly id: string;
  /** Whether they administer the workspace. */
  readonly admin: boolean | null;
  /** Whether it is a bot. */
  readonly bot: boolean;
  /** Whether the account is closed. */
  readonly deleted: boolean;
  /** E-mail address, where the token may see it. */
  readonly email: string | null;
  /** Name for mentions. */
  readonly name: string;
  /** Full name. */
  readonly realName: string | null;
  /** Time zone. */
  readonly timezone: string | null;
  /** What they do. */
  readonly title: string | null;
  /** When the account was last changed. */
  readonly updated: string;
}

export interface UsersGetParams {
  /** Id of the user. */
  readonly user: string;
  readonly fields?: readonly FieldPath[];
}

export interface UsersListParams {
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 200. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const userPlan: RecordPlan = {
  name: "User",
  fields: {
    id: { read: "id", always: true },
    admin: { read: "is_admin", is: "boolean" },
    bot: { read: "is_bot", always: true, is: "boolean" },
    deleted: { read: "deleted", always: true, is: "boolean" },
    email: { read: "profile.email" },
    name: { read: "name", always: true },
    realName: { read: "real_name" },
    timezone: { read: "tz" },
    title: { read: "profile.title" },
    updated: { read: "updated", always: true, as: { kind: "seconds" }, is: "timestamp" },
  },
};

/** Reads one user. */
export const get: Action<UsersGetParams, Single<User>> = {
  name: "users.get",
  traits: actionTraits.get,
  params: ["user"],
  validate: getParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/users.info",
    query: ["user"],
    body: [],
    limit: "GET /users.info",
    answer: "user",
    record: userPlan,
  },
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
    path: "/users.list",
    query: [{ param: "per_page", name: "limit" }],
    body: [],
    limit: "GET /users.list",
    answer: "members",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "cursor", param: "cursor", next: "response_metadata.next_cursor" },
    },
    record: userPlan,
  },
};

/** People and bots of the workspace. */
export const entity: Entity = {
  actions: { get, list },
  record: userPlan,
  store: usersStore,
  brief: ["id", "name", "realName", "email"],
  sync: [{ scope: "workspace", action: list, size: { param: "per_page", value: 100 } }],
};
