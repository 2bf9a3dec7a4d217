// Generated from spec/notion/pages.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Answer,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { pagesStore } from "./facts.ts";
import { type Parent, parentPlan } from "./shared.ts";
import { apiSearchParams, createParams, getParams, listParams, queryActionParams, updateParams } from "./validators/pages.js";

/** Pages, alone or as the rows of a data source. */
export interface NotionPage {
  /** Id. */
  readonly id: string;
  /** When it was created. */
  readonly createdAt: string;
  /** Id of the user who created it. */
  readonly createdBy: string | null;
  /** Id of the data source whose row it is. */
  readonly dataSource: string | null;
  /** Id of the page that it is in. */
  readonly page: string | null;
  /** What it is in. */
  readonly parent: Parent;
  /** Its title and the texts of its other properties, each in a line. */
  readonly text: string | null;
  /** Whether it is in the trash. */
  readonly trashed: boolean;
  /** When it was last changed, to the minute. */
  readonly updatedAt: string;
  /** Id of the user who changed it last. */
  readonly updatedBy: string | null;
  /** Address of its web page. */
  readonly url: string | null;
  /** Its properties by name, as Notion has them. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

export interface PagesGetParams {
  /** Id of the page. */
  readonly page: string;
  readonly fields?: readonly FieldPath[];
}

export interface PagesListParams {
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface PagesApiSearchParams {
  /** Words of the title. */
  readonly query: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface PagesCreateParams {
  /** Title. */
  readonly title: string;
  /** Id of the data source. */
  readonly dataSource?: string;
  /** Id of the page. */
  readonly page?: string;
  readonly fields?: readonly FieldPath[];
}

export interface PagesUpdateParams {
  /** Id of the page. */
  readonly page: string;
  /** Title. */
  readonly title?: string;
  /** Whether it is in the trash. */
  readonly trashed?: boolean;
  readonly fields?: readonly FieldPath[];
}

export interface PagesQueryParams {
  /** Id of the data source. */
  readonly dataSource: string;
  /** Filter as Notion writes it. */
  readonly filter?: Readonly<Record<string, unknown>>;
  /** The order as Notion writes it. */
  readonly sorts?: readonly (Readonly<Record<string, unknown>>)[];
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const notionPagePlan: RecordPlan = {
  name: "NotionPage",
  fields: {
    id: { read: "id", always: true },
    createdAt: { read: "created_time", always: true, is: "timestamp" },
    createdBy: { read: "created_by.id" },
    dataSource: { read: "parent.data_source_id" },
    page: { read: "parent.page_id" },
    parent: { read: "parent", always: true, of: () => parentPlan },
    text: { read: "properties", as: { kind: "text" } },
    trashed: { read: "in_trash", always: true, is: "boolean" },
    updatedAt: { read: "last_edited_time", always: true, is: "timestamp" },
    updatedBy: { read: "last_edited_by.id" },
    url: { read: "url" },
    properties: { read: "properties", always: true, open: true, onRequest: true },
  },
};

/** Reads one page. */
export const get: Action<PagesGetParams, Single<NotionPage>> = {
  name: "pages.get",
  traits: actionTraits.get,
  params: ["page"],
  validate: getParams,
  operation: { kind: "rest", method: "GET", path: "/v1/pages/{page}", query: [], body: [], record: notionPagePlan },
};

/** Lists pages, the last changed first. Notion finds a new page after a moment. */
export const list: Action<PagesListParams, Page<NotionPage>> = {
  name: "pages.list",
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
        "filter.value": "page",
        "sort.direction": "descending",
        "sort.timestamp": "last_edited_time",
      },
    },
    answer: "results",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "cursor", param: "start_cursor", body: true, next: "next_cursor", end: { more: "has_more" } },
    },
    record: notionPagePlan,
  },
};

/** Finds pages by their titles. */
export const apiSearch: Action<PagesApiSearchParams, Page<NotionPage>> = {
  name: "pages.api_search",
  traits: actionTraits.api_search,
  params: ["query", "after", "per_page"],
  validate: apiSearchParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/v1/search",
    query: [],
    body: ["query", { param: "per_page", name: "page_size" }],
    fixed: {
      body: {
        "filter.property": "object",
        "filter.value": "page",
        "sort.direction": "descending",
        "sort.timestamp": "last_edited_time",
      },
    },
    answer: "results",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "cursor", param: "start_cursor", body: true, next: "next_cursor", end: { more: "has_more" } },
    },
    record: notionPagePlan,
  },
};

/** Creates a page in another page or, with `dataSource`, as a row. */
export const create: Action<PagesCreateParams, Answer<NotionPage>> = {
  name: "pages.create",
  traits: actionTraits.create,
  params: ["title", "dataSource", "page"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/v1/pages",
    query: [],
    body: [
      { param: "title", name: "properties.title", as: { title: [{ text: { content: "{text}" }, type: "text" }] } },
      { param: "dataSource", name: "parent.data_source_id" },
      { param: "page", name: "parent.page_id" },
    ],
    record: notionPagePlan,
  },
};

/** Changes the title of a page, or moves it into or out of the trash. */
export const update: Action<PagesUpdateParams, Answer<NotionPage>> = {
  name: "pages.update",
  traits: actionTraits.update,
  params: ["page", "title", "trashed"],
  validate: updateParams,
  operation: {
    kind: "rest",
    method: "PATCH",
    path: "/v1/pages/{page}",
    query: [],
    body: [
      { param: "title", name: "properties.title", as: { title: [{ text: { content: "{text}" }, type: "text" }] } },
      { param: "trashed", name: "in_trash" },
    ],
    record: notionPagePlan,
  },
  changes: ["title", "trashed"],
};

/** Lists the rows of a data source that a filter of Notion lets through. */
export const queryAction: Action<PagesQueryParams, Page<NotionPage>> = {
  name: "pages.query",
  traits: { writes: false, list: true, updates: false, idempotent: true },
  params: ["dataSource", "filter", "sorts", "after", "per_page"],
  validate: queryActionParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/v1/data_sources/{dataSource}/query",
    query: [],
    body: ["filter", "sorts", { param: "per_page", name: "page_size" }],
    answer: "results",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "cursor", param: "start_cursor", body: true, next: "next_cursor", end: { more: "has_more" } },
    },
    record: notionPagePlan,
  },
};

/** Pages, alone or as the rows of a data source. */
export const entity: Entity = {
  actions: { get, list, api_search: apiSearch, create, update, query: queryAction },
  record: notionPagePlan,
  store: pagesStore,
  brief: ["id", "text", "updatedAt", "url"],
  sync: [
    {
      scope: "workspace",
      action: list,
      size: { param: "per_page", value: 100 },
      cursor: { field: "updatedAt", overlap: 120 },
    },
  ],
};
