import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type Database from "better-sqlite3";
import { Query } from "mingo";
import sift from "sift";
import type { Issue } from "../../generated/github/issues.ts";
import { openReader } from "../../runtime/store/sqlite/tables/connection.ts";
import { median, type Result, type Row, sum } from "./report.ts";
import { type Case, type Class, casesOf, classes, type HandWritten, type Search } from "./search-classes.ts";
import { folderOf, type Loaded, layout, loaded } from "./search-file.ts";
import { Random, Records } from "./search-records.ts";
import {
  besideRows,
  classRows,
  fileRows,
  ownRows,
  pingRows,
  planRow,
  type Side,
  sizes,
  type Tail,
  type Times,
} from "./search-rows.ts";
import { type Answer, openService, type Service } from "./search-service.ts";

const queries = 200;
const warmUp = 20;
/** Cases of a class that are also asked by hand, and by scans. */
const handCases = 40;
const scanCases = 5;
/** Milliseconds for the slow sides of one class. */
const patience = 12_000;

/**
 * Cached search over generated issues, at two sizes. A measured query has not been asked before. What
 * a person would write by hand runs in this process on the same file, reads the same columns and makes the same JSON; both answers
 * are compared. Scans go through all records in memory.
 */
export async function benchSearch(wanted: readonly number[] = sizes): Promise<Result> {
  const say = (text: string) => console.error(text);
  const sides = new Map<number, { loaded: Loaded; classes: Map<string, Side>; own: Times; pings: Tail; beside: Tail }>();
  for (const size of wanted) {
    const records = new Records(size);
    const file = await loaded(records, say);
    const service = await openService(folderOf(size));
    try {
      await warm(records, service);
      const measured = await measureAll(records, service, say);
      const own = await ownCost(service);
      const pings = await whileSearching(records, service);
      const beside = await besideExpensive(records, service);
      sides.set(size, { loaded: file, classes: measured, own, pings, beside });
    } finally {
      await service.close();
    }
  }
  const scans = wanted.includes(sizes[0]) ? scanAll(new Records(sizes[0])) : new Map<string, number>();
  const largest = wanted.at(-1) ?? sizes[0];
  const rows: Row[] = [];
  for (const [size, { loaded: file, classes: measured, own, pings, beside }] of sides)
    rows.push(
      ...fileRows(size, file),
      ...ownRows(size, own),
      ...pingRows(size, pings),
      ...besideRows(size, beside),
      planRow(size, measured, own),
    );
  for (const one of classes) rows.push(...classRows(one, sides, largest, scans.get(one.name)));
  return {
    name: "search",
    notes: [
      `${wanted.map((size) => size.toLocaleString("en")).join(" and ")} issues; ${queries - warmUp} queries per class and size after a warm-up with others, one at a time, through \`execute\`.`,
      "By hand: the best of the plans that a person would force, in this process, with the same answer; slower plans are given up early. There is none for fuzzy.",
      "Labels are no searchable field of issues: that class is measured by repository.",
      "Scans (`mingo`, `sift`) use regular expressions for like and keyword, and leave fuzzy out.",
    ].join(" "),
    rows,
  };
}

/**
 * Brings most of the file into memory, as it is where the service has run for a while, by questions that are not among the measured ones.
 */
async function warm(records: Records, service: Service): Promise<void> {
  for (const repository of records.repositories.slice(200))
    await service.search({ filter: { eq: { repository } }, limit: 1_000 });
  for (const [index, one] of classes.entries()) {
    const random = new Random(1_000 + index);
    for (let again = 0; again < warmUp; again++) await service.search(one.make(records, random).search);
  }
}

async function measureAll(records: Records, service: Service, say: (text: string) => void) {
  const db = openReader(`${folderOf(records.size)}/context-store.sqlite`);
  const measured = new Map<string, Side>();
  try {
    for (const [index, one] of classes.entries()) {
      const cases = casesOf(one, index, records, queries).map((made) => placed(db, service, made));
      const times: number[] = [];
      for (const [at, { search }] of cases.entries()) {
        const time = await timed(() => service.search(search));
        if (at >= warmUp) times.push(time);
      }
      const side: Side = {
        ours: { p50: median(times), p95: percentile(times, 0.95) },
        hand: await byHand(db, service, cases),
      };
      measured.set(one.name, side);
      say(
        `${records.size} ${one.name}: ${ms(side.ours.p50)} / ${ms(side.ours.p95)} ms, by hand ${ms(side.hand?.best)} (ours ${ms(side.hand?.ours)})`,
      );
    }
  } finally {
    db.close();
  }
  return measured;
}

/**
 * Milliseconds that the faster of two naive scans takes, by class. Comes last: with all records in this process its memory is
 * cleaned up in long pauses, which are no affair of the store.
 */
function scanAll(records: Records): Map<string, number> {
  const all = Array.from({ length: records.size }, (_, at) => records.record(at));
  const found = new Map<string, number>();
  for (const [index, one] of classes.entries()) {
    const scans = casesOf(one, index, records, queries)
      .slice(warmUp, warmUp + scanCases)
      .flatMap(({ scan }) => scan ?? []);
    if (scans.length < scanCases) continue;
    const middle = (scan: (scan: NonNullable<Case["scan"]>) => unknown[]) =>
      median(scans.map((given) => timedNow(() => scan(given).slice(0, 20)).time));
    const mingo = middle((scan) => new Query(scan.filter).find<Issue>(all).sort(scan.sort).all());
    const sifted = middle((scan) => all.filter(sift.default<Issue>(scan.filter)).sort(comparing(scan.sort)));
    found.set(one.name, Math.min(mingo, sifted));
  }
  return found;
}

/** A case that begins behind a row gets the cursor of that row. */
function placed(db: Database.Database, service: Service, given: Case): Case {
  const {
    behind,
    byHand: [plan],
    search,
  } = given;
  if (behind === undefined || plan === undefined) return given;
  const sort = Object.entries(search.sort?.[0] ?? {});
  const [field = "", direction = "asc"] = sort[0] ?? [];
  const column = layout.columns.get(field)?.sql ?? "";
  const offset = plan.text.replace(/LIMIT \d+$/, `LIMIT 1 OFFSET ${behind.rows - 1}`);
  const row = db
    .prepare(`SELECT ${column}, n.k ${offset}`)
    .raw()
    .get(...plan.params) as [number, string] | undefined;
  if (row === undefined) throw new Error("there is no such page");
  const [value, key] = row;
  const [than, limit] = [direction === "asc" ? ">" : "<", search.limit];
  const from = plan.text.slice(0, plan.text.indexOf(" ORDER BY"));
  return {
    search: { ...search, cursor: service.cursor(search, [value, key]) },
    byHand: [
      {
        text: `FROM (SELECT * FROM (SELECT w.found, w.":body", n.k AS k, ${column} AS v ${from} AND ${column} = ? AND n.k > ? ORDER BY n.k LIMIT ${limit}) UNION ALL SELECT * FROM (SELECT w.found, w.":body", n.k AS k, ${column} AS v ${from} AND ${column} ${than} ? ORDER BY ${column} ${direction}, n.k LIMIT ${limit})) w ORDER BY v ${direction}, k LIMIT ${limit}`,
        params: [...plan.params, value, key, ...plan.params, value],
      },
    ],
  };
}

/** The same question by hand and through the service, in turn. */
async function byHand(db: Database.Database, service: Service, cases: readonly Case[]): Promise<Side["hand"]> {
  const ours: number[] = [];
  const best: number[] = [];
  /** Plans that were hopeless three times are left out. */
  const hopeless = new Map<number, number>();
  const until = performance.now() + patience;
  for (const one of cases.slice(-handCases)) {
    if (one.byHand.length === 0 || performance.now() > until) break;
    // Both have seen the pages then.
    let answer: Answer | undefined;
    const mine: number[] = [];
    for (let again = 0; again < 3; again++)
      mine.push(
        await timed(async () => {
          answer = await service.search(one.search);
        }),
      );
    const text = Buffer.from(answer?.json ?? []).toString();
    const plans = one.byHand.map((plan, index) => {
      if ((hopeless.get(index) ?? 0) >= 3) return Number.POSITIVE_INFINITY;
      const first = timedNow(() => run(db, plan));
      if (Buffer.from(first.value).toString() !== text)
        throw new Error(
          `the answers differ: ${JSON.stringify(one.search)}\n${plan.text}\n${text.slice(0, 500)}\n${Buffer.from(first.value).toString().slice(0, 500)}`,
        );
      return first.time > 200 ? first.time : median([1, 2, 3].map(() => timedNow(() => run(db, plan)).time));
    });
    const least = Math.min(...plans);
    for (const [index, time] of plans.entries())
      if (time > 10 * least && time > 20) hopeless.set(index, (hopeless.get(index) ?? 0) + 1);
    ours.push(median(mine));
    best.push(least);
  }
  return ours.length === 0
    ? undefined
    : { ours: median(ours), best: median(best), cases: ours.length, oursInSum: sum(ours), bestInSum: sum(best) };
}

const encoder = new TextEncoder();

function run(db: Database.Database, { text, params }: HandWritten): Uint8Array {
  const rows = prepared(db, `SELECT w.found, w.":body" ${text}`).all(...params) as [string, string][];
  return encoder.encode(`[${rows.map(([found, body]) => `{"body":${JSON.stringify(body)},${found.slice(1)}`).join()}]`);
}

const statements = new WeakMap<Database.Database, Map<string, Database.Statement>>();

function prepared(db: Database.Database, text: string): Database.Statement {
  const own = statements.get(db) ?? new Map<string, Database.Statement>();
  statements.set(db, own);
  const made = own.get(text) ?? db.prepare(text).raw();
  own.set(text, made);
  return made;
}

/** What the way to the store and back takes, whatever is looked for: searches of which each finds nothing in one step. */
async function ownCost(service: Service): Promise<Times> {
  const times: number[] = [];
  for (let one = 0; one < queries; one++)
    times.push(await timed(() => service.search({ filter: { eq: { id: `none ${one}` } }, limit: 20 })));
  return { p50: median(times.slice(warmUp)), p95: percentile(times.slice(warmUp), 0.95) };
}

/** How long a cheap request takes in this process while ten searches a second, of all classes in turn, run in the store's threads. */
async function whileSearching(records: Records, service: Service): Promise<Tail> {
  const server = createServer((_request, response) => response.end("ok"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const random = new Random(99);
  const until = performance.now() + 12_000;
  const times: number[] = [];
  const searching = (async () => {
    const running: Promise<unknown>[] = [];
    for (let one = 0; performance.now() < until; one++) {
      const { search } = (classes[one % classes.length] as Class).make(records, random);
      running.push(service.search(search));
      await sleep(100);
    }
    await Promise.all(running);
  })();
  while (performance.now() < until) {
    times.push(
      await timed(
        () =>
          new Promise<void>((resolve, reject) => {
            get({ port, host: "127.0.0.1" }, (response) => response.resume().on("end", () => resolve())).on("error", reject);
          }),
      ),
    );
    await sleep(5);
  }
  await searching;
  server.close();
  return { p50: median(times), p95: percentile(times, 0.95), p99: percentile(times, 0.99) };
}

/**
 * How long a cheap search takes while ten others, each of which looks at all records and sorts them by a long text, begin again and again.
 */
async function besideExpensive(records: Records, service: Service): Promise<Tail> {
  const until = performance.now() + 12_000;
  const numbers = Array.from({ length: 100 }, (_, number) => number);
  const expensive: Search = {
    filter: { or: numbers.map((number) => ({ gt: { number } })) },
    sort: [{ body: "asc" }],
    limit: 100,
  };
  // Those that wait for too long are refused, which is no fault here.
  const again = async () => {
    while (performance.now() < until) await service.search(expensive).catch(() => undefined);
  };
  const running = Array.from({ length: 10 }, again);
  const random = new Random(101);
  const times: number[] = [];
  while (performance.now() < until) {
    const repository = random.pick(records.repositories);
    times.push(await timed(() => service.search({ filter: { eq: { repository } }, limit: 20 })));
    await sleep(5);
  }
  await Promise.all(running);
  return { p50: median(times), p95: percentile(times, 0.95), p99: percentile(times, 0.99) };
}

function comparing(sort: Readonly<Record<string, 1 | -1>>): (a: Issue, b: Issue) => number {
  const keys = Object.entries(sort) as [keyof Issue, number][];
  return (a, b) => {
    for (const [field, sign] of keys) {
      const [one, other] = [a[field] as string, b[field] as string];
      if (one !== other) return one < other ? -sign : sign;
    }
    return 0;
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function timedNow<Value>(work: () => Value): { time: number; value: Value } {
  const started = performance.now();
  const value = work();
  return { time: performance.now() - started, value };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function ms(time: number | undefined): string {
  return time === undefined ? "-" : time.toFixed(2);
}
