import { rmSync } from "node:fs";
import Database from "better-sqlite3";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import type { TenonError } from "../../runtime/base/errors.ts";
import type { Condition } from "../../runtime/search/index.ts";
import { forgetInstance, type SyncResult } from "../../runtime/sync/index.ts";
import { type Platform, startPlatform } from "../../spec/github/simulator/start.ts";
import { unpaced, withBatches } from "../support/fake-instance.ts";
import {
  allScopes,
  byKey,
  type Cache,
  type CacheOptions,
  entities,
  hello,
  liveCache,
  newFolder,
  openCache,
  type Row,
  resultOf,
} from "./support/cache.ts";
import { addComment, addIssue, later, push, remove, removeIssue } from "./support/change.ts";
import { dump, faultsOf } from "./support/dump.ts";
import { label } from "./support/make.ts";
import { found, hello as helloOf } from "./support/world.ts";

// Syncs from the simulated platform, with store and instance put together as in the service. Each test begins with a copy of one complete sync.

let platform: Platform;
/** Folder of a store after one complete sync of all scopes. */
let base: string;
let baseCalls: string[];
let opened: Cache[] = [];

beforeAll(async () => {
  platform = await startPlatform();
  plenty();
  base = newFolder();
  const cache = await openCache(platform, { dataDir: base });
  const result = await cache.sync();
  expect(result.outcome).toBe("complete");
  baseCalls = cache.calls;
  await cache.close();
});

beforeEach(() => plenty());

afterEach(async () => {
  for (const cache of opened) await cache.close();
  opened = [];
  platform.reset();
});

afterAll(async () => {
  await platform.close();
  rmSync(base, { recursive: true, force: true });
});

/** Gives so much quota that no test depends on it. */
const plenty = () => platform.fail({ kind: "quota", remaining: 100_000, limit: 100_000 });

async function open(options: CacheOptions = {}): Promise<Cache> {
  const cache = await openCache(platform, { from: base, ...options });
  opened.push(cache);
  return cache;
}

/** Holds every call to the platform until `end`, so that a sync is certainly still running; `began` says that a first call is there. */
function gate(): { readonly began: Promise<void>; readonly end: () => void; readonly before: () => Promise<void> } {
  const first = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  return {
    began: first.promise,
    end: open.resolve,
    before: () => {
      first.resolve();
      return open.promise;
    },
  };
}

/** Expects that the store holds exactly the records that the platform shows, each once, and that its counts are right. */
async function expectEqual(
  cache: Cache,
  scopes: readonly string[] = allScopes,
  only: readonly string[] = entities,
): Promise<void> {
  const live = await liveCache(cache.instance, scopes, only);
  const counted: Record<string, number> = {};
  for (const { entity, records } of await cache.states()) counted[entity] = (counted[entity] ?? 0) + records;
  for (const entity of only) {
    const records = await cache.records(entity);
    expect(byKey(entity, records), entity).toEqual(byKey(entity, live.records[entity] ?? []));
    expect(counted[entity] ?? 0, `count of ${entity}`).toBe(live.counts[entity]);
  }
}

const changes = (result: Awaited<ReturnType<Cache["sync"]>>) =>
  Object.fromEntries(
    result.entities
      .filter(({ inserted, changed, removed }) => inserted + changed + removed > 0)
      .map(({ entity, inserted, changed, removed }) => [entity, { inserted, changed, removed }]),
  );

const repository = () => helloOf(platform.world);
const newest = () => repository().issues.reduce((latest, { updatedAt }) => (updatedAt > latest ? updatedAt : latest), "");

describe("a first sync", () => {
  it("fills every entity with exactly the records that the live actions give, each under a key of its own", async () => {
    const cache = await open();
    await expectEqual(cache);
    for (const entity of entities) expect((await cache.records(entity)).length, entity).toBeGreaterThan(0);
    await cache.store.close();
    expect(faultsOf(cache.file)).toEqual([]);
  });

  it("has a state for every entity of every scope that says complete, without a problem", async () => {
    const cache = await open();
    const states = await cache.states();
    const wanted = Object.entries(github.entities).flatMap(([entity, { sync }]) =>
      [...new Set(sync.map(({ scope }) => scope))].map(
        (kind) => `${allScopes.find((one) => one.startsWith(kind)) ?? kind} ${entity}`,
      ),
    );
    expect(states.map(({ scope, entity }) => `${scope} ${entity}`).sort()).toEqual(wanted.sort());
    for (const state of states)
      expect(state).toMatchObject({ position: null, problem: null, completedAt: expect.any(String), fullAt: expect.any(String) });
  });

  it("reads only the given entities and those of their parents", async () => {
    const cache = await openCache(platform);
    opened.push(cache);
    const result = await cache.sync([hello], { entities: ["reviews"] });
    expect(result.entities.map(({ entity }) => entity).sort()).toEqual(["pull_requests", "reviews"]);
    expect(new Set(cache.calls)).toEqual(new Set(["Probe", "PullRequestsSync", "ReviewsListBatch"]));
  });
});

describe("the size of a page", () => {
  const calls = async (size: { readonly param: string; readonly value: number } | undefined) => {
    const labels = found(unpaced.entities["labels"]);
    const sync = labels.sync.map(({ size: _, ...plan }) => (size === undefined ? plan : { ...plan, size }));
    const connector = { ...unpaced, entities: { ...unpaced.entities, labels: { ...labels, sync } } };
    const cache = await openCache(platform, { connector });
    opened.push(cache);
    return resultOf(await cache.sync([hello], { entities: ["labels"] }), "labels").calls;
  };

  it("is what the plan says, else the default of the action", async () => {
    expect(repository().labels.length).toBe(10);
    expect(await calls({ param: "per_page", value: 4 })).toBe(3);
    expect(await calls(undefined)).toBe(1);
  });
});

describe("a second sync", () => {
  it("with nothing changed changes nothing and reads no file, comment or review again", async () => {
    const cache = await open();
    const before = dump(cache.file);
    const result = await cache.sync();
    expect(result.outcome).toBe("complete");
    expect(changes(result)).toEqual({});
    expect(dump(cache.file)).toEqual(before);
    expect(cache.calls.filter((name) => /Comments|Reviews|FileContent|ProjectItems/.test(name))).toEqual([]);
    expect(cache.calls.filter((name) => /Sync|Directory|Labels|Tags/.test(name))).toEqual([]);
    expect(result.entities.reduce((sum, { calls }) => sum + calls, result.probes.calls)).toBe(cache.calls.length);
    expect(baseCalls.length).toBeGreaterThan(2 * cache.calls.length);
  });

  it("reads everything again when the spec has changed how it is read, and only once", async () => {
    const issues = unpaced.entities["issues"];
    const [first] = issues?.sync ?? [];
    if (issues === undefined || first?.cursor === undefined) throw new Error("issues are not synced by a cursor");
    const changed = { ...issues, sync: [{ ...first, cursor: { ...first.cursor, overlap: first.cursor.overlap + 1 } }] };
    const { operation } = first.action;
    // Another issue, which is read on request only: as a whole it makes the plan a circle.
    const { parent } = operation.record.fields;
    if (parent === undefined) throw new Error("issues have no parent");
    const record = {
      ...operation.record,
      fields: { ...operation.record.fields, parent: { ...parent, of: () => operation.record } },
    };
    const nested = { ...issues, sync: [{ ...first, action: { ...first.action, operation: { ...operation, record } } }] };
    for (const entity of [changed, nested]) {
      const cache = await open({ connector: { ...unpaced, entities: { ...unpaced.entities, issues: entity } } });
      const full = (result: SyncResult) => result.entities.find((one) => one.entity === "issues")?.full;
      expect(full(await cache.sync([hello], { entities: ["issues"] }))).toBe(true);
      expect(full(await cache.sync([hello], { entities: ["issues"] }))).toBe(false);
    }
  });

  it("takes two spellings of a scope in upper and lower case for the same scope", async () => {
    const cache = await openCache(platform);
    opened.push(cache);
    const spelt = "repository=OctoCat/Hello-World";
    const only = { entities: ["labels", "stargazers"] };
    await cache.sync([spelt, hello], only);
    const before = await cache.records("stargazers");
    expect(before.length).toBeGreaterThan(0);
    expect(changes(await cache.sync([hello], { ...only, full: true }))).toEqual({});
    expect(await cache.records("stargazers")).toEqual(before);
    expect(new Set((await cache.states()).map(({ scope }) => scope))).toEqual(new Set([spelt]));
  });

  it("brings exactly what was created and changed since", async () => {
    const cache = await open();
    const made = repository();
    const at = later(newest(), 3600);
    const [, , , , fifth, sixth] = made.issues;
    const added = addIssue(made, at);
    addComment(added, later(at, 1));
    addComment(found(fifth), later(at, 2));
    Object.assign(found(sixth), { title: "Another title", updatedAt: later(at, 3) });
    made.labels.push(label(made, "brand-new"));
    push(made, later(at, 4), { "docs/new/page.md": "A new page\n", "src/index.ts": "export {};\n" });
    const result = await cache.sync([hello]);
    expect(result.outcome).toBe("complete");
    expect(changes(result)).toEqual({
      issues: { inserted: 1, changed: 2, removed: 0 },
      comments: { inserted: 2, changed: 0, removed: 0 },
      labels: { inserted: 1, changed: 0, removed: 0 },
      commits: { inserted: 1, changed: 0, removed: 0 },
      branches: { inserted: 0, changed: 1, removed: 0 },
      directory_content: expect.objectContaining({ removed: 0 }),
      file_content: { inserted: 1, changed: 1, removed: 0 },
      repositories: { inserted: 0, changed: 1, removed: 0 },
      viewer_repositories: { inserted: 0, changed: 1, removed: 0 },
    });
    expect(cache.calls.filter((name) => name === "CommentsListBatch").length).toBe(1);
    expect(cache.calls.filter((name) => name === "FileContentGetBatch").length).toBe(1);
    await cache.sync();
    // Items of a project hold titles of issues, and are read again only when the project changes.
    await expectEqual(
      cache,
      allScopes,
      entities.filter((entity) => entity !== "project_items"),
    );
  });

  it("brings what changed at the very instant of the newest record, however many have it", async () => {
    const cache = await open();
    const made = repository();
    const at = later(newest(), 3600);
    for (const issue of made.issues) issue.updatedAt = at;
    expect((await cache.sync([hello], { entities: ["issues"] })).outcome).toBe("complete");
    // In the list this issue stands behind more than a page of others with the same time.
    Object.assign(found(made.issues.at(-1)), { title: "Changed within the same second" });
    addIssue(made, at, { title: "Made within the same second" });
    expect(changes(await cache.sync([hello], { entities: ["issues"] }))).toMatchObject({
      issues: { inserted: 1, changed: 1, removed: 0 },
    });
    await expectEqual(cache, allScopes, ["issues"]);
  });

  it("brings a comment that was made in the same second in which its thread was last read", async () => {
    const cache = await open();
    const at = later(new Date().toISOString(), 0);
    const thread = addIssue(repository(), at);
    addComment(thread, at);
    await cache.sync([hello], { entities: ["comments"] });
    addComment(thread, at);
    expect(changes(await cache.sync([hello], { entities: ["comments"] }))).toMatchObject({ comments: { inserted: 1 } });
  });

  it("brings what a slow clock of the platform dated up to a minute before the newest record", async () => {
    const cache = await open();
    const made = repository();
    const at = later(newest(), 3600);
    for (const issue of made.issues) issue.updatedAt = at;
    await cache.sync([hello], { entities: ["issues"] });
    addIssue(made, later(at, -59));
    expect(changes(await cache.sync([hello], { entities: ["issues"] }))).toMatchObject({
      issues: { inserted: 1, changed: 0, removed: 0 },
    });
  });

  it("removes the comment that a changed thread no longer has", async () => {
    const cache = await open();
    const [first] = repository().issues;
    const gone = found(found(first).comments[3]);
    remove(found(first).comments, gone);
    found(first).updatedAt = later(newest(), 60);
    expect(changes(await cache.sync([hello], { entities: ["comments"] }))).toEqual({
      issues: { inserted: 0, changed: 1, removed: 0 },
      comments: { inserted: 0, changed: 0, removed: 1 },
    });
    await expectEqual(cache, allScopes, ["issues", "comments"]);
  });

  it("removes files and folders that are gone, with all that was in them", async () => {
    const cache = await open();
    push(repository(), later(newest(), 60), {
      "src/parser/parse.ts": null,
      "src/parser/deep/er/still/leaf.ts": null,
      "src/index.ts": "changed\n",
    });
    const result = await cache.sync([hello], { entities: ["file_content", "branches", "commits"] });
    expect(result.outcome).toBe("complete");
    expect(changes(result)).toMatchObject({ file_content: { removed: 2, changed: 1 } });
    await expectEqual(cache, allScopes, ["directory_content", "file_content", "commits", "branches"]);
  });
});

describe("a full sync", () => {
  it("removes records that the platform no longer has, with all that belonged to them", async () => {
    const cache = await open();
    const made = repository();
    const first = found(made.issues[0]);
    expect(first.comments.length).toBeGreaterThan(100);
    const pull = found(made.pullRequests.find(({ reviews, comments }) => reviews.length > 0 && comments.length > 0));
    removeIssue(made, first);
    remove(made.pullRequests, pull);
    for (const issue of made.issues) issue.projectItems = [];
    for (const organization of platform.world.organizations)
      for (const project of organization.projects)
        remove(project.items, ...project.items.filter(({ content }) => content === first || content === pull));
    const incremental = await cache.sync([hello], { entities: ["issues"] });
    expect(resultOf(incremental, "issues").removed).toBe(0);
    const result = await cache.sync(allScopes, { full: true });
    expect(result.outcome).toBe("complete");
    expect(changes(result)).toMatchObject({
      issues: { removed: 1 },
      pull_requests: { removed: 1 },
      comments: { removed: first.comments.length + pull.comments.length },
      reviews: { removed: pull.reviews.filter(({ state }) => state !== "PENDING").length },
    });
    await expectEqual(cache);
    await cache.store.close();
    expect(faultsOf(cache.file)).toEqual([]);
  });

  it("reads everything again and changes nothing where nothing has changed", async () => {
    const cache = await open();
    const before = dump(cache.file);
    const result = await cache.sync(allScopes, { full: true });
    expect(result.entities.every(({ full }) => full)).toBe(true);
    expect(changes(result)).toEqual({});
    // Folders that are known already are read together, while a first sync has to find them level by level.
    const names = (calls: readonly string[]) => calls.filter((name) => name !== "DirectoryContentListBatch").sort();
    expect(names(cache.calls)).toEqual(names(baseCalls));
    expect(cache.calls.length).toBeLessThan(baseCalls.length);
    expect(dump(cache.file)).toEqual(before);
  });

  it("does not remove a record that moves to the front of its list while that is read", async () => {
    let pages = 0;
    const cache = await open({
      before: (operation) => {
        if (operation !== "IssuesSync" || ++pages !== 2) return;
        const last = repository().issues.toSorted((a, b) => (a.updatedAt < b.updatedAt ? -1 : 1))[0];
        found(last).updatedAt = later(newest(), 60);
      },
    });
    const result = await cache.sync([hello], { full: true, entities: ["issues"] });
    // Two pages, then the first page once more.
    expect([resultOf(result, "issues").calls, resultOf(result, "issues").removed]).toEqual([3, 0]);
    await expectEqual(cache, allScopes, ["issues"]);
  });
});

describe("a removal of more than half", () => {
  it("is refused until it is allowed, while the other entities are complete", async () => {
    const cache = await open();
    const made = repository();
    const before = (await cache.records("labels")).length;
    remove(made.labels, ...made.labels.slice(0, 6));
    made.labels.push(label(made, "another"));
    const refused = await cache.sync([hello]);
    expect([refused.outcome, resultOf(refused, "labels").outcome, resultOf(refused, "labels").removed]).toEqual([
      "refused",
      "refused",
      0,
    ]);
    expect(refused.entities.filter(({ outcome }) => outcome !== "complete").map(({ entity }) => entity)).toEqual(["labels"]);
    expect((await cache.records("labels")).length).toBe(before + 1);
    expect((await cache.states()).find(({ entity }) => entity === "labels")).toMatchObject({
      problem: "mass_delete_refused",
      position: null,
    });
    expect((await cache.sync([hello], { entities: ["labels"] })).outcome).toBe("refused");
    const allowed = await cache.sync([hello], { entities: ["labels"], massDelete: true });
    expect([allowed.outcome, resultOf(allowed, "labels").removed]).toEqual(["complete", 6]);
    expect((await cache.states()).find(({ entity }) => entity === "labels")?.problem).toBe(null);
    await expectEqual(cache, allScopes, ["labels"]);
  });

  it("does not include a removal of exactly half", async () => {
    const cache = await open();
    const made = repository();
    expect(made.labels.length).toBe(10);
    remove(made.labels, ...made.labels.slice(0, 5));
    const result = await cache.sync([hello], { entities: ["labels"] });
    expect([resultOf(result, "labels").outcome, resultOf(result, "labels").removed]).toEqual(["complete", 5]);
  });

  it("is refused each time until it is allowed, also where threads that changed have lost their comments", async () => {
    const cache = await open();
    const at = later(newest(), 60);
    for (const thread of [...repository().issues, ...repository().pullRequests].filter(({ comments }) => comments.length > 1)) {
      thread.comments.splice(1);
      thread.updatedAt = at;
    }
    const before = (await cache.records("comments")).length;
    for (const _ of [1, 2]) {
      expect(resultOf(await cache.sync([hello], { entities: ["comments"] }), "comments")).toMatchObject({
        outcome: "refused",
        removed: 0,
      });
      expect((await cache.records("comments")).length).toBe(before);
    }
    expect(resultOf(await cache.sync([hello], { entities: ["comments"], massDelete: true }), "comments").removed).toBeGreaterThan(
      before / 2,
    );
    await expectEqual(cache, allScopes, ["comments"]);
  });
});

describe("a failing platform", () => {
  const faults = [
    ["forbids one list", () => platform.fail({ kind: "forbidden" }), "platform_forbidden"],
    ["answers 502 for one list", () => platform.fail({ kind: "gateway", status: 502 }), "platform_failed"],
    [
      "cannot compute one list",
      () => platform.fail({ kind: "graphql-error", type: "MAX_NODE_LIMIT_EXCEEDED" }),
      "platform_too_complex",
    ],
  ] as const;

  it.each(faults)("that %s leaves the other entities complete and removes nothing", async (_title, fail, code) => {
    let failing = true;
    const cache = await open({ before: (operation) => void (failing && operation === "LabelsList" && fail()) });
    const made = repository();
    remove(made.labels, found(made.labels[0]));
    addIssue(made, later(newest(), 60));
    const before = await cache.records("labels");
    const result = await cache.sync([hello], { entities: ["labels", "issues", "tags"] });
    expect(result.outcome).toBe("partial");
    expect(resultOf(result, "labels")).toMatchObject({ outcome: "failed", removed: 0, problem: { code } });
    expect(result.entities.filter(({ outcome }) => outcome !== "complete").map(({ entity }) => entity)).toEqual(["labels"]);
    expect(await cache.records("labels")).toEqual(before);
    expect((await cache.states()).find(({ entity }) => entity === "labels")?.problem).toBe(code);
    expect(resultOf(result, "issues").inserted).toBe(1);
    failing = false;
    expect(resultOf(await cache.sync([hello], { entities: ["labels"] }), "labels")).toMatchObject({
      outcome: "complete",
      removed: 1,
    });
  });

  it("that forbids a list skips what belongs to its records, and the next sync brings all", async () => {
    let failing = true;
    const cache = await open({
      before: (operation) => void (failing && operation === "PullRequestsSync" && platform.fail({ kind: "forbidden" })),
    });
    const made = repository();
    for (const thread of [made.pullRequests[0], made.issues[0]]) addComment(found(thread), "2030-01-01T00:00:00Z");
    const result = await cache.sync([hello]);
    const outcomes = Object.fromEntries(result.entities.map(({ entity, outcome }) => [entity, outcome]));
    expect(outcomes).toMatchObject({
      pull_requests: "failed",
      reviews: "skipped",
      pr_comments: "skipped",
      comments: "skipped",
      issues: "complete",
    });
    failing = false;
    expect((await cache.sync([hello], { entities: ["comments"] })).outcome).toBe("complete");
    await expectEqual(cache, allScopes, ["pull_requests", "comments"]);
  });

  it("that no longer takes the token ends the sync soon", async () => {
    const cache = await open({ before: () => platform.fail({ kind: "unauthorized" }) });
    const result = await cache.sync();
    expect(result.outcome).toBe("partial");
    expect(new Set(result.entities.map(({ outcome }) => outcome))).toEqual(new Set(["failed", "skipped"]));
    // Of each scope only the first entity was tried.
    const tried = result.entities.filter(({ outcome }) => outcome === "failed").map(({ scope }) => scope);
    expect(tried.sort()).toEqual([...new Set(result.entities.map(({ scope }) => scope))].sort());
    // Each scope also asks what has changed, until nothing is sent any more.
    expect(cache.calls.length).toBeLessThanOrEqual(5);
  });

  it("on which a repository is gone removes nothing", async () => {
    const cache = await open();
    const before = await cache.records("issues");
    platform.world.repositories = platform.world.repositories.filter((one) => one !== repository());
    const result = await cache.sync([hello], { entities: ["issues", "labels"] });
    expect(result.outcome).toBe("partial");
    expect(resultOf(result, "issues").problem?.code).toBe("not_found");
    expect(await cache.records("issues")).toEqual(before);
  });
});

describe("an answer with holes", () => {
  it.each([
    ["a record is missing", () => platform.fail({ kind: "null-nodes", at: [2] })],
    ["a field is missing", () => platform.fail({ kind: "field-error", field: "description", at: 1 })],
    ["single sign-on hides something", () => platform.fail({ kind: "sso-partial" })],
  ])("removes nothing where %s, and says partial", async (_title, fail) => {
    let failing = true;
    const cache = await open({ before: (operation) => void (failing && operation === "LabelsList" && fail()) });
    const made = repository();
    remove(made.labels, found(made.labels[0]));
    const before = (await cache.records("labels")).length;
    const result = await cache.sync([hello], { entities: ["labels"] });
    expect([result.outcome, resultOf(result, "labels").outcome, resultOf(result, "labels").removed]).toEqual([
      "partial",
      "partial",
      0,
    ]);
    expect((await cache.records("labels")).length).toBe(before);
    expect((await cache.states()).find(({ entity }) => entity === "labels")).toMatchObject({
      problem: "partial_results",
      position: null,
    });
    failing = false;
    const next = await cache.sync([hello], { entities: ["labels"] });
    expect([next.outcome, resultOf(next, "labels").removed]).toEqual(["complete", 1]);
    await expectEqual(cache, allScopes, ["labels"]);
  });

  it("is read again by the next sync, also where it belonged to one thread", async () => {
    let failing = true;
    const cache = await open({
      before: (operation) =>
        void (failing && operation === "CommentsListBatch" && platform.fail({ kind: "null-nodes", at: [0] })),
    });
    const at = later(newest(), 60);
    const made = addIssue(repository(), at);
    addComment(made, at);
    addComment(made, later(at, 1));
    const first = await cache.sync([hello], { entities: ["comments"] });
    expect(resultOf(first, "comments")).toMatchObject({ outcome: "partial", inserted: 1 });
    failing = false;
    expect(resultOf(await cache.sync([hello], { entities: ["comments"] }), "comments")).toMatchObject({
      outcome: "complete",
      inserted: 1,
    });
    await expectEqual(cache, allScopes, ["comments"]);
  });

  it("is remembered when the sync is cut off behind it", async () => {
    const end = new AbortController();
    const cache = await open({
      before: (operation) => void (operation === "CommitsSync" && platform.fail({ kind: "null-nodes", at: [0] })),
    });
    const before = (await cache.records("commits")).length;
    const options = { entities: ["commits"], full: true };
    await cache.sync([hello], {
      ...options,
      signal: end.signal,
      onProgress: ({ kind }) => void (kind === "page" && end.abort()),
    });
    expect((await cache.states()).find(({ entity }) => entity === "commits")?.position).not.toBe(null);
    platform.reset();
    plenty();
    // Only the first page lacked a record. The rest of the pass has everything, and still nothing may be removed.
    const calm = await openCache(platform, { from: cache.dataDir });
    opened.push(calm);
    expect(resultOf(await calm.sync([hello], options), "commits")).toMatchObject({ outcome: "partial", removed: 0 });
    expect((await calm.records("commits")).length).toBe(before);
    expect(resultOf(await calm.sync([hello], options), "commits").outcome).toBe("complete");
  });
});

describe("a sync that was asked to stop", () => {
  it("goes on from its last page", async () => {
    const cache = await openCache(platform, { connector: withBatches(unpaced, 1) });
    opened.push(cache);
    let pages = 0;
    const end = new AbortController();
    const stopped = await cache.sync([hello], {
      entities: ["comments"],
      signal: end.signal,
      onProgress: ({ kind }) => void (kind === "page" && ++pages === 60 && end.abort()),
    });
    expect(stopped.outcome).toBe("partial");
    const before = cache.calls.length;
    expect((await cache.sync([hello], { entities: ["comments"] })).outcome).toBe("complete");
    // Reading everything would take 130 calls.
    expect(cache.calls.length - before).toBeLessThan(80);
    await expectEqual(cache, [hello], ["issues", "pull_requests", "comments"]);
  });

  it("begins a list anew when the platform no longer knows its cursor", async () => {
    const cache = await open();
    let pages = 0;
    const end = new AbortController();
    const options = { entities: ["commits"], full: true };
    await cache.sync([hello], {
      ...options,
      signal: end.signal,
      onProgress: ({ kind }) => void (kind === "page" && ++pages === 1 && end.abort()),
    });
    const db = new Database(cache.file);
    const changed = db
      .prepare("UPDATE states SET position = json_set(position, '$.after', 'rubbish') WHERE entity = 'commits'")
      .run();
    db.close();
    expect(changed.changes).toBe(1);
    cache.calls.length = 0;
    const result = await cache.sync([hello], options);
    expect(resultOf(result, "commits")).toMatchObject({ outcome: "complete", removed: 0 });
    // One call with the refused cursor, then all three pages, then the first once more for what came meanwhile.
    expect(cache.calls.filter((name) => name === "CommitsSync").length).toBe(5);
    await expectEqual(cache, allScopes, ["commits"]);
  });
});

describe("two instances in one file", () => {
  it("do not see each other's records, words, counts, states and removals", async () => {
    const other = await startPlatform({ seed: 99 });
    other.fail({ kind: "quota", remaining: 100_000, limit: 100_000 });
    const some = ["comments", "labels"];
    const mine = [...some, "issues", "pull_requests"];
    try {
      const cache = await open();
      const before = Object.fromEntries(
        await Promise.all(entities.map(async (entity) => [entity, await cache.records(entity)] as const)),
      );
      const states = await cache.states();
      for (const issue of helloOf(other.world).issues) issue.title = "Zanzibar";
      const second = await openCache(other, { dataDir: cache.dataDir, name: "second" });
      opened.push(second);
      expect(await second.states()).toEqual([]);
      expect(await second.records("issues")).toEqual([]);
      expect((await second.sync([hello], { entities: some })).outcome).toBe("complete");
      await expectEqual(second, [hello], mine);
      expect(
        Object.fromEntries(await Promise.all(entities.map(async (entity) => [entity, await cache.records(entity)] as const))),
      ).toEqual(before);
      expect(await cache.states()).toEqual(states);
      // Filters that find records of one instance find none of the other, by whichever index.
      const title = (operator: string, operand: unknown) => ({ kind: "test", operator, field: "title", operand }) as Condition;
      const ways: Condition[] = [
        title("keyword", "zanzibar"),
        title("fuzzy", "zanzibra"),
        title("like", "Zan%"),
        title("like", "%anziba%"),
        title("eq", "Zanzibar"),
        title("in", ["Zanzibar", "x"]),
        title("gte", "Zanzibar"),
        { kind: "not", condition: { kind: "not", condition: title("eq", "Zanzibar") } },
        { kind: "or", conditions: [title("eq", "Zanzibar"), title("keyword", "zanzibar")] },
        { kind: "and", conditions: [title("keyword", "zanzibar"), title("eq", "Zanzibar")] },
      ];
      const shelf = { connector: "github", entity: "issues" };
      const late = performance.now() + 20_000;
      const query = { limit: 10_000, fields: null, explain: false };
      for (const filter of ways)
        for (const sort of [[], [{ field: "updatedAt", direction: "desc" }], [{ field: "title", direction: "asc" }]] as const) {
          const titles = async ({ store }: Cache, instance: string) => {
            const { json } = await store.search({ ...shelf, instance }, { ...query, filter, sort }, late);
            return (JSON.parse(new TextDecoder().decode(json)) as Row[]).map((row) => row["title"]);
          };
          expect((await titles(cache, "github")).filter((one) => one === "Zanzibar")).toEqual([]);
          const own = (await titles(second, "second")).filter((one) => one === "Zanzibar");
          expect(own.length).toBe(helloOf(other.world).issues.length);
        }
      // A removal in one instance removes nothing from the other.
      const made = helloOf(other.world);
      for (const issue of made.issues.slice(1)) removeIssue(made, issue);
      expect((await second.sync([hello], { entities: some, full: true, massDelete: true })).outcome).toBe("complete");
      await expectEqual(second, [hello], mine);
      expect(
        Object.fromEntries(await Promise.all(entities.map(async (entity) => [entity, await cache.records(entity)] as const))),
      ).toEqual(before);
      expect(await cache.states()).toEqual(states);
    } finally {
      await other.close();
    }
  });
});

describe("a second sync at the same time", () => {
  it("is refused, and the first one is not disturbed", async () => {
    const { began, end, before } = gate();
    const cache = await open({ before });
    const running = cache.sync();
    await began;
    await expect(cache.sync()).rejects.toMatchObject({ code: "sync_running" } satisfies Partial<TenonError>);
    const place = { connector: "github", instance: "github" };
    expect(await cache.store.leased(place)).toBe(true);
    end();
    expect((await running).outcome).toBe("complete");
    expect(await cache.store.leased(place)).toBe(false);
    expect((await cache.sync([hello], { entities: ["labels"] })).outcome).toBe("complete");
  });

  it("is refused to another process too, but not to another instance", async () => {
    const { began, end, before } = gate();
    const cache = await open({ before });
    const other = await openCache(platform, { dataDir: cache.dataDir });
    const third = await openCache(platform, { dataDir: cache.dataDir, name: "third" });
    opened.push(other, third);
    const running = cache.sync();
    await began;
    await expect(other.sync()).rejects.toMatchObject({ code: "sync_running" });
    expect((await third.sync([hello], { entities: ["labels"] })).outcome).toBe("complete");
    end();
    expect((await running).outcome).toBe("complete");
    expect((await other.sync([hello], { entities: ["labels"] })).outcome).toBe("complete");
  });

  it("ends when another process removes the instance, stores nothing more, and none can begin after it", async () => {
    const { began, end, before } = gate();
    const cache = await open();
    await cache.sync([hello], { entities: ["labels"] });
    const held = await openCache(platform, { dataDir: cache.dataDir, before });
    const remover = await openCache(platform, { dataDir: cache.dataDir });
    opened.push(held, remover);
    const running = held.sync();
    await began;
    const place = { connector: "github", instance: "github" };
    const gone = { code: "unknown_connector", message: "This connector was removed." };
    await forgetInstance(place, remover.store, new AbortController().signal, async () => {
      expect(await remover.states()).toEqual([]);
      // While the removal is still under way.
      end();
      await expect(running).rejects.toMatchObject(gone);
    });
    await expect(cache.sync()).rejects.toMatchObject(gone);
    expect([await cache.states(), await cache.records("labels")]).toEqual([[], []]);
  });

  it("keeps an instance whose removal fails", async () => {
    const cache = await open();
    const place = { connector: "github", instance: "github" };
    const failing = forgetInstance(place, cache.store, new AbortController().signal, () => Promise.reject(new Error("no")));
    await expect(failing).rejects.toThrow("no");
    expect((await cache.sync([hello], { entities: ["labels"] })).outcome).toBe("complete");
  });

  it("may take over when the first one has died and its time is up", async () => {
    const cache = await open();
    const place = { connector: "github", instance: "github" };
    expect(await cache.store.lease(place, "one that died", 60)).not.toBeNull();
    await expect(cache.sync()).rejects.toMatchObject({ code: "sync_running" });
    const db = new Database(cache.file);
    db.prepare("UPDATE leases SET until = ?").run(Date.now() - 1);
    db.close();
    expect((await cache.sync([hello], { entities: ["labels"] })).outcome).toBe("complete");
  });
});
