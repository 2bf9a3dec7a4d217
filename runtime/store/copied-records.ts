import { createHash } from "node:crypto";
import { TenonError } from "../base/errors.ts";
import { newLeaseOwner } from "./lease.ts";
import type { Collection, StoreInstance } from "./store.ts";

// What a copy of the records from one store to another consists of, whatever the stores are.

/** A membership of a record: where a sync found it. */
export interface CopiedMembership {
  readonly scope: string;
  /** Key of the parent; empty where the record belongs to the scope itself. */
  readonly parent: string;
  readonly run: number;
  /** JSON of what the record has because of this membership; null where the entity has no relation fields. */
  readonly relations: string | null;
}

export interface CopiedRecord {
  readonly key: string;
  /** JSON of the whole record. */
  readonly json: string;
  /** By scope and parent. */
  readonly memberships: readonly CopiedMembership[];
}

/** What is noted of the sync of an entity in a scope; the members have the text that the stores have. */
export interface CopiedState {
  readonly scope: string;
  readonly entity: string;
  readonly run: number;
  readonly checkpoint: string | null;
  readonly newest: string | null;
  readonly source: string | null;
  readonly completedAt: string | null;
  readonly fullAt: string | null;
  readonly problem: string | null;
  readonly notes: string;
}

/** What is noted of a parent whose children were read. */
export interface CopiedMarker {
  readonly scope: string;
  readonly entity: string;
  readonly step: number;
  readonly parent: string;
  readonly marker: string | null;
  readonly run: number;
  readonly hidden: boolean;
}

export interface CopiedSchedule {
  /** JSON of the scopes. */
  readonly scopes: string;
  readonly minutes: number;
  readonly startedAt: string | null;
}

/** Rows from a cursor on, and the cursor after them. */
export interface CopiedPage<Row> {
  readonly rows: readonly Row[];
  readonly next: string | undefined;
}

/**
 * Access to the records of one store, and to everything that is noted of their syncs. Places of walks mean something in that store alone.
 */
export interface RecordAccess {
  instances(): Promise<StoreInstance[]>;
  /** The entities of an instance that have tables. @throws TenonError `store_unusable` when tables are those of another spec */
  entities(instance: StoreInstance): Promise<string[]>;
  records(collection: Collection, from: string | undefined, limit: number): Promise<CopiedPage<CopiedRecord>>;
  /** The records with some keys, as far as they are there. */
  find(collection: Collection, keys: readonly string[]): Promise<CopiedRecord[]>;
  /** Stores records in the place of those with the same keys. All of them are stored, or none. */
  save(collection: Collection, records: readonly CopiedRecord[]): Promise<void>;
  /**
   * Is called after the last record of an entity. It makes the tables where no record has made them: the entity was read, and was empty.
   */
  settle(collection: Collection): Promise<void>;
  markers(instance: StoreInstance, from: string | undefined, limit: number): Promise<CopiedPage<CopiedMarker>>;
  saveMarkers(instance: StoreInstance, markers: readonly CopiedMarker[]): Promise<void>;
  states(instance: StoreInstance): Promise<CopiedState[]>;
  saveStates(instance: StoreInstance, states: readonly CopiedState[]): Promise<void>;
  schedule(instance: StoreInstance): Promise<CopiedSchedule | null>;
  saveSchedule(instance: StoreInstance, schedule: CopiedSchedule): Promise<void>;
  /** Like `SyncStore.lease`. */
  lease(instance: StoreInstance, owner: string, seconds: number): Promise<number | null>;
  close(): Promise<void>;
}

export interface Sum {
  readonly rows: number;
  /** The sum of the SHA-256 of all rows, so that the order in which a store walks does not matter. */
  readonly checksum: string;
}

export interface CopiedPart {
  readonly name: string;
  readonly from: Sum;
  readonly to: Sum;
  /** Rows that had to be written, because they were not there yet, or other ones. */
  readonly written: number;
}

const rowsAtOnce = 500;
/** Seconds that a lease lasts, which is extended while the copy runs. */
const leaseTime = 60;

/**
 * Copies all records with their memberships, what is noted of syncs, and schedules from one store to another. What is there already is
 * compared and not written again, so a copy that was cut off goes on where it was. In the end both are read again, counted and summed.
 * Words are made anew, and texts are embedded again. Meanwhile no process can sync the instances in either place.
 *
 * @param onProgress called after some rows of a part
 * @throws TenonError `sync_running` when an instance is being synced
 */
export async function copyRecords(
  from: RecordAccess,
  to: RecordAccess,
  onProgress: (part: string, rows: number) => void,
): Promise<CopiedPart[]> {
  const parts: CopiedPart[] = [];
  for (const instance of await from.instances())
    await whileLeased([from, to], instance, async () => {
      const name = `${instance.connector}/${instance.instance}`;
      for (const entity of await from.entities(instance))
        parts.push(await copyEntity(from, to, { ...instance, entity }, (rows) => onProgress(`${name} ${entity}`, rows)));
      parts.push(await copyNotes(from, to, instance, name));
    });
  return parts;
}

async function copyEntity(
  from: RecordAccess,
  to: RecordAccess,
  collection: Collection,
  onProgress: (rows: number) => void,
): Promise<CopiedPart> {
  let done = 0;
  let written = 0;
  for await (const records of pages((cursor) => from.records(collection, cursor, rowsAtOnce))) {
    const there = await to.find(
      collection,
      records.map(({ key }) => key),
    );
    const same = new Set(there.map(textOf));
    const missing = records.filter((one) => !same.has(textOf(one)));
    if (missing.length > 0) await to.save(collection, missing);
    done += records.length;
    written += missing.length;
    onProgress(done);
  }
  await to.settle(collection);
  const sum = (access: RecordAccess) => sumOf(pages((cursor) => access.records(collection, cursor, rowsAtOnce)));
  const name = `${collection.connector}/${collection.instance} ${collection.entity}`;
  return { name, from: await sum(from), to: await sum(to), written };
}

/** Copies what is noted of syncs. It comes after the records, so that a copy that was cut off does not look like a complete sync. */
async function copyNotes(from: RecordAccess, to: RecordAccess, instance: StoreInstance, name: string): Promise<CopiedPart> {
  let written = 0;
  for await (const markers of pages((cursor) => from.markers(instance, cursor, rowsAtOnce))) {
    await to.saveMarkers(instance, markers);
    written += markers.length;
  }
  const states = await from.states(instance);
  await to.saveStates(instance, states);
  const schedule = await from.schedule(instance);
  if (schedule !== null) await to.saveSchedule(instance, schedule);
  written += states.length + (schedule === null ? 0 : 1);
  return { name: `${name} notes of syncs`, from: await notesOf(from, instance), to: await notesOf(to, instance), written };
}

async function notesOf(access: RecordAccess, instance: StoreInstance): Promise<Sum> {
  const markers = pages((cursor) => access.markers(instance, cursor, rowsAtOnce));
  const others = async function* () {
    yield await access.states(instance);
    const schedule = await access.schedule(instance);
    if (schedule !== null) yield [schedule];
    yield* markers;
  };
  return sumOf(others());
}

async function* pages<Row>(read: (from: string | undefined) => Promise<CopiedPage<Row>>): AsyncGenerator<readonly Row[]> {
  for (let cursor: string | undefined; ; ) {
    const { rows, next } = await read(cursor);
    if (rows.length > 0) yield rows;
    if (next === undefined) return;
    cursor = next;
  }
}

async function sumOf(rows: AsyncIterable<readonly object[]>): Promise<Sum> {
  let count = 0;
  let sum = 0n;
  for await (const part of rows)
    for (const row of part) {
      count++;
      sum += BigInt(`0x${createHash("sha256").update(textOf(row)).digest("hex")}`);
    }
  return { rows: count, checksum: BigInt.asUintN(256, sum).toString(16).padStart(64, "0") };
}

/** A row with its members, and the members of its lists, in one order. */
function textOf(row: object): string {
  const members = Object.entries(row).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? value.map((one: object) => textOf(one)).sort() : value,
  ]);
  return JSON.stringify(members.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}

/** Holds the right to sync an instance in both stores while something is done. */
async function whileLeased(stores: readonly RecordAccess[], instance: StoreInstance, work: () => Promise<void>): Promise<void> {
  const owner = newLeaseOwner();
  const take = async (store: RecordAccess) => {
    const name = `${instance.connector}/${instance.instance}`;
    if ((await store.lease(instance, owner, leaseTime)) === null)
      throw new TenonError(
        "sync_running",
        `${name} is being synced: stop the services and workers that sync it, and copy again.`,
      );
  };
  const held: RecordAccess[] = [];
  let lost: unknown;
  const timer = setInterval(
    () => {
      for (const store of held) take(store).catch((thrown: unknown) => (lost ??= thrown));
    },
    (leaseTime * 1000) / 4,
  );
  try {
    for (const store of stores) {
      await take(store);
      held.push(store);
    }
    await work();
    if (lost !== undefined) throw lost;
  } finally {
    clearInterval(timer);
    for (const store of held) await store.lease(instance, owner, 0).catch(() => undefined);
  }
}
