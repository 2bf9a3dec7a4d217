// Generated from spec/connector.yaml by `make generate`. Do not edit.

import type { ConnectorFacts, StorePlan } from "../../runtime/contract/public.ts";

export const doorsStore: StorePlan = { key: [], fields: {} };

export const parcelsStore: StorePlan = {
  key: ["yard", "rack", "id"],
  fields: {
    yard: { type: "string", index: "exact" },
    rack: { type: "string", index: "exact" },
    id: { type: "string", index: "exact" },
    note: { type: "string", index: "text", nullable: true },
  },
  semantic: { fields: { note: { window: 512 } }, hit: { id: "id", yard: "yard" } },
};

export const racksStore: StorePlan = {
  key: ["yard", "id"],
  fields: {
    yard: { type: "string", index: "exact" },
    id: { type: "string", index: "exact" },
    changed: { type: "timestamp", index: "exact", nullable: true },
  },
};

export const scansStore: StorePlan = { key: ["id"], fields: { id: { type: "string", index: "exact" } } };

export const yardsStore: StorePlan = { key: ["id"], fields: { id: { type: "string", index: "exact" } } };

export const stores: ConnectorFacts["stores"] = { doors: doorsStore, parcels: parcelsStore, racks: racksStore, scans: scansStore, yards: yardsStore };

export const facts: ConnectorFacts["facts"] = {
  name: "depot",
  title: "Depot",
  example: { action: "list", entity: "yards", params: {} },
  platform: {
    title: "Depot",
    auth: {
      kinds: [
        {
          name: "token",
          values: { token: "DEPOT_TOKEN" },
          doc: "A token of a person or of a job.",
          place: { in: "header", name: "X-Token", template: ["", "token", ""] },
          forms: [{ matches: "^job-", place: { in: "header", name: "X-Job", template: ["", "token", ""] } }],
        },
        {
          name: "signed",
          values: { key: "DEPOT_KEY", secret: "DEPOT_SECRET" },
          doc: "A key that signs each call.",
          place: { in: "header", name: "X-Key", template: ["", "key", ""] },
          sign: {
            header: "X-Signature",
            of: ["", "timestamp", "", "method", "", "path", "", "body", ""],
            with: "secret",
            algorithm: "sha256",
            encoding: "hex",
            timestamp: { header: "X-Time", as: "seconds" },
          },
        },
      ],
      secrets: [],
    },
    rest: { url: "https://depot.example", idempotency: "Idempotency-Key" },
    rateLimit: { calls: { "POST /scans": 10 }, concurrent: 10, background: { concurrent: 1, reserve: 0 } },
    errors: {
      graphql: {},
      rest: {},
      when: [{ ok: false }, { "HTTP status": 202, state: "lost" }],
      places: { code: ["error"], fields: ["errors"], message: ["reason"], retry: ["wait"] },
    },
  },
  openapi: new URL("./openapi.json", import.meta.url),
  scopes: { depot: { params: [], doc: "The whole depot." } },
};
