// Generated from spec/connector.yaml by `make generate`. Do not edit.

import type { ConnectorFacts, StorePlan } from "../../runtime/contract/public.ts";

export const class_Store: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    class: { type: "string", index: "name" },
    default: { type: "string", index: "exact", values: ["LENT", "ON_SHELF"] },
    entity: { type: "string", index: "exact", nullable: true },
  },
};

export const list_Store: StorePlan = { key: ["id"], fields: { id: { type: "string", index: "exact" } } };

export const bookPlan_Store: StorePlan = class_Store;

export const connectors_Store: StorePlan = class_Store;

export const default_Store: StorePlan = class_Store;

export const entity_Store: StorePlan = class_Store;

export const get_Store: StorePlan = list_Store;

export const import_Store: StorePlan = class_Store;

export const new_Store: StorePlan = class_Store;

export const stores: ConnectorFacts["stores"] = {
  book_plan: bookPlan_Store,
  class: class_Store,
  connectors: connectors_Store,
  default: default_Store,
  entity: entity_Store,
  get: get_Store,
  import: import_Store,
  list: list_Store,
  new: new_Store,
};

export const facts: ConnectorFacts["facts"] = {
  name: "package",
  title: "Library",
  example: { action: "list", entity: "class", params: { shelf: "poems" } },
  platform: {
    title: "Library",
    auth: {
      kinds: [
        {
          name: "token",
          values: { token: "LIBRARY_TOKEN" },
          doc: "A reader's card.",
          place: { in: "header", name: "Authorization", template: ["Bearer ", "token", ""] },
        },
      ],
      secrets: [],
    },
    graphql: { url: "https://library.example/graphql", env: "LIBRARY_GRAPHQL_URL" },
    rest: { url: "https://library.example", env: "LIBRARY_URL" },
    rateLimit: {
      concurrent: 10,
      headers: { remaining: "x-remaining", reset: "x-reset" },
      points: { graphql: { perMinute: 1000, read: 1, write: 5 }, rest: { perMinute: 1000, read: 1, write: 5 } },
      requestId: "x-request-id",
      writes: { perHour: 1000, perMinute: 100, spacing: 0 },
      background: { concurrent: 1, reserve: 0 },
    },
    errors: { graphql: { NOT_FOUND: { code: "not_found" } }, rest: {} },
  },
  openapi: new URL("./openapi.json", import.meta.url),
  scopes: {},
};
