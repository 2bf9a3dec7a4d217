// Generated from spec/linear/connector.yaml by `make generate`. Do not edit.

import type { ConnectorFacts, StorePlan } from "../../runtime/contract/public.ts";

export const commentsStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    body: { type: "string", index: "text" },
    createdAt: { type: "timestamp", index: "exact" },
    issue: { type: "string", index: "exact", nullable: true },
    parent: { type: "string", index: "exact", nullable: true },
    resolvedAt: { type: "timestamp", index: "exact", nullable: true },
    updatedAt: { type: "timestamp", index: "exact" },
    url: { type: "string", index: "exact" },
    userName: { type: "string", index: "name", nullable: true },
  },
  semantic: { fields: { body: { window: 2048 } }, hit: { id: "id", issue: "issue", updated_at: "updatedAt", url: "url" } },
};

export const cyclesStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    completedAt: { type: "timestamp", index: "exact", nullable: true },
    createdAt: { type: "timestamp", index: "exact" },
    endsAt: { type: "timestamp", index: "exact" },
    name: { type: "string", index: "name", nullable: true },
    number: { type: "integer", index: "exact" },
    progress: { type: "number", index: "exact" },
    startsAt: { type: "timestamp", index: "exact" },
    team: { type: "string", index: "exact", scope: true },
    updatedAt: { type: "timestamp", index: "exact" },
  },
};

export const issuesStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    archivedAt: { type: "timestamp", index: "exact", nullable: true },
    assigneeName: { type: "string", index: "name", nullable: true },
    canceledAt: { type: "timestamp", index: "exact", nullable: true },
    completedAt: { type: "timestamp", index: "exact", nullable: true },
    createdAt: { type: "timestamp", index: "exact" },
    cycle: { type: "string", index: "exact", nullable: true },
    description: { type: "string", index: "text", nullable: true },
    dueDate: { type: "timestamp", index: "exact", nullable: true },
    estimate: { type: "integer", index: "exact", nullable: true },
    identifier: { type: "string", index: "exact" },
    labels: { type: "string", index: "name", list: { by: ["name"] } },
    number: { type: "integer", index: "exact" },
    parent: { type: "string", index: "exact", nullable: true },
    priority: { type: "integer", index: "exact" },
    project: { type: "string", index: "exact", nullable: true },
    startedAt: { type: "timestamp", index: "exact", nullable: true },
    stateName: { type: "string", index: "name" },
    team: { type: "string", index: "exact", scope: true },
    title: { type: "string", index: "name" },
    updatedAt: { type: "timestamp", index: "exact" },
    url: { type: "string", index: "exact" },
  },
  semantic: {
    fields: { description: { window: 2048 } },
    hit: { id: "id", identifier: "identifier", title: "title", updated_at: "updatedAt", url: "url" },
  },
};

export const labelsStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    createdAt: { type: "timestamp", index: "exact" },
    description: { type: "string", index: "text", nullable: true },
    name: { type: "string", index: "name" },
    team: { type: "string", index: "exact", nullable: true, scope: true },
    updatedAt: { type: "timestamp", index: "exact" },
  },
};

export const projectsStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    canceledAt: { type: "timestamp", index: "exact", nullable: true },
    completedAt: { type: "timestamp", index: "exact", nullable: true },
    createdAt: { type: "timestamp", index: "exact" },
    description: { type: "string", index: "text" },
    name: { type: "string", index: "name" },
    progress: { type: "number", index: "exact" },
    startDate: { type: "timestamp", index: "exact", nullable: true },
    startedAt: { type: "timestamp", index: "exact", nullable: true },
    status: { type: "string", index: "name" },
    targetDate: { type: "timestamp", index: "exact", nullable: true },
    updatedAt: { type: "timestamp", index: "exact" },
    url: { type: "string", index: "exact" },
  },
};

export const teamsStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    createdAt: { type: "timestamp", index: "exact" },
    description: { type: "string", index: "text", nullable: true },
    key: { type: "string", index: "exact" },
    name: { type: "string", index: "name" },
    updatedAt: { type: "timestamp", index: "exact" },
  },
};

export const usersStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    active: { type: "boolean", index: "exact" },
    admin: { type: "boolean", index: "exact" },
    createdAt: { type: "timestamp", index: "exact" },
    displayName: { type: "string", index: "name" },
    email: { type: "string", index: "exact" },
    name: { type: "string", index: "name" },
    updatedAt: { type: "timestamp", index: "exact" },
    url: { type: "string", index: "exact" },
  },
};

export const workflowStatesStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    createdAt: { type: "timestamp", index: "exact" },
    name: { type: "string", index: "name" },
    position: { type: "number", index: "exact" },
    team: { type: "string", index: "exact", scope: true },
    type: { type: "string", index: "exact" },
    updatedAt: { type: "timestamp", index: "exact" },
  },
};

export const stores: ConnectorFacts["stores"] = {
  comments: commentsStore,
  cycles: cyclesStore,
  issues: issuesStore,
  labels: labelsStore,
  projects: projectsStore,
  teams: teamsStore,
  users: usersStore,
  workflow_states: workflowStatesStore,
};

export const facts: ConnectorFacts["facts"] = {
  name: "linear",
  title: "Linear",
  example: {
    action: "list",
    entity: "issues",
    params: { fields: ["identifier", "title", "state.name"], per_page: 2, team: "team-eng" },
  },
  platform: {
    title: "Linear",
    auth: {
      kinds: [
        {
          name: "token",
          values: { token: "LINEAR_API_KEY" },
          doc: "A personal API key. It sees and changes what its owner may.",
          place: { in: "header", name: "Authorization", template: ["", "token", ""] },
        },
        {
          name: "oauth",
          values: { token: "LINEAR_ACCESS_TOKEN" },
          doc: "An access token of an OAuth application.",
          place: { in: "header", name: "Authorization", template: ["Bearer ", "token", ""] },
        },
      ],
      secrets: ["lin_api_[A-Za-z0-9]{20,100}", "lin_oauth_[A-Za-z0-9]{20,100}"],
    },
    graphql: { url: "https://api.linear.app/graphql", env: "LINEAR_GRAPHQL_URL" },
    rateLimit: {
      headers: { as: "milliseconds", remaining: "x-ratelimit-requests-remaining", reset: "x-ratelimit-requests-reset" },
      requestId: "x-request-id",
      concurrent: 10,
      background: { concurrent: 1, reserve: 0 },
    },
    errors: {
      graphql: {
        "/Entity not found/": { code: "not_found" },
        "/pagination cursor/": { code: "bad_cursor" },
        AUTHENTICATION_ERROR: { code: "platform_unauthorized" },
        FORBIDDEN: { code: "platform_forbidden" },
        INPUT_ERROR: { code: "platform_rejected" },
        INTERNAL_SERVER_ERROR: { code: "platform_failed", retry: true },
        RATELIMITED: { code: "rate_limited" },
      },
      rest: {},
    },
  },
  simulator: new URL("../../spec/linear/simulator/platform.yaml", import.meta.url),
  openapi: new URL("./openapi.json", import.meta.url),
  scopes: {
    team: { params: ["team"], doc: "A team with its issues and their comments.", example: "team-eng" },
    workspace: { params: [], doc: "The workspace of the key with all teams that its owner sees. It is part of every sync." },
  },
  webhooks: {
    action: "action",
    delivery: { header: "Linear-Delivery" },
    event: { header: "Linear-Event" },
    events: {
      Comment: { reads: { comments: { parent: "data.issueId" } }, scopes: { team: "{data.issue.teamId}" } },
      Cycle: { reads: { cycles: { deleted: ["remove"] } } },
      Issue: { reads: { issues: { deleted: ["remove"] } } },
      IssueLabel: { reads: { labels: { deleted: ["remove"] } } },
      Project: { reads: { projects: { deleted: ["remove"] } } },
      User: { reads: { users: { deleted: ["remove"] } } },
    },
    scopes: { team: "{data.teamId}", workspace: "" },
    setup: {
      secret: "platform",
      where: "Settings → API → Webhooks. Put the signing secret that Linear shows into TENON_WEBHOOK_SECRETS.",
    },
    signature: { algorithm: "sha256", encoding: "hex", header: "Linear-Signature" },
    timestamp: { as: "milliseconds", path: "webhookTimestamp", tolerance: 60 },
  },
};
