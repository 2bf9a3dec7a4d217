import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TenonError } from "../../runtime/base/errors.ts";
import { type StorePlan, tableOf } from "../../runtime/contract/index.ts";
import type { Database } from "../../runtime/postgres/index.ts";
import { type RecordObject, testedValues } from "../../runtime/search/index.ts";
import { type BoundStatement, parseStatement } from "../../runtime/statement/index.ts";
import { PostgresStore } from "../../runtime/store/postgres/postgres-store.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import type { Store } from "../../runtime/store/store.ts";
import { checkpoint, plans } from "../conformance/store/case.ts";
import { engines } from "../support/postgres/engines.ts";
import type { TestDatabase } from "../support/postgres/test-database.ts";
import { evaluate } from "../support/statement/evaluate.ts";
import type { Value } from "../support/statement/functions.ts";
import { statements } from "../support/statement/grammar.ts";
import { eventRecords, thingRecords } from "../support/statement/records.ts";

/** How many statements are tried; with more of them, on a server of PostgreSQL where there is one. */
const count = Number(process.env["TENON_TEST_STATEMENTS"] ?? 150);
const perSet = 25;
/** A store gives no more rows. */
const mostRows = 10_000;
const engine = engines[count > 1_000 ? engines.length - 1 : 0];
const { events, things } = plans.test;
const tables = [tableOf("events", events), tableOf("things", things)];
const dataDir = mkdtempSync(join(tmpdir(), "tenon-statements-"));
const sqlite = new SqliteStore({ dataDir, plans });
let place: TestDatabase;
let database: Database;
let postgres: PostgresStore;
beforeAll(async () => {
  if (engine === undefined) throw new Error("there is no PostgreSQL");
  place = await engine.start();
  database = place.open();
  postgres = new PostgresStore({ database, plans });
});
afterAll(async () => {
  await sqlite.close();
  await postgres.close();
  await database.close();
  await place.close();
  rmSync(dataDir, { recursive: true, force: true });
});

function valuesOf({ fields }: StorePlan, record: RecordObject): ReadonlyMap<string, Value> {
  const values = Object.entries(fields).map(([name, field]): [string, Value] => {
    const tested = testedValues(field, record[name]);
    return [name, field.list === undefined ? (tested[0] ?? null) : tested.filter((one) => one !== null)];
  });
  return new Map([["key", String(record["id"])], ...values]);
}

type Outcome = readonly string[] | { readonly refused: string; readonly isExpected: boolean };

/** The rows, or what a caller reads of why there are none. */
async function outcome(rows: () => Promise<readonly object[]>, isSorted: boolean): Promise<Outcome> {
  try {
    const all = (await rows()).map((row) => JSON.stringify(row));
    return isSorted ? all.slice(0, mostRows) : all.sort();
  } catch (thrown) {
    const message = String(thrown);
    return { refused: message, isExpected: /out of range|too large, or/.test(message) };
  }
}

async function ask(store: Store, instance: string, statement: BoundStatement, tries = 5): Promise<readonly object[]> {
  const place = { connector: "test", instance };
  try {
    const { json } = await store.runStatement(place, { statement, limit: mostRows }, performance.now() + 100_000);
    return JSON.parse(Buffer.from(json).toString()) as object[];
  } catch (thrown) {
    // A busy machine may need longer than a statement has.
    if (tries > 1 && thrown instanceof TenonError && thrown.code === "search_timeout")
      return ask(store, instance, statement, tries - 1);
    throw thrown;
  }
}

it(`gives ${count} statements the rows of their plain meaning on every store`, { timeout: 3_600_000 }, async () => {
  const seed = Number(process.env["TENON_TEST_SEED"] ?? 20_240_229);
  const kinds = { rows: 0, refused: 0, empty: 0 };
  const wrong: object[] = [];
  for (let first = 0; first < count; first += perSet) {
    const sample = <Value>(arbitrary: fc.Arbitrary<Value>, numRuns: number) =>
      fc.sample(arbitrary, { seed: seed + first, numRuns });
    const [eventsOf = []] = sample(eventRecords, 1);
    const [thingsOf = []] = sample(thingRecords, 1);
    const instance = `set${first}`;
    for (const store of [sqlite, postgres]) {
      await store.save(
        { connector: "test", instance, scope: "all", entity: "events" },
        { records: eventsOf, checkpoint: checkpoint(1) },
      );
      await store.save(
        { connector: "test", instance, scope: "all", entity: "things" },
        { records: thingsOf, checkpoint: checkpoint(1) },
      );
    }
    const rows = new Map([
      ["events", eventsOf.map((one) => valuesOf(events, one))],
      ["things", thingsOf.map((one) => valuesOf(things, one))],
    ]);
    for (const sql of sample(statements, Math.min(perSet, count - first))) {
      const statement = await parseStatement(sql, tables).catch((thrown: unknown) => {
        throw new Error(`${sql}\n${String(thrown)}`);
      });
      const isSorted = statement.query.order.length > 0;
      const meant = await outcome(async () => evaluate(statement, rows), isSorted);
      const found = await Promise.all(
        [sqlite, postgres].map((store) => outcome(() => ask(store, instance, statement), isSorted)),
      );
      // Of more rows in no order, any may be given.
      if (!isSorted && "length" in meant && meant.length > mostRows) {
        for (const one of found) expect(one).toHaveLength(mostRows);
        continue;
      }
      // Which rows and which parts of a condition an engine looks at, it decides itself: so only rows can be compared.
      if ([meant, ...found].some((one) => "isExpected" in one && one.isExpected)) kinds.refused++;
      else if (found.some((one) => JSON.stringify(one) !== JSON.stringify(meant)))
        wrong.push({ sql, meant, sqlite: found[0], postgres: found[1], records: [eventsOf, thingsOf] });
      else kinds["length" in meant && meant.length > 0 ? "rows" : "empty"]++;
    }
    expect(wrong.slice(0, 1), `seed ${seed + first}`).toEqual([]);
  }
  // Statements must have something to compare.
  expect(kinds.rows, JSON.stringify(kinds)).toBeGreaterThan(count / 2);
});
