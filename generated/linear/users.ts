// Generated from spec/linear/users.yaml by `make generate`. Do not edit.

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

/** Members of the workspace. */
export interface User {
  /** Id. */
  readonly id: string;
  /** Whether the account is active. */
  readonly active: boolean;
  /** Whether the user is an administrator. */
  readonly admin: boolean;
  /** When it was created. */
  readonly createdAt: string;
  /** Name that is shown. */
  readonly displayName: string;
  /** E-mail address. */
  readonly email: string;
  /** Name. */
  readonly name: string;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Address of its web page. */
  readonly url: string;
}

export interface UsersGetParams {
  /** Id. */
  readonly id: string;
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
  on: "User",
  fields: {
    id: { select: "id", read: "id" },
    active: { select: "active", read: "active", is: "boolean" },
    admin: { select: "admin", read: "admin", is: "boolean" },
    createdAt: { select: "createdAt", read: "createdAt", is: "timestamp" },
    displayName: { select: "displayName", read: "displayName" },
    email: { select: "email", read: "email" },
    name: { select: "name", read: "name" },
    updatedAt: { select: "updatedAt", read: "updatedAt", is: "timestamp" },
    url: { select: "url", read: "url" },
  },
};

/** Reads one of the users of the workspace. */
export const get: Action<UsersGetParams, Single<User>> = {
  name: "users.get",
  traits: actionTraits.get,
  params: ["id"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query UsersGet($id:String!){user(id:$id){...record}}",
    variables: ["id"],
    path: ["user"],
    record: userPlan,
  },
};

/** Lists the users of the workspace. */
export const list: Action<UsersListParams, Page<User>> = {
  name: "users.list",
  traits: actionTraits.list,
  params: ["after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query UsersList($first:Int!$after:String){users(orderBy:updatedAt first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}",
    variables: [],
    path: ["users"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    record: userPlan,
  },
};

/** Members of the workspace. */
export const entity: Entity = {
  actions: { get, list },
  record: userPlan,
  store: usersStore,
  brief: ["id", "name", "displayName", "active"],
  sync: [
    {
      scope: "workspace",
      action: list,
      size: { param: "per_page", value: 100 },
      cursor: { field: "updatedAt", overlap: 60 },
    },
  ],
};
