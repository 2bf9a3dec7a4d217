import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRandom, type Random } from "../../runtime/simulated/github/seed/random.ts";
import { type Platform, startPlatform } from "../support/github/start.ts";
import { type Cache, hello, openCache } from "./support/cache.ts";
import { addComment, addIssue, push, remove, removeIssue } from "./support/change.ts";
import { faultsOf } from "./support/dump.ts";
import { byKey, liveRecords } from "./support/live.ts";
import { label } from "./support/make.ts";
import { hello as helloOf } from "./support/world.ts";

// The platform changes between the pages of a sync: records come, go, move to the front of their list, and have equal timestamps,
// because many things happen within a second. A calm sync afterwards leaves exactly what the platform has.

let platform: Platform;

beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

const moving = ["issues", "pull_requests", "comments", "labels", "stargazers", "commits", "directory_content", "file_content"];

/** The time as the platform has it, in whole seconds. */
const now = () => `${new Date().toISOString().slice(0, 19)}Z`;

/** Does at random one thing that people do on a platform. */
function change(random: Random, removals: boolean): void {
  const repository = helloOf(platform.world);
  const { issues, pullRequests, labels, stargazers } = repository;
  const thread = random.chance(0.7) || pullRequests.length === 0 ? random.pick(issues) : random.pick(pullRequests);
  const actions: (() => void)[] = [
    () => void addIssue(repository, now()),
    () => void addComment(addIssue(repository, now()), now()),
    () => void addComment(thread, now()),
    () => Object.assign(thread, { title: `Moved ${random.below(1000)}`, updatedAt: now() }),
    () => {
      // The last issue of the list moves to the front.
      const [oldest] = issues.toSorted((a, b) => (a.updatedAt < b.updatedAt ? -1 : 1));
      if (oldest !== undefined) oldest.updatedAt = now();
    },
    () => {
      const [comment] = thread.comments;
      if (comment !== undefined) Object.assign(comment, { body: `Edited ${random.below(1000)}`, updatedAt: now() });
      thread.updatedAt = now();
    },
    () => void labels.push(label(repository, `label-${labels.length}-${random.below(1e6)}`)),
    () => {
      const user = platform.world.users.find((one) => !stargazers.some((star) => star.user === one));
      if (user !== undefined) stargazers.push({ user, starredAt: now() });
    },
    () => push(repository, now(), { [`moving/${random.below(3)}/${random.below(3)}.txt`]: `Text ${random.below(1000)}\n` }),
  ];
  const removing: (() => void)[] = [
    () => issues.length > 100 && removeIssue(repository, random.pick(issues)),
    () => pullRequests.length > 25 && remove(pullRequests, random.pick(pullRequests)),
    () => {
      if (thread.comments.length === 0) return;
      remove(thread.comments, random.pick<(typeof thread.comments)[number]>(thread.comments));
      thread.updatedAt = now();
    },
    () => labels.length > 8 && remove(labels, random.pick(labels)),
    () => stargazers.length > 4 && remove(stargazers, random.pick(stargazers)),
  ];
  random.pick(removals ? [...actions, ...removing] : actions)();
}

async function expectEqual(cache: Cache): Promise<void> {
  const live = await liveRecords(cache.instance, [hello], moving);
  for (const entity of moving)
    expect(byKey(entity, await cache.records(entity)), entity).toEqual(byKey(entity, live[entity] ?? []));
}

/** Syncs several times while the platform changes, some of these cut off, then once without changes. */
async function through(seed: number, removals: boolean): Promise<void> {
  platform.reset();
  platform.fail({ kind: "quota", remaining: 100_000, limit: 100_000 });
  const random = createRandom(seed);
  let calm = true;
  const cache = await openCache(platform, {
    before: () => {
      if (!calm && random.chance(0.4)) for (let count = 1 + random.below(3); count > 0; count--) change(random, removals);
    },
  });
  try {
    calm = false;
    for (const full of [false, removals, false]) {
      const end = new AbortController();
      const last = random.chance(0.5) ? random.below(40) : Number.POSITIVE_INFINITY;
      let pages = 0;
      const result = await cache.sync([hello], {
        entities: moving,
        full,
        signal: end.signal,
        onProgress: ({ kind }) => void (kind === "page" && ++pages > last && end.abort()),
      });
      const failed = result.entities.flatMap(({ problem }) => problem?.code ?? []);
      expect(failed.filter((code) => code !== "shutting_down")).toEqual([]);
    }
    calm = true;
    expect((await cache.sync([hello], { entities: moving, full: removals })).outcome).toBe("complete");
    await expectEqual(cache);
    await cache.store.close();
    expect(faultsOf(cache.file)).toEqual([]);
  } finally {
    await cache.close();
  }
}

const seeds = Number(process.env["TENON_TEST_SEEDS"] ?? 1);

describe("a platform that changes while it is read", () => {
  it.each(Array.from({ length: seeds }, (_, index) => index + 1))(
    "is cached completely after one undisturbed full sync, whatever changed before (seed %i)",
    (seed) => through(seed, true),
    60_000,
  );

  it.each(Array.from({ length: seeds }, (_, index) => index + 101))(
    "is cached completely after one undisturbed incremental sync when nothing was removed (seed %i)",
    (seed) => through(seed, false),
    60_000,
  );
});
