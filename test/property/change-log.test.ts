import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../runtime/postgres/index.ts";
import type { RecordObject } from "../../runtime/search/index.ts";
import type { ChangeRetention } from "../../runtime/store/change-log.ts";
import { PostgresStore } from "../../runtime/store/postgres/postgres-store.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import type { Store } from "../../runtime/store/store.ts";
import { plans } from "../conformance/store/case.ts";
import { engines } from "../support/postgres/engines.ts";
import type { TestDatabase } from "../support/postgres/test-database.ts";

// Whatever syncs do, a reader who follows the change log ends up with the records of the cache, or is told to begin anew.

const histories = Number(process.env["TENON_TEST_SEEDS"] ?? 6);
const place = { connector: "test", instance: "one" };
const entities = ["things", "people"] as const;
type EntityName = (typeof entities)[number];

/** What a sync does next. */
type Step = { readonly entity: EntityName; readonly scope: string } & (
  | { readonly kind: "save" | "late"; readonly records: readonly RecordObject[] }
  | { readonly kind: "finish"; readonly records: readonly RecordObject[] }
  | { readonly kind: "forget" }
);

const record = fc.record({
  id: fc.constantFrom(..."abcdefgh"),
  title: fc.constantFrom("one", "two", null),
  size: fc.nat(2),
  teams: fc.constantFrom(["red"], ["blue"], []),
});
const steps: fc.Arbitrary<Step> = fc.record({
  entity: fc.constantFrom(...entities),
  scope: fc.constantFrom("x", "y"),
  kind: fc.constantFrom("save", "save", "finish", "late", "forget"),
  records: fc.array(record, { maxLength: 6 }),
});
const history = fc.record({
  steps: fc.array(fc.record({ step: steps, read: fc.boolean(), limit: fc.integer({ min: 1, max: 9 }) }), {
    minLength: 5,
    maxLength: 25,
  }),
});

/** Does a step of a sync. `late` is a page of a sync run that another one has overtaken. */
async function act(store: Store, step: Step, run: number): Promise<void> {
  const collection = { ...place, entity: step.entity, scope: step.scope };
  if (step.kind === "forget") {
    await store.forget(place, step.scope);
    return;
  }
  const checkpoint = { run: step.kind === "late" ? 0 : run, full: true, step: 0 };
  const saved = store.save(collection, { records: step.records, checkpoint });
  if (step.kind === "late") return void (await saved.catch(() => undefined));
  await saved;
  if (step.kind === "finish") await store.finish(collection, checkpoint, { massDelete: true, parents: [] });
}

type Copy = Map<string, Record<string, unknown>>;

async function cached(store: Store): Promise<Copy> {
  const copy: Copy = new Map();
  for (const entity of entities) {
    const search = { sort: [], limit: 1_000, fields: null, explain: false } as const;
    const { json } = await store.search({ ...place, entity }, search, performance.now() + 100_000);
    for (const one of JSON.parse(Buffer.from(json).toString()) as Record<string, unknown>[])
      copy.set(`${entity} ${one["id"]}`, one);
  }
  return copy;
}

/** Follows the log from where it was. It takes over only the fields that an entry names. */
class Follower {
  readonly #store: Store;
  copy: Copy = new Map();
  #log = "";
  #from = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  async follow(limit: number): Promise<void> {
    const now = await cached(this.#store);
    for (;;) {
      const { log, first, next, changes, position } = await this.#store.changes(place, {
        from: this.#from,
        limit,
        entities: null,
      });
      if ((this.#log !== "" && log !== this.#log) || this.#from < first) {
        this.copy = now;
        [this.#log, this.#from] = [log, next];
        return;
      }
      expect(changes.map(({ sequence }) => sequence)).toEqual(changes.map((_, at) => this.#from + at));
      for (const { entity, key, kind, fields } of changes) {
        const name = `${entity} ${key}`;
        expect(this.copy.has(name)).toBe(kind !== "created");
        if (kind === "deleted") this.copy.delete(name);
        else if (kind === "created") this.copy.set(name, now.get(name) ?? {});
        else for (const field of fields) Object.assign(this.copy.get(name) ?? {}, { [field]: now.get(name)?.[field] });
      }
      [this.#log, this.#from] = [log, position];
      if (position === next) return;
    }
  }
}

function tests(open: (retention: ChangeRetention) => Promise<Store>): void {
  it.each([
    ["the whole log", 1_000_000],
    ["a log that keeps few changes", 15],
  ])(
    "gives the cache again from %s",
    async (_title, most) => {
      const store = await open({ time: 86_400_000, entries: most });
      let run = 1;
      const property = fc.asyncProperty(history, async ({ steps }) => {
        for (const scope of ["x", "y"]) await store.forget(place, scope);
        const follower = new Follower(store);
        follower.copy = new Map();
        await follower.follow(100);
        for (const { step, read, limit } of steps) {
          await act(store, step, ++run);
          if (read) await follower.follow(limit);
        }
        await follower.follow(3);
        expect(follower.copy).toEqual(await cached(store));
      });
      await fc.assert(property, { numRuns: histories }).finally(() => store.close());
    },
    120_000,
  );
}

describe("the change log in SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-changes-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let count = 0;
  tests(async (changeRetention) => new SqliteStore({ dataDir: join(folder, `${count++}`), plans, changeRetention, readers: 1 }));
});

describe.each(engines)("the change log in $name", ({ start }) => {
  let server: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    server = await start();
    database = server.open();
  });
  afterAll(async () => {
    await database.close();
    await server.close();
  });
  tests(async (changeRetention) => {
    await server.empty();
    return new PostgresStore({ database, plans, changeRetention, searchTime: 100_000 });
  });
});
