import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorCodes } from "../../runtime/base/error-codes.ts";
import type { TenonError } from "../../runtime/base/errors.ts";
import { type Database, openDatabase } from "../../runtime/postgres/index.ts";
import { createRandom } from "../../runtime/simulated/github/seed/random.ts";
import { raw, sql } from "../../runtime/sql/index.ts";
import { PostgresStore } from "../../runtime/store/postgres/postgres-store.ts";
import { endsWithTests } from "../support/ends-with-tests.ts";
import { dumpStore } from "../support/postgres/dump.ts";
import { type ChaosFault, type ChaosPlace, makeChaosPlace, postgresPrograms, serverFaults } from "./support/chaos.ts";
import { chaosCollection, chaosPlans, nextStep, orderOf, type Step, syncEntityRuns } from "./support/chaos-records.ts";
import { pause, until } from "./support/service.ts";

// Everything that can break between sync workers and a durable PostgreSQL server breaks at random moments, while a worker writes records
// and searches run. After each round the store equals one in which nothing was disturbed.

/** A handful by default; `make chaos` runs 200. */
const rounds = Number(process.env["TENON_TEST_CHAOS"] ?? 4);
const isLong = process.env["TENON_TEST_CHAOS"] !== undefined;
const random = createRandom(Number(process.env["TENON_TEST_SEED"] ?? 1));
const writerFile = fileURLToPath(new URL("./support/chaos-writer.ts", import.meta.url));

interface Line {
  readonly fencingToken?: number;
  readonly done?: Step;
  readonly complete?: number;
  readonly failed?: Pick<TenonError, "code" | "retryAfter">;
}

/** A worker, and what it has told. */
interface Writer {
  readonly child: ChildProcess;
  readonly lines: readonly Line[];
  readonly closed: Promise<unknown>;
  isOver(): boolean;
}

describe.skipIf(postgresPrograms === undefined)("records in a PostgreSQL server that breaks", () => {
  let place: ChaosPlace;
  let reader: PostgresStore;
  let readerDatabase: Database;
  let twin: PostgresStore;
  let twinDatabase: Database;
  const children: ChildProcess[] = [];
  let faults: readonly ChaosFault[] = [];
  /** The worker of the round; faults may replace it. */
  let writer: Writer;
  /** Every step that a worker was told is done, in the order of being told. */
  let acknowledged: Step[] = [];
  let failures: Line["failed"][] = [];

  beforeAll(async () => {
    place = await makeChaosPlace(isLong);
    readerDatabase = openDatabase(place.readerUrl, { connections: 2 });
    reader = new PostgresStore({ database: readerDatabase, plans: chaosPlans });
    twinDatabase = await place.open("twin");
    twin = new PostgresStore({ database: twinDatabase, plans: chaosPlans });
    for (const store of [reader, twin]) await syncEntityRuns(store, 1);
    const server = serverFaults(place);
    const own: readonly ChaosFault[] = [
      ["a worker that is paused for longer than its lease", pausedWorker],
      ["kill -9 of the worker", killedWorker],
      ["a deadlock", deadlock],
      ["serialization failures", serializationFailures],
      ["a full pool", fullPool],
      ["a server without a free connection", fullServer],
      ["a full disk", fullDisk],
    ];
    const all = [...server.slice(0, 1), ...own.slice(0, 3), ...server.slice(1, 3), ...own.slice(3), ...server.slice(3)];
    faults = place.disk === undefined ? all.filter(([, make]) => make !== fullDisk) : all;
  });
  afterAll(async () => {
    for (const child of children) child.kill("SIGKILL");
    await Promise.all([reader?.close(), twin?.close()]);
    await readerDatabase?.close();
    await place?.close();
  });

  function start(pauseAfter = 0): Writer {
    const child = endsWithTests(
      spawn(process.execPath, [writerFile, place.url, String(pauseAfter)], { stdio: ["pipe", "pipe", "inherit"] }),
    );
    children.push(child);
    const lines: Line[] = [];
    let over = false;
    const closed = once(child, "close").then(() => {
      over = true;
    });
    createInterface({ input: child.stdout }).on("line", (text) => {
      const line = JSON.parse(text) as Line;
      lines.push(line);
      if (line.done !== undefined) acknowledged.push(line.done);
      if (line.failed !== undefined) failures.push(line.failed);
    });
    return { child, lines, closed, isOver: () => over };
  }

  const stepsOf = ({ lines }: Writer) => lines.filter(({ done }) => done !== undefined).length;

  /** Waits until a worker has done so many further steps. */
  async function working(one: Writer, steps = 1): Promise<void> {
    const before = stepsOf(one);
    await until(() => one.isOver() || stepsOf(one) >= before + steps);
    expect(one.isOver(), JSON.stringify(one.lines.at(-1))).toBe(false);
  }

  async function killedWorker(): Promise<void> {
    writer.child.kill("SIGKILL");
    await writer.closed;
    await expectDurable();
    writer = start();
  }

  /** Nothing that was acknowledged is missing: what is stored is at least as far. */
  async function expectDurable(): Promise<void> {
    const last = acknowledged.at(-1);
    if (last === undefined) return;
    const store = new PostgresStore({ database: place.direct, plans: chaosPlans });
    try {
      expect(orderOf(await onceThere(() => nextStep(store)))).toBeGreaterThan(orderOf(last));
    } finally {
      await store.close();
    }
  }

  /** Does something again while the server is away: after the end of a backend it recovers only when others have done a step more. */
  async function onceThere<Result>(work: () => Promise<Result>): Promise<Result> {
    for (const end = performance.now() + 30_000; ; await pause(50))
      try {
        return await work();
      } catch (thrown) {
        if ((thrown as TenonError).code !== "database_unavailable" || performance.now() > end) throw thrown;
      }
  }

  async function pausedWorker(): Promise<void> {
    // Between two steps, where it holds no locks; or anywhere, where the server ends its transaction after half a minute.
    const anywhere = isLong && random.chance(0.2);
    writer.child.kill("SIGKILL");
    await writer.closed;
    const steps = 3 + random.below(8);
    const paused = start(anywhere ? 0 : steps);
    await working(paused, steps);
    if (anywhere) paused.child.kill("SIGSTOP");
    writer = start();
    await until(() => stepsOf(writer) >= 3);
    const before = stepsOf(paused);
    paused.child.kill("SIGCONT");
    await until(() => paused.isOver() || stepsOf(paused) > before + 1);
    expect(paused.lines.at(-1)?.failed?.code).toBe("sync_running");
    // What it had sent before it was paused may have been done then; nothing was done after it.
    expect(stepsOf(paused) - before).toBeLessThanOrEqual(anywhere ? 1 : 0);
  }

  const countOf = (text: string) => place.cluster.log().split(text).length;

  /** Another client holds what the worker needs second, and then wants what the worker has. */
  async function deadlock(): Promise<void> {
    const before = countOf("deadlock detected");
    await place.direct.transaction(async (queries) => {
      await queries.query(sql`SELECT 1 FROM store_states FOR UPDATE`);
      for (let waiting = false; !waiting; ) {
        const rows = await queries.query(sql`SELECT 1 FROM pg_locks WHERE NOT granted`);
        waiting = rows.length > 0;
      }
      await queries.query(sql`SELECT 1 FROM store_collections ORDER BY entity FOR UPDATE`);
    });
    expect(countOf("deadlock detected")).toBeGreaterThan(before);
  }

  /** The operator has made transactions stricter by default, and another client changes the same rows. */
  async function serializationFailures(): Promise<void> {
    const before = countOf("could not serialize access");
    await place.direct.alone(raw("ALTER DATABASE postgres SET default_transaction_isolation TO 'serializable'"));
    place.proxy.cut();
    try {
      await until(() => {
        void place.direct.run(sql`UPDATE store_collections SET revision = revision`).catch(() => undefined);
        return countOf("could not serialize access") > before + 10;
      });
    } finally {
      await place.direct.alone(raw("ALTER DATABASE postgres RESET default_transaction_isolation"));
      place.proxy.cut();
    }
  }

  const search = (store: PostgresStore) =>
    store.search(
      { ...chaosCollection, entity: "things" },
      { sort: [], limit: 100, fields: null, explain: false },
      performance.now() + 60_000,
    );

  async function fullPool(): Promise<void> {
    const answers: Promise<unknown>[] = [];
    await place.direct.transaction(async (queries) => {
      await queries.run(sql`LOCK TABLE store_entities IN ACCESS EXCLUSIVE MODE`);
      answers.push(...Array.from({ length: 300 }, () => search(reader).catch((thrown: unknown) => thrown)));
      expect(await Promise.race(answers)).toMatchObject({ code: "overloaded", retryAfter: 1 });
    });
    const ends = await Promise.all(answers);
    const refused = ends.filter((end) => end instanceof Error);
    expect(new Set(refused.map((end) => (end as TenonError).code))).toEqual(new Set(["overloaded"]));
    // Two run and 100 wait. The two readers of the round and what the store looks for by itself are among these.
    expect(ends.length - refused.length).toBeGreaterThanOrEqual(98);
  }

  async function fullServer(): Promise<void> {
    const greedy: pg.Client[] = [];
    const take = async () => {
      const client = new pg.Client(place.cluster.url("postgres"));
      client.on("error", () => undefined);
      await client.connect();
      greedy.push(client);
    };
    const before = failures.length;
    try {
      await until(() => {
        void take().catch(() => undefined);
        // The worker and the readers need new connections, and get fewer of them each time.
        place.proxy.cut();
        return failures.slice(before).some((failed) => failed?.code === "database_unavailable");
      });
    } finally {
      await Promise.all(greedy.map((client) => client.end()));
    }
  }

  async function fullDisk(): Promise<void> {
    const file = join(place.disk ?? "", "filler");
    const before = countOf("No space left on device");
    const ended = countOf("database system is shut down");
    const refused = failures.length;
    try {
      await until(() => {
        fill(file);
        // The server would use the files that it has for a long time.
        void place.direct.query(sql`SELECT pg_switch_wal()`).catch(() => undefined);
        // The server's log is on the full disk too, so it may not tell.
        return (
          countOf("No space left on device") > before + 3 ||
          countOf("database system is shut down") > ended ||
          failures.length > refused + 3
        );
      });
    } finally {
      rmSync(file, { force: true });
      // A server that could not write its log ends, and has to be started again.
      if (!(await isUp())) await place.cluster.start();
    }
  }

  /** Takes what is free on the small disk. */
  function fill(file: string): void {
    const { bfree, bsize } = statfsSync(place.disk ?? "");
    try {
      if (bfree > 0) writeFileSync(file, Buffer.alloc(Math.min(bfree * bsize, 64 * 2 ** 20)), { flag: "a" });
    } catch (thrown) {
      // The server was faster.
      if ((thrown as NodeJS.ErrnoException).code !== "ENOSPC") throw thrown;
    }
  }

  const isUp = async () => {
    const client = new pg.Client(place.cluster.url("postgres"));
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.end();
      return true;
    } catch (thrown) {
      return !/ECONNREFUSED/.test(String(thrown));
    }
  };

  const cases = Array.from({ length: rounds }, (_, round) => round);
  it.each(cases)("round %i leaves the records of an undisturbed store", async (round) => {
    const [name, fault] = faults[round % faults.length] ?? ["", () => undefined];
    acknowledged = [];
    failures = [];
    let reading = true;
    const unread: unknown[] = [];
    let read = 0;
    const readAll = async () => {
      while (reading) {
        await search(reader).then(
          () => read++,
          (thrown: unknown) => unread.push(thrown),
        );
        await pause(isLong ? 5 : 50);
      }
    };
    const readers = [readAll(), readAll()];
    const begun = performance.now();
    let back = begun;
    let away = 0;
    try {
      writer = start();
      await until(() => stepsOf(writer) > 0);
      await pause(random.below(isLong ? 300 : 50));
      await fault();
      back = performance.now();
      await until(() => stepsOf(writer) > 0);
      await working(writer);
      const found = read;
      await until(() => read > found);
      away = Math.round(performance.now() - back);
      await expectDurable();
      writer.child.stdin?.write("stop\n");
      await writer.closed;
    } finally {
      writer.child.kill("SIGKILL");
      reading = false;
      await Promise.all(readers);
    }
    for (const failed of [...failures, ...unread]) {
      // The paused worker; and a search that had begun on a server which then took its time to end or to recover.
      if (["sync_running", "search_timeout"].includes((failed as TenonError).code)) continue;
      expect(failed).toMatchObject({ code: expect.stringMatching(/^(database_unavailable|overloaded)$/), retryAfter: 1 });
      expect(errorCodes[(failed as TenonError).code].status).toBe(503);
    }
    // No step was told to be done twice, but for what two workers did of which one was killed or replaced.
    const orders = acknowledged.map(orderOf);
    expect(orders).toEqual([...new Set(orders)].sort((a, b) => a - b));
    const last = writer.lines.at(-1)?.complete ?? 0;
    expect(last).toBeGreaterThan(0);
    await syncEntityRuns(twin, last);
    expect(await onceThere(() => dumpStore(place.direct)), name).toEqual(await dumpStore(twinDatabase));
    if (isLong) {
      const counts = `${acknowledged.length} acknowledged, ${failures.length + unread.length} refused, ${read} read`;
      console.log(`${name}: ${counts}, took ${Math.round(back - begun)} ms, back after ${away} ms`);
      // On a machine that does nothing else.
      expect(away).toBeLessThan(5_000);
    }
  });
});
