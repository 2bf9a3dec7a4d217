import { dirname } from "node:path";
import type { RecordObject } from "../../search/index.ts";
import { entityName, type Plans } from "../catalogue.ts";
import type {
  CopiedMark,
  CopiedPlace,
  CopiedRecord,
  CopiedSchedule,
  CopiedState,
  RecordAccess,
  Walked,
} from "../copied-records.ts";
import type { Shelf, StoreInstance } from "../store.ts";
import { BulkLoad } from "./bulk-load.ts";
import { Calendar } from "./calendar.ts";
import { Catalogue } from "./catalogue.ts";
import { type Connection, openWriter, prepared, Statements } from "./connection.ts";
import { EntityWriter } from "./entity-writer.ts";
import { columnName, type Layout, quoted } from "./layout.ts";
import { Ledger } from "./ledger.ts";
import { prepareEntity } from "./migrate.ts";
import { recordOf, rowOf, wideFields } from "./rows.ts";
import { prepareFile } from "./schema.ts";
import type { SqlValue } from "./sql.ts";
import { anotherSpec } from "./store-error.ts";
import { makeFile } from "./store-file.ts";

/** Opens the records of a file for a copy. The file is made when it is missing. @throws TenonError `store_unusable` */
export function openSqliteRecords(file: string, plans: Plans): RecordAccess {
  makeFile(dirname(file), file);
  const db = openWriter(file, prepareFile);
  prepared(db);
  return new CopiedFile(db, plans);
}

type FoundRow = [id: number, key: string, found: string, more: string, ...texts: SqlValue[]];

class CopiedFile implements RecordAccess {
  readonly #db: Connection;
  readonly #statements: Statements;
  readonly #catalogue: Catalogue;
  readonly #ledger: Ledger;
  readonly #calendar: Calendar;
  readonly #bulk: BulkLoad;
  readonly #writers = new Map<string, EntityWriter>();

  constructor(db: Connection, plans: Plans) {
    this.#db = db;
    this.#statements = new Statements(db);
    this.#catalogue = new Catalogue(plans);
    this.#ledger = new Ledger(db, this.#statements);
    this.#calendar = new Calendar(db, this.#statements, (connector, name) => this.#ledger.instance(connector, name));
    this.#bulk = new BulkLoad(db, this.#statements);
  }

  async instances(): Promise<StoreInstance[]> {
    const found = this.#statements.get("SELECT connector, name AS instance FROM instances ORDER BY connector, name");
    return found.all() as StoreInstance[];
  }

  async entities({ connector }: StoreInstance): Promise<string[]> {
    const own = this.#catalogue.entities.filter((one) => one.connector === connector);
    const there = own.filter((one) => this.#version(one) !== undefined);
    for (const one of there) if (this.#version(one) !== this.#catalogue.layout(one).version) throw anotherSpec(one.entity);
    return there.map(({ entity }) => entity);
  }

  async records(shelf: Shelf, from: string | undefined, limit: number): Promise<Walked<CopiedRecord>> {
    const rows = this.#rows(shelf, "n.k > ? ORDER BY n.k LIMIT ?", [from ?? "", limit]);
    return { rows: this.#copied(shelf, rows), next: rows.length < limit ? undefined : rows.at(-1)?.[1] };
  }

  async find(shelf: Shelf, keys: readonly string[]): Promise<CopiedRecord[]> {
    if (this.#version(shelf) === undefined) return [];
    const rows = this.#rows(shelf, "n.k IN (SELECT value FROM json_each(?))", [JSON.stringify(keys)]);
    return this.#copied(shelf, rows);
  }

  async save(shelf: Shelf, records: readonly CopiedRecord[]): Promise<void> {
    const layout = this.#catalogue.layout(shelf);
    const writer = this.#writer(shelf, layout);
    try {
      this.#db
        .transaction(() => {
          // A large copy is loaded like a first sync: indexes and words are made when the last record is there.
          if (this.#bulk.of(shelf) === null && this.#ledger.all(shelf) === 0) this.#bulk.begin(shelf, layout);
          writer.begin(this.#bulk.of(shelf));
          for (const { json, places } of records) for (const place of places) this.#savePlace(shelf, layout, writer, json, place);
          writer.flush();
        })
        .immediate();
    } catch (thrown) {
      writer.forget();
      throw thrown;
    }
  }

  async settle(shelf: Shelf): Promise<void> {
    if (this.#version(shelf) === undefined) return;
    const layout = this.#catalogue.layout(shelf);
    const writer = this.#writer(shelf, layout);
    const step = this.#db.transaction(() => {
      writer.begin(this.#bulk.of(shelf));
      return this.#bulk.settle(shelf, layout, writer);
    });
    while (step.immediate());
  }

  async marks({ connector, instance }: StoreInstance, from: string | undefined, limit: number): Promise<Walked<CopiedMark>> {
    const [scope, entity, step, parent] = JSON.parse(from ?? '["", "", 0, ""]') as SqlValue[];
    const rows = this.#statements
      .get(
        `SELECT s.name AS scope, m.entity, m.step, m.parent, m.mark, abs(m.pass) AS pass, m.pass < 0 AS hidden
         FROM marks m JOIN scopes s ON s.id = m.scope JOIN instances i ON i.id = s.inst
         WHERE i.connector = ? AND i.name = ? AND (s.name, m.entity, m.step, m.parent) > (?, ?, ?, ?) ORDER BY s.name, m.entity, m.step, m.parent LIMIT ?`,
      )
      .all(connector, instance, scope ?? "", entity ?? "", step ?? 0, parent ?? "", limit) as CopiedMark[];
    const last = rows.at(-1);
    return {
      rows: rows.map((row) => ({ ...row, hidden: Boolean(row.hidden) })),
      next:
        rows.length < limit || last === undefined ? undefined : JSON.stringify([last.scope, last.entity, last.step, last.parent]),
    };
  }

  async saveMarks(instance: StoreInstance, marks: readonly CopiedMark[]): Promise<void> {
    const save = this.#statements.get(
      "INSERT OR REPLACE INTO marks (scope, entity, step, parent, mark, pass) VALUES (?, ?, ?, ?, ?, ?)",
    );
    this.#db
      .transaction(() => {
        for (const { scope, entity, step, parent, mark, pass, hidden } of marks) {
          const ids = this.#ledger.ids({ ...instance, scope, entity });
          save.run(ids.scope, entity, step, parent, mark, hidden ? -pass : pass);
        }
      })
      .immediate();
  }

  async states({ connector, instance }: StoreInstance): Promise<CopiedState[]> {
    return this.#statements
      .get(
        `SELECT s.name AS scope, t.entity, t.pass, t.position, t.newest, t.source, t.completed_at AS completedAt, t.full_at AS fullAt, t.problem, t.notes
         FROM states t JOIN scopes s ON s.id = t.scope JOIN instances i ON i.id = t.inst WHERE i.connector = ? AND i.name = ? ORDER BY s.name, t.entity`,
      )
      .all(connector, instance) as CopiedState[];
  }

  async saveStates(instance: StoreInstance, states: readonly CopiedState[]): Promise<void> {
    const save = this.#statements.get(
      "INSERT OR REPLACE INTO states (inst, scope, entity, pass, position, newest, source, completed_at, full_at, problem, notes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    this.#db
      .transaction(() => {
        for (const { scope, entity, pass, position, newest, source, completedAt, fullAt, problem, notes } of states) {
          const ids = this.#ledger.ids({ ...instance, scope, entity });
          save.run(ids.inst, ids.scope, entity, pass, position, newest, source, completedAt, fullAt, problem, notes);
        }
      })
      .immediate();
  }

  async schedule({ connector, instance }: StoreInstance): Promise<CopiedSchedule | null> {
    const row = this.#statements
      .get(
        "SELECT s.scopes, s.minutes, s.started_at AS startedAt FROM schedules s JOIN instances i ON i.id = s.inst WHERE i.connector = ? AND i.name = ?",
      )
      .get(connector, instance);
    return (row as CopiedSchedule | undefined) ?? null;
  }

  async saveSchedule(instance: StoreInstance, { scopes, minutes, startedAt }: CopiedSchedule): Promise<void> {
    this.#statements
      .get("INSERT OR REPLACE INTO schedules (inst, scopes, minutes, started_at) VALUES (?, ?, ?, ?)")
      .run(this.#ledger.instance(instance.connector, instance.instance), scopes, minutes, startedAt);
  }

  async lease(instance: StoreInstance, owner: string, seconds: number): Promise<number | null> {
    return this.#calendar.lease(instance, owner, seconds);
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  #savePlace(shelf: Shelf, layout: Layout, writer: EntityWriter, json: string, place: CopiedPlace): void {
    const ids = this.#ledger.ids({ ...shelf, scope: place.scope });
    const record = { ...(JSON.parse(json) as RecordObject), ...(JSON.parse(place.relations ?? "{}") as RecordObject) };
    const { inst, scope } = ids;
    const { kind, known } = writer.save(record, rowOf(layout, record), { inst, scope, parent: place.parent, pass: place.pass });
    this.#ledger.count(ids, { scope: known ? 0 : 1, all: kind === "inserted" ? 1 : 0 });
  }

  #version(entity: Pick<Shelf, "connector" | "entity">): string | undefined {
    return this.#statements.get("SELECT version FROM entities WHERE name = ?").pluck().get(entityName(entity)) as
      | string
      | undefined;
  }

  #writer(shelf: Shelf, layout: Layout): EntityWriter {
    const name = entityName(shelf);
    const known = this.#writers.get(name);
    if (known !== undefined) return known;
    this.#db.transaction(() => prepareEntity(this.#db, this.#statements, shelf, layout)).immediate();
    const writer = new EntityWriter(this.#statements, layout);
    this.#writers.set(name, writer);
    return writer;
  }

  #rows({ connector, instance, entity }: Shelf, where: string, params: readonly SqlValue[]): FoundRow[] {
    const layout = this.#catalogue.layout({ connector, entity });
    const texts = wideFields(layout).map((name) => `, w.${quoted(columnName(name))}`);
    return this.#statements
      .get(
        `SELECT n.id, n.k, w.found, w.more${texts.join("")} FROM ${layout.narrow} n CROSS JOIN ${layout.wide} w ON w.id = n.id
         WHERE n.inst = (SELECT id FROM instances WHERE connector = ? AND name = ?) AND ${where}`,
      )
      .raw()
      .all(connector, instance, ...params) as FoundRow[];
  }

  #copied({ connector, instance, entity }: Shelf, rows: readonly FoundRow[]): CopiedRecord[] {
    const layout = this.#catalogue.layout({ connector, entity });
    const places = this.#statements
      .get(
        `SELECT m.k, s.name AS scope, m.parent, m.pass, m.relations
         FROM instances i CROSS JOIN scopes s ON s.inst = i.id CROSS JOIN json_each(?) j CROSS JOIN ${layout.members} m ON m.scope = s.id AND m.k = j.value
         WHERE i.connector = ? AND i.name = ?`,
      )
      .all(JSON.stringify(rows.map(([, key]) => key)), connector, instance) as (CopiedPlace & { readonly k: string })[];
    const byKey = Map.groupBy(places, ({ k }) => k);
    return rows.map(([, key, found, more, ...texts]) => ({
      key,
      json: JSON.stringify(recordOf(layout, found, texts, more)),
      places: (byKey.get(key) ?? []).map(({ k: _, ...place }) => place),
    }));
  }
}
