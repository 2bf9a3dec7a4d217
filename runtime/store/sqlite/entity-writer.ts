import type { Connection, Statements } from "./connection.ts";
import { columnName, foldedName, type Layout, quoted } from "./layout.ts";
import { type Row, wideFields } from "./rows.ts";
import type { SqlValue } from "./sql.ts";
import { WordWriter } from "./word-writer.ts";

/** Where a record belongs, and when it was last seen. */
export interface Place {
  readonly scope: number;
  readonly parent: string | null;
  readonly pass: number;
}

interface Stored extends Place {
  readonly id: number;
  readonly found: string;
  readonly more: string;
  readonly narrow: Readonly<Record<string, SqlValue>>;
  readonly wide: Readonly<Record<string, SqlValue>>;
}

/** Writes the rows of one entity into all its tables. Runs in the caller's transaction, which `flush` has to end. */
export class EntityWriter {
  readonly #statements: Statements;
  readonly #layout: Layout;
  readonly #narrow: readonly string[];
  readonly #wide: readonly string[];
  readonly #words: readonly WordWriter[];
  readonly #texts: Texts;

  constructor(statements: Statements, layout: Layout) {
    this.#statements = statements;
    this.#layout = layout;
    const columns = [...layout.columns.values()];
    this.#narrow = columns
      .filter(({ kind }) => kind === "narrow")
      .flatMap(({ field, folded }) => [columnName(field), ...(folded === undefined ? [] : [foldedName(field)])]);
    this.#wide = wideFields(layout).map(columnName);
    this.#words = columns.flatMap(({ words }) => (words === undefined ? [] : [new WordWriter(statements, words)]));
    this.#texts = textsOf(layout, this.#narrow, this.#wide);
  }

  /** Saves a row; a row that is there already is changed where it differs. Gives the place that it had before. */
  save(inst: number, row: Row, place: Place): { kind: "inserted" | "changed" | "unchanged"; before: Place | undefined } {
    const stored = this.#find(inst, row.key);
    if (stored === undefined) {
      this.insert(inst, row, place);
      return { kind: "inserted", before: undefined };
    }
    const changed = this.#change(stored, row, place);
    return { kind: changed ? "changed" : "unchanged", before: stored };
  }

  insert(inst: number, row: Row, { scope, parent, pass }: Place): void {
    const values = this.#narrow.map((name) => row.narrow[name] ?? null);
    const made = this.#run(this.#texts.insertNarrow, [inst, row.key, scope, parent, pass, ...values]);
    const id = Number(made.lastInsertRowid);
    const texts = this.#wide.map((name) => row.wide[name] ?? null);
    this.#run(this.#texts.insertWide, [id, row.found, row.more, ...texts]);
    for (const words of this.#words) words.add(id, this.#textOf(row, words.field));
  }

  remove(id: number): void {
    this.#run(`DELETE FROM ${this.#layout.narrow} WHERE id = ?`, [id]);
    this.#run(`DELETE FROM ${this.#layout.wide} WHERE id = ?`, [id]);
    for (const words of this.#words) words.change(id, null);
  }

  /** Writes what is better written together. */
  flush(): void {
    for (const words of this.#words) words.flush();
  }

  /** After a rollback. */
  forget(): void {
    for (const words of this.#words) words.forget();
  }

  #find(inst: number, key: string): Stored | undefined {
    const row = this.#get<[number, number, string | null, number, ...SqlValue[]]>(this.#texts.findNarrow, [inst, key]);
    if (row === undefined) return undefined;
    const [id, scope, parent, pass, ...narrow] = row;
    const record = this.#get<[string, string, ...SqlValue[]]>(this.#texts.findWide, [id]);
    if (record === undefined) throw new Error(`record ${id} has no text`);
    const [found, more, ...wide] = record;
    const named = (names: readonly string[], values: readonly SqlValue[]) =>
      Object.fromEntries(names.map((name, index) => [name, values[index] ?? null]));
    return { id, scope, parent, pass, found, more, narrow: named(this.#narrow, narrow), wide: named(this.#wide, wide) };
  }

  /** Only what differs is written: an index whose column stays the same is not touched. */
  #change(stored: Stored, row: Row, place: Place): boolean {
    const narrow = this.#narrow.filter((name) => (row.narrow[name] ?? null) !== stored.narrow[name]);
    const places = (["scope", "parent", "pass"] as const).filter((name) => place[name] !== stored[name]);
    this.#update(this.#layout.narrow, stored.id, [
      ...places.map((name) => [name, place[name]] as const),
      ...narrow.map((name) => [name, row.narrow[name] ?? null] as const),
    ]);
    const texts = this.#wide.filter((name) => (row.wide[name] ?? null) !== stored.wide[name]);
    const wide = [
      ...(row.found === stored.found ? [] : [["found", row.found] as const]),
      ...texts.map((name) => [name, row.wide[name] ?? null] as const),
      ...(row.more === stored.more ? [] : [["more", row.more] as const]),
    ];
    this.#update(this.#layout.wide, stored.id, wide);
    for (const words of this.#words) {
      const name = columnName(words.field);
      if (narrow.includes(name) || texts.includes(name)) words.change(stored.id, this.#textOf(row, words.field));
    }
    return wide.length > 0;
  }

  #textOf(row: Row, field: string): SqlValue {
    const column = this.#layout.columns.get(field);
    if (column?.kind === "key") return row.key;
    const name = columnName(field);
    return row.narrow[name] ?? row.wide[name] ?? null;
  }

  #update(table: string, id: number, values: readonly (readonly [string, SqlValue])[]): void {
    if (values.length === 0) return;
    const set = values.map(([name]) => `${quoted(name)} = ?`).join(", ");
    this.#run(`UPDATE ${table} SET ${set} WHERE id = ?`, [...values.map(([, value]) => value), id]);
  }

  #run(text: string, values: readonly SqlValue[]): ReturnType<ReturnType<Connection["prepare"]>["run"]> {
    return this.#statements.get(text).run(...values);
  }

  #get<Found>(text: string, values: readonly SqlValue[]): Found | undefined {
    return this.#statements
      .get(text)
      .raw()
      .get(...values) as Found | undefined;
  }
}

interface Texts {
  readonly findNarrow: string;
  readonly findWide: string;
  readonly insertNarrow: string;
  readonly insertWide: string;
}

/** Joining the two tables in one statement would be slower: the engine plans such a statement anew for every value. */
function textsOf(layout: Layout, narrow: readonly string[], wide: readonly string[]): Texts {
  const find = ["id", "scope", "parent", "pass", ...narrow.map(quoted)];
  const insert = ["inst", "k", "scope", "parent", "pass", ...narrow.map(quoted)];
  const record = ["found", "more", ...wide.map(quoted)];
  return {
    findNarrow: `SELECT ${find.join(", ")} FROM ${layout.narrow} WHERE inst = ? AND k = ?`,
    findWide: `SELECT ${record.join(", ")} FROM ${layout.wide} WHERE id = ?`,
    insertNarrow: `INSERT INTO ${layout.narrow} (${insert.join(", ")}) VALUES (${marks(insert.length)})`,
    insertWide: `INSERT INTO ${layout.wide} (id, ${record.join(", ")}) VALUES (${marks(record.length + 1)})`,
  };
}

function marks(count: number): string {
  return Array.from({ length: count }, () => "?").join(", ");
}
