// Generated from spec/connector.yaml by `make generate`. Do not edit.

import { type Client, type ClientPlan, type ConnectorClass, connectorClass } from "../../runtime/client/index.ts";
import type * as doors from "./doors.ts";
import type * as parcels from "./parcels.ts";
import type * as racks from "./racks.ts";
import type * as scans from "./scans.ts";
import type * as yards from "./yards.ts";

export * from "../../runtime/client/index.ts";
export type { DoorsOpenParams, Opened } from "./doors.ts";
export type { Parcel, ParcelsListParams } from "./parcels.ts";
export type { Rack, RacksListParams } from "./racks.ts";
export type { Address, Scan, ScansCreateParams, ScansListParams, ScansPictureParams } from "./scans.ts";
export type { Owner, Yard, YardsApiSearchParams, YardsListParams } from "./yards.ts";

/** What the methods of {@link Depot} take and return. */
export interface DepotEntities {
  /** They are opened, and have no record. */
  doors: {
    name: "doors";
    actions: Pick<typeof doors, never> & { open: typeof doors.openAction };
    record: doors.Opened;
    search: {  };
  };
  /** A list inside each rack of each yard. */
  parcels: {
    name: "parcels";
    actions: Pick<typeof parcels, "list">;
    record: parcels.Parcel;
    search: { yard: "string"; rack: "string"; id: "string"; note: "string" };
    semantic: "note";
  };
  /** A list inside each yard. */
  racks: {
    name: "racks";
    actions: Pick<typeof racks, "list">;
    record: racks.Rack;
    search: { yard: "string"; id: "string"; changed: "timestamp" };
  };
  /** When a parcel passed a scanner. */
  scans: {
    name: "scans";
    actions: Pick<typeof scans, "list" | "create"> & { picture: typeof scans.pictureAction };
    record: scans.Scan;
    search: { id: "string" };
  };
  /** The outermost list. */
  yards: {
    name: "yards";
    actions: Pick<typeof yards, "list" | "apiSearch">;
    record: yards.Yard;
    search: { id: "string" };
  };
}

/** The credentials that Depot takes. */
export type DepotCredential =
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "signed"; readonly key: string; readonly secret: string };
export type ClientOptions = import("../../runtime/client/index.ts").ClientOptions<DepotCredential>;
export type LocalOptions = import("../../runtime/client/index.ts").LocalOptions<DepotCredential>;

/** Entities and actions of Depot, for both modes of its client. */
export const plan: ClientPlan = {
  name: "depot",
  title: "Depot",
  entities: {
    doors: { open: { writes: true } },
    parcels: { list: {} },
    racks: { list: {} },
    scans: { list: { cursor: "after" }, create: { writes: true }, picture: {} },
    yards: { list: { cursor: "after" }, api_search: { cursor: "after" } },
  },
};

/** Client of Depot, in hosted mode only, as browsers use it. What only REST platforms need, each once and right. */
export const Depot: ConnectorClass<DepotEntities, DepotCredential> = connectorClass(plan);

export type Depot = Client<DepotEntities>;
