import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import { recordKey } from "../../runtime/changes/record-key.ts";
import { createRandom, type Random } from "../../runtime/simulated/github/seed/random.ts";
import { hookEvents, hookSnapshot } from "../../runtime/simulated/github/webhook-events.ts";
import type { Repository } from "../../runtime/simulated/github/world/repository.ts";
import { followHints, type ScopeHint } from "../../runtime/sync/index.ts";
import { takeLease } from "../../runtime/sync/leased.ts";
import { readDelivery } from "../../runtime/webhooks/index.ts";
import { dice, openSubscribers } from "../support/subscribers.ts";
import { type Cache, hello } from "./support/cache.ts";
import { useCaches } from "./support/caches.ts";
import { addComment, addIssue, later, newest, remove, removeIssue } from "./support/change.ts";
import { expectEqual } from "./support/live.ts";
import { label } from "./support/make.ts";
import { found } from "./support/world.ts";

// What webhooks name is read from the platform: nothing else, and nothing of what they say about it.

const entities = ["issues", "pull_requests", "discussions", "comments", "reviews", "pr_comments", "labels", "stargazers"];
const running = useCaches({ synced: { scopes: [hello], entities } });
const { open, repository } = running;
const signal = new AbortController().signal;
const log = pino({ level: "silent" });

type Named = ScopeHint & { readonly scope: string };

/** What happens on the platform while `change` runs, as the hints of its webhooks. */
function hintsOf(change: () => void): Named[] {
  const before = hookSnapshot(repository());
  change();
  const events = hookEvents(before, hookSnapshot(repository()));
  const hints = events.flatMap(({ name, payload }) => readDelivery(github, name, payload).hints);
  return hints.filter(({ scope, entity }) => scope === hello && entities.includes(entity));
}

const follow = (cache: Cache, hints: readonly ScopeHint[], scope = hello) =>
  followHints(cache.instance, cache.store, scope, hints, { signal, log });

const key = (entity: string, { id, number }: { readonly id: string; readonly number: number }): ScopeHint => ({
  entity,
  kind: "key",
  key: id,
  params: JSON.stringify({ number }),
});

describe("hints", () => {
  it("bring new, changed and removed records with one call for all of an entity", async () => {
    const cache = await open();
    const { issues } = repository();
    const removed = issues.slice(50).filter(({ comments }) => comments.length > 0);
    expect(removed.length).toBeGreaterThan(2);
    const hints = hintsOf(() => {
      for (const one of issues.slice(0, 40)) one.title = `Changed ${one.number}`;
      for (const one of removed.slice(0, 3)) removeIssue(repository(), one);
      addIssue(repository(), later(newest(repository()), 5));
    });
    const { done, busy, failed } = await follow(cache, hints);
    expect([done.length, busy, failed]).toEqual([hints.length, [], []]);
    expect(cache.calls.filter((one) => one.startsWith("Issues"))).toHaveLength(1);
    // What belonged to the removed ones is gone too.
    await expectEqual(cache, [hello], ["issues", "comments"]);
  });

  it("that name more removals than are believed are reported, and the next sync decides by the whole list", async () => {
    const cache = await open();
    const before = (await cache.records("issues")).length;
    const hints = hintsOf(() => {
      for (const one of repository().issues.slice(0, 25)) removeIssue(repository(), one);
    });
    const problem = async () =>
      (await cache.states()).find(({ scope, entity }) => scope === hello && entity === "issues")?.problem;
    await follow(cache, hints);
    expect([await problem(), (await cache.records("issues")).length]).toEqual(["mass_delete_refused", before]);
    await cache.sync([hello], { entities });
    expect(await problem()).toBeNull();
    await expectEqual(cache, [hello], entities);
  });

  it("read what belongs to a record, also where nothing else tells of the change", async () => {
    const cache = await open();
    const [first, second] = repository().issues.filter(({ comments }) => comments.length > 1);
    const hints = hintsOf(() => {
      found(found(first).comments[0]).body = "Edited in silence";
      remove(found(second).comments, found(found(second).comments[0]));
      const [pull] = repository().pullRequests.filter(({ reviewThreads }) => reviewThreads.length > 0);
      found(found(pull).reviewThreads[0]?.comments[0]).body = "Edited in silence";
    });
    await follow(cache, hints);
    const reads = ["CommentsListBatch", "IssuesGetBatch", "PrCommentsListBatch", "PullRequestsGetBatch"];
    // An issue has several pages of comments.
    expect([[...new Set(cache.calls)].sort(), cache.calls.length <= 6]).toEqual([reads, true]);
    await expectEqual(cache, [hello], entities);
  });

  it("that are forged remove nothing, and store only what the platform has", async () => {
    const cache = await open();
    const [one, two] = repository().issues;
    const forged: ScopeHint[] = [
      { ...key("issues", found(one)), params: JSON.stringify({ number: 999_999 }) },
      { ...key("issues", found(two)), params: JSON.stringify({ number: found(one).number }) },
      { ...key("issues", found(two)), key: "I_of_nobody", params: JSON.stringify({ number: 999_999 }) },
      { entity: "comments", kind: "parent", key: "I_of_nobody", params: "{}" },
      { entity: "labels", kind: "full", key: "", params: "{}" },
    ];
    const { failed } = await follow(cache, forged);
    expect(failed).toEqual([]);
    await expectEqual(cache, [hello], entities);
  });

  it("of scopes and entities that are not cached are done without a call", async () => {
    const cache = await open();
    const hint = key("issues", found(repository().issues[0]));
    for (const scope of ["repository=octocat/nothing", "repository=", "repository=a/b/c", "nothing=*", "account"])
      expect(await follow(cache, [hint], scope)).toEqual({ done: [hint], busy: [], failed: [] });
    const commits: ScopeHint = { entity: "commits", kind: "list", key: "", params: "{}" };
    expect((await follow(cache, [commits])).done).toEqual([commits]);
    expect(cache.calls).toEqual([]);
  });

  it("wait while another sync has their entity", async () => {
    const cache = await open();
    const place = { connector: "github", instance: "github", scope: hello };
    const held = found(await takeLease(cache.store, place, signal));
    const hint = key("issues", found(repository().issues[0]));
    for (const one of [hint, { entity: "", kind: "scope", key: "", params: "{}" } as const])
      expect(await follow(cache, [one])).toEqual({ done: [], busy: [one], failed: [] });
    await held.giveBack();
    expect((await follow(cache, [hint])).done).toEqual([hint]);
  });

  it("that the platform does not let follow are reported, and leave the cache as it is", async () => {
    const cache = await open();
    running.platform.fail({ kind: "forbidden" });
    const hint = key("issues", found(repository().issues[0]));
    const { failed, done } = await follow(cache, [hint]);
    expect([failed.map(({ error }) => error.code), done]).toEqual([["platform_forbidden"], []]);
    running.platform.recover();
    await follow(cache, [hint]);
    await expectEqual(cache, [hello], ["issues"]);
  });

  it("leave the times of the last complete sync as they are, and the next sync reads what they did not name", async () => {
    const cache = await open();
    const times = async () =>
      (await cache.states()).map(({ entity, completedAt, fullAt, newest: at }) => [entity, completedAt, fullAt, at]);
    const before = await times();
    const missed = found(repository().issues[7]);
    Object.assign(missed, { title: "Nobody tells", updatedAt: later(newest(repository()), 2) });
    await follow(
      cache,
      hintsOf(() => Object.assign(found(repository().issues[8]), { title: "Told", updatedAt: later(newest(repository()), 5) })),
    );
    expect(await times()).toEqual(before);
    await cache.sync([hello], { entities });
    await expectEqual(cache, [hello], ["issues"]);
  });
});

const owner = { login: "octocat" };
const named = (name: string) => ({ name, full_name: `octocat/${name}`, owner });

/** The hints of one event about all of a scope. */
function wholeHints(event: string, payload: object): Named[] {
  const { isKnown, hints } = readDelivery(github, event, payload);
  expect([isKnown, hints.map(({ kind }) => kind)]).toEqual([true, hints.map(() => "scope")]);
  return [...hints];
}

describe("a scope", () => {
  const problems = async (cache: Cache) => [
    ...new Set((await cache.states()).filter((one) => one.scope === hello).map(({ problem }) => problem)),
  ];

  it.each([
    ["renamed", { repository: named("moved"), changes: { repository: { name: { from: "hello-world" } } } }],
    ["transferred", { repository: named("moved"), changes: { owner: { from: { user: { login: "octocat" } } } } }],
  ])("that was %s is synced under its former name, which the platform still knows", async (action, payload) => {
    const cache = await open();
    const moved = repository();
    const title = "Changed before it moved";
    Object.assign(found(moved.issues[0]), { title, updatedAt: later(newest(moved), 1) });
    moved.name = action === "renamed" ? "moved" : "hello-world";
    if (action === "renamed") running.platform.world.renames.set("octocat/hello-world", moved);
    const hints = wholeHints("repository", { action, ...payload });
    const names = hints.map(({ scope }) => scope);
    expect(names).toContain("repository=octocat/moved");
    // A transfer keeps the name and changes the owner: the former place is that of the former owner.
    const former = action === "renamed" ? hello : "repository=octocat/moved";
    expect(names).toContain(former);
    await follow(cache, hints, hello);
    expect(await problems(cache)).toEqual([null]);
    expect((await cache.records("issues")).some((one) => one["title"] === title)).toBe(true);
  });

  it.each([
    ["repository", { action: "deleted", repository: named("hello-world") }],
    ["repository", { action: "privatized", repository: named("hello-world") }],
    ["installation_repositories", { action: "removed", repositories_added: [], repositories_removed: [named("hello-world")] }],
    ["installation", { action: "deleted", repositories: [named("hello-world")] }],
  ])("that the platform no longer shows after %s %o is reported, and keeps its records", async (event, payload) => {
    const cache = await open();
    const { world } = running.platform;
    const before = (await cache.records("issues")).length;
    world.repositories = world.repositories.filter((one) => one !== repository());
    await follow(cache, wholeHints(event, payload), hello);
    expect(await problems(cache)).toContain("not_found");
    expect((await cache.records("issues")).length).toBe(before);
  });

  it("of a suspended installation is reported, and is complete after the suspension ends", async () => {
    const cache = await open();
    const suspend = { action: "suspend", repositories: [named("hello-world")] };
    running.platform.fail({ kind: "forbidden", times: 1_000 });
    await follow(cache, wholeHints("installation", suspend), hello);
    expect(await problems(cache)).toContain("platform_forbidden");
    running.platform.recover();
    await follow(cache, wholeHints("installation", { ...suspend, action: "unsuspend" }), hello);
    expect(await problems(cache)).toEqual([null]);
  });
});

/** Does at random one thing of which a webhook tells. */
function change(random: Random, of: Repository): void {
  const at = later(newest(of), 1);
  const thread = random.pick([...of.issues, ...of.pullRequests]);
  const pull = random.pick(of.pullRequests);
  const actions: (() => void)[] = [
    () => void addIssue(of, at),
    () => void addComment(thread, at),
    () => Object.assign(thread, { title: `Title ${random.below(1e6)}` }),
    () =>
      void (
        thread.comments.length > 0 && Object.assign(random.pick([...thread.comments]), { body: `Edited ${random.below(1e6)}` })
      ),
    () => void (thread.comments.length > 0 && remove(thread.comments, random.pick([...thread.comments]))),
    () => removeIssue(of, random.pick(of.issues)),
    () => Object.assign(pull, { title: `Title ${random.below(1e6)}` }),
    () => Object.assign(random.pick(of.discussions), { title: `Title ${random.below(1e6)}` }),
    () => void of.labels.push(label(of, `label-${random.below(1e9)}`)),
    () => void (of.labels.length > 6 && remove(of.labels, random.pick(of.labels))),
    () => void (of.stargazers.length > 4 && remove(of.stargazers, random.pick(of.stargazers))),
  ];
  random.pick(actions)();
}

/** What nobody on the platform has said: it names what is there wrongly, and what is not there at all. */
function forged(random: Random, of: Repository): Named[] {
  const thread = random.pick([...of.issues, ...of.pullRequests]);
  const other = random.pick([...of.issues, ...of.pullRequests]);
  const hints: readonly ScopeHint[] = [
    { ...key("issues", thread), params: JSON.stringify({ number: other.number }) },
    key("pull_requests", { id: `PR_${random.below(1e9)}`, number: random.below(1e6) }),
    { entity: "comments", kind: "parent", key: random.pick([thread.id, "I_of_nobody"]), params: "{}" },
    { entity: random.pick(entities), kind: random.pick(["list", "full"]), key: "", params: "{}" },
  ];
  return random.sample(hints, 2).map((hint) => ({ ...hint, scope: hello }));
}

describe("a history of webhooks", () => {
  const seeds = Number(process.env["TENON_TEST_SEEDS"] ?? 2);

  it.each(Array.from({ length: seeds }, (_, index) => index + 2))(
    "late, repeated, forged and out of order leaves what the platform has, so do lost ones after a sync, and subscribers get all (seed %i)",
    async (seed) => {
      const cache = await open();
      const place = { connector: github.name, instance: cache.instance.storeName };
      const { next: begun } = await cache.store.changes(place, { from: 2 ** 52, limit: 1, entities: [] });
      const instance = { ...cache.instance, store: cache.store };
      const subscribers = await openSubscribers(cache.dataDir, instance, { all: null, some: ["issues", "comments"] }, dice(seed));
      let workers = [subscribers.start(), subscribers.start()];
      const random = createRandom(seed + 1);
      // Of every other seed, some deliveries never come.
      const lost = seed % 2 === 0 ? 0 : 0.3;
      let waiting: Named[] = [];
      for (let turn = 0; turn < 6; turn++) {
        for (let count = 1 + random.below(8); count > 0; count--)
          waiting.push(...hintsOf(() => change(random, repository())).filter(() => !random.chance(lost)));
        // Some come twice, some only in a later turn, and all in any order. The last turn has all that are left.
        const now = waiting.filter(() => turn === 5 || random.chance(0.6));
        const twice = [...now, ...now.filter(() => random.chance(0.3)), ...forged(random, repository())].sort(
          () => random.below(3) - 1,
        );
        const { busy, failed } = await follow(cache, twice);
        expect([busy, failed]).toEqual([[], []]);
        waiting = waiting.filter((one) => !now.includes(one));
        await workers.pop()?.stop();
        workers = [...workers, subscribers.start()];
      }
      // What changes without a new time is found by reading everything again, as the schedule does now and then.
      if (lost > 0) await cache.sync([hello], { entities, full: true });
      await expectEqual(cache, [hello], entities);
      const { changes, position, next } = await cache.store.changes(place, { from: begun, limit: 10_000, entities: null });
      expect([changes.length > 5, position]).toEqual([true, next]);
      await subscribers.expectAll(
        changes.map(({ sequence, entity, key: of }) => {
          return { sequence, record: JSON.stringify([entity, recordKey(github.entities[entity]?.store, of)]) };
        }),
      );
      await Promise.all(workers.map((worker) => worker.stop()));
      await subscribers.close();
    },
  );
});
