// Generated from spec/notion/databases.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { databasesStore } from "./facts.ts";
import { type Parent, parentPlan } from "./shared.ts";
import { getParams } from "./validators/databases.js";

/** Databases with their data sources. The parent of a data source names its database. */
export interface Database {
  /** Id. */
  readonly id: string;
  /** When it was created. */
  readonly createdAt: string;
  /** Its data sources. */
  readonly dataSources: readonly Source[];
  /** What it is in. */
  readonly parent: Parent;
  /** Title. */
  readonly title: string | null;
  /** Whether it is in the trash. */
  readonly trashed: boolean;
  /** When it was last changed, to the minute. */
  readonly updatedAt: string;
  /** Address of its web page. */
  readonly url: string | null;
}

/** A data source in short. */
export interface Source {
  /** Id. */
  readonly id: string;
  /** Name. */
  readonly name: string | null;
}

export interface DatabasesGetParams {
  /** Id of the database. */
  readonly database: string;
  readonly fields?: readonly FieldPath[];
}

export const databasePlan: RecordPlan = {
  name: "Database",
  fields: {
    id: { read: "id", always: true },
    createdAt: { read: "created_time", always: true, is: "timestamp" },
    dataSources: { read: "data_sources", list: "empty", of: () => sourcePlan },
    parent: { read: "parent", always: true, of: () => parentPlan },
    title: { read: "title", as: { kind: "text" } },
    trashed: { read: "in_trash", always: true, is: "boolean" },
    updatedAt: { read: "last_edited_time", always: true, is: "timestamp" },
    url: { read: "url" },
  },
};

export const sourcePlan: RecordPlan = { name: "Source", fields: { id: { read: "id", always: true }, name: { read: "name" } } };

/** Reads one database. */
export const get: Action<DatabasesGetParams, Single<Database>> = {
  name: "databases.get",
  traits: actionTraits.get,
  params: ["database"],
  validate: getParams,
  operation: { kind: "rest", method: "GET", path: "/v1/databases/{database}", query: [], body: [], record: databasePlan },
};

/** Databases with their data sources. The parent of a data source names its database. */
export const entity: Entity = { actions: { get }, record: databasePlan, store: databasesStore, brief: ["id", "title", "updatedAt", "url"], sync: [] };
