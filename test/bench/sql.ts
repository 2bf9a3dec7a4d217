import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { pino } from "pino";
import { github } from "../../generated/github/index.ts";
import { TenonError } from "../../runtime/base/errors.ts";
import { redactor } from "../../runtime/base/redact.ts";
import { connect } from "../../runtime/execute/connect.ts";
import { execute } from "../../runtime/execute/execute.ts";
import type { ConnectorInstance } from "../../runtime/execute/instance.ts";
import { valueTypes } from "../../runtime/postgres/value-types.ts";
import type { EmbeddingProvider } from "../../runtime/semantic/provider.ts";
import { staticProvider } from "../../runtime/semantic/static-provider.ts";
import { openReader } from "../../runtime/store/sqlite/tables/connection.ts";
import { statementTime } from "../../runtime/store/statement-store.ts";
import { tokenCredential } from "../support/credential.ts";
import { median, type Result, type Row, round } from "./report.ts";
import { Records } from "./search-records.ts";
import { type BenchStatement, names, statementsOf } from "./sql-statements.ts";
import { type BenchStore, openPlaces, instance as place, type SqlPlace } from "./sql-world.ts";

const times = 5;
/** Milliseconds for one statement on one side, after which it is not run again. */
const patience = 10_000;
const searches = 400;

type Side = "sqlite" | "postgres";
/** Runs SQL that a person wrote, with the hits of a search by meaning. @returns how many rows there are */
type ByHand = (text: string, hits: readonly Hit[]) => Promise<number> | number;
type Hit = readonly [key: string, score: number];

/**
 * SQL over the cache beside SQL that a person wrote for the same tables, on both stores: each statement as a caller sends it, with parsing,
 * and with the rows as JSON. And cheap searches, while ten expensive statements run.
 */
export async function benchSql(size: number): Promise<Result> {
  const say = (text: string) => console.error(text);
  const provider = staticProvider();
  const places = await openPlaces(size, provider, say);
  const repository = commonest(Math.round(size * 0.3));
  const rows: Row[] = [];
  try {
    for (const side of ["sqlite", "postgres"] as const) {
      const hand = await handOf(side, places[side]);
      try {
        rows.push(...(await sideRows(side, places[side].store, { provider, repository, byHand: hand.run, say })));
      } finally {
        await hand.close();
      }
    }
  } finally {
    await places.sqlite.stop();
    await places.postgres.stop();
    await provider.close();
  }
  return {
    name: "sql",
    notes: `${size.toLocaleString("en")} issues and comments. Median of ${times} runs after one that does not count, in turns with SQL by hand; with parsing, and rows as JSON.`,
    rows,
  };
}

interface Given {
  readonly provider: EmbeddingProvider;
  readonly repository: string;
  readonly byHand: ByHand;
  readonly say: (text: string) => void;
}

async function sideRows(side: Side, store: BenchStore, { provider, repository, byHand, say }: Given): Promise<Row[]> {
  const service = instanceOf(store, provider);
  const rows: Row[] = [];
  const statements = statementsOf(repository);
  for (const one of statements) {
    const { ours, hand } = await compared(side, service, one, byHand);
    const aim = 1.15 * hand + 2;
    say(`${side}: ${one.name}: ${ours.toFixed(1)} ms, by hand ${hand.toFixed(1)} ms${ours > aim ? " (aim missed)" : ""}`);
    const label = `${side === "sqlite" ? "SQLite" : "PostgreSQL"}: ${one.name}`;
    rows.push(
      { what: label, value: round(ours, 2), unit: "ms", aim: `at most ${round(aim, 2)} ms` },
      { what: `${label}, by hand`, value: round(hand, 2), unit: "ms" },
    );
  }
  const beside = await besideTen(service, statements, repository);
  rows.push({
    what: `${side === "sqlite" ? "SQLite" : "PostgreSQL"}: cheap searches beside ten expensive statements, p99`,
    value: round(beside, 2),
    unit: "ms",
    aim: "at most 20 ms",
  });
  return rows;
}

async function compared(side: Side, service: ConnectorInstance, one: BenchStatement, byHand: ByHand) {
  const text = one.byHand(names[side]);
  const taken = { ours: [] as number[], hand: [] as number[] };
  const until = performance.now() + patience;
  for (let again = 0; again <= times && (again < 2 || performance.now() < until); again++) {
    const ours = await timed(async () => (await askOnce(service, one.sql)).length).catch(endedAtLimit);
    const hand = await timed(async () => byHand(text, one.prompt === undefined ? [] : await hitsOf(service, one.prompt)));
    if (ours.rows !== undefined && ours.rows !== hand.rows)
      throw new Error(`${one.name}: ${ours.rows} rows, and ${hand.rows} by hand: ${text}`);
    if (again === 0) continue;
    taken.ours.push(ours.time);
    taken.hand.push(hand.time);
  }
  return { ours: median(taken.ours), hand: median(taken.hand) };
}

async function timed(work: () => Promise<number>): Promise<{ readonly time: number; readonly rows: number }> {
  const started = performance.now();
  const rows = await work();
  return { time: performance.now() - started, rows };
}

/** A statement that takes too long counts as long as it may take. */
function endedAtLimit(thrown: unknown): { readonly time: number; readonly rows: undefined } {
  if (thrown instanceof TenonError && thrown.code === "search_timeout") return { time: statementTime, rows: undefined };
  throw thrown;
}

let asked = 0;

/** Asks in a text that is another one each time, so that nothing that was parsed before is of use. */
const askOnce = (service: ConnectorInstance, sql: string) => ask(service, `${sql} -- ${++asked}`);

async function ask(service: ConnectorInstance, sql: string): Promise<readonly unknown[]> {
  const request = { entity: "issues", action: "context_store_sql_query", params: { sql } };
  return (await execute(service, request, context())).data as readonly unknown[];
}

async function hitsOf(service: ConnectorInstance, prompt: string): Promise<Hit[]> {
  const params = { semantic: { field: "body", prompt }, limit: 50, fields: ["node_id"] };
  const { data } = await execute(service, { entity: "pull_requests", action: "context_store_search", params }, context());
  return (data as readonly { entity: { node_id: string }; metadata: { score: number } }[]).map(({ entity, metadata }) => [
    entity.node_id,
    metadata.score,
  ]);
}

const context = () => ({
  timeout: 30_000,
  signal: new AbortController().signal,
  log: pino({ enabled: false }),
  requestId: "bench",
});

function instanceOf(store: BenchStore, provider: EmbeddingProvider): ConnectorInstance {
  const made = connect({
    id: "github",
    workspace: "default",
    connector: github,
    endpoints: { rest: "http://platform.example", graphql: "http://platform.example/graphql" },
    credential: async () => tokenCredential("none"),
    userAgent: "tenon/bench",
    redact: redactor(github.platform.auth.secrets, []),
    store,
    storeName: place.instance,
  });
  return { ...made, semantic: { store, providers: [provider] } };
}

/** Milliseconds that 99 of 100 cheap searches take at most, while ten expensive statements run at a time. */
async function besideTen(service: ConnectorInstance, statements: readonly BenchStatement[], repository: string): Promise<number> {
  const expensive = statements.filter(({ name }) => /^(?:join of all|the two newest|all issues)/.test(name));
  let isOver = false;
  const running = Array.from({ length: 10 }, async (_, at) => {
    for (let next = at; !isOver; next++)
      await askOnce(service, expensive[next % expensive.length]?.sql ?? "").catch(() => undefined);
  });
  const params = { query: { filter: { eq: { repository } }, sort: [{ createdAt: "desc" }] }, limit: 20 };
  const taken: number[] = [];
  for (let at = 0; at < searches; at++) {
    const { time } = await timed(async () => {
      await execute(service, { entity: "issues", action: "context_store_search", params }, context());
      return 0;
    });
    taken.push(time);
    await sleep(5);
  }
  isOver = true;
  await Promise.all(running);
  return taken.sort((a, b) => a - b)[Math.ceil(0.99 * searches) - 1] ?? Number.NaN;
}

/** The repository with the most issues. */
function commonest(issues: number): string {
  const records = new Records(issues);
  const counts = new Map<string, number>();
  for (let at = 0; at < Math.min(issues, 2_000); at++) {
    const { repository } = records.record(at);
    counts.set(repository, (counts.get(repository) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "";
}

async function handOf(side: Side, { at }: SqlPlace): Promise<{ run: ByHand; close: () => Promise<unknown> | unknown }> {
  if (side === "sqlite") {
    const db = openReader(`${at}/context-store.sqlite`);
    const run: ByHand = (text, hits) => {
      const [keys, values] = keysOf(hits, () => "?");
      const rows = db.prepare(text.replaceAll(":keys", keys)).all(...values);
      return Buffer.byteLength(JSON.stringify(rows)) > 0 ? rows.length : 0;
    };
    return { run, close: () => db.close() };
  }
  const client = new pg.Client({ connectionString: at, types: valueTypes });
  await client.connect();
  const run: ByHand = async (text, hits) => {
    const [keys, values] = keysOf(
      hits,
      (index) => `$${index + 1}${index % 2 === 0 ? '::text COLLATE "C"' : "::double precision"}`,
    );
    const { rows } = await client.query(text.replaceAll(":keys", keys), values);
    return Buffer.byteLength(JSON.stringify(rows)) > 0 ? rows.length : 0;
  };
  return { run, close: () => client.end() };
}

/** A table of hits as a person would write it. */
function keysOf(hits: readonly Hit[], placed: (index: number) => string): readonly [text: string, values: (string | number)[]] {
  const rows = hits.map((_, at) => `(${placed(2 * at)}, ${placed(2 * at + 1)})`);
  return [`(SELECT column1 AS k, column2 AS score FROM (VALUES ${rows.join(", ")}) v)`, hits.flat()];
}
