import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { unpaced, withBatches } from "../support/fake-instance.ts";
import { allScopes, hello, resultOf } from "./support/cache.ts";
import { useCaches } from "./support/caches.ts";
import { addComment, addIssue, later, newest, remove } from "./support/change.ts";
import { expectEqual } from "./support/live.ts";
import { found } from "./support/world.ts";

// A sync that could not read everything removes nothing, and the next one goes on from there.

const running = useCaches({ synced: { scopes: allScopes } });
const { open, openEmpty, repository } = running;

describe("a failing platform", () => {
  const faults = [
    ["forbids one list", () => running.platform.fail({ kind: "forbidden" }), "platform_forbidden"],
    ["answers 502 for one list", () => running.platform.fail({ kind: "gateway", status: 502 }), "platform_failed"],
    [
      "cannot compute one list",
      () => running.platform.fail({ kind: "graphql-error", type: "MAX_NODE_LIMIT_EXCEEDED" }),
      "platform_too_complex",
    ],
  ] as const;

  it.each(faults)("that %s leaves the other entities complete and removes nothing", async (_title, fail, code) => {
    let failing = true;
    const cache = await open({ before: (operation) => void (failing && operation === "LabelsList" && fail()) });
    const made = repository();
    remove(made.labels, found(made.labels[0]));
    addIssue(made, later(newest(repository()), 60));
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
      before: (operation) => void (failing && operation === "PullRequestsSync" && running.platform.fail({ kind: "forbidden" })),
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
    const cache = await open({ before: () => running.platform.fail({ kind: "unauthorized" }) });
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
    running.platform.world.repositories = running.platform.world.repositories.filter((one) => one !== repository());
    const result = await cache.sync([hello], { entities: ["issues", "labels"] });
    expect(result.outcome).toBe("missing");
    expect(resultOf(result, "issues").problem?.code).toBe("not_found");
    expect(await cache.records("issues")).toEqual(before);
  });
});

describe("an answer with holes", () => {
  it.each([
    ["a record is missing", () => running.platform.fail({ kind: "null-nodes", at: [2] })],
    ["a field is missing", () => running.platform.fail({ kind: "field-error", field: "description", at: 1 })],
    ["single sign-on hides something", () => running.platform.fail({ kind: "sso-partial" })],
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
      checkpoint: null,
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
        void (failing && operation === "CommentsListBatch" && running.platform.fail({ kind: "null-nodes", at: [0] })),
    });
    const at = later(newest(repository()), 60);
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
      before: (operation) => void (operation === "CommitsSync" && running.platform.fail({ kind: "null-nodes", at: [0] })),
    });
    const before = (await cache.records("commits")).length;
    const options = { entities: ["commits"], full: true };
    await cache.sync([hello], {
      ...options,
      signal: end.signal,
      onProgress: ({ kind }) => void (kind === "page" && end.abort()),
    });
    expect((await cache.states()).find(({ entity }) => entity === "commits")?.checkpoint).not.toBe(null);
    running.platform.reset();
    running.plenty();
    // Only the first page lacked a record. The rest of the sync run has everything, and still nothing may be removed.
    const calm = await open({ from: cache.dataDir });
    expect(resultOf(await calm.sync([hello], options), "commits")).toMatchObject({ outcome: "partial", removed: 0 });
    expect((await calm.records("commits")).length).toBe(before);
    expect(resultOf(await calm.sync([hello], options), "commits").outcome).toBe("complete");
  });
});

describe("a sync that was asked to stop", () => {
  it("goes on from its last page", async () => {
    const cache = await openEmpty({ connector: withBatches(unpaced, 1) });
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

  it("goes on from its last page also where it reads a list again for what has changed meanwhile", async () => {
    let pages = 0;
    const cache = await open({
      before: (operation) => {
        if (operation !== "IssuesSync" || ++pages !== 2) return;
        const from = newest(repository());
        for (const [nth, issue] of repository().issues.entries()) issue.updatedAt = later(from, 600 * nth);
      },
    });
    const end = new AbortController();
    const options = { entities: ["issues"], full: true };
    // Both pages, then the first one again, which is all new.
    await cache.sync([hello], {
      ...options,
      signal: end.signal,
      onProgress: ({ kind }) => void (kind === "page" && pages === 3 && end.abort()),
    });
    expect(pages).toBe(3);
    expect((await cache.sync([hello], options)).outcome).toBe("complete");
    // The other page, the first one once more, and once again for what changed between the two syncs.
    expect(pages).toBe(6);
    await expectEqual(cache, allScopes, ["issues"]);
  });

  it("has records that are as old as their reading, until what has changed meanwhile is read too", async () => {
    let left = Number.POSITIVE_INFINITY;
    const cache = await open({
      before: (operation) => void (operation === "CommitsSync" && left-- === 0 && running.platform.fail({ kind: "forbidden" })),
    });
    const commits = async () => (await cache.states()).find(({ scope, entity }) => scope === hello && entity === "commits");
    const options = { entities: ["commits"], full: true };
    const end = new AbortController();
    await cache.sync([hello], {
      ...options,
      signal: end.signal,
      onProgress: ({ kind }) => void (kind === "page" && end.abort()),
    });
    const stopped = new Date().toISOString();
    // The two other pages come, but not the first one once more, which would have what came meanwhile.
    left = 2;
    const result = await cache.sync([hello], options);
    expect(resultOf(result, "commits")).toMatchObject({ outcome: "failed", problem: { code: "platform_forbidden" } });
    const cut = await commits();
    expect(cut?.checkpoint).toBeNull();
    expect((cut?.completedAt ?? "") < stopped).toBe(true);
    expect(resultOf(await cache.sync([hello], options), "commits").outcome).toBe("complete");
    expect(((await commits())?.completedAt ?? "") > stopped).toBe(true);
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
      .prepare("UPDATE store_states SET checkpoint = json_set(checkpoint, '$.after', 'rubbish') WHERE entity = 'commits'")
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
