// Generated from spec/linear/teams.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { teamsStore } from "./facts.ts";
import { getParams, listParams } from "./validators/teams.js";

/** Teams of the workspace. */
export interface Team {
  /** Id. */
  readonly id: string;
  /** When it was created. */
  readonly createdAt: string;
  /** Description in Markdown. */
  readonly description: string | null;
  /** Key, with which identifiers of issues begin. */
  readonly key: string;
  /** Name. */
  readonly name: string;
  /** Time zone. */
  readonly timezone: string;
  /** When it was last changed. */
  readonly updatedAt: string;
}

export interface TeamsGetParams {
  /** Id. */
  readonly id: string;
  readonly fields?: readonly FieldPath[];
}

export interface TeamsListParams {
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const teamPlan: RecordPlan = {
  name: "Team",
  on: "Team",
  fields: {
    id: { select: "id", read: "id" },
    createdAt: { select: "createdAt", read: "createdAt", is: "timestamp" },
    description: { select: "description", read: "description" },
    key: { select: "key", read: "key" },
    name: { select: "name", read: "name" },
    timezone: { select: "timezone", read: "timezone" },
    updatedAt: { select: "updatedAt", read: "updatedAt", is: "timestamp" },
  },
};

/** Reads one of the teams that the key's owner sees. */
export const get: Action<TeamsGetParams, Single<Team>> = {
  name: "teams.get",
  traits: actionTraits.get,
  params: ["id"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query TeamsGet($id:String!){team(id:$id){...record}}",
    variables: ["id"],
    path: ["team"],
    record: teamPlan,
  },
};

/** Lists the teams that the key's owner sees. */
export const list: Action<TeamsListParams, Page<Team>> = {
  name: "teams.list",
  traits: actionTraits.list,
  params: ["after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query TeamsList($first:Int!$after:String){teams(orderBy:updatedAt first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}",
    variables: [],
    path: ["teams"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    record: teamPlan,
  },
};

/** Teams of the workspace. */
export const entity: Entity = {
  actions: { get, list },
  record: teamPlan,
  store: teamsStore,
  brief: ["id", "key", "name", "description"],
  sync: [
    {
      scope: "workspace",
      action: list,
      size: { param: "per_page", value: 100 },
      cursor: { field: "updatedAt", overlap: 60 },
    },
  ],
};
