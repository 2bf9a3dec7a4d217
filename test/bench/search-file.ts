import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { github } from "../../generated/github/index.ts";
import type { Issue } from "../../generated/github/issues.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import { layoutOf } from "../../runtime/store/sqlite/tables/layout.ts";
import type { Page, ScopeCollection } from "../../runtime/store/store.ts";
import { PageQueue } from "../../runtime/sync/page-queue.ts";
import { amounts, Records, recordsVersion } from "./search-records.ts";

export const plan = github.entities["issues"]?.store ?? missing();
export const layout = layoutOf("github", "issues", plan);
export const plans = { github: { issues: plan } };
export const collection: ScopeCollection = {
  connector: "github",
  instance: "bench",
  entity: "issues",
  scope: "repository=bench/all",
};

const loadBatch = 20_000;
const upsertBatch = 200;
const upserts = 4_000;
/** Raised when other things are measured of a file, so that older files are made anew. */
const measured = 2;
/** Pages on their way to the writing thread at once, so that it never waits. */
const ahead = 1;

export interface Loaded {
  readonly reused: boolean;
  readonly seconds: number;
  /** Of this process: the writing thread and the making of the records. */
  readonly cpuSeconds: number;
  readonly jsonBytes: number;
  readonly fileBytes: number;
  /** Of batches of 200, half of them new: each is saved before the next one is given. */
  readonly upsertsPerSecond: number;
  /** Of such batches that a sync gives, which reads on while one is saved. */
  readonly syncedPerSecond: number;
}

export function folderOf(size: number): string {
  return resolve(".cache/bench", `search-${size}`);
}

/**
 * The store's file with that many records, made when there is none of the same records and the same plan. Its first records are
 * measured in bulk; what the batches of upserts change and add is taken back by loading into a copy: they come last, and count.
 */
export async function loaded(records: Records, say: (text: string) => void): Promise<Loaded> {
  const folder = folderOf(records.size);
  const note = join(folder, "loaded.json");
  const made = createHash("sha256")
    .update(JSON.stringify([measured, recordsVersion, amounts, records.size, records.seed, layout.version]))
    .digest("hex");
  if (existsSync(note)) {
    const known = JSON.parse(readFileSync(note, "utf8")) as Loaded & { made: string };
    if (known.made === made) {
      say(`${records.size} records: the file is reused`);
      return { ...known, reused: true };
    }
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < records.size * 8_000) throw new Error(`not enough room on the disk for ${records.size} records`);
  const store = new SqliteStore({ dataDir: folder, plans });
  try {
    await store.ready;
    const { jsonBytes, ...times } = await bulk(store, records, say);
    const file = join(folder, "context-store.sqlite");
    const fileBytes = statSync(file).size;
    const upsertsPerSecond = await upsert(store, records, 0, upserts);
    const syncedPerSecond = await upsert(store, records, upserts, 3 * upserts);
    await store.finish(collection, { run: 1, full: true, step: 0 }, { massDelete: false, parents: [] });
    const result: Loaded = { reused: false, ...times, jsonBytes, fileBytes, upsertsPerSecond, syncedPerSecond };
    writeFileSync(note, `${JSON.stringify({ made, ...result }, null, 2)}\n`);
    return result;
  } finally {
    await store.close();
  }
}

export function page(records: readonly Issue[]): Page {
  return { records: records.map((record) => ({ ...record })), checkpoint: { run: 1, full: false, step: 0 } };
}

async function bulk(store: SqliteStore, records: Records, say: (text: string) => void) {
  const started = performance.now();
  const used = process.cpuUsage();
  let jsonBytes = 0;
  const saving: Promise<unknown>[] = [];
  for (let from = 0; from < records.size; from += loadBatch) {
    const batch = Array.from({ length: Math.min(loadBatch, records.size - from) }, (_, at) => records.record(from + at));
    for (const record of batch) jsonBytes += Buffer.byteLength(JSON.stringify(record));
    saving.push(store.save(collection, page(batch)));
    if (saving.length > ahead) await saving.shift();
    if (from > 0 && from % (records.size / 10) === 0) say(`${from} of ${records.size} records in ${seconds(started)} s`);
  }
  await Promise.all(saving);
  await store.finish(collection, { run: 1, full: true, step: 0 }, { massDelete: false, parents: [] });
  await store.tidied;
  const { user, system } = process.cpuUsage(used);
  return { seconds: seconds(started), cpuSeconds: (user + system) / 1e6, jsonBytes };
}

/** Half of the records are new, half have changed. From the second call on they are saved as a sync run of a sync does. */
async function upsert(store: SqliteStore, records: Records, from: number, count: number): Promise<number> {
  const more = new Records(records.size + from + count, records.seed);
  const batches = Array.from({ length: count / upsertBatch }, (_, batch) =>
    Array.from({ length: upsertBatch }, (_, one) => {
      const at = from + batch * upsertBatch + one;
      // Numbers spread over the whole file.
      const known = Math.floor(((at - from) / count) * records.size);
      return one % 2 === 0 ? more.record(records.size + at / 2) : records.record(known, from + 1);
    }),
  );
  const started = performance.now();
  const queue = new PageQueue((one) => store.save(collection, one));
  for (const batch of batches) await (from === 0 ? store.save(collection, page(batch)) : queue.add(page(batch)));
  await queue.saved();
  return count / seconds(started);
}

function seconds(started: number): number {
  return (performance.now() - started) / 1000;
}

function missing(): never {
  throw new Error("the connector has no issues");
}
