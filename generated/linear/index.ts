// Generated from spec/linear/connector.yaml by `make generate`. Do not edit.

import type { Connector } from "../../runtime/contract/public.ts";
import { entity as comments } from "./comments.ts";
import { entity as cycles } from "./cycles.ts";
import { entity as issues } from "./issues.ts";
import { entity as labels } from "./labels.ts";
import { entity as projects } from "./projects.ts";
import { entity as teams } from "./teams.ts";
import { entity as users } from "./users.ts";
import { entity as workflowStates } from "./workflow_states.ts";

/** Teams, issues, comments, projects, cycles, workflow states, labels and users of a Linear workspace. */
export const linear: Connector = {
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
  entities: { comments, cycles, issues, labels, projects, teams, users, workflow_states: workflowStates },
};
