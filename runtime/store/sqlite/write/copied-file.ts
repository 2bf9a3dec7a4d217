import { dirname } from "node:path";
import type { RecordObject } from "../../../search/index.ts";
import { type Connection, type SqliteValue, Statements } from "../../../sqlite/index.ts";
import { entityName, type Plans } from "../../catalogue.ts";
import type {
  CopiedMarker,
  CopiedMembership,
  CopiedPage,
  CopiedRecord,
  CopiedSchedule,
  CopiedState,
  RecordAccess,
} from "../../copied-records.ts";
import type { Collection, StoreInstance } from "../../store.ts";
import { markerCursor, markerKeyOf } from "../../works/copied-ledger.ts";
import { recordOf, rowOf, wideFields } from "../rows/rows.ts";
import { Catalogue } from "../tables/catalogue.ts";
import { openWriter, prepared } from "../tables/connection.ts";
import { columnName, type Layout, quoted } from "../tables/layout.ts";
import { prepareFile } from "../tables/schema.ts";
import { anotherSpec } from "../tables/store-error.ts";
import { makeFile } from "../tables/store-file.ts";
import { BulkLoad } from "./bulk-load.ts";
import { EntityWriter } from "./entity-writer.ts";
import { type Ledger, openLedger } from "./ledger.ts";
import { prepareEntity } from "./migrate.ts";

/** Opens the records of a file for a copy. The file is made when it is missing. @throws TenonError `store_unusable` */
export function openSqliteRecords(file: string, plans: Plans): RecordAccess {
  makeFile(dirname(file), file);
  const db = openWriter(file, prepareFile);
  prepared(db);
  return new CopiedFile(db, plans);
}

type FoundRow = [id: number, key: string, found: string, more: string, ...texts: SqliteValue[]];

class CopiedFile implements RecordAccess {
  readonly #db: Connection;
  readonly #statements: Statements;
  readonly #catalogue: Catalogue;
  readonly #ledger: Ledger;
  readonly #bulk: BulkLoad;
  readonly #writers = new Map<string, EntityWriter>();

  constructor(db: Connection, plans: Plans) {
    this.#db = db;
    this.#statements = new Statements(db);
    this.#catalogue = new Catalogue(plans);
    this.#ledger = openLedger(this.#statements);
    this.#bulk = new BulkLoad(db, this.#statements);
  }

  async instances(): Promise<StoreInstance[]> {
    return this.#ledger.instances();
  }

  async entities({ connector }: StoreInstance): Promise<string[]> {
    const own = this.#catalogue.entities.filter((one) => one.connector === connector);
    const there = own.filter((one) => this.#version(one) !== undefined);
    for (const one of there) if (this.#version(one) !== this.#catalogue.layout(one).version) throw anotherSpec(one.entity);
    return there.map(({ entity }) => entity);
  }

  async records(collection: Collection, from: string | undefined, limit: number): Promise<CopiedPage<CopiedRecord>> {
    const rows = this.#rows(collection, "n.k > ? ORDER BY n.k LIMIT ?", [from ?? "", limit]);
    return { rows: this.#copied(collection, rows), next: rows.length < limit ? undefined : rows.at(-1)?.[1] };
  }

  async find(collection: Collection, keys: readonly string[]): Promise<CopiedRecord[]> {
    if (this.#version(collection) === undefined) return [];
    const rows = this.#rows(collection, "n.k IN (SELECT value FROM json_each(?))", [JSON.stringify(keys)]);
    return this.#copied(collection, rows);
  }

  async save(collection: Collection, records: readonly CopiedRecord[]): Promise<void> {
    const layout = this.#catalogue.layout(collection);
    const writer = this.#writer(collection, layout);
    try {
      this.#db
        .transaction(() => {
          // A large copy is loaded like a first sync: indexes and words are made when the last record is there.
          if (this.#bulk.of(collection) === null && this.#bulk.recordsOf(collection) === 0) this.#bulk.begin(collection, layout);
          writer.begin(this.#bulk.of(collection));
          for (const { json, memberships } of records)
            for (const membership of memberships) this.#saveMembership(collection, layout, writer, json, membership);
          writer.flush();
        })
        .immediate();
    } catch (thrown) {
      writer.forget();
      throw thrown;
    }
  }

  async settle(collection: Collection): Promise<void> {
    const layout = this.#catalogue.layout(collection);
    const writer = this.#writer(collection, layout);
    const step = this.#db.transaction(() => {
      writer.begin(this.#bulk.of(collection));
      return this.#bulk.settle(collection, layout, writer);
    });
    while (step.immediate());
  }

  async markers(instance: StoreInstance, from: string | undefined, limit: number): Promise<CopiedPage<CopiedMarker>> {
    const rows = this.#ledger.markers(this.#inst(instance), markerKeyOf(from), limit);
    return { rows, next: markerCursor(rows, limit) };
  }

  async saveMarkers(instance: StoreInstance, markers: readonly CopiedMarker[]): Promise<void> {
    this.#write(() => this.#ledger.saveMarkers(this.#ledger.makeInstance(instance), markers));
  }

  async states(instance: StoreInstance): Promise<CopiedState[]> {
    return this.#ledger.copiedStates(this.#inst(instance));
  }

  async saveStates(instance: StoreInstance, states: readonly CopiedState[]): Promise<void> {
    this.#write(() => this.#ledger.saveStates(this.#ledger.makeInstance(instance), states));
  }

  async schedule(instance: StoreInstance): Promise<CopiedSchedule | null> {
    return this.#ledger.copiedSchedule(this.#inst(instance));
  }

  async saveSchedule(instance: StoreInstance, schedule: CopiedSchedule): Promise<void> {
    this.#write(() => this.#ledger.saveSchedule(this.#ledger.makeInstance(instance), schedule));
  }

  async lease(instance: StoreInstance, owner: string, seconds: number): Promise<number | null> {
    const request = { scope: "", syncGroup: "", owner, scheduledAt: undefined };
    return this.#write(() => this.#ledger.takeLease(this.#ledger.makeInstance(instance), request, seconds));
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  /** The id of an instance; that of none where nothing of it is stored. */
  #inst(instance: StoreInstance): number {
    return this.#ledger.findInstance(instance) ?? 0;
  }

  #write<Result>(work: () => Result): Result {
    return this.#db.transaction(work).immediate();
  }

  #saveMembership(
    collection: Collection,
    layout: Layout,
    writer: EntityWriter,
    json: string,
    membership: CopiedMembership,
  ): void {
    const ids = this.#ledger.holdCollection({ ...collection, scope: membership.scope });
    const record = { ...(JSON.parse(json) as RecordObject), ...(JSON.parse(membership.relations ?? "{}") as RecordObject) };
    const { inst, scope } = ids;
    const { kind, known } = writer.save(record, rowOf(layout, record), {
      inst,
      scope,
      parent: membership.parent,
      run: membership.run,
    });
    this.#ledger.addCounts(ids, { scope: known ? 0 : 1, all: kind === "inserted" ? 1 : 0 });
  }

  #version(entity: Pick<Collection, "connector" | "entity">): string | undefined {
    return this.#statements.get("SELECT version FROM store_entities WHERE name = ?").pluck().get(entityName(entity)) as
      | string
      | undefined;
  }

  #writer(collection: Collection, layout: Layout): EntityWriter {
    const name = entityName(collection);
    const known = this.#writers.get(name);
    if (known !== undefined) return known;
    this.#db.transaction(() => prepareEntity(this.#db, this.#statements, collection, layout)).immediate();
    const writer = new EntityWriter(this.#statements, layout);
    this.#writers.set(name, writer);
    return writer;
  }

  #rows({ connector, instance, entity }: Collection, where: string, params: readonly SqliteValue[]): FoundRow[] {
    const layout = this.#catalogue.layout({ connector, entity });
    const texts = wideFields(layout).map((name) => `, w.${quoted(columnName(name))}`);
    return this.#statements
      .get(
        `SELECT n.id, n.k, w.found, w.more${texts.join("")} FROM ${layout.narrow} n CROSS JOIN ${layout.wide} w ON w.id = n.id
         WHERE n.inst = (SELECT id FROM store_instances WHERE connector = ? AND name = ?) AND ${where}`,
      )
      .raw()
      .all(connector, instance, ...params) as FoundRow[];
  }

  #copied({ connector, instance, entity }: Collection, rows: readonly FoundRow[]): CopiedRecord[] {
    const layout = this.#catalogue.layout({ connector, entity });
    const memberships = this.#statements
      .get(
        `SELECT m.k, s.name AS scope, m.parent, m.run, m.relations
         FROM store_instances i CROSS JOIN store_scopes s ON s.inst = i.id CROSS JOIN json_each(?) j CROSS JOIN ${layout.members} m ON m.scope = s.id AND m.k = j.value
         WHERE i.connector = ? AND i.name = ?`,
      )
      .all(JSON.stringify(rows.map(([, key]) => key)), connector, instance) as (CopiedMembership & { readonly k: string })[];
    const byKey = Map.groupBy(memberships, ({ k }) => k);
    return rows.map(([, key, found, more, ...texts]) => ({
      key,
      json: JSON.stringify(recordOf(layout, found, texts, more)),
      memberships: (byKey.get(key) ?? []).map(({ k: _, ...membership }) => membership),
    }));
  }
}
