import pg from "pg";
import { openDatabase } from "../../runtime/postgres/index.ts";
import { valueTypes } from "../../runtime/postgres/value-types.ts";
import { type Sql, statementOf } from "../../runtime/sql/index.ts";
import { PostgresStore } from "../../runtime/store/postgres/postgres-store.ts";
import { byHand, rowBefore, runByHand, type Statement } from "./postgres-by-hand.ts";
import { worthOfIndexes } from "./postgres-indexes.ts";
import { plansOf, type RecordingDatabase, recording } from "./postgres-plans.ts";
import { throughput } from "./postgres-requests.ts";
import { collection, layout, type PostgresPlace, postgresWith, settings } from "./postgres-server.ts";
import { median, type Result, type Row, round } from "./report.ts";
import { type Case, type Class, casesOf, classes } from "./search-classes.ts";
import { folderOf, loaded, plans } from "./search-file.ts";
import { Records } from "./search-records.ts";
import { longest, openService, type Service, serviceOver } from "./search-service.ts";

/** Questions of each class, and how often each is asked on every side after the first time, which does not count. */
const questions = 30;
const times = 3;
/** Questions of each class that are asked without an index too. */
const withoutIndex = 3;
/** Milliseconds for one class, after which no further question is asked. */
const patience = 8_000;

const nothing = new Uint8Array();

/** Searches over all records; of 100,000 each may take 30 ms. */
const sums = {
  "count of the open issues": { filter: { eq: { state: "open" } }, count: true as const, limit: 1 },
  "groups by state": { groupBy: ["state"], limit: 10 },
  "groups by state and reason": { groupBy: ["state", "stateReason"], limit: 10 },
};

interface Measured {
  readonly ours: number;
  readonly hand: number | undefined;
  readonly sqlite: number;
  readonly questions: number;
  /** The statements of the first questions. */
  readonly statements: readonly (readonly Sql[])[];
  /** The question at which ours missed the aim by most, with its plan. */
  readonly plan: string;
}

interface Sides {
  readonly ours: Service;
  readonly sqlite: Service;
  readonly client: pg.Client;
  /** What `ours` asks. */
  readonly database: RecordingDatabase;
}

/**
 * Cached search in a PostgreSQL server of this machine, beside what a person would write for the same tables and beside SQLite. Every side
 * answers in this process with the bytes of the same JSON, which are compared.
 *
 * @param size how many records
 */
export async function benchPostgres(size: number): Promise<Result> {
  const say = (text: string) => console.error(text);
  const records = new Records(size);
  const place = await postgresWith(records, say);
  try {
    await loaded(records, say);
    const { found, summed } = await measureAll(records, place, say);
    const worth = await worthOf(size, place, found);
    const rows = [
      ...loadRows(size, place),
      ...summed,
      ...classes.flatMap((one) => classRows(one.name, found.get(one.name))),
      ...worth,
    ];
    return {
      name: "postgres",
      notes: [
        `${size.toLocaleString("en")} issues; PostgreSQL on this machine with ${Object.entries(settings)
          .map(([name, value]) => `${name} = ${value}`)
          .join(", ")}.`,
        `${questions} questions per class, each ${times} times after a first time that does not count; the median of each question, and of these the median.`,
        "By hand: prepared statements on one connection, the best of the plans that a person would force. There is none for fuzzy.",
      ].join(" "),
      rows: [...rows, ...(await throughput(place.url, say))],
    };
  } finally {
    await place.stop();
  }
}

async function worthOf(size: number, { url }: PostgresPlace, found: ReadonlyMap<string, Measured>): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await worthOfIndexes(client, size, new Map([...found].map(([name, { statements }]) => [name, statements])));
  } finally {
    await client.end();
  }
}

async function measureAll(records: Records, { url }: PostgresPlace, say: (text: string) => void) {
  const client = new pg.Client({ connectionString: url, types: valueTypes });
  await client.connect();
  const database = recording(openDatabase(url, { connections: 10 }));
  const ours = await serviceOver(new PostgresStore({ database, plans, searchTime: longest }), collection.instance);
  const sqlite = await openService(folderOf(records.size));
  const found = new Map<string, Measured>();
  const summed: Row[] = [];
  try {
    for (const [index, one] of classes.entries()) {
      const measured = await measure({ ours, sqlite, client, database }, one, casesOf(one, index, records, questions));
      found.set(one.name, measured);
      const { hand, questions: asked } = measured;
      const ratio = hand === undefined ? "" : `, ${round(measured.ours / hand, 2)} times as long`;
      say(
        `${one.name}: ours ${ms(measured.ours)}, by hand ${ms(hand)}${ratio}, SQLite ${ms(measured.sqlite)} (${asked} questions)`,
      );
      if (hand !== undefined && measured.ours > aimOf(hand)) say(measured.plan);
    }
    for (const [name, search] of Object.entries(sums)) {
      const { time } = await medianOf(() => ours.search(search).then(({ json }) => json ?? nothing));
      say(`${name}: ours ${ms(time)}\n${await plansOf(client, database.statements)}`);
      summed.push({ what: `${name}: PostgreSQL`, value: round(time, 1), unit: "ms" });
    }
  } finally {
    await Promise.all([ours.close(), sqlite.close()]);
    await Promise.all([database.close(), client.end()]);
  }
  return { found, summed };
}

async function measure({ ours, sqlite, client, database }: Sides, { name }: Class, cases: readonly Case[]): Promise<Measured> {
  const all = { ours: [] as number[], hand: [] as number[], sqlite: [] as number[] };
  const until = performance.now() + patience;
  const asked: (readonly Sql[])[] = [];
  let worst = { beyond: Number.NEGATIVE_INFINITY, plan: "" };
  for (const one of cases) {
    if (all.ours.length > 2 && performance.now() > until) break;
    const after = await rowBefore(client, one);
    const search = after === undefined ? one.search : { ...one.search, cursor: ours.cursor(one.search, after) };
    const mine = await medianOf(() => ours.search(search).then(({ json }) => json ?? nothing));
    const { statements } = database;
    if (asked.length < withoutIndex)
      asked.push(statements.filter((statement) => statementOf(statement).text.includes(layout.entity)));
    const other = await medianOf(() => sqlite.search(search).then(({ json }) => json ?? nothing));
    const hand = await bestByHand(client, byHand(one, after), mine.value, name);
    all.ours.push(mine.time);
    all.sqlite.push(other.time);
    if (hand === undefined) continue;
    all.hand.push(hand.time);
    const beyond = mine.time - aimOf(hand.time);
    if (beyond > Math.max(0, worst.beyond)) {
      const times = `${ms(mine.time)}, by hand ${ms(hand.time)}: ${JSON.stringify(search).slice(0, 300)}`;
      worst = { beyond, plan: `${times}\n${await plansOf(client, statements)}` };
    }
  }
  return {
    ours: median(all.ours),
    hand: all.hand.length === 0 ? undefined : median(all.hand),
    sqlite: median(all.sqlite),
    questions: all.ours.length,
    statements: asked,
    plan: worst.plan,
  };
}

async function bestByHand(client: pg.Client, tries: readonly Statement[], answer: Uint8Array, name: string) {
  let best: number | undefined;
  for (const one of tries) {
    const { time, value } = await medianOf(() => runByHand(client, one), (best ?? 100) * 10);
    if (Buffer.compare(value, answer) !== 0)
      throw new Error(`the answers to ${name} differ: ${one.text}\n${beginningOf(value)}\n${beginningOf(answer)}`);
    best = Math.min(best ?? time, time);
  }
  return best === undefined ? undefined : { time: best };
}

function beginningOf(json: Uint8Array): string {
  return Buffer.from(json.subarray(0, 500)).toString();
}

/** @param most milliseconds of the first time, beyond which there is no second one */
async function medianOf(work: () => Promise<Uint8Array>, most = Number.POSITIVE_INFINITY) {
  const taken: number[] = [];
  let value: Uint8Array = nothing;
  for (let again = 0; again <= times; again++) {
    const started = performance.now();
    value = await work();
    const time = performance.now() - started;
    if (time > most) return { time, value };
    if (again > 0) taken.push(time);
  }
  return { time: median(taken), value };
}

function aimOf(hand: number): number {
  return 1.3 * hand + 1;
}

function loadRows(size: number, { loaded: of }: PostgresPlace): Row[] {
  const again = of.reused ? " (of the run that loaded the database)" : "";
  return [
    {
      what: `load with all indexes${again}`,
      value: round(of.seconds, 0),
      unit: "s",
      ...(size === 1_000_000 ? { aim: "under 300 s" } : {}),
    },
    { what: `load: the records${again}`, value: round(of.recordSeconds, 0), unit: "s" },
    { what: `load: the indexes${again}`, value: round(of.seconds - of.recordSeconds, 0), unit: "s" },
    { what: `the indexes that searches ask for${again}`, value: round(of.demandedSeconds, 0), unit: "s" },
    { what: "a record", value: round(of.bytes / size, 0), unit: "bytes", aim: "at most 4,500" },
    { what: "a record, with the indexes that searches ask for", value: round(of.allIndexes.bytes / size, 0), unit: "bytes" },
    {
      what: `durable upserts in batches of 1,000${again}`,
      value: round(of.upsertsPerSecond, 0),
      unit: "1/s",
      aim: "at least 3,000",
    },
    {
      what: `the same with the indexes that searches ask for${again}`,
      value: round(of.allIndexes.upsertsPerSecond, 0),
      unit: "1/s",
    },
    { what: `durable upserts as a sync gives them${again}`, value: round(of.syncedPerSecond, 0), unit: "1/s" },
  ];
}

function classRows(name: string, found: Measured | undefined): Row[] {
  if (found === undefined) return [];
  const { ours, hand, sqlite } = found;
  const aim = hand === undefined ? {} : { aim: `under ${round(aimOf(hand), 2)} ms` };
  return [
    { what: `${name}: PostgreSQL`, value: round(ours, 2), unit: "ms", ...aim },
    ...(hand === undefined ? [] : [{ what: `${name}: by hand`, value: round(hand, 2), unit: "ms" }]),
    { what: `${name}: SQLite`, value: round(sqlite, 2), unit: "ms" },
  ];
}

function ms(time: number | undefined): string {
  return time === undefined ? "-" : `${time.toFixed(2)} ms`;
}
