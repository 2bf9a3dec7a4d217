// Generated from spec/connector.yaml by `make generate`. Do not edit.

import type { ConnectorFacts, StorePlan } from "../../runtime/contract/public.ts";

export const booksStore: StorePlan = {
  key: ["shelf", "number"],
  fields: {
    shelf: { type: "string", index: "exact", scope: true },
    number: { type: "integer", index: "exact" },
    addedAt: { type: "timestamp", index: "exact" },
    id: { type: "string", index: "exact" },
    place: { type: "string", index: "name", nullable: true },
    state: { type: "string", index: "exact", values: ["lent", "on_shelf"] },
    title: { type: "string", index: "name" },
    blurb: { type: "string", index: "text", nullable: true },
    chapters: { type: "string", index: "name", list: { by: ["heading"] } },
  },
  semantic: { fields: { title: { window: 1024 } }, hit: { number: "number", title: "title" } },
};

export const notesStore: StorePlan = { key: ["id"], fields: { length: { type: "integer", index: "exact" }, text: { type: "string", index: "name" } } };

export const lentBooksStore: StorePlan = { ...booksStore, key: ["id"] };

export const ownNotesStore: StorePlan = notesStore;

export const stores: ConnectorFacts["stores"] = { books: booksStore, lent_books: lentBooksStore, notes: notesStore, own_notes: ownNotesStore };

export const facts: ConnectorFacts["facts"] = {
  name: "library",
  title: "Library",
  example: { action: "list", entity: "books", params: { shelf: "poems" } },
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
      background: { concurrent: 2, reserve: 50 },
      concurrent: 10,
      headers: { remaining: "x-remaining", reset: "x-reset" },
      points: { graphql: { perMinute: 1000, read: 1, write: 5 }, rest: { perMinute: 1000, read: 1, write: 5 } },
      requestId: "x-request-id",
      writes: { perHour: 1000, perMinute: 100, spacing: 0 },
    },
    errors: { graphql: { NOT_FOUND: { code: "not_found" } }, rest: {} },
  },
  compat: {
    definitionId: "4f6c2f0e-52ab-4c3d-9a51-0d6f3b1e7a28",
    check: {
      asks: { action: "list", entity: "books", params: { limit: 1 } },
      runs: { action: "list", entity: "books", params: { per_page: 1, shelf: "poems" } },
    },
  },
  openapi: new URL("./openapi.json", import.meta.url),
  scopes: {
    reader: { params: [], doc: "What the reader has at home." },
    shelf: {
      params: ["shelf"],
      doc: "A shelf with its books.",
      example: "poems",
      changeCheck: {
        document: "query ChangeCheck($shelf:String!){shelf(name:$shelf){books_name:name books_latest:books(first:1){totalCount nodes{addedAt}}}}",
        variables: ["shelf"],
        path: ["shelf"],
        keys: { books: ["books_name", "books_latest"] },
      },
    },
  },
  webhooks: {
    action: "what",
    delivery: { path: "id" },
    event: { header: "X-Library-Event" },
    events: {
      book: { reads: { books: { deleted: ["removed"], unless: "book.draft" }, notes: {} } },
      reader: { reads: { own_notes: {} }, resync: ["moved"], scopes: { reader: "", shelf: ["{shelves[].name}"] } },
    },
    scopes: { shelf: "{book.shelf}" },
    setup: { where: "Settings of the library" },
    signature: {
      algorithm: "sha256",
      content: "{X-Library-Time}.{body}",
      encoding: "base64",
      header: "X-Library-Signature",
      prefix: "v1=",
    },
    timestamp: { as: "seconds", header: "X-Library-Time", tolerance: 300 },
  },
};
