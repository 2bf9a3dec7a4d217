// Generated from spec/notion/data_sources.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { dataSourcesStore } from "./facts.ts";
import { type Parent, parentPlan } from "./shared.ts";
import { getParams, listParams } from "./validators/data_sources.js";

/** Tables of databases. Their rows are pages. */
export interface DataSource {
  /** Id. */
  readonly id: string;
  /** When it was created. */
  readonly createdAt: string;
  /** Description. */
  readonly description: string | null;
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
  /** The columns by name, as Notion has them. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

export interface DataSourcesGetParams {
  /** Id of the data source. */
  readonly dataSource: string;
  readonly fields?: readonly FieldPath[];
}

export interface DataSourcesListParams {
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const dataSourcePlan: RecordPlan = {
  name: "DataSource",
  fields: {
    id: { read: "id", always: true },
    createdAt: { read: "created_time", always: true, is: "timestamp" },
    description: { read: "description", as: { kind: "text" } },
    parent: { read: "parent", always: true, of: () => parentPlan },
    title: { read: "title", as: { kind: "text" } },
    trashed: { read: "in_trash", always: true, is: "boolean" },
    updatedAt: { read: "last_edited_time", always: true, is: "timestamp" },
    url: { read: "url" },
    properties: { read: "properties", always: true, open: true, onRequest: true },
  },
};

/** Reads one data source. */
export const get: Action<DataSourcesGetParams, Single<DataSource>> = {
  name: "data_sources.get",
  traits: actionTraits.get,
  params: ["dataSource"],
  validate: getParams,
  operation: { kind: "rest", method: "GET", path: "/v1/data_sources/{dataSource}", query: [], body: [], record: dataSourcePlan },
};

/** Lists data sources, the last changed first. */
export const list: Action<DataSourcesListParams, Page<DataSource>> = {
  name: "data_sources.list",
  traits: actionTraits.list,
  params: ["after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/v1/search",
    query: [],
    body: [{ param: "per_page", name: "page_size" }],
    fixed: {
      body: {
        "filter.property": "object",
        "filter.value": "data_source",
        "sort.direction": "descending",
        "sort.timestamp": "last_edited_time",
      },
    },
    answer: "results",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "cursor", param: "start_cursor", body: true, next: "next_cursor", end: { more: "has_more" } },
    },
    record: dataSourcePlan,
  },
};

/** Tables of databases. Their rows are pages. */
export const entity: Entity = {
  actions: { get, list },
  record: dataSourcePlan,
  store: dataSourcesStore,
  brief: ["id", "title", "description", "updatedAt"],
  sync: [{ scope: "workspace", action: list, size: { param: "per_page", value: 100 } }],
};
