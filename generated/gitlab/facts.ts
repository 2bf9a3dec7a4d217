// Generated from spec/gitlab/connector.yaml by `make generate`. Do not edit.

import type { ConnectorFacts, StorePlan } from "../../runtime/contract/public.ts";

export const issueNotesStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "integer", index: "exact" },
    author: { type: "string", index: "name", nullable: true },
    body: { type: "string", index: "text" },
    createdAt: { type: "timestamp", index: "exact" },
    internal: { type: "boolean", index: "exact" },
    on: { type: "integer", index: "exact" },
    project: { type: "integer", index: "exact" },
    resolved: { type: "boolean", index: "exact", nullable: true },
    system: { type: "boolean", index: "exact" },
    updatedAt: { type: "timestamp", index: "exact" },
  },
  semantic: { fields: { body: { window: 2048 } }, hit: { author: "author", id: "id", on: "on", project: "project" } },
};

export const issuesStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "integer", index: "exact" },
    assignees: { type: "string", index: "name", list: { by: ["username"] } },
    author: { type: "string", index: "name", nullable: true },
    closedAt: { type: "timestamp", index: "exact", nullable: true },
    confidential: { type: "boolean", index: "exact" },
    createdAt: { type: "timestamp", index: "exact" },
    description: { type: "string", index: "text", nullable: true },
    dueDate: { type: "timestamp", index: "exact", nullable: true },
    iid: { type: "integer", index: "exact" },
    kind: { type: "string", index: "exact" },
    labels: { type: "string", index: "exact", list: {} },
    milestone: { type: "string", index: "name", nullable: true },
    project: { type: "integer", index: "exact" },
    state: { type: "string", index: "exact", values: ["closed", "opened"] },
    title: { type: "string", index: "text" },
    updatedAt: { type: "timestamp", index: "exact" },
    upvotes: { type: "integer", index: "exact" },
    userNotes: { type: "integer", index: "exact" },
  },
  semantic: {
    fields: { description: { window: 2048 }, title: { window: 512 } },
    hit: { id: "id", iid: "iid", project: "project", title: "title" },
  },
};

export const mergeRequestsStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "integer", index: "exact" },
    assignees: { type: "string", index: "name", list: { by: ["username"] } },
    author: { type: "string", index: "name", nullable: true },
    closedAt: { type: "timestamp", index: "exact", nullable: true },
    createdAt: { type: "timestamp", index: "exact" },
    description: { type: "string", index: "text", nullable: true },
    draft: { type: "boolean", index: "exact" },
    iid: { type: "integer", index: "exact" },
    labels: { type: "string", index: "exact", list: {} },
    mergeStatus: { type: "string", index: "exact", nullable: true },
    mergedAt: { type: "timestamp", index: "exact", nullable: true },
    mergedBy: { type: "string", index: "name", nullable: true },
    milestone: { type: "string", index: "name", nullable: true },
    project: { type: "integer", index: "exact" },
    reviewers: { type: "string", index: "name", list: { by: ["username"] } },
    sha: { type: "string", index: "exact", nullable: true },
    sourceBranch: { type: "string", index: "name" },
    state: { type: "string", index: "exact", values: ["closed", "locked", "merged", "opened"] },
    targetBranch: { type: "string", index: "exact" },
    title: { type: "string", index: "text" },
    updatedAt: { type: "timestamp", index: "exact" },
    userNotes: { type: "integer", index: "exact" },
  },
  semantic: {
    fields: { description: { window: 2048 }, title: { window: 512 } },
    hit: { id: "id", iid: "iid", project: "project", title: "title" },
  },
};

export const pipelinesStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "integer", index: "exact" },
    createdAt: { type: "timestamp", index: "exact" },
    iid: { type: "integer", index: "exact" },
    name: { type: "string", index: "name", nullable: true },
    project: { type: "integer", index: "exact" },
    ref: { type: "string", index: "name" },
    sha: { type: "string", index: "exact" },
    source: { type: "string", index: "exact", nullable: true },
    status: {
      type: "string",
      index: "exact",
      values: [
        "canceled",
        "canceling",
        "created",
        "failed",
        "manual",
        "pending",
        "preparing",
        "running",
        "scheduled",
        "skipped",
        "success",
        "waiting_for_resource",
      ],
    },
    updatedAt: { type: "timestamp", index: "exact" },
  },
};

export const projectsStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "integer", index: "exact" },
    archived: { type: "boolean", index: "exact" },
    createdAt: { type: "timestamp", index: "exact" },
    defaultBranch: { type: "string", index: "exact", nullable: true },
    description: { type: "string", index: "text", nullable: true },
    lastActivityAt: { type: "timestamp", index: "exact" },
    name: { type: "string", index: "name" },
    openIssues: { type: "integer", index: "exact", nullable: true },
    path: { type: "string", index: "name" },
    stars: { type: "integer", index: "exact" },
    topics: { type: "string", index: "exact", list: {} },
    visibility: { type: "string", index: "exact", values: ["internal", "private", "public"] },
  },
  semantic: { fields: { description: { window: 2048 } }, hit: { id: "id", path: "path" } },
};

export const usersStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "integer", index: "exact" },
    name: { type: "string", index: "name" },
    state: { type: "string", index: "exact" },
    username: { type: "string", index: "name" },
  },
};

export const mergeRequestNotesStore: StorePlan = issueNotesStore;

export const stores: ConnectorFacts["stores"] = {
  issue_notes: issueNotesStore,
  issues: issuesStore,
  merge_request_notes: mergeRequestNotesStore,
  merge_requests: mergeRequestsStore,
  pipelines: pipelinesStore,
  projects: projectsStore,
  users: usersStore,
};

export const facts: ConnectorFacts["facts"] = {
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
          doc: "A personal, project or group access token, or the token of a CI job. Its scopes and its role decide what every action may see and change.",
          place: { in: "header", name: "PRIVATE-TOKEN", template: ["", "token", ""] },
          forms: [{ matches: "^glcbt-", place: { in: "header", name: "JOB-TOKEN", template: ["", "token", ""] } }],
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
      calls: {
        "POST /projects/{id}/issues": 200,
        "POST /projects/{id}/issues/{issue_iid}/notes": 60,
        "POST /projects/{id}/merge_requests/{merge_request_iid}/notes": 60,
        "POST /projects/{id}/pipeline": 25,
      },
      concurrent: 10,
      headers: { remaining: "ratelimit-remaining", reset: "ratelimit-reset" },
      requestId: "x-request-id",
      writes: { perHour: 18000, perMinute: 300, spacing: 0 },
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
};
