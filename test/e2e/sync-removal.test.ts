import { describe, expect, it } from "vitest";
import { allScopes, changes, hello, resultOf } from "./support/cache.ts";
import { useCaches } from "./support/caches.ts";
import { later, newest, remove, removeIssue } from "./support/change.ts";
import { dump, faultsOf } from "./support/dump.ts";
import { expectEqual } from "./support/live.ts";
import { label } from "./support/make.ts";
import { found } from "./support/world.ts";

// A sync removes what the platform no longer has, and refuses to remove most of an entity.

const running = useCaches({ synced: { scopes: allScopes } });
const { open, repository } = running;

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
    for (const organization of running.platform.world.organizations)
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
    expect(names(cache.calls)).toEqual(names(running.syncCalls));
    expect(cache.calls.length).toBeLessThan(running.syncCalls.length);
    expect(dump(cache.file)).toEqual(before);
  });

  it("does not remove a record that moves to the front of its list while that is read", async () => {
    let pages = 0;
    const cache = await open({
      before: (operation) => {
        if (operation !== "IssuesSync" || ++pages !== 2) return;
        const last = repository().issues.toSorted((a, b) => (a.updatedAt < b.updatedAt ? -1 : 1))[0];
        found(last).updatedAt = later(newest(repository()), 60);
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
      checkpoint: null,
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
    const at = later(newest(repository()), 60);
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
