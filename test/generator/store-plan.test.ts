import { describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import type { RecordPlan } from "../../runtime/contract/index.ts";

// The generated plans have the searchable fields that the interface promises, and the fields that say in which scope a record was found.

/** "Searchable (cached) fields per entity", word for word; `s` string, `t` timestamp, `i` integer, `b` boolean. */
const searchable: Readonly<Record<string, string>> = {
  repositories:
    "id:s name:s nameWithOwner:s description:s url:s createdAt:t updatedAt:t pushedAt:t forkCount:i stargazerCount:i isPrivate:b isFork:b isArchived:b",
  branches: "name:s",
  commits: "sha:s url:s createdAt:t",
  releases: "id:s databaseId:i name:s tagName:s description:s publishedAt:t createdAt:t isPrerelease:b isDraft:b url:s",
  issues: "id:s databaseId:i number:i title:s body:s state:s stateReason:s createdAt:t updatedAt:t closedAt:t locked:b url:s",
  comments: "id:s databaseId:i body:s createdAt:t updatedAt:t url:s",
  pull_requests:
    "id:s databaseId:i number:i title:s body:s state:s isDraft:b createdAt:t updatedAt:t closedAt:t mergedAt:t url:s",
  reviews: "id:s databaseId:i state:s body:s submittedAt:t createdAt:t updatedAt:t url:s",
  labels: "id:s name:s color:s description:s url:s",
  milestones: "id:s number:i title:s description:s state:s dueOn:t closedAt:t createdAt:t updatedAt:t",
  organizations: "id:s databaseId:i login:s name:s description:s email:s location:s isVerified:b createdAt:t",
  users: "id:s databaseId:i login:s url:s",
  teams: "id:s databaseId:i slug:s name:s description:s privacy:s url:s",
  tags: "name:s",
  stargazers: "starredAt:t",
  projects: "id:s number:i title:s shortDescription:s url:s closed:b public:b createdAt:t updatedAt:t",
};
const types: Readonly<Record<string, string>> = { s: "string", t: "timestamp", i: "integer", b: "boolean" };

/** Fields that tell in which scope a record was found; a repository and a viewer are scopes of their own. */
const scopeFields: Readonly<Record<string, readonly string[]>> = {
  comments: ["repository", "number"],
  reviews: ["repository", "number"],
  pr_comments: ["repository", "number"],
  directory_content: ["repository", "ref", "path"],
  file_content: ["repository", "ref", "path"],
  project_items: ["organization", "project"],
  projects: ["organization"],
  teams: ["organization"],
  users: ["organization"],
  organizations: ["member"],
  repositories: ["nameWithOwner", "ownerLogin"],
  org_repositories: ["nameWithOwner", "ownerLogin"],
  viewer_repositories: ["nameWithOwner", "ownerLogin"],
  viewer: ["login"],
};

/** Beyond the interface there are entities that are only read live. */
const live = ["code", "gists", "notifications", "webhook_deliveries", "webhooks", "workflow_jobs", "workflow_runs"];
const entities = Object.entries(github.entities).filter(([name]) => !live.includes(name));

it.each(Object.entries(searchable))(
  "the store of %s has the searchable fields of the interface, with their types",
  (name, fields) => {
    const wanted = fields.split(" ").map((field) => field.split(":"));
    const { store } = github.entities[name] ?? {};
    expect(wanted.map(([path = ""]) => [path, store?.fields[path]?.type])).toEqual(
      wanted.map(([path, type = ""]) => [path, types[type]]),
    );
  },
);

describe.each(entities)("the store of %s", (name, { record, store, sync }) => {
  it("marks the fields that have the name of a kind of scope", () => {
    const marked = Object.keys(store.fields).filter((field) => store.fields[field]?.scope === true);
    const named = Object.keys(store.fields).filter(
      (field) => Object.hasOwn(github.scopes, field) && store.fields[field]?.list === undefined,
    );
    expect(marked).toEqual(named);
  });

  it("carries the scope that a record was found in", () => {
    for (const field of scopeFields[name] ?? ["repository"]) expect(Object.keys(store.fields)).toContain(field);
  });

  it("has a key of single values that every stored record has", () => {
    for (const path of store.key) {
      const steps = path.split(".");
      let plan: RecordPlan | undefined = record;
      for (const [depth, step] of steps.entries()) {
        const field: RecordPlan["fields"][string] | undefined = plan?.fields[step];
        expect(field, path).toBeDefined();
        expect(field?.onRequest === undefined || (depth === 0 && Object.hasOwn(store.fields, step)), path).toBe(true);
        expect(field?.list).toBeUndefined();
        plan = field?.of?.();
      }
      expect(plan).toBeUndefined();
    }
  });

  it("is filled by a scope of the connector", () => {
    expect(sync.length).toBeGreaterThan(0);
    for (const { scope, action, each } of sync) {
      const given = [...(github.scopes[scope]?.params ?? []), ...Object.keys(each?.params ?? {})];
      expect(action.params).toEqual(expect.arrayContaining(given));
      expect(action.operation.record).toBe(record);
    }
  });
});

describe("actions that read for the cache only", () => {
  it("are not offered to callers", () => {
    for (const [, { actions }] of entities) expect(Object.keys(actions)).not.toContain("sync");
    expect(github.entities["issues"]?.sync[0]?.action.name).toBe("issues.sync");
  });
});
