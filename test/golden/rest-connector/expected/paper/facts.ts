// Generated from spec/connector.yaml by `make generate`. Do not edit.

import type { ConnectorFacts, StorePlan } from "../../runtime/contract/public.ts";

export const booksStore: StorePlan = {
  key: ["number"],
  fields: {
    number: { type: "integer", index: "exact" },
    state: { type: "string", index: "exact", values: ["lent", "on_shelf"] },
    title: { type: "string", index: "name" },
  },
};

export const stores: ConnectorFacts["stores"] = { books: booksStore };

export const facts: ConnectorFacts["facts"] = {
  name: "paper",
  title: "Paper library",
  example: { action: "list", entity: "books", params: { shelf: "poems" } },
  platform: {
    title: "Paper library",
    auth: {
      kinds: [
        {
          name: "token",
          values: { token: "LIBRARY_TOKEN" },
          doc: "A reader's card.",
          place: { in: "header", name: "Authorization", template: ["Bearer ", "token", ""] },
        },
        {
          name: "robot",
          values: { app_id: "LIBRARY_APP", branch: "LIBRARY_BRANCH", private_key: "LIBRARY_KEY" },
          doc: "A robot that reads.",
          place: { in: "header", name: "X-Card", template: ["", "token", ""] },
          grant: { by: "app", path: ["/branches/", "branch", "/tokens"] },
        },
        {
          name: "reader",
          values: { client_id: "LIBRARY_CLIENT", client_secret: "LIBRARY_SECRET", refresh_token: "LIBRARY_REFRESH" },
          doc: "A reader who agreed.",
          place: { in: "header", name: "Authorization", template: ["Bearer ", "token", ""] },
          grant: {
            by: "oauth",
            authorize: "https://library.example/agree",
            token: "https://library.example/tokens",
            refresh: "https://library.example/tokens/next",
            derive: { "/api/v1": "/web", "/api": "" },
            client: "basic",
            scopes: ["read", "lend"],
            refused: ["invalid_grant", "card_expired"],
          },
        },
      ],
      secrets: [],
    },
    rest: { url: "https://library.example", env: "LIBRARY_URL", headers: { Accept: "application/json" } },
    rateLimit: {
      concurrent: 10,
      headers: { remaining: "x-remaining", reset: "x-reset" },
      points: { rest: { perMinute: 1000, read: 1, write: 5 } },
      requestId: "x-request-id",
      writes: { perHour: 1000, perMinute: 100, spacing: 0 },
      background: { concurrent: 1, reserve: 0 },
    },
    errors: {
      graphql: {},
      rest: { no_such_shelf: { code: "not_found" } },
      when: [{ ok: false }, { "HTTP status": [200, 202], "error.fatal": true }],
      places: { code: ["error.name"], message: ["error.text"] },
    },
  },
  simulator: new URL("../../spec/simulator/main.ts", import.meta.url),
  openapi: new URL("./openapi.json", import.meta.url),
  scopes: {},
};
