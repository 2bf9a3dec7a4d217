// Generated from spec/jira/connector.yaml by `make generate`. Do not edit.

import type { ConnectorFacts, StorePlan } from "../../runtime/contract/public.ts";

export const attachmentsStore: StorePlan = { key: [], fields: {} };

export const commentsStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    author: { type: "string", index: "name", nullable: true },
    authorId: { type: "string", index: "exact", nullable: true },
    createdAt: { type: "timestamp", index: "exact" },
    issue: { type: "string", index: "exact" },
    text: { type: "string", index: "text", nullable: true },
    updatedAt: { type: "timestamp", index: "exact" },
  },
  semantic: { fields: { text: { window: 2048 } }, hit: { author: "author", id: "id", issue: "issue" } },
};

export const issuesStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    assignee: { type: "string", index: "name", nullable: true },
    assigneeId: { type: "string", index: "exact", nullable: true },
    createdAt: { type: "timestamp", index: "exact" },
    description: { type: "string", index: "text", nullable: true },
    dueDate: { type: "timestamp", index: "exact", nullable: true },
    key: { type: "string", index: "exact" },
    kind: { type: "string", index: "exact" },
    labels: { type: "string", index: "exact", list: {} },
    parent: { type: "string", index: "exact", nullable: true },
    priority: { type: "string", index: "exact", nullable: true },
    project: { type: "string", index: "exact", scope: true },
    resolution: { type: "string", index: "exact", nullable: true },
    resolvedAt: { type: "timestamp", index: "exact", nullable: true },
    status: { type: "string", index: "exact" },
    statusCategory: { type: "string", index: "exact", nullable: true },
    summary: { type: "string", index: "text" },
    updatedAt: { type: "timestamp", index: "exact" },
  },
  semantic: {
    fields: { description: { window: 2048 }, summary: { window: 512 } },
    hit: { id: "id", key: "key", summary: "summary" },
  },
};

export const projectsStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    description: { type: "string", index: "text", nullable: true },
    key: { type: "string", index: "exact" },
    lead: { type: "string", index: "name", nullable: true },
    name: { type: "string", index: "name" },
    private: { type: "boolean", index: "exact", nullable: true },
    simplified: { type: "boolean", index: "exact", nullable: true },
    type: { type: "string", index: "exact" },
  },
  semantic: { fields: { description: { window: 1024 } }, hit: { id: "id", key: "key" } },
};

export const transitionsStore: StorePlan = { key: ["id"], fields: { id: { type: "string", index: "exact" } } };

export const usersStore: StorePlan = {
  key: ["accountId"],
  fields: {
    accountId: { type: "string", index: "exact" },
    active: { type: "boolean", index: "exact" },
    email: { type: "string", index: "name", nullable: true },
    kind: { type: "string", index: "exact", nullable: true },
    name: { type: "string", index: "name" },
    timeZone: { type: "string", index: "exact", nullable: true },
  },
};

export const stores: ConnectorFacts["stores"] = {
  attachments: attachmentsStore,
  comments: commentsStore,
  issues: issuesStore,
  projects: projectsStore,
  transitions: transitionsStore,
  users: usersStore,
};

export const facts: ConnectorFacts["facts"] = {
  name: "jira",
  title: "Jira Cloud",
  example: { action: "list", entity: "issues", params: { fields: ["key", "summary", "status"], per_page: 2, project: "SHOP" } },
  platform: {
    title: "Jira Cloud",
    auth: {
      kinds: [
        {
          name: "token",
          values: { email: "JIRA_EMAIL", token: "JIRA_TOKEN" },
          doc: "An API token and the e-mail address of its user, who decides what every action may see and change.",
          place: { in: "basic", template: ["", "email", ":", "token", ""] },
        },
      ],
      secrets: ["ATATT3[A-Za-z0-9_=-]{20,400}"],
    },
    variables: { site: { doc: "Name of the site: the part before `.atlassian.net`.", env: "JIRA_SITE", example: "shop" } },
    rest: { url: "https://{site}.atlassian.net", env: "JIRA_API_URL", headers: { "X-Atlassian-Token": "no-check" } },
    rateLimit: {
      concurrent: 10,
      requestId: "x-arequestid",
      writes: { perHour: 10000, perMinute: 300, spacing: 100 },
      background: { concurrent: 1, reserve: 0 },
    },
    errors: {
      graphql: {},
      rest: {
        "200": { code: "platform_unauthorized" },
        "400": { code: "platform_rejected" },
        "401": { code: "platform_unauthorized" },
        "403": { code: "platform_forbidden" },
        "404": { code: "not_found" },
        "409": { code: "platform_rejected" },
        "413": { code: "platform_rejected" },
        "422": { code: "platform_rejected" },
      },
      when: [{ "header X-Seraph-LoginReason": ["AUTHENTICATED_FAILED", "AUTHENTICATION_DENIED"] }],
      places: { fields: ["errors"], message: ["errorMessages", "message", "errorMessage"] },
    },
  },
  simulator: new URL("../../spec/jira/simulator/platform.yaml", import.meta.url),
  openapi: new URL("./openapi.json", import.meta.url),
  scopes: {
    project: { params: ["project"], doc: "A project with its issues and their comments, by its key.", example: "SHOP" },
    site: { params: [], doc: "The projects and users of the site. It is part of every sync." },
  },
};
