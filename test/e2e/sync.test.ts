import { describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import type { SyncResult } from "../../runtime/sync/index.ts";
import { unpaced } from "../support/fake-instance.ts";
import { allScopes, changes, entities, hello, resultOf } from "./support/cache.ts";
import { useCaches } from "./support/caches.ts";
import { addComment, addIssue, later, newest, push, remove } from "./support/change.ts";
import { dump, faultsOf } from "./support/dump.ts";
import { expectEqual } from "./support/live.ts";
import { label } from "./support/make.ts";
import { found } from "./support/world.ts";

// Syncs from the simulated platform, with store and instance put together as in the service. Each test begins with a copy of one complete
// sync, and most bring what has changed since.

const running = useCaches({ synced: { scopes: allScopes } });
const { open, openEmpty, repository } = running;

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
      expect(state).toMatchObject({
        checkpoint: null,
        problem: null,
        completedAt: expect.any(String),
        fullAt: expect.any(String),
      });
  });

  it("reads only the given entities and those of their parents", async () => {
    const cache = await openEmpty();
    const result = await cache.sync([hello], { entities: ["reviews"] });
    expect(result.entities.map(({ entity }) => entity).sort()).toEqual(["pull_requests", "reviews"]);
    expect(new Set(cache.calls)).toEqual(new Set(["ChangeCheck", "PullRequestsSync", "ReviewsListBatch"]));
  });
});

describe("the size of a page", () => {
  const calls = async (size: { readonly param: string; readonly value: number } | undefined) => {
    const labels = found(unpaced.entities["labels"]);
    const sync = labels.sync.map(({ size: _, ...plan }) => (size === undefined ? plan : { ...plan, size }));
    const connector = { ...unpaced, entities: { ...unpaced.entities, labels: { ...labels, sync } } };
    const cache = await openEmpty({ connector });
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
    expect(result.entities.reduce((sum, { calls }) => sum + calls, result.changeChecks.calls)).toBe(cache.calls.length);
    expect(running.syncCalls.length).toBeGreaterThan(2 * cache.calls.length);
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
    const cache = await openEmpty();
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
    const at = later(newest(repository()), 3600);
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
    const at = later(newest(repository()), 3600);
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
    const at = later(newest(repository()), 3600);
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
    found(first).updatedAt = later(newest(repository()), 60);
    expect(changes(await cache.sync([hello], { entities: ["comments"] }))).toEqual({
      issues: { inserted: 0, changed: 1, removed: 0 },
      comments: { inserted: 0, changed: 0, removed: 1 },
    });
    await expectEqual(cache, allScopes, ["issues", "comments"]);
  });

  it("removes files and folders that are gone, with all that was in them", async () => {
    const cache = await open();
    push(repository(), later(newest(repository()), 60), {
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
