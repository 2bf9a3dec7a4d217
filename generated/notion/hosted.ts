// Generated from spec/notion/connector.yaml by `make generate`. Do not edit.

import { type Client, type ClientPlan, type ConnectorClass, connectorClass } from "../../runtime/client/index.ts";
import type * as blocks from "./blocks.ts";
import type * as dataSources from "./data_sources.ts";
import type * as databases from "./databases.ts";
import type * as pages from "./pages.ts";
import type * as users from "./users.ts";

export * from "../../runtime/client/index.ts";
export type { Block, BlocksAppendParams, BlocksDeleteParams, BlocksGetParams, BlocksListParams, BlocksUpdateParams } from "./blocks.ts";
export type { DataSource, DataSourcesGetParams, DataSourcesListParams } from "./data_sources.ts";
export type { Database, DatabasesGetParams, Source } from "./databases.ts";
export type { NotionPage, PagesApiSearchParams, PagesCreateParams, PagesGetParams, PagesListParams, PagesQueryParams, PagesUpdateParams } from "./pages.ts";
export type { User, UsersGetParams, UsersListParams } from "./users.ts";
export type { Parent } from "./shared.ts";

/** What the methods of {@link Notion} take and return. */
export interface NotionEntities {
  /** The content of pages. A sync has the blocks of the first level of each page. */
  blocks: {
    name: "blocks";
    actions: Pick<typeof blocks, "get" | "list" | "update"> & { append: typeof blocks.appendAction; delete: typeof blocks.deleteAction };
    record: blocks.Block;
    search: { id: "string"; createdAt: "timestamp"; hasChildren: "boolean"; page: "string"; text: "string"; trashed: "boolean"; type: "string"; updatedAt: "timestamp" };
    semantic: "text";
  };
  /** Tables of databases. Their rows are pages. */
  dataSources: {
    name: "data_sources";
    actions: Pick<typeof dataSources, "get" | "list">;
    record: dataSources.DataSource;
    search: { id: "string"; createdAt: "timestamp"; description: "string"; title: "string"; trashed: "boolean"; updatedAt: "timestamp" };
    semantic: "description";
  };
  /** Databases with their data sources. The parent of a data source names its database. */
  databases: {
    name: "databases";
    actions: Pick<typeof databases, "get">;
    record: databases.Database;
    search: { id: "string"; createdAt: "timestamp"; trashed: "boolean"; updatedAt: "timestamp" };
  };
  /** Pages, alone or as the rows of a data source. */
  pages: {
    name: "pages";
    actions: Pick<typeof pages, "get" | "list" | "apiSearch" | "create" | "update"> & { query: typeof pages.queryAction };
    record: pages.NotionPage;
    search: { id: "string"; createdAt: "timestamp"; createdBy: "string"; dataSource: "string"; page: "string"; text: "string"; trashed: "boolean"; updatedAt: "timestamp"; updatedBy: "string" };
    semantic: "text";
  };
  /** People and bots of the workspace. */
  users: {
    name: "users";
    actions: Pick<typeof users, "get" | "list">;
    record: users.User;
    search: { id: "string"; email: "string"; name: "string"; type: "string" };
  };
}

/** The credentials that Notion takes. */
export type NotionCredential =
  | { readonly kind: "token"; readonly token: string };
export type ClientOptions = import("../../runtime/client/index.ts").ClientOptions<NotionCredential>;
export type LocalOptions = import("../../runtime/client/index.ts").LocalOptions<NotionCredential>;

/** Entities and actions of Notion, for both modes of its client. */
export const plan: ClientPlan = {
  name: "notion",
  title: "Notion",
  entities: {
    blocks: { get: {}, list: { cursor: "after" }, update: { writes: true }, append: { writes: true }, delete: { writes: true } },
    data_sources: { get: {}, list: { cursor: "after" } },
    databases: { get: {} },
    pages: {
      get: {},
      list: { cursor: "after" },
      api_search: { cursor: "after" },
      create: { writes: true },
      update: { writes: true },
      query: { cursor: "after" },
    },
    users: { get: {}, list: { cursor: "after" } },
  },
};

/** Client of Notion, in hosted mode only, as browsers use it. Pages, their blocks, data sources, databases and users of a Notion workspace. */
export const Notion: ConnectorClass<NotionEntities, NotionCredential> = connectorClass(plan);

export type Notion = Client<NotionEntities>;
