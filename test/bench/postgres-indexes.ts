import type pg from "pg";
import { sqlState } from "../../runtime/postgres/index.ts";
import { type Sql, statementOf } from "../../runtime/sql/index.ts";
import { median, type Row, round } from "./report.ts";

/** SQLSTATE of a statement that was given up. */
const timedOut = "57014";
/** Milliseconds after which a statement without an index is given up. */
const patience = 5_000;
/** A class counts as slower from this factor on, and only when it takes so many milliseconds more. */
const slower = { factor: 1.5, by: 0.3 };

interface IndexRow {
  readonly name: string;
  readonly bytes: number;
}

interface Plan {
  readonly "Index Name"?: string;
  readonly Plans?: readonly Plan[];
}

interface Explained {
  /** Milliseconds on the server. */
  readonly time: number;
  readonly indexes: ReadonlySet<string>;
}

/**
 * What each index of the records and of their words is worth: its size, and the times of the statements of all classes with and without it.
 * It is dropped in a transaction that is rolled back.
 *
 * @param statements of each class, as searches have sent them
 */
export async function worthOfIndexes(
  client: pg.Client,
  size: number,
  statements: ReadonlyMap<string, readonly (readonly Sql[])[]>,
): Promise<Row[]> {
  const { rows } = await client.query<IndexRow>(
    "SELECT indexrelname AS name, pg_relation_size(indexrelid)::float8 AS bytes FROM pg_stat_user_indexes WHERE relname LIKE 'github_issues%' ORDER BY 2 DESC",
  );
  const usual = new Map<string, readonly Explained[]>();
  for (const [name, searches] of statements) usual.set(name, await inTransaction(client, () => explained(client, searches)));
  const found: Row[] = [];
  for (const { name, bytes } of rows) {
    const worse: string[] = [];
    for (const [what, before] of usual) {
      if (!before.some(({ indexes }) => indexes.has(name))) continue;
      const after = await without(client, name, () => explained(client, statements.get(what) ?? []));
      const [had, has] = [timeOf(before), timeOf(after)];
      if (has > had * slower.factor && has - had > slower.by) worse.push(`${what} ${round(had, 2)} → ${round(has, 2)} ms`);
    }
    const label = name.replace(/@[0-9a-f]{8}/, "").replace("github_issues", "issues");
    found.push({
      what: `index ${label}: ${worse.length === 0 ? "no class is slower without it" : worse.join(", ")}`,
      value: round(bytes / size, 0),
      unit: "bytes a record",
    });
  }
  return found;
}

function timeOf(all: readonly Explained[]): number {
  return median(all.map(({ time }) => time));
}

/** Does work without an index, in a transaction that is rolled back. */
async function without<Result>(client: pg.Client, index: string, work: () => Promise<Result>): Promise<Result> {
  const table = /^(.*)_pkey$/.exec(index)?.[1];
  return inTransaction(client, async () => {
    await client.query(table === undefined ? `DROP INDEX "${index}"` : `ALTER TABLE "${table}" DROP CONSTRAINT "${index}"`);
    return work();
  });
}

async function inTransaction<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  await client.query("BEGIN");
  try {
    return await work();
  } finally {
    await client.query("ROLLBACK");
  }
}

/** The times of searches: the sums of their statements on the server, of each the faster one of two runs. */
async function explained(client: pg.Client, searches: readonly (readonly Sql[])[]): Promise<Explained[]> {
  const all: Explained[] = [];
  for (const search of searches) {
    const indexes = new Set<string>();
    let time = 0;
    for (const statement of search) {
      const first = await explain(client, statement, indexes);
      time += first === patience ? first : Math.min(first, await explain(client, statement, indexes));
    }
    all.push({ time, indexes });
  }
  return all;
}

/** @returns milliseconds on the server, at most `patience` */
async function explain(client: pg.Client, statement: Sql, indexes: Set<string>): Promise<number> {
  const { text, values } = statementOf(statement);
  await client.query(`SAVEPOINT before_it`);
  await client.query(`SET LOCAL statement_timeout = ${patience}`);
  try {
    const { rows } = await client.query<{ "QUERY PLAN": readonly { Plan: Plan; "Execution Time": number }[] }>(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
      values,
    );
    const [plan] = rows[0]?.["QUERY PLAN"] ?? [];
    if (plan !== undefined) noteIndexes(plan.Plan, indexes);
    return plan?.["Execution Time"] ?? 0;
  } catch (thrown) {
    if (sqlState(thrown) !== timedOut) throw thrown;
    return patience;
  } finally {
    await client.query("ROLLBACK TO before_it");
  }
}

function noteIndexes(plan: Plan, indexes: Set<string>): void {
  const name = plan["Index Name"];
  if (name !== undefined) indexes.add(name);
  for (const one of plan.Plans ?? []) noteIndexes(one, indexes);
}
