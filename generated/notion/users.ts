// Generated from spec/notion/users.yaml by `make generate`. Do not edit.

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
  /** Address of the picture. */
  readonly avatarUrl: string | null;
  /** E-mail address, where the integration may see it. */
  readonly email: string | null;
  /** Name. */
  readonly name: string | null;
  /** `person` or `bot`. */
  readonly type: string | null;
}

export interface UsersGetParams {
  /** Id of the user. */
  readonly user: string;
  readonly fields?: readonly FieldPath[];
}

export interface UsersListParams {
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const userPlan: RecordPlan = {
  name: "User",
  fields: {
    id: { read: "id", always: true },
    avatarUrl: { read: "avatar_url" },
    email: { read: "person.email" },
    name: { read: "name" },
    type: { read: "type" },
  },
};

/** Reads one user. */
export const get: Action<UsersGetParams, Single<User>> = {
  name: "users.get",
  traits: actionTraits.get,
  params: ["user"],
  validate: getParams,
  operation: { kind: "rest", method: "GET", path: "/v1/users/{user}", query: [], body: [], record: userPlan },
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
    path: "/v1/users",
    query: [{ param: "per_page", name: "page_size" }],
    body: [],
    answer: "results",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "cursor", param: "start_cursor", next: "next_cursor", end: { more: "has_more" } },
    },
    record: userPlan,
  },
};

/** People and bots of the workspace. */
export const entity: Entity = {
  actions: { get, list },
  record: userPlan,
  store: usersStore,
  brief: ["id", "name", "email", "type"],
  sync: [{ scope: "workspace", action: list, size: { param: "per_page", value: 100 } }],
};
