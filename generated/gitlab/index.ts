// Generated from spec/gitlab/connector.yaml by `make generate`. Do not edit.

import type { Connector } from "../../runtime/contract/public.ts";
import { entity as issueNotes } from "./issue_notes.ts";
import { entity as issues } from "./issues.ts";
import { entity as mergeRequestNotes } from "./merge_request_notes.ts";
import { entity as mergeRequests } from "./merge_requests.ts";
import { entity as pipelines } from "./pipelines.ts";
import { entity as projects } from "./projects.ts";
import { entity as users } from "./users.ts";

/** Projects, issues, merge requests, their notes, pipelines and users of GitLab.com or of a GitLab server of your own. */
export const gitlab: Connector = {
  name: "gitlab",
  title: "GitLab",
  example: { action: "list", entity: "issues", params: { fields: ["iid", "title", "state"], per_page: 2, project: "shop/web" } },
  platform: {
    title: "GitLab",
    auth: {
      kinds: [
        {
          name: "token",
          values: { token: "GITLAB_TOKEN" },
          doc: "A personal, project or group access token. Its scopes and its role decide what every action may see and change.",
          place: { in: "header", name: "PRIVATE-TOKEN", template: ["", "token", ""] },
        },
        {
          name: "oauth",
          values: { token: "GITLAB_OAUTH_TOKEN" },
          doc: "An access token of an OAuth application.",
          place: { in: "header", name: "Authorization", template: ["Bearer ", "token", ""] },
        },
      ],
      secrets: ["gl(pat|oas|dt|rt|cbt|ptt|ft|imt|agent|soat)-[A-Za-z0-9_.-]{20,255}"],
    },
    rest: { url: "https://gitlab.com/api/v4", env: "GITLAB_API_URL" },
    rateLimit: {
      background: { concurrent: 4, reserve: 200 },
      concurrent: 10,
      headers: { remaining: "ratelimit-remaining", reset: "ratelimit-reset" },
      requestId: "x-request-id",
      writes: { perHour: 3600, perMinute: 60, spacing: 0 },
    },
    errors: {
      graphql: {},
      rest: {
        "400": { code: "platform_rejected" },
        "401": { code: "platform_unauthorized" },
        "403": { code: "platform_forbidden" },
        "404": { code: "not_found" },
        "405": { code: "platform_rejected" },
        "409": { code: "platform_rejected" },
        "422": { code: "platform_rejected" },
        insufficient_scope: { code: "platform_forbidden" },
        invalid_token: { code: "platform_unauthorized" },
      },
      places: { code: ["error"], fields: ["message"], message: ["message", "error_description", "error"] },
    },
  },
  simulator: new URL("../../spec/gitlab/simulator/platform.yaml", import.meta.url),
  openapi: new URL("./openapi.json", import.meta.url),
  scopes: {
    member: { params: [], doc: "The projects of which the token's user is a member. It is part of every sync." },
    project: {
      params: ["project"],
      doc: "A project with its issues, merge requests, notes, pipelines and users.",
      example: "shop/web",
    },
  },
  entities: {
    issue_notes: issueNotes,
    issues,
    merge_request_notes: mergeRequestNotes,
    merge_requests: mergeRequests,
    pipelines,
    projects,
    users,
  },
};
