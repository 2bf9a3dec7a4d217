// Generated from spec/jira/connector.yaml by `make generate`. Do not edit.

import type { Connector } from "../../runtime/contract/public.ts";
import { entity as comments } from "./comments.ts";
import { entity as issues } from "./issues.ts";
import { entity as projects } from "./projects.ts";
import { entity as transitions } from "./transitions.ts";
import { entity as users } from "./users.ts";

/** Projects, issues, comments, transitions and users of a Jira Cloud site. */
export const jira: Connector = {
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
    variables: { site: { doc: "Name of the site, which stands before `.atlassian.net`.", env: "JIRA_SITE", example: "shop" } },
    rest: { url: "https://{site}.atlassian.net", env: "JIRA_API_URL" },
    rateLimit: {
      concurrent: 10,
      requestId: "x-arequestid",
      writes: { perHour: 10000, perMinute: 300, spacing: 100 },
      background: { concurrent: 1, reserve: 0 },
    },
    errors: {
      graphql: {},
      rest: {
        "400": { code: "platform_rejected" },
        "401": { code: "platform_unauthorized" },
        "403": { code: "platform_forbidden" },
        "404": { code: "not_found" },
        "409": { code: "platform_rejected" },
        "413": { code: "platform_rejected" },
        "422": { code: "platform_rejected" },
      },
      places: { fields: ["errors"], message: ["errorMessages", "message", "errorMessage"] },
    },
  },
  simulator: new URL("../../spec/jira/simulator/platform.yaml", import.meta.url),
  openapi: new URL("./openapi.json", import.meta.url),
  scopes: {
    project: { params: ["project"], doc: "A project with its issues and their comments, by its key.", example: "SHOP" },
    site: { params: [], doc: "The projects and users of the site. It is part of every sync." },
  },
  entities: { comments, issues, projects, transitions, users },
};
