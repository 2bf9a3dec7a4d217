// Generated from spec/figma/connector.yaml by `make generate`. Do not edit.

import type { ConnectorFacts, StorePlan } from "../../runtime/contract/public.ts";

export const commentsStore: StorePlan = {
  key: ["file", "id"],
  fields: {
    file: { type: "string", index: "exact" },
    id: { type: "string", index: "exact" },
    createdAt: { type: "timestamp", index: "exact" },
    message: { type: "string", index: "text" },
    number: { type: "string", index: "exact", nullable: true },
    parent: { type: "string", index: "exact", nullable: true },
    resolvedAt: { type: "timestamp", index: "exact", nullable: true },
    userHandle: { type: "string", index: "name" },
  },
  semantic: {
    fields: { message: { window: 2048 } },
    hit: { author: "userHandle", created_at: "createdAt", file: "file", id: "id" },
  },
};

export const componentsStore: StorePlan = {
  key: ["key"],
  fields: {
    key: { type: "string", index: "exact" },
    createdAt: { type: "timestamp", index: "exact" },
    description: { type: "string", index: "text" },
    file: { type: "string", index: "exact" },
    name: { type: "string", index: "name" },
    node: { type: "string", index: "exact" },
    team: { type: "string", index: "exact", nullable: true, scope: true },
    updatedAt: { type: "timestamp", index: "exact" },
    userHandle: { type: "string", index: "name" },
  },
};

export const devResourcesStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    file: { type: "string", index: "exact" },
    name: { type: "string", index: "name" },
    node: { type: "string", index: "exact" },
    url: { type: "string", index: "exact" },
  },
};

export const filesStore: StorePlan = {
  key: ["key"],
  fields: {
    key: { type: "string", index: "exact" },
    folder: { type: "string", index: "exact", nullable: true },
    lastModified: { type: "timestamp", index: "exact" },
    name: { type: "string", index: "name" },
  },
};

export const foldersStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    name: { type: "string", index: "name" },
    parent: { type: "string", index: "exact", nullable: true },
    team: { type: "string", index: "exact", nullable: true, scope: true },
  },
};

export const stylesStore: StorePlan = {
  key: ["key"],
  fields: {
    key: { type: "string", index: "exact" },
    createdAt: { type: "timestamp", index: "exact" },
    description: { type: "string", index: "text" },
    file: { type: "string", index: "exact" },
    name: { type: "string", index: "name" },
    node: { type: "string", index: "exact" },
    team: { type: "string", index: "exact", nullable: true, scope: true },
    type: { type: "string", index: "exact", values: ["effect", "fill", "grid", "text"] },
    updatedAt: { type: "timestamp", index: "exact" },
    userHandle: { type: "string", index: "name" },
  },
};

export const versionsStore: StorePlan = {
  key: ["file", "id"],
  fields: {
    file: { type: "string", index: "exact" },
    id: { type: "string", index: "exact" },
    createdAt: { type: "timestamp", index: "exact" },
    description: { type: "string", index: "text", nullable: true },
    label: { type: "string", index: "name", nullable: true },
    userHandle: { type: "string", index: "name" },
  },
};

export const webhooksStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    context: { type: "string", index: "exact" },
    contextId: { type: "string", index: "exact" },
    description: { type: "string", index: "text", nullable: true },
    endpoint: { type: "string", index: "name" },
    event: {
      type: "string",
      index: "exact",
      values: [
        "DEV_MODE_STATUS_UPDATE",
        "FILE_COMMENT",
        "FILE_DELETE",
        "FILE_UPDATE",
        "FILE_VERSION_UPDATE",
        "LIBRARY_PUBLISH",
        "PING",
      ],
    },
    status: { type: "string", index: "exact", values: ["ACTIVE", "PAUSED"] },
  },
};

export const stores: ConnectorFacts["stores"] = {
  comments: commentsStore,
  components: componentsStore,
  dev_resources: devResourcesStore,
  files: filesStore,
  folders: foldersStore,
  styles: stylesStore,
  versions: versionsStore,
  webhooks: webhooksStore,
};

export const facts: ConnectorFacts["facts"] = {
  name: "figma",
  title: "Figma",
  example: { action: "list", entity: "files", params: { fields: ["key", "name", "lastModified"], folder: "1101" } },
  platform: {
    title: "Figma",
    auth: {
      kinds: [
        {
          name: "token",
          values: { token: "FIGMA_TOKEN" },
          doc: "A personal access token. Its scopes decide what every action may see and change.",
          place: { in: "header", name: "X-Figma-Token", template: ["", "token", ""] },
        },
        {
          name: "oauth",
          values: { token: "FIGMA_OAUTH_TOKEN" },
          doc: "An access token of an OAuth app.",
          place: { in: "header", name: "Authorization", template: ["Bearer ", "token", ""] },
        },
      ],
      secrets: ["fig[dopr]_[A-Za-z0-9_-]{20,255}"],
    },
    rest: { url: "https://api.figma.com", env: "FIGMA_API_URL" },
    rateLimit: { concurrent: 10, background: { concurrent: 1, reserve: 0 } },
    errors: {
      graphql: {},
      rest: {
        "400": { code: "platform_rejected" },
        "403": { code: "platform_forbidden" },
        "404": { code: "not_found" },
        "400 /cursor|page/": { code: "bad_cursor" },
        "403 /invalid token/": { code: "platform_unauthorized" },
      },
      places: { message: ["err", "message", "errors[0].error"] },
    },
  },
  simulator: new URL("../../spec/figma/simulator/platform.yaml", import.meta.url),
  openapi: new URL("./openapi.json", import.meta.url),
  scopes: { team: { params: ["team"], doc: "A team with its folders, files, library and webhooks.", example: "1001" } },
  webhooks: {
    event: { path: "event_type" },
    events: {
      DEV_MODE_STATUS_UPDATE: { reads: { dev_resources: { parent: "file_key" } } },
      FILE_COMMENT: { reads: { comments: { parent: "file_key" } } },
      FILE_DELETE: { reads: { files: {} } },
      FILE_UPDATE: { reads: { files: {} } },
      FILE_VERSION_UPDATE: { reads: { files: {}, versions: { parent: "file_key" } } },
      LIBRARY_PUBLISH: { reads: { components: {}, styles: {} } },
    },
    scopes: { team: "*" },
    setup: {
      where: "The action `webhooks.create`, once for each event, with the context `team`, the address as `endpoint` and the secret as `passcode`",
    },
    signature: { passcode: "passcode" },
  },
};
