import { describe, expect, it } from "vitest";
import { unpaced } from "../support/fake-instance.ts";
import { type Cache, hello, resultOf } from "./support/cache.ts";
import { useCaches } from "./support/caches.ts";
import { remove, removeIssue } from "./support/change.ts";
import { expectEqual } from "./support/live.ts";
import { found } from "./support/world.ts";

// Some changes cannot be seen from outside: an issue that was deleted, a comment that was edited where its issue stayed as it was. Each
// day a seventh of the parents is read again, themselves included.

const entities = ["issues", "pull_requests", "discussions", "comments", "reviews", "pr_comments"];
const day = 24 * 3_600_000;

const running = useCaches({ synced: { scopes: [hello], entities } });
const { open, repository } = running;

/** Moves what the store knows of its parts some days back, as if that time had passed. */
async function letPass(cache: Cache, days: number): Promise<void> {
  for (const { scope, entity, notes } of await cache.states()) {
    if (notes.verified === undefined) continue;
    const collection = { connector: unpaced.name, instance: "github", scope, entity };
    await cache.store.note(collection, { verified: notes.verified.map((at) => at - days * day) });
  }
}

/** Changes of which neither a time nor a count of another record tells. */
function changeInSilence(): void {
  const { issues, pullRequests, discussions } = repository();
  const commented = issues.filter(({ comments }) => comments.length > 1);
  found(found(commented[0]).comments[0]).body = "Edited in silence";
  remove(found(commented[1]).comments, found(found(commented[1]).comments[0]));
  found(issues.find(({ comments }) => comments.length === 0)).title = "Another title";
  removeIssue(repository(), found(commented[2]));
  const reviewed = pullRequests.filter(({ reviews }) => reviews.some(({ state }) => state !== "PENDING"));
  found(found(reviewed[0]).reviews.find(({ state }) => state !== "PENDING")).body = "Edited in silence";
  // Review comments belong to few pull requests. Without one of those, more than half of them would be gone.
  remove(pullRequests, found(reviewed.findLast(({ reviewThreads }) => reviewThreads.length === 0)));
  const { reviewThreads } = found(pullRequests.find((one) => one.reviewThreads.length > 0));
  found(found(reviewThreads[0]).comments[0]).body = "Edited in silence";
  found(discussions[0]).title = "Another title";
}

describe("changes that nothing tells of", () => {
  it("are found within a week of daily syncs, with few calls a day", async () => {
    const cache = await open();
    changeInSilence();
    for (let count = 0; count < 7; count++) {
      cache.calls.length = 0;
      await letPass(cache, 1);
      const result = await cache.sync([hello], { entities });
      expect(result.outcome).toBe("complete");
      const again = result.entities.flatMap(({ verification }) => verification ?? []);
      expect(again.length).toBeGreaterThanOrEqual(entities.length);
      const apart = again.reduce((sum, { calls }) => sum + calls, 0);
      const others = result.entities.reduce((sum, { calls }) => sum + calls, result.changeChecks.calls);
      expect(apart + others).toBe(cache.calls.length);
      expect(apart).toBeLessThanOrEqual(12);
    }
    await expectEqual(cache, [hello], entities);
  });

  it("are found at once after a pause of weeks", async () => {
    const cache = await open();
    changeInSilence();
    await letPass(cache, 12);
    const result = await cache.sync([hello], { entities });
    expect([result.outcome, resultOf(result, "issues").full]).toEqual(["complete", false]);
    expect(resultOf(result, "issues").verification).toMatchObject({ removed: 1, outcome: "complete" });
    await expectEqual(cache, [hello], entities);
  });

  it("are counted apart in the state of the sync", async () => {
    const cache = await open();
    await letPass(cache, 1);
    const { entities: results } = await cache.sync([hello], { entities: ["issues"] });
    const [result] = results;
    const state = (await cache.states()).find(({ entity }) => entity === "issues");
    expect(state?.notes.spent?.calls).toBe(result?.calls);
    expect(state?.notes.verification).toEqual({
      at: expect.any(String),
      calls: result?.verification?.calls,
      points: result?.verification?.points,
    });
    expect(result?.verification?.calls).toBeGreaterThan(0);
  });

  it("are not looked for twice on a day", async () => {
    const cache = await open();
    await letPass(cache, 1);
    await cache.sync([hello], { entities });
    const again = await cache.sync([hello], { entities });
    expect(again.entities.flatMap(({ verification }) => verification ?? [])).toEqual([]);
  });

  it("are found after a sync that was cut off while it read again", async () => {
    const cache = await open();
    changeInSilence();
    await letPass(cache, 12);
    for (const stopAt of [1, 2, 3]) {
      const end = new AbortController();
      let pages = 0;
      await cache.sync([hello], {
        entities,
        signal: end.signal,
        onProgress: ({ kind }) => void (kind === "page" && ++pages === stopAt && end.abort()),
      });
    }
    expect((await cache.sync([hello], { entities })).outcome).toBe("complete");
    await expectEqual(cache, [hello], entities);
  });

  it("are reported as not yet verified in the state of the sync", async () => {
    const cache = await open();
    await letPass(cache, 3);
    const before = (await cache.states()).find(({ entity }) => entity === "issues")?.notes.verified ?? [];
    expect(before.length).toBe(7);
    await cache.sync([hello], { entities: ["issues"] });
    const after = (await cache.states()).find(({ entity }) => entity === "issues")?.notes.verified ?? [];
    expect(after.filter((at, part) => at > (before[part] ?? 0)).length).toBe(3);
    expect(Math.min(...after)).toBe(Math.min(...before));
  });
});

describe("a platform that suddenly finds nothing", () => {
  it("does not make the records of a day disappear", async () => {
    const cache = await open({
      answer: (operation, { query }) => {
        if (operation !== "IssuesGetBatch") return undefined;
        const keys = query.match(/\bp\d+:/g)?.map((key) => key.slice(0, -1)) ?? [];
        const errors = keys.map((key) => ({ type: "NOT_FOUND", path: ["repository", key], message: "Could not resolve." }));
        return { data: { repository: Object.fromEntries(keys.map((key) => [key, null])) }, errors };
      },
    });
    const before = (await cache.records("issues")).length;
    await letPass(cache, 2);
    const result = await cache.sync([hello], { entities: ["issues"] });
    expect([result.outcome, resultOf(result, "issues").problem?.code]).toEqual(["refused", "mass_delete_refused"]);
    expect((await cache.records("issues")).length).toBe(before);
  });
});
