// Generated from spec/linear/cycles.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { cyclesStore } from "./facts.ts";
import { getParams, listParams } from "./validators/cycles.js";

/** Cycles of the teams. */
export interface Cycle {
  /** Id. */
  readonly id: string;
  /** When it was completed. */
  readonly completedAt: string | null;
  /** When it was created. */
  readonly createdAt: string;
  /** Last moment. */
  readonly endsAt: string;
  /** Name. */
  readonly name: string | null;
  /** Number within the team. */
  readonly number: number;
  /** Share that is done, from 0 to 1. */
  readonly progress: number;
  /** First moment. */
  readonly startsAt: string;
  /** Id of its team. */
  readonly team: string;
  /** When it was last changed. */
  readonly updatedAt: string;
}

export interface CyclesGetParams {
  /** Id. */
  readonly id: string;
  readonly fields?: readonly FieldPath[];
}

export interface CyclesListParams {
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const cyclePlan: RecordPlan = {
  name: "Cycle",
  on: "Cycle",
  fields: {
    id: { select: "id", read: "id" },
    completedAt: { select: "completedAt", read: "completedAt", is: "timestamp" },
    createdAt: { select: "createdAt", read: "createdAt", is: "timestamp" },
    endsAt: { select: "endsAt", read: "endsAt", is: "timestamp" },
    name: { select: "name", read: "name" },
    number: { select: "number", read: "number", as: { kind: "integer" }, is: "integer" },
    progress: { select: "progress", read: "progress", is: "number" },
    startsAt: { select: "startsAt", read: "startsAt", is: "timestamp" },
    team: { select: "team{id}", read: "team.id" },
    updatedAt: { select: "updatedAt", read: "updatedAt", is: "timestamp" },
  },
};

/** Reads one of the cycles of all teams. */
export const get: Action<CyclesGetParams, Single<Cycle>> = {
  name: "cycles.get",
  traits: actionTraits.get,
  params: ["id"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query CyclesGet($id:String!){cycle(id:$id){...record}}",
    variables: ["id"],
    path: ["cycle"],
    record: cyclePlan,
  },
};

/** Lists the cycles of all teams. */
export const list: Action<CyclesListParams, Page<Cycle>> = {
  name: "cycles.list",
  traits: actionTraits.list,
  params: ["after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query CyclesList($first:Int!$after:String){cycles(orderBy:updatedAt first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}",
    variables: [],
    path: ["cycles"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    record: cyclePlan,
  },
};

/** Cycles of the teams. */
export const entity: Entity = {
  actions: { get, list },
  record: cyclePlan,
  store: cyclesStore,
  brief: ["number", "name", "startsAt", "endsAt", "progress"],
  sync: [
    {
      scope: "workspace",
      action: list,
      size: { param: "per_page", value: 100 },
      cursor: { field: "updatedAt", overlap: 60 },
    },
  ],
  relations: [{ table: "teams", on: "teams.id = cycles.team" }],
};
