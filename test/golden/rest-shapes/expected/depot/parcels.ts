// Generated from spec/parcels.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { parcelsStore } from "./facts.ts";
import { listParams } from "./validators/parcels.js";

/** A list inside each rack of each yard. */
export interface Parcel {
  /** Its yard. */
  readonly yard: string;
  /** Its rack. */
  readonly rack: string;
  /** Its id. */
  readonly id: string;
  /** What somebody wrote. */
  readonly note: string | null;
}

export interface ParcelsListParams {
  /** The rack. */
  readonly rack: string;
  /** The yard. */
  readonly yard: string;
  readonly fields?: readonly FieldPath[];
}

export const parcelPlan: RecordPlan = {
  name: "Parcel",
  fields: {
    yard: { param: "yard" },
    rack: { param: "rack" },
    id: { read: "id", always: true },
    note: { read: "note", as: { kind: "html" } },
  },
};

/** Lists parcels. */
export const list: Action<ParcelsListParams, Page<Parcel>> = {
  name: "parcels.list",
  traits: actionTraits.list,
  params: ["rack", "yard"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/yards/{yard}/racks/{rack}/parcels",
    query: [],
    body: [],
    list: { by: { kind: "single" } },
    record: parcelPlan,
  },
};

/** A list inside each rack of each yard. */
export const entity: Entity = {
  actions: { list },
  record: parcelPlan,
  store: parcelsStore,
  brief: ["yard", "rack", "id", "note"],
  sync: [
    {
      scope: "depot",
      action: list,
      each: { entity: "racks", params: { rack: "id", yard: "yard" }, changed: "changed" },
    },
  ],
  relations: [{ table: "racks", on: "racks.id = parcels.rack AND racks.yard = parcels.yard" }],
};
