import type { Connection, Statements } from "../../../sqlite/index.ts";
import { mayTakeLease } from "../../lease.ts";
import type { EmbeddedPassage, EmbeddedText, SemanticModel, SemanticState, WaitingText } from "../../semantic.ts";
import type { StoreInstance } from "../../store.ts";
import type { Catalogue } from "../tables/catalogue.ts";
import { textColumn } from "../tables/semantic-schema.ts";

/** How long (ms) an owner that asked for waiting texts alone embeds by a model. */
const leaseTime = 30_000;
/** The most texts that are handed out at once. */
const mostTexts = 500;
/** How many passages of another model one call removes. They are few, so that other calls need not wait long. */
const dropped = 2_000;

interface StoredPassage {
  readonly id: number;
  readonly start: number;
  readonly stop: number;
  readonly hash: string;
}

/** Reads the queue of the texts that wait to be embedded, and stores their passages. */
export class SemanticWriter {
  readonly #db: Connection;
  readonly #statements: Statements;
  readonly #catalogue: Catalogue;

  constructor(db: Connection, statements: Statements, catalogue: Catalogue) {
    this.#db = db;
    this.#statements = statements;
    this.#catalogue = catalogue;
  }

  openModel({ name, dims }: SemanticModel): void {
    this.#db
      .transaction(() => {
        if (this.#model(name) !== undefined) return;
        const made = this.#run("INSERT INTO semantic_models (name, dims, until) VALUES (?, ?, 0)", [name, dims]);
        this.#run("INSERT INTO semantic_queue (model, field, text, version) SELECT ?, field, id, version FROM semantic_texts", [
          Number(made.lastInsertRowid),
        ]);
      })
      .immediate();
  }

  waitingTexts(name: string, owner: string, after: number, most: number): WaitingText[] {
    const model = this.#model(name);
    if (model === undefined) return [];
    const waits = this.#get("SELECT 1 FROM semantic_queue WHERE model = ? LIMIT 1", [model]) !== undefined;
    if (!waits) {
      this.#markReady(model);
      return [];
    }
    if (!this.#takeLease(model, owner)) return [];
    const rows = this.#statements
      .get(
        `SELECT q.field, q.text, q.version, t.record, f.entity, f.field AS name FROM semantic_queue q CROSS JOIN semantic_texts t ON t.id = q.text
         CROSS JOIN semantic_fields f ON f.id = q.field WHERE q.model = ? AND q.text > ? ORDER BY q.text LIMIT ${mostTexts}`,
      )
      .all(model, after) as { field: number; text: number; version: number; record: number; entity: string; name: string }[];
    const texts: WaitingText[] = [];
    let characters = 0;
    for (const { field, text: id, version, record, entity, name: named } of rows) {
      if (characters >= most) break;
      const text = this.#text(entity, named, record);
      characters += text.length;
      texts.push({ id, field, version, text, known: this.#stored(model, id).map(({ hash }) => hash) });
    }
    return texts;
  }

  endEmbedding(name: string, owner: string): void {
    this.#run("UPDATE semantic_models SET owner = NULL WHERE name = ? AND owner = ?", [name, owner]);
  }

  waitingCount(name: string): number {
    const model = this.#model(name);
    return Number(this.#get("SELECT count(*) FROM semantic_queue WHERE model = ?", [model ?? 0]));
  }

  noteProblem(name: string, problem: string | null): void {
    this.#run("UPDATE semantic_models SET problem = ? WHERE name = ?", [problem, name]);
  }

  keepPassages(name: string, texts: readonly EmbeddedText[], perSecond: number): void {
    this.#db
      .transaction(() => {
        const model = this.#model(name);
        if (model === undefined) return;
        this.#run("UPDATE semantic_models SET per_second = ?, problem = NULL WHERE id = ?", [perSecond, model]);
        for (const text of texts) this.#keep(model, text);
        if (this.#get("SELECT 1 FROM semantic_queue WHERE model = ? LIMIT 1", [model]) === undefined) this.#markReady(model);
      })
      .immediate();
  }

  dropOtherModels(name: string): boolean {
    return this.#db
      .transaction(() => {
        const model = this.#model(name);
        const other = this.#get("SELECT id FROM semantic_models WHERE id <> ? LIMIT 1", [model ?? 0]);
        const ready =
          "SELECT 1 FROM semantic_fields f LEFT JOIN semantic_indexes i ON i.field = f.id AND i.model = ? WHERE i.ready IS NOT 1";
        // The other model answers until every field has an index of this one.
        if (other === undefined || model === undefined || this.#get(`${ready} LIMIT 1`, [model]) !== undefined) return false;
        const { changes } = this.#run(
          `DELETE FROM semantic_passages WHERE id IN (SELECT id FROM semantic_passages WHERE model = ? LIMIT ${dropped})`,
          [other],
        );
        if (changes > 0) return true;
        for (const table of ["queue", "indexes"]) this.#run(`DELETE FROM semantic_${table} WHERE model = ?`, [other]);
        this.#run("DELETE FROM semantic_models WHERE id = ?", [other]);
        return true;
      })
      .immediate();
  }

  semanticStates({ connector, instance }: StoreInstance): SemanticState[] {
    const rows = this.#statements
      .get(
        `SELECT f.entity, f.field, m.name AS model, coalesce(i.passages, 0) AS passages, coalesce(i.ready, 0) AS ready, m.per_second, m.problem,
           (SELECT count(*) FROM semantic_queue q WHERE q.model = m.id AND q.field = f.id) AS waiting
         FROM store_instances n JOIN semantic_fields f ON f.inst = n.id JOIN semantic_models m LEFT JOIN semantic_indexes i ON i.model = m.id AND i.field = f.id
         WHERE n.connector = ? AND n.name = ? ORDER BY f.entity, f.field, m.name`,
      )
      .all(connector, instance) as (Omit<SemanticState, "ready" | "secondsLeft"> & {
      ready: number;
      per_second: number | null;
    })[];
    return rows.map(({ entity, ready, per_second, ...rest }) => ({
      ...rest,
      entity: entity.slice(connector.length + 1),
      ready: ready === 1,
      secondsLeft: rest.waiting === 0 ? 0 : per_second ? Math.ceil(rest.waiting / per_second) : null,
    }));
  }

  #keep(model: number, { id, field, version, passages }: EmbeddedText): void {
    const { changes } = this.#run("DELETE FROM semantic_queue WHERE model = ? AND field = ? AND text = ? AND version = ?", [
      model,
      field,
      id,
      version,
    ]);
    // The text has changed or is gone, or another process has embedded it.
    if (changes === 0) return;
    const record = this.#get("SELECT record FROM semantic_texts WHERE id = ?", [id]) ?? 0;
    const left = this.#stored(model, id);
    for (const passage of passages) {
      const at = left.findIndex(({ hash }) => hash === passage.hash);
      const known = at < 0 ? undefined : left.splice(at, 1)[0];
      if (known !== undefined) this.#move(known, passage);
      else if (passage.made !== undefined) this.#insert({ model, field, text: id, record }, passage, passage.made);
      else throw new Error(`there is no embedding of passage ${passage.hash}`);
    }
    for (const { id: gone } of left) this.#run("DELETE FROM semantic_passages WHERE id = ?", [gone]);
  }

  #move({ id, start, stop }: StoredPassage, { at, end }: EmbeddedPassage): void {
    if (start !== at || stop !== end) this.#run("UPDATE semantic_passages SET start = ?, stop = ? WHERE id = ?", [at, end, id]);
  }

  #insert(
    { model, field, text, record }: { model: number; field: number; text: number; record: number },
    { at, end, hash }: EmbeddedPassage,
    { vector, code }: NonNullable<EmbeddedPassage["made"]>,
  ): void {
    const made = this.#run(
      "INSERT INTO semantic_passages (model, field, text, start, stop, hash, vector) VALUES (?, ?, ?, ?, ?, ?, ?)",
      [model, field, text, at, end, hash, Buffer.from(vector)],
    );
    this.#run("INSERT INTO semantic_codes (model, field, passage, record, code) VALUES (?, ?, ?, ?, ?)", [
      model,
      field,
      Number(made.lastInsertRowid),
      record,
      Buffer.from(code),
    ]);
  }

  /** Marks the indexes in which nothing is missing: nothing waits, and every scope of the entity was read to its end once. */
  #markReady(model: number): void {
    const complete =
      "SELECT count(*) > 0 AND count(*) = count(s.completed_at) FROM store_states s JOIN store_instances n ON n.id = s.inst WHERE s.inst = f.inst AND n.connector || '_' || s.entity = f.entity";
    const fields = this.#statements
      .get(
        `SELECT f.id FROM semantic_fields f LEFT JOIN semantic_indexes i ON i.model = ? AND i.field = f.id WHERE i.ready IS NOT 1 AND (${complete})`,
      )
      .pluck()
      .all(model) as number[];
    for (const field of fields)
      this.#run(
        "INSERT INTO semantic_indexes (model, field, passages, ready) VALUES (?, ?, 0, 1) ON CONFLICT (model, field) DO UPDATE SET ready = 1",
        [model, field],
      );
  }

  #takeLease(model: number, owner: string): boolean {
    const held = this.#statements.get("SELECT owner, until FROM semantic_models WHERE id = ?").get(model) as {
      owner: string | null;
      until: number;
    };
    const now = Date.now();
    if (!mayTakeLease(held.owner === null ? undefined : { owner: held.owner, until: held.until }, owner, now)) return false;
    // A lease that holds for long enough need not be written again.
    if (held.owner !== owner || held.until < now + leaseTime / 2)
      this.#run("UPDATE semantic_models SET owner = ?, until = ? WHERE id = ?", [owner, now + leaseTime, model]);
    return true;
  }

  #text(entity: string, field: string, record: number): string {
    const layout = this.#catalogue.named(entity);
    if (layout?.plan.semantic?.fields[field] === undefined) return "";
    const { table, column } = textColumn(field, layout);
    return String(this.#get(`SELECT ${column} FROM ${table} WHERE id = ?`, [record]) ?? "");
  }

  #stored(model: number, text: number): StoredPassage[] {
    return this.#statements
      .get("SELECT id, start, stop, hash FROM semantic_passages WHERE text = ? AND model = ? ORDER BY start")
      .all(text, model) as StoredPassage[];
  }

  #model(name: string): number | undefined {
    return this.#get<number>("SELECT id FROM semantic_models WHERE name = ?", [name]);
  }

  #get<Value = number>(text: string, values: readonly (string | number)[]): Value | undefined {
    return this.#statements
      .get(text)
      .pluck()
      .get(...values) as Value | undefined;
  }

  #run(text: string, values: readonly (string | number | Buffer | null)[]) {
    return this.#statements.get(text).run(...values);
  }
}
