// Generated from spec/notion/connector.yaml by `make generate`. Do not edit.

import type { ConnectorFacts, StorePlan } from "../../runtime/contract/public.ts";

export const blocksStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    createdAt: { type: "timestamp", index: "exact" },
    hasChildren: { type: "boolean", index: "exact" },
    page: { type: "string", index: "exact", nullable: true },
    text: { type: "string", index: "text", nullable: true },
    trashed: { type: "boolean", index: "exact" },
    type: { type: "string", index: "exact" },
    updatedAt: { type: "timestamp", index: "exact" },
  },
  semantic: { fields: { text: { window: 2048 } }, hit: { id: "id", page: "page" } },
};

export const dataSourcesStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    createdAt: { type: "timestamp", index: "exact" },
    description: { type: "string", index: "text", nullable: true },
    title: { type: "string", index: "name", nullable: true },
    trashed: { type: "boolean", index: "exact" },
    updatedAt: { type: "timestamp", index: "exact" },
  },
  semantic: { fields: { description: { window: 1024 } }, hit: { id: "id", title: "title" } },
};

export const databasesStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    createdAt: { type: "timestamp", index: "exact" },
    trashed: { type: "boolean", index: "exact" },
    updatedAt: { type: "timestamp", index: "exact" },
  },
};

export const pagesStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    createdAt: { type: "timestamp", index: "exact" },
    createdBy: { type: "string", index: "exact", nullable: true },
    dataSource: { type: "string", index: "exact", nullable: true },
    page: { type: "string", index: "exact", nullable: true },
    text: { type: "string", index: "text", nullable: true },
    trashed: { type: "boolean", index: "exact" },
    updatedAt: { type: "timestamp", index: "exact" },
    updatedBy: { type: "string", index: "exact", nullable: true },
  },
  semantic: { fields: { text: { window: 1024 } }, hit: { id: "id", url: "url" } },
};

export const usersStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    email: { type: "string", index: "name", nullable: true },
    name: { type: "string", index: "name", nullable: true },
    type: { type: "string", index: "exact", nullable: true },
  },
};

export const stores: ConnectorFacts["stores"] = { blocks: blocksStore, data_sources: dataSourcesStore, databases: databasesStore, pages: pagesStore, users: usersStore };

export const facts: ConnectorFacts["facts"] = {
  name: "notion",
  title: "Notion",
  example: { action: "list", entity: "pages", params: { fields: ["id", "text", "updatedAt"], per_page: 2 } },
  platform: {
    title: "Notion",
    auth: {
      kinds: [
        {
          name: "token",
          values: { token: "NOTION_TOKEN" },
          doc: "A token of an integration. It sees the pages and databases that were shared with the integration.",
          place: { in: "header", name: "Authorization", template: ["Bearer ", "token", ""] },
        },
      ],
      secrets: ["(secret_|ntn_)[A-Za-z0-9]{20,255}"],
    },
    rest: { url: "https://api.notion.com", env: "NOTION_API_URL", headers: { "Notion-Version": "2025-09-03" } },
    rateLimit: {
      concurrent: 3,
      points: { rest: { perMinute: 180, read: 1, write: 1 } },
      requestId: "x-notion-request-id",
      background: { concurrent: 1, reserve: 0 },
    },
    errors: {
      graphql: {},
      rest: {
        "/start_cursor/": { code: "bad_cursor" },
        conflict_error: { code: "platform_failed", retry: true },
        database_connection_unavailable: { code: "platform_failed", retry: true },
        gateway_timeout: { code: "platform_failed", retry: true },
        internal_server_error: { code: "platform_failed", retry: true },
        invalid_json: { code: "platform_rejected" },
        invalid_request: { code: "platform_rejected" },
        invalid_request_url: { code: "platform_rejected" },
        missing_version: { code: "platform_rejected" },
        object_not_found: { code: "not_found" },
        rate_limited: { code: "rate_limited" },
        restricted_resource: { code: "platform_forbidden" },
        service_overload: { code: "platform_failed", retry: true },
        service_unavailable: { code: "platform_failed", retry: true },
        unauthorized: { code: "platform_unauthorized" },
        validation_error: { code: "platform_rejected" },
      },
      places: { code: ["code"], message: ["message"] },
    },
  },
  simulator: new URL("../../spec/notion/simulator/platform.yaml", import.meta.url),
  openapi: new URL("./openapi.json", import.meta.url),
  scopes: { workspace: { params: [], doc: "What was shared with the integration. It is part of every sync." } },
};
