import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import { type AccountStore, deriveKeys, sealSecrets } from "../../runtime/accounts/index.ts";
import { openSqliteAccounts } from "../../runtime/accounts/sqlite/sqlite-account-store.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import { SubscriptionWorker } from "../../runtime/subscriptions/index.ts";
import { plansOf } from "../e2e/support/cache.ts";
import { fakeInstance } from "../support/fake-instance.ts";

// Whatever fails and whenever processes end, each subscriber gets every committed change, in order per record, or learns that some
// are lost.

const seeds = Number(process.env["TENON_TEST_SEEDS"] ?? 1);
const issues = { connector: "github", instance: "github", entity: "issues", scope: "repository=octocat/hello-world" };
const place = { connector: "github", instance: "github" };
const subscribers = ["one", "two", "three"];
const keys = deriveKeys(["secret-key-of-the-property-of-subscriptions"]);

const history = fc.record({
  /** The log keeps so few changes that some subscribers miss some. */
  entries: fc.constantFrom(1_000_000, 12),
  steps: fc.array(
    fc.record({
      ids: fc.uniqueArray(fc.constantFrom(..."abcde"), { minLength: 1, maxLength: 4 }),
      kind: fc.constantFrom("save", "save", "end", "pause"),
    }),
    { minLength: 10, maxLength: 20 },
  ),
});

/** Numbers that look random, the same for each seed. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % sides;
  };
}

interface Taken {
  readonly sequence: number;
  readonly record: string;
}

/** A receiver that fails now and then, and what it has taken. */
class Receiver {
  readonly taken: Taken[] = [];
  /** Changes before this one were reported as lost. */
  lostBefore = 0;
  readonly #roll: (sides: number) => number;

  constructor(roll: (sides: number) => number) {
    this.#roll = roll;
  }

  async take(id: string, body: string): Promise<Response> {
    await new Promise((resolve) => setTimeout(resolve, this.#roll(4)));
    if (this.#roll(8) === 0) return new Response("", { status: 500 });
    const { type, data } = JSON.parse(body) as { type: string; data: { sequence: number; key: object } };
    if (type === "changes.truncated") this.lostBefore = Math.max(this.lostBefore, Number(id.split("_")[3]));
    else this.taken.push({ sequence: data.sequence, record: JSON.stringify(data.key) });
    // Taken, but nobody learns of it.
    return this.#roll(12) === 0 ? Promise.reject(new Error("the connection was lost")) : new Response("", { status: 200 });
  }
}

async function follow(
  folder: string,
  seed: number,
  { entries, steps }: typeof history extends fc.Arbitrary<infer T> ? T : never,
) {
  const roll = dice(seed);
  const changeRetention = { time: 1e9, entries };
  const store = new SqliteStore({ dataDir: folder, plans: plansOf(github), readers: 1, changeRetention });
  const accounts = openSqliteAccounts(folder);
  const { instance } = fakeInstance(() => ({}));
  const receivers = new Map(subscribers.map((name) => [`http://${name}.test/`, new Receiver(roll)]));
  const send: typeof globalThis.fetch = async (url, init) => {
    const receiver = receivers.get(String(url));
    if (receiver === undefined) throw new Error("nobody is there");
    return receiver.take(new Headers(init?.headers).get("webhook-id") ?? "", String(init?.body));
  };
  // A process that ends between a delivery and the storing of its place.
  const ending: AccountStore = {
    ...accounts,
    endTurns: async (ends) => (roll(4) === 0 ? Promise.reject(new Error("the process has ended")) : accounts.endTurns(ends)),
  };
  const startOne = () => {
    const find = async () => ({ ...instance, storeName: "github", store });
    const worker = new SubscriptionWorker({
      store: ending,
      keys,
      find,
      send,
      log: pino({ level: "silent" }),
      lease: 150,
      audits: false,
    });
    worker.start();
    return worker;
  };
  for (const name of subscribers) {
    const content = JSON.stringify({ url: `http://${name}.test/`, entity: name === "one" ? null : ["issues"] });
    const secrets = sealSecrets(keys, name, [{ secret: "whsec_c2VjcmV0LW9mLXRoaXMtdGVzdC1vZi1zdWJz", until: null }]);
    const begin = { log: "", position: 0, createdAt: 1, expiresAt: null };
    await accounts.addSubscription({ id: name, caller: "operator", instance: "github", content, secrets, ...begin }, 9);
  }
  const committed: Taken[] = [];
  let workers = [startOne(), startOne()];
  for (const [run, { ids, kind }] of steps.entries()) {
    const records = ids.map((id) => ({ id, number: 1, title: `Title ${run}`, state: "open" }));
    const before = (await store.changes(place, { from: 2 ** 52, limit: 1, entities: [] })).next;
    await store.save(issues, { records, checkpoint: { run: run + 1, full: true, step: 0 } });
    const { changes } = await store.changes(place, { from: before, limit: 100, entities: null });
    committed.push(...changes.map(({ sequence, key }) => ({ sequence, record: JSON.stringify({ id: key }) })));
    if (kind === "pause") await new Promise((resolve) => setTimeout(resolve, 20 * roll(8)));
    if (kind !== "end") continue;
    await workers.pop()?.stop();
    workers = [...workers, startOne()];
  }
  const { next } = await store.changes(place, { from: 2 ** 52, limit: 1, entities: [] });
  const areBehind = async () => {
    const all = await accounts.subscriptions(null, 10);
    // The retries of a day are for now.
    for (const { id, failures, state } of all)
      if (failures > 0 || state !== "active") await accounts.changeSubscription(id, { failures: 0, dueAt: 0, state: "active" });
    return all.filter(({ position }) => position !== next).length;
  };
  await expect.poll(areBehind, { timeout: 60_000, interval: 50 }).toBe(0);
  await Promise.all(workers.map((worker) => worker.stop()));
  await Promise.all([store.close(), accounts.close()]);
  return { committed, receivers: [...receivers.values()] };
}

describe("subscriptions", () => {
  it.each(Array.from({ length: seeds }, (_, index) => index + 1))(
    "leaves each subscriber with every change, whenever processes end (seed %i)",
    async (seed) => {
      for (const given of fc.sample(history, { numRuns: 2, seed })) {
        const folder = mkdtempSync(join(tmpdir(), "tenon-subscribers-"));
        try {
          const { committed, receivers } = await follow(folder, seed, given);
          expect(committed.length).toBeGreaterThan(5);
          for (const { taken, lostBefore } of receivers) {
            const own = new Set(taken.map(({ sequence }) => sequence));
            expect(committed.filter(({ sequence }) => sequence >= lostBefore && !own.has(sequence))).toEqual([]);
            for (const [, some] of Map.groupBy(taken, ({ record }) => record)) {
              const firsts = [...new Set(some.map(({ sequence }) => sequence))];
              expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
            }
          }
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      }
    },
    120_000,
  );
});
