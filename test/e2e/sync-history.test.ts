import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRandom, type Random } from "../../runtime/simulated/github/seed/random.ts";
import type { Repository } from "../../runtime/simulated/github/world/repository.ts";
import { type Platform, startPlatform } from "../support/github/start.ts";
import { type Cache, hello, openCache } from "./support/cache.ts";
import { addComment, addIssue, push, remove, removeIssue } from "./support/change.ts";
import { faultsOf } from "./support/dump.ts";
import { byKey, liveRecords } from "./support/live.ts";
import { label } from "./support/make.ts";
import { hello as helloOf } from "./support/world.ts";

// Generated histories of a small repository: people change it, also in ways of which nothing tells; syncs run while the platform refuses,
// fails, leaves out or denies what it has, and some are cut off. No sync may remove what the platform still has. A week later a calm sync
// leaves exactly what the platform has.

const entities = [
  "issues",
  "pull_requests",
  "discussions",
  "comments",
  "reviews",
  "pr_comments",
  "labels",
  "milestones",
  "stargazers",
  "commits",
  "branches",
  "tags",
];
const day = 24 * 3_600_000;

let platform: Platform;

beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

const repository = () => helloOf(platform.world);
const now = () => `${new Date().toISOString().slice(0, 19)}Z`;

/** Leaves a repository so small that a history takes less than a second. */
function shrink(of: Repository): void {
  const commented = of.issues.filter(({ comments }) => comments.length > 0).slice(0, 8);
  remove(of.issues, ...of.issues.filter((one) => !commented.includes(one) && one.number > 12));
  const reviewed = of.pullRequests.filter(({ reviewThreads }) => reviewThreads.length > 0).slice(0, 4);
  remove(of.pullRequests, ...of.pullRequests.filter((one, index) => index > 4 && !reviewed.includes(one)));
  remove(of.discussions, ...of.discussions.slice(5));
  for (const issue of of.issues) Object.assign(issue, { parent: null, subIssues: [] });
  for (const pull of of.pullRequests) pull.closingIssues = [];
}

/** Does at random one thing. With `silent`, no time moves of which a list could tell. */
function change(random: Random, of: Repository): void {
  const threads = [...of.issues, ...of.pullRequests];
  const thread = random.pick(threads);
  const silent = random.chance(0.4);
  const at = silent ? thread.updatedAt : now();
  const pull = random.pick(of.pullRequests);
  const remarks = of.pullRequests.flatMap(({ reviewThreads }) => reviewThreads);
  const actions: (() => void)[] = [
    () => void addIssue(of, now()),
    () => void addComment(thread, now()),
    () => Object.assign(thread, { title: `Title ${random.below(1e6)}`, updatedAt: at }),
    () => {
      const [comment] = thread.comments;
      if (comment !== undefined) Object.assign(comment, { body: `Edited ${random.below(1e6)}` });
      thread.updatedAt = at;
    },
    () => {
      if (thread.comments.length > 0) remove(thread.comments, random.pick([...thread.comments]));
      thread.updatedAt = at;
    },
    () => of.issues.length > 8 && removeIssue(of, random.pick(of.issues)),
    () => of.pullRequests.length > 4 && remove(of.pullRequests, pull),
    () => {
      const [review] = pull.reviews.filter(({ state }) => state !== "PENDING");
      if (review !== undefined) Object.assign(review, { body: `Edited ${random.below(1e6)}` });
      if (!silent) pull.updatedAt = now();
    },
    () => {
      const inner = remarks.length === 0 ? undefined : random.pick(remarks);
      if (inner === undefined) return;
      if (inner.comments.length > 1) remove(inner.comments, random.pick([...inner.comments]));
      if (!silent) inner.pullRequest.updatedAt = now();
    },
    () => void of.labels.push(label(of, `label-${random.below(1e9)}`)),
    () => of.labels.length > 6 && remove(of.labels, random.pick(of.labels)),
    () => of.stargazers.length > 4 && remove(of.stargazers, random.pick(of.stargazers)),
    () => of.discussions.length > 0 && Object.assign(random.pick(of.discussions), { title: `Title ${random.below(1e6)}` }),
    () => push(of, now(), { "README.md": `Text ${random.below(1e6)}\n` }),
  ];
  random.pick(actions)();
}

/** Ids that the platform has, of the records that are told apart by an id. */
function idsOf({ issues, pullRequests, labels, milestones }: Repository): ReadonlySet<string> {
  const threads = [...issues, ...pullRequests];
  const reviews = pullRequests.flatMap((one) => one.reviews.filter(({ state }) => state !== "PENDING"));
  const remarks = pullRequests.flatMap((one) => one.reviewThreads.flatMap(({ comments }) => comments));
  const all = [...threads, ...threads.flatMap(({ comments }) => comments), ...reviews, ...remarks, ...labels, ...milestones];
  return new Set(all.map(({ id }) => id));
}

async function keptIds(cache: Cache): Promise<ReadonlySet<string>> {
  const all = await Promise.all(entities.map((entity) => cache.records(entity)));
  return new Set(all.flat().map(({ id }) => String(id)));
}

const empty = { nodes: [], edges: [], totalCount: 0, pageInfo: { hasNextPage: false, endCursor: null } };
/** Answers that deny a whole list, without an error. */
const lies: Readonly<Record<string, object>> = {
  IssuesSync: { issues: empty },
  PullRequestsSync: { pullRequests: empty },
  DiscussionsList: { discussions: empty },
  LabelsList: { labels: empty },
  MilestonesList: { milestones: empty },
  CommitsSync: { defaultBranchRef: { target: { history: empty } } },
  TagsList: { refs: empty },
};

function trouble(random: Random, operation: string): void {
  const kind = random.below(4);
  // What belongs to one parent is forbidden, where a call reads for several.
  if (operation.endsWith("Batch") && random.chance(0.5)) platform.fail({ kind: "field-error", field: "p0", type: "FORBIDDEN" });
  else if (kind === 0) platform.fail({ kind: "forbidden" });
  else if (kind === 1) platform.fail({ kind: "gateway", status: 502 });
  else if (kind === 2) platform.fail({ kind: "null-nodes", at: [0] });
  else platform.fail({ kind: "all-nodes-null" });
}

/** Lets time pass for the store, as if its last syncs were some days ago. */
async function letPass(cache: Cache, days: number): Promise<void> {
  const db = new Database(cache.file);
  try {
    for (const { scope, entity, notes, fullAt } of await cache.states()) {
      const collection = { connector: "github", instance: "github", scope, entity };
      const { verified } = notes;
      if (verified !== undefined) await cache.store.note(collection, { verified: verified.map((at) => at - days * day) });
      if (fullAt === null) continue;
      const earlier = new Date(Date.parse(fullAt) - days * day).toISOString();
      db.prepare("UPDATE store_states SET full_at = ? WHERE entity = ? AND full_at = ?").run(earlier, entity, fullAt);
    }
  } finally {
    db.close();
  }
}

async function history(seed: number): Promise<void> {
  platform.reset();
  platform.fail({ kind: "quota", remaining: 1_000_000, limit: 1_000_000 });
  const random = createRandom(seed);
  shrink(repository());
  let calm = true;
  let denied: string | undefined;
  const cache = await openCache(platform, {
    before: (operation) => {
      if (calm) return;
      if (random.chance(0.2)) change(random, repository());
      if (random.chance(0.08)) trouble(random, operation);
    },
    answer: (operation) => (operation === denied ? { data: { repository: lies[operation] } } : undefined),
  });
  try {
    expect((await cache.sync([hello], { entities })).outcome).toBe("complete");
    for (let syncs = 0; syncs < 5; syncs++) {
      for (let count = random.below(6); count > 0; count--) change(random, repository());
      await letPass(cache, random.below(3));
      const before = [...idsOf(repository())].filter(Boolean);
      const known = await keptIds(cache);
      denied = random.chance(0.3) ? random.pick(Object.keys(lies)) : undefined;
      calm = false;
      const end = new AbortController();
      const last = random.chance(0.3) ? random.below(12) : Number.POSITIVE_INFINITY;
      let pages = 0;
      await cache.sync([hello], {
        entities,
        full: random.chance(0.3),
        signal: end.signal,
        onProgress: ({ kind }) => void (kind === "page" && ++pages > last && end.abort()),
      });
      calm = true;
      denied = undefined;
      const after = idsOf(repository());
      const kept = await keptIds(cache);
      const lost = before.filter((id) => known.has(id) && after.has(id) && !kept.has(id));
      expect(lost, `lost by sync ${syncs}`).toEqual([]);
    }
    // What was refused, failed or cut off is made good by a calm sync, and what nothing tells of within a week.
    await cache.sync([hello], { entities });
    await letPass(cache, 8);
    const last = await cache.sync([hello], { entities, massDelete: true });
    expect(last.entities.filter(({ outcome }) => outcome !== "complete")).toEqual([]);
    const live = await liveRecords(cache.instance, [hello], entities);
    for (const entity of entities)
      expect(byKey(entity, await cache.records(entity)), entity).toEqual(byKey(entity, live[entity] ?? []));
    await cache.store.close();
    expect(faultsOf(cache.file)).toEqual([]);
  } finally {
    await cache.close();
  }
}

const seeds = Number(process.env["TENON_TEST_SEEDS"] ?? 6);

describe("a history of changes, failures and syncs", () => {
  it.each(Array.from({ length: seeds }, (_, index) => index + 1))(
    "loses nothing on its way, and has everything a week later (seed %i)",
    (seed) => history(seed),
    60_000,
  );
});
