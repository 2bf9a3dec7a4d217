import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Issue } from "../../generated/github/issues.ts";
import { openDatabase } from "../../runtime/postgres/index.ts";
import { raw, sql } from "../../runtime/sql/index.ts";
import { newLeaseOwner } from "../../runtime/store/lease.ts";
import { PostgresStore } from "../../runtime/store/postgres/postgres-store.ts";
import { makeMissing } from "../../runtime/store/postgres/tables/indexes.ts";
import { layoutOf } from "../../runtime/store/postgres/tables/layout.ts";
import { PageQueue } from "../../runtime/sync/page-queue.ts";
import { type Cluster, findPrograms, makeCluster, openCluster } from "../support/postgres/cluster.ts";
import { demandIndexes } from "../support/postgres/demand-indexes.ts";
import { type Loaded, collection as ofFile, page, plan, plans } from "./search-file.ts";
import { amounts, Records, recordsVersion } from "./search-records.ts";

export const layout = layoutOf("github", "issues", plan);
/** The instance has the name that it has in a service without further settings. */
export const collection = { ...ofFile, instance: "github" };
/** What an operator of a machine with some gigabytes of memory sets; the server's own defaults are those of a very small one. */
export const settings = { shared_buffers: "1GB", maintenance_work_mem: "256MB", max_wal_size: "4GB", random_page_cost: "1.1" };
const batch = 1_000;
const upserts = 20_000;
/** Raised when other things are measured of a database, so that older ones are made anew. */
const measured = 3;

export interface PostgresPlace {
  readonly url: string;
  readonly loaded: Pick<Loaded, "reused" | "seconds" | "upsertsPerSecond" | "syncedPerSecond"> & {
    /** Seconds until the last record was committed, of those of the whole load. */
    readonly recordSeconds: number;
    /** Seconds for the indexes that only searches ask for, and what was measured with them too. */
    readonly demandedSeconds: number;
    readonly allIndexes: { readonly upsertsPerSecond: number; readonly bytes: number };
    readonly bytes: number;
  };
  stop(): Promise<void>;
}

/**
 * A server of its own with that many records, in a folder that is kept for the next run. Every commit waits for the disk, in the load too.
 * The batches of upserts come after the load, half of them new records, and stay.
 *
 * @throws Error when PostgreSQL is not installed
 */
export async function postgresWith(records: Records, say: (text: string) => void): Promise<PostgresPlace> {
  const programs = findPrograms();
  if (programs === undefined) throw new Error("this bench needs the programs of PostgreSQL");
  const folder = resolve(".cache/bench", `postgres-${records.size}`);
  const note = join(folder, "loaded.json");
  const made = createHash("sha256")
    .update(
      JSON.stringify([
        measured,
        recordsVersion,
        amounts,
        records.size,
        records.seed,
        layout.version,
        layout.tables,
        layout.indexes,
      ]),
    )
    .digest("hex");
  const known = existsSync(note)
    ? (JSON.parse(readFileSync(note, "utf8")) as PostgresPlace["loaded"] & { made: string })
    : undefined;
  const reused = known?.made === made;
  if (!reused) rmSync(folder, { recursive: true, force: true });
  // The server may run as a user of its own, who has to reach the folder.
  mkdirSync(dirname(folder), { recursive: true });
  const cluster = reused ? await openCluster(programs, folder) : await makeCluster(programs, folder, true, settings);
  const url = cluster.url("postgres");
  try {
    if (reused) return { url, loaded: { ...known, reused }, stop: () => cluster.stop("fast") };
    const loaded = await load(cluster, records, say);
    writeFileSync(note, `${JSON.stringify({ made, ...loaded }, null, 2)}\n`);
    return { url, loaded, stop: () => cluster.stop("fast") };
  } catch (thrown) {
    await cluster.stop("immediate");
    throw thrown;
  }
}

async function load(cluster: Cluster, records: Records, say: (text: string) => void): Promise<PostgresPlace["loaded"]> {
  const database = openDatabase(cluster.url("postgres"), { connections: 5 });
  const store = new PostgresStore({ database, plans, tell: say });
  const finish = () => store.finish(collection, { run: 1, full: true, step: 0 }, { massDelete: false, parents: [] });
  try {
    await store.ready;
    // Whoever loads has the lease: without it, every process would make the indexes that the entity lacks meanwhile.
    const owner = newLeaseOwner();
    await store.lease(collection, owner, 86_400);
    const started = performance.now();
    const queue = new PageQueue((one) => store.save(collection, one));
    for (let from = 0; from < records.size; from += batch) {
      const size = Math.min(batch, records.size - from);
      await queue.add(page(Array.from({ length: size }, (_, at) => records.record(from + at))));
      if (from > 0 && from % (records.size / 10) === 0) say(`${from} of ${records.size} records in ${seconds(started)} s`);
    }
    await queue.saved();
    const recordSeconds = seconds(started);
    await finish();
    const took = seconds(started);
    say(`${records.size} records in ${recordSeconds} s, with all indexes in ${took} s`);
    const bytes = async () => {
      const [row] = await database.query<{ bytes: number }>(sql`SELECT pg_database_size(current_database()) AS bytes`);
      return row?.bytes ?? 0;
    };
    const before = await bytes();
    const upsertsPerSecond = await upsert(store, records, 0);
    const syncedPerSecond = await upsert(store, records, 1);
    await finish();
    const demanding = performance.now();
    await demandIndexes(database, plans);
    await makeMissing(database, [{ entity: collection, layout }], new AbortController().signal, say);
    const demandedSeconds = seconds(demanding);
    const all = await bytes();
    const allIndexes = { upsertsPerSecond: await upsert(store, records, 2), bytes: all };
    await finish();
    await store.lease(collection, owner, 0);
    // What autovacuum does some minutes later.
    await database.alone(raw("VACUUM ANALYZE"));
    const rates = { upsertsPerSecond, syncedPerSecond, allIndexes };
    return { reused: false, seconds: took, recordSeconds, demandedSeconds, ...rates, bytes: before };
  } finally {
    await store.close();
    await database.close();
  }
}

/**
 * Half of the records are new, half have changed. In the second round, they are saved as a sync does, which reads on while some are saved;
 * in the others, each batch is committed before the next one begins.
 */
async function upsert(store: PostgresStore, records: Records, round: 0 | 1 | 2): Promise<number> {
  const count = Math.max(batch, Math.min(upserts, Math.floor(records.size / 2 / batch) * batch));
  const more = new Records(records.size + 3 * count, records.seed);
  const batches: Issue[][] = [];
  for (let from = 0; from < count; from += batch)
    batches.push(
      Array.from({ length: batch }, (_, one) => {
        const at = from + one;
        return one % 2 === 0
          ? more.record(records.size + round * count + at / 2)
          : records.record(Math.floor((at / count) * records.size), round + 1);
      }),
    );
  const started = performance.now();
  const queue = new PageQueue((one) => store.save(collection, one));
  for (const one of batches) await (round === 1 ? queue.add(page(one)) : store.save(collection, page(one)));
  await queue.saved();
  return count / seconds(started);
}

function seconds(started: number): number {
  return Math.round(performance.now() - started) / 1000;
}
