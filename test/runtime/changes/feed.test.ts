import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { checkChanges, type FeedContext, readFeed } from "../../../runtime/changes/index.ts";
import { SqliteStore } from "../../../runtime/store/sqlite/sqlite-store.ts";
import { hello, plansOf } from "../../e2e/support/cache.ts";
import { fakeInstance } from "../../support/fake-instance.ts";
import { shaped } from "../../support/shaped.ts";
import { turnsDuring } from "../../support/turns.ts";

// Tests of a filter that takes long on each record, which a caller may send with any request for changes.

const dataDir = mkdtempSync(join(tmpdir(), "tenon-feed-"));
const store = new SqliteStore({ dataDir, plans: plansOf(github), readers: 1 });
const { instance: platform } = fakeInstance(() => ({}));
/** What the store has is read before, so that all turns are those of the filter. */
let instance = platform;
const body = "lorem ipsum dolor ".repeat(4_000);
const count = 5;
const patterns = Array.from({ length: 20 }, (_, at) => ({ like: { body: `%a_b${at}%` } }));
const request = checkChanges(github, platform.id, { entity: "issues", filter: { or: patterns }, fields: ["id"] });
const context: FeedContext = { entities: null, caller: "tests", signal: new AbortController().signal };

beforeAll(async () => {
  const records = Array.from({ length: count }, (_, at) => ({ id: `i${at}`, number: at, title: "t", state: "open", body }));
  const place = { connector: "github", instance: platform.storeName, entity: "issues" };
  await store.save({ ...place, scope: hello }, { records, checkpoint: { run: 1, full: true, step: 0 } });
  const slices = new Map<number, Awaited<ReturnType<typeof store.changes>>>();
  for (let from = 0; from < count; from++) slices.set(from, await store.changes(place, { from, limit: 100, entities: null }));
  const current = await store.current(
    place,
    records.map(({ id }) => id),
  );
  const read = {
    changes: async (_: unknown, { from }: { from: number }) => slices.get(from),
    current: async () => current,
  };
  instance = { ...platform, store: shaped<SqliteStore>(read) };
});
afterAll(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true });
});

describe("a filter of changes that takes long", () => {
  it("leaves a turn to other work after each long text", async () => {
    // On a busy machine a page could end before its last record.
    const reading = readFeed(instance, request, { ...context, testTime: Number.POSITIVE_INFINITY });
    expect(await turnsDuring(reading)).toBeGreaterThanOrEqual(count * patterns.length);
  });

  it("ends a page early, and the next page goes on where it ended", async () => {
    const page = await readFeed(instance, request, { ...context, testTime: 0 });
    expect(page).toMatchObject({ data: [], meta: { has_more: true, truncated: false } });
    let pages = 1;
    for (let { cursor, has_more } = page.meta; has_more; pages++) {
      const next = checkChanges(github, platform.id, { entity: "issues", filter: { or: patterns }, fields: ["id"], cursor });
      ({ cursor, has_more } = (await readFeed(instance, next, { ...context, testTime: 0 })).meta);
    }
    expect(pages).toBe(count);
  });

  it("ends when its caller has gone", async () => {
    const reading = readFeed(instance, request, { ...context, signal: AbortSignal.abort() });
    expect((await reading).meta.has_more).toBe(true);
  });
});
