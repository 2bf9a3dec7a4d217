import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import { plansOf } from "../e2e/support/cache.ts";
import { fakeInstance } from "../support/fake-instance.ts";
import { dice, openSubscribers, type TakenChange } from "../support/subscribers.ts";

// Whatever fails and whenever processes end, each subscriber gets every committed change, in order per record, or learns that some
// are lost.

const seeds = Number(process.env["TENON_TEST_SEEDS"] ?? 1);
const issues = { connector: "github", instance: "github", entity: "issues", scope: "repository=octocat/hello-world" };
const place = { connector: "github", instance: "github" };

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

async function follow(
  folder: string,
  seed: number,
  { entries, steps }: typeof history extends fc.Arbitrary<infer T> ? T : never,
) {
  const roll = dice(seed);
  const changeRetention = { time: 1e9, entries };
  const store = new SqliteStore({ dataDir: folder, plans: plansOf(github), readers: 1, changeRetention });
  const { instance } = fakeInstance(() => ({}));
  const wanted = { one: null, two: ["issues"], three: ["issues"] };
  const subscribers = await openSubscribers(folder, { ...instance, storeName: "github", store }, wanted, roll);
  const committed: TakenChange[] = [];
  let workers = [subscribers.start(), subscribers.start()];
  for (const [run, { ids, kind }] of steps.entries()) {
    const records = ids.map((id) => ({ id, number: 1, title: `Title ${run}`, state: "open" }));
    const before = (await store.changes(place, { from: 2 ** 52, limit: 1, entities: [] })).next;
    await store.save(issues, { records, checkpoint: { run: run + 1, full: true, step: 0 } });
    const { changes } = await store.changes(place, { from: before, limit: 100, entities: null });
    committed.push(...changes.map(({ sequence, key }) => ({ sequence, record: JSON.stringify(["issues", { id: key }]) })));
    if (kind === "pause") await new Promise((resolve) => setTimeout(resolve, 20 * roll(8)));
    if (kind !== "end") continue;
    await workers.pop()?.stop();
    workers = [...workers, subscribers.start()];
  }
  expect(committed.length).toBeGreaterThan(5);
  await subscribers.expectAll(committed);
  await Promise.all(workers.map((worker) => worker.stop()));
  await Promise.all([store.close(), subscribers.close()]);
}

describe("subscriptions", () => {
  it.each(Array.from({ length: seeds }, (_, index) => index + 1))(
    "leaves each subscriber with every change, whenever processes end (seed %i)",
    async (seed) => {
      for (const given of fc.sample(history, { numRuns: 2, seed })) {
        const folder = mkdtempSync(join(tmpdir(), "tenon-subscribers-"));
        try {
          await follow(folder, seed, given);
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      }
    },
    120_000,
  );
});
