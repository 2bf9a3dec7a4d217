// Generated from spec/racks.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { racksStore } from "./facts.ts";
import { listParams } from "./validators/racks.js";

/** A list inside each yard. */
export interface Rack {
  /** Its yard. */
  readonly yard: string;
  /** Its id. */
  readonly id: string;
  /** When its parcels changed. */
  readonly changed: string | null;
}

export interface RacksListParams {
  /** The yard. */
  readonly yard: string;
  /** When. */
  readonly created?: { readonly gte?: number };
  readonly fields?: readonly FieldPath[];
}

export const rackPlan: RecordPlan = {
  name: "Rack",
  fields: { yard: { param: "yard" }, id: { read: "id", always: true }, changed: { read: "changed", is: "timestamp" } },
};

/** Lists racks. */
export const list: Action<RacksListParams, Page<Rack>> = {
  name: "racks.list",
  traits: actionTraits.list,
  params: ["yard", "created"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/yards/{yard}/racks",
    query: [{ param: "created", name: "created", join: "brackets", members: ["gte"] }],
    body: [],
    list: { by: { kind: "single" } },
    record: rackPlan,
  },
};

/** A list inside each yard. */
export const entity: Entity = {
  actions: { list },
  record: rackPlan,
  store: racksStore,
  brief: ["yard", "id", "changed"],
  sync: [{ scope: "depot", action: list, each: { entity: "yards", params: { yard: "id" } } }],
  relations: [{ table: "yards", on: "yards.id = racks.yard" }],
};
