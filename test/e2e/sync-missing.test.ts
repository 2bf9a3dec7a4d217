import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { createRandom } from "../../runtime/simulated/github/seed/random.ts";
import { unpaced, withBatches } from "../support/fake-instance.ts";
import { type Cache, type CacheOptions, hello, instanceOn, resultOf } from "./support/cache.ts";
import { useCaches } from "./support/caches.ts";
import { keepFirst, later, remove, removeIssue } from "./support/change.ts";
import { byKey, expectEqual, liveRecords } from "./support/live.ts";
import { found } from "./support/world.ts";

// The platform says "not found" while a sync reads what belongs to one parent after the other. Where only the parent is gone, its
// records go with it. Where anything above the parent is missing, the sync run fails and removes nothing.

const entities = ["pull_requests", "reviews", "pr_comments", "issues", "comments", "directory_content", "file_content"];
// The guard against removing more than half would hide what these tests look for.
const full = { entities, full: true, massDelete: true };

/** Every parent has a call of its own, so that an answer can be made for one of them. */
const single = withBatches(unpaced, 1);

const running = useCaches({
  connector: single,
  synced: { scopes: [hello], entities },
  shorten: (whole) => keepFirst(whole, 45, 14),
});
const { open, repository } = running;

/** An answer with an error of type NOT_FOUND at a path. */
const notFound = (data: object, path: readonly (string | number)[]) => ({
  data,
  errors: [{ type: "NOT_FOUND", path, message: "Could not resolve." }],
});

/** Lets some calls of an operation through, and answers the next ones itself. */
function standIn(skip: number, operation: string, body: object, times = Number.POSITIVE_INFINITY): CacheOptions {
  let calls = 0;
  return {
    answer: (name) => {
      if (name !== operation) return undefined;
      calls++;
      return calls > skip && calls <= skip + times ? body : undefined;
    },
  };
}

async function counts(cache: Cache): Promise<Record<string, number>> {
  return Object.fromEntries(
    await Promise.all(entities.map(async (entity) => [entity, (await cache.records(entity)).length] as const)),
  );
}

const noRepository = { data: { repository: null } };
const reviews = { nodes: [null, null] };

describe("a full sync in which something above a parent is not found", () => {
  it.each([
    ["the repository is null", "reviews", "ReviewsListBatch", noRepository],
    ["the repository is null with an error", "reviews", "ReviewsListBatch", notFound({ repository: null }, ["repository"])],
    ["an error has no path", "reviews", "ReviewsListBatch", notFound({ repository: null }, [])],
    ["the list is null", "reviews", "ReviewsListBatch", { data: { repository: { p0: { reviews: null } } } }],
    [
      "everything in the list is null",
      "reviews",
      "ReviewsListBatch",
      notFound({ repository: { p0: { reviews } } }, ["repository", "p0", "reviews", "nodes", 0]),
    ],
    ["the repository is null for a list of lists", "pr_comments", "PrCommentsListBatch", noRepository],
    ["the repository is null for comments", "comments", "CommentsListBatch", noRepository],
    ["the repository is null for a folder", "directory_content", "DirectoryContentListBatch", noRepository],
    ["the repository is null for a file", "file_content", "FileContentGetBatch", noRepository],
    [
      "the repository is null for a file with an error",
      "file_content",
      "FileContentGetBatch",
      notFound({ repository: null }, ["repository"]),
    ],
  ])("removes nothing and fails where %s, and the next one brings all", async (_title, entity, operation, body) => {
    let failing = true;
    const { answer } = standIn(3, operation, body);
    const cache = await open({ answer: (...asked) => (failing ? answer?.(...asked) : undefined) });
    const before = await counts(cache);
    const result = await cache.sync([hello], { ...full, entities: [entity] });
    expect(result.outcome).toBe("partial");
    const failed = result.entities.filter(({ outcome }) => outcome === "failed");
    expect(failed.map((one) => [one.entity, one.problem?.code])).toEqual([[entity, "not_found"]]);
    expect(failed[0]?.problem?.message).toMatch(/^GitHub had nothing.* of repository=octocat\/hello-world were read .*--full/);
    expect(await counts(cache)).toEqual(before);
    failing = false;
    expect((await cache.sync([hello], { ...full, entities: [entity] })).outcome).toBe("complete");
    expect(await counts(cache)).toEqual(before);
  });

  it("names the key of the answer that is null", async () => {
    const cache = await open(standIn(3, "ReviewsListBatch", noRepository));
    const { problem } = resultOf(await cache.sync([hello], { ...full, entities: ["reviews"] }), "reviews");
    expect(problem?.message).toContain('nothing at "repository" of its answer while reviews of repository=octocat/hello-world');
  });

  it("removes nothing where the token loses its access midway", async () => {
    let calls = 0;
    const cache = await open({
      before: (operation) => {
        if (operation === "ReviewsListBatch" && ++calls === 5)
          running.platform.world.repositories = running.platform.world.repositories.filter((one) => one !== repository());
      },
    });
    const before = await counts(cache);
    expect(resultOf(await cache.sync([hello], { ...full, entities: ["reviews"] }), "reviews")).toMatchObject({
      outcome: "failed",
      removed: 0,
      problem: { code: "not_found" },
    });
    expect(await counts(cache)).toEqual(before);
  });
});

describe("a full sync in which one parent is gone", () => {
  it.each([
    ["null", { data: { repository: { p0: null } } }],
    ["null with an error", notFound({ repository: { p0: null } }, ["repository", "p0"])],
  ])("removes what belonged to it where it is %s, and ends complete", async (_title, body) => {
    const cache = await open(standIn(3, "ReviewsListBatch", body, 1));
    const before = await cache.records("reviews");
    const result = resultOf(await cache.sync([hello], { ...full, entities: ["reviews"] }), "reviews");
    expect(result.outcome).toBe("complete");
    expect(result.removed).toBeGreaterThan(0);
    const left = new Set((await cache.records("reviews")).map(({ id }) => id));
    const gone = before.filter(({ id }) => !left.has(id));
    expect(gone.length).toBe(result.removed);
    expect(new Set(gone.map(({ number }) => number)).size).toBe(1);
  });

  it("removes what belonged to it where it was deleted after its own list was read", async () => {
    const pull = found(repository().pullRequests.findLast(({ reviews }) => reviews.some(({ state }) => state !== "PENDING")));
    const cache = await open({
      before: (operation) => void (operation === "ReviewsListBatch" && remove(repository().pullRequests, pull)),
    });
    const result = resultOf(await cache.sync([hello], { ...full, entities: ["reviews"] }), "reviews");
    expect([result.outcome, result.removed]).toEqual([
      "complete",
      pull.reviews.filter(({ state }) => state !== "PENDING").length,
    ]);
  });

  it("removes what was in a folder that became a file", async () => {
    // An object of another type answers nothing to the fragment that asks for entries.
    const cache = await open(standIn(2, "DirectoryContentListBatch", { data: { repository: { p0: {} } } }, 1));
    const result = resultOf(await cache.sync([hello], { ...full, entities: ["directory_content"] }), "directory_content");
    expect(result.outcome).toBe("complete");
    expect(result.removed).toBeGreaterThan(0);
  });
});

describe("a sync run that fails each time", () => {
  it("starts again as a full one when a full one is due, so that missing parents do not stop it for ever", async () => {
    let failing = true;
    const { answer } = standIn(0, "CommentsListBatch", noRepository);
    const cache = await open({ answer: (...asked) => (failing ? answer?.(...asked) : undefined) });
    found(repository().issues.find(({ comments }) => comments.length > 0)).updatedAt = later(new Date().toISOString(), 60);
    expect(resultOf(await cache.sync([hello], { entities: ["comments"] }), "comments").outcome).toBe("failed");
    const db = new Database(cache.file);
    db.prepare("UPDATE store_states SET full_at = '2020-01-01T00:00:00.000Z', notes = json_remove(notes, '$.verified')").run();
    db.close();
    failing = false;
    const result = resultOf(await cache.sync([hello], { entities: ["comments"] }), "comments");
    expect([result.outcome, result.full]).toEqual(["complete", true]);
  });
});

const seeds = Number(process.env["TENON_TEST_SEEDS"] ?? 2);

describe("a platform that finds less and less", () => {
  it.each(Array.from({ length: seeds }, (_, index) => index + 1))(
    "never makes a full sync remove a record that it still has (seed %i)",
    async (seed) => {
      const random = createRandom(seed);
      let calm = false;
      const strange = [
        noRepository,
        notFound({ repository: null }, ["repository"]),
        notFound({ repository: null }, []),
        notFound({ repository: null }, ["repository", "name"]),
      ];
      const operations = [
        "ReviewsListBatch",
        "PrCommentsListBatch",
        "CommentsListBatch",
        "DirectoryContentListBatch",
        "FileContentGetBatch",
      ];
      const cache = await open({
        before: () => {
          if (calm || !random.chance(0.05)) return;
          const { issues, pullRequests } = repository();
          if (random.chance(0.5) && issues.length > 30) removeIssue(repository(), random.pick(issues));
          else if (pullRequests.length > 10) remove(pullRequests, random.pick(pullRequests));
        },
        answer: (operation) =>
          !calm && operations.includes(operation) && random.chance(0.07) ? random.pick(strange) : undefined,
      });
      for (let syncs = 0; syncs < 3; syncs++) {
        await cache.sync([hello], { entities, full: random.chance(0.7), massDelete: true });
        const live = await liveRecords(instanceOn(running.platform, cache.store, "github", unpaced), [hello], entities);
        for (const entity of entities) {
          const kept = byKey(entity, await cache.records(entity));
          const lost = Object.keys(byKey(entity, live[entity] ?? [])).filter((key) => !Object.hasOwn(kept, key));
          expect(lost, entity).toEqual([]);
        }
      }
      calm = true;
      // The first one ends what was cut off; what was read before may have gone since.
      for (let syncs = 0; syncs < 2; syncs++) expect((await cache.sync([hello], full)).outcome).toBe("complete");
      await expectEqual(cache, [hello], entities);
    },
    60_000,
  );
});
