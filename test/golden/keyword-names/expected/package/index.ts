// Generated from spec/connector.yaml by `make generate`. Do not edit.

import type { Connector } from "../../runtime/contract/public.ts";
import { entity as bookPlan_ } from "./book_plan.ts";
import { entity as class_ } from "./class.ts";
import { entity as connectors_ } from "./connectors.ts";
import { entity as default_ } from "./default.ts";
import { entity as entity_ } from "./entity.ts";
import { entity as get_ } from "./get.ts";
import { entity as import_ } from "./import.ts";
import { entity as list_ } from "./list.ts";
import { entity as new_ } from "./new.ts";

/** A library for the golden cases. */
export const package_: Connector = {
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
  entities: {
    book_plan: bookPlan_,
    class: class_,
    connectors: connectors_,
    default: default_,
    entity: entity_,
    get: get_,
    import: import_,
    list: list_,
    new: new_,
  },
};
