import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { TenonError } from "../../runtime/base/errors.ts";
import { tableOf } from "../../runtime/contract/index.ts";
import type { Database as Postgres } from "../../runtime/postgres/index.ts";
import { type Sql, statementOf } from "../../runtime/sql/index.ts";
import { type BoundStatement, parseStatement } from "../../runtime/statement/index.ts";
import { PostgresStore } from "../../runtime/store/postgres/postgres-store.ts";
import { StatementReader } from "../../runtime/store/sqlite/search/statement-reader.ts";
import { Catalogue } from "../../runtime/store/sqlite/tables/catalogue.ts";
import { Writer } from "../../runtime/store/sqlite/write/writer.ts";
import { checkpoint, instance, plans } from "../conformance/store/case.ts";
import { engines } from "../support/postgres/engines.ts";
import type { TestDatabase } from "../support/postgres/test-database.ts";
import { hostileStatements } from "../support/statement/hostile.ts";

/** How many inputs are tried. */
const count = Number(process.env["TENON_TEST_HOSTILE"] ?? 300);
const folder = mkdtempSync(join(tmpdir(), "tenon-hostile-"));
const file = join(folder, "store.sqlite");
// The caller may read events, and not things.
const tables = [tableOf("events", plans.test.events)];
/** What the engines were asked since the last statement. */
const asked: string[] = [];
let place: TestDatabase;
let database: Postgres;
let postgres: PostgresStore;
let sqlite: StatementReader;

const secret = "SECRET of somebody else";
const pages = [
  { ...instance, entity: "events", records: [{ id: "a", title: "mine", size: 1, labels: [{ name: "bug" }] }, { id: "b" }] },
  { ...instance, entity: "things", records: [{ id: secret, title: secret }] },
  {
    ...instance,
    instance: "two",
    entity: "events",
    records: [{ id: secret, title: secret, body: secret, labels: [{ name: secret }] }],
  },
].map(
  ({ records, ...collection }) =>
    [
      { ...collection, scope: "all" },
      { records, checkpoint: checkpoint(1) },
    ] as const,
);

beforeAll(async () => {
  const writer = new Writer(file, new Catalogue(plans), () => undefined);
  for (const [collection, page] of pages) writer.save(collection, page);
  writer.close();
  sqlite = new StatementReader(file, new Catalogue(plans));
  const [engine] = engines;
  if (engine === undefined) throw new Error("there is no PostgreSQL");
  place = await engine.start();
  database = place.open();
  postgres = new PostgresStore({ database: listened(database), plans });
  for (const [collection, page] of pages) await postgres.save(collection, page);
  const prepare = Database.prototype.prepare;
  vi.spyOn(Database.prototype, "prepare").mockImplementation(function (this: Database.Database, text: string) {
    asked.push(text);
    return prepare.call(this, text);
  });
  // A statement that came before may still be prepared.
  const prepared = Object.getPrototypeOf(prepare.call(new Database(":memory:"), "SELECT 1")) as Database.Statement;
  const { iterate } = prepared;
  vi.spyOn(prepared, "iterate").mockImplementation(function (this: Database.Statement, ...values: unknown[]) {
    asked.push(this.source);
    return iterate.apply(this, values);
  });
});
afterAll(async () => {
  vi.restoreAllMocks();
  sqlite.close();
  await postgres.close();
  await database.close();
  await place.close();
  rmSync(folder, { recursive: true, force: true });
});

function listened(given: Postgres): Postgres {
  const transaction: Postgres["transaction"] = (work, options) =>
    given.transaction((queries) => {
      const heard = <Statement extends Sql>(statement: Statement) => {
        asked.push(statementOf(statement).text);
        return statement;
      };
      return work({
        query: (statement) => queries.query(heard(statement)),
        each: (statement, make) => queries.each(heard(statement), make),
        run: (statement) => queries.run(heard(statement)),
      });
    }, options);
  return Object.assign(Object.create(given), { transaction }) as Postgres;
}

/** Every word of this program's own SQL, and of the names in the specs. Whatever else an engine is asked comes from a caller. */
const known = new Set(
  ["statement", "store", "sqlite", "postgres", "sql"]
    .flatMap((room) => {
      const path = new URL(`../../runtime/${room}/`, import.meta.url);
      return readdirSync(path, { recursive: true }).map((name) => new URL(String(name), path));
    })
    .filter(({ pathname }) => pathname.endsWith(".ts"))
    .flatMap((path) => wordsIn(readFileSync(path, "utf8")))
    .concat(wordsIn(JSON.stringify(plans))),
);

function wordsIn(text: string): string[] {
  return text.match(/[\p{L}_][\p{L}\d_]*/gu) ?? [];
}

/** Words that are not of this program, or of the names and numbers that it makes. */
function foreignIn(text: string): string[] {
  const made = text
    .replace(/"[^"]*[@:.~][^"]*"/g, (name) => name.replace(/@[0-9a-f]+|#[0-9a-f]+/g, ""))
    // A name can also be a text: the store looks up the statistics of a table from time to time.
    .replace(/\b(record|vocabulary)@[0-9a-f]{8}\b/g, "$1");
  return wordsIn(made).filter((word) => !known.has(word) && !/^(?:[tcwgk]\d+|ufdd\d|FDD\d|test_events)$/.test(word));
}

async function outcome(ask: () => unknown): Promise<string> {
  try {
    const { json } = (await ask()) as { json: Uint8Array };
    return Buffer.from(json).toString();
  } catch (thrown) {
    if (thrown instanceof TenonError && ["invalid_request", "search_timeout"].includes(thrown.code)) return thrown.message;
    throw thrown;
  }
}

/** What a statement gets from the engines that it must not: foreign words in their SQL, and rows of somebody else. */
async function escaped(statement: BoundStatement): Promise<string[]> {
  asked.length = 0;
  const query = { statement, limit: 100 };
  const answers = [
    await outcome(() => sqlite.search({ ...instance, entity: "" }, query, Date.now() + 2_000)),
    await outcome(() => postgres.runStatement(instance, query, performance.now() + 10_000)),
  ];
  expect(asked.length).toBeGreaterThan(1);
  return [...answers.filter((answer) => answer.includes(secret)), ...asked.flatMap(foreignIn)];
}

it(`lets nothing of ${count} hostile inputs reach an engine but values, and gives no row of somebody else`, {
  timeout: 3_600_000,
}, async () => {
  const seed = Number(process.env["TENON_TEST_SEED"] ?? 7);
  let ran = 0;
  for (const text of fc.sample(hostileStatements, { seed, numRuns: count })) {
    const statement = await parseStatement(text, tables).catch((thrown: unknown) => {
      if (thrown instanceof TenonError && thrown.code === "invalid_request") return undefined;
      throw new Error(`${text.slice(0, 500)}: ${String(thrown)}`);
    });
    if (statement === undefined) continue;
    ran++;
    expect(await escaped(statement), text).toEqual([]);
  }
  // Some must have got through the checks.
  expect(ran).toBeGreaterThan(count / 20);
});

// Negative controls: what the test above would find without one of the checks.

it("would notice that nobody checks which tables a caller may read", async () => {
  const all = [...tables, tableOf("things", plans.test.things)];
  const found = await escaped(await parseStatement("SELECT title FROM things", all));
  expect(found.filter((one) => one.includes(secret))).toHaveLength(2);
});

it("would notice that nobody looks up the name of a column", async () => {
  const { query, ...rest } = await parseStatement("SELECT title FROM events", tables);
  const { body } = query;
  if (body.kind !== "select" || body.columns[0]?.kind !== "column") throw new Error("another statement is wanted");
  const columns = [{ ...body.columns[0], name: "title FROM hostile" }];
  const found = await escaped({ ...rest, query: { ...query, body: { ...body, columns } } }).catch(() => asked.flatMap(foreignIn));
  expect(found).toContain("hostile");
});
