import type { Connection, Statements } from "./connection.ts";
import { columnName, foldedName, type Layout, quoted } from "./layout.ts";
import { type Row, wideFields } from "./rows.ts";
import type { SqlValue } from "./sql.ts";
import { WordWriter } from "./word-writer.ts";

/** The instance, scope and parent of a record, and the pass that saw it last. */
export interface Membership {
  /** Id of its connector instance. */
  readonly inst: number;
  /** Id of the scope in which it was last seen. */
  readonly scope: number;
  /** Key of the parent, which is the record for which it was read. */
  readonly parent: string | null;
  /** Number of the pass that saw it last. */
  readonly pass: number;
}

interface Stored extends Membership {
  readonly id: number;
  readonly found: string;
  readonly more: string;
  readonly narrow: Readonly<Record<string, SqlValue>>;
  readonly wide: Readonly<Record<string, SqlValue>>;
}

/** Writes the rows of one entity into all its tables. It runs in the caller's transaction; the caller must call `flush` at its end. */
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

  /** Saves a row. A stored row is changed only where it differs. Returns the membership that the stored row had before. */
  save(row: Row, membership: Membership): { kind: "inserted" | "changed" | "unchanged"; before: Membership | undefined } {
    const stored = this.#find(membership.inst, row.key);
    if (stored === undefined) {
      this.insert(row, membership);
      return { kind: "inserted", before: undefined };
    }
    const changed = this.#change(stored, row, membership);
    return { kind: changed ? "changed" : "unchanged", before: stored };
  }

  insert(row: Row, { inst, scope, parent, pass }: Membership): void {
    const values = this.#narrow.map((name) => row.narrow[name] ?? null);
    const made = this.#run(this.#texts.insertNarrow, [inst, row.key, scope, parent, pass, ...values]);
    const id = Number(made.lastInsertRowid);
    const texts = this.#wide.map((name) => row.wide[name] ?? null);
    this.#run(this.#texts.insertWide, [id, row.found, row.more, ...texts]);
    for (const words of this.#words) words.add(id, this.#indexedText(row, words.field));
  }

  remove(id: number): void {
    this.#run(`DELETE FROM ${this.#layout.narrow} WHERE id = ?`, [id]);
    this.#run(`DELETE FROM ${this.#layout.wide} WHERE id = ?`, [id]);
    for (const words of this.#words) words.change(id, null);
  }

  /** Writes the words of all changed rows. That is much faster for many rows at once. */
  flush(): void {
    for (const words of this.#words) words.flush();
  }

  /** Drops what has not been written. It must be called after a rollback. */
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
    return { id, inst, scope, parent, pass, found, more, narrow: named(this.#narrow, narrow), wide: named(this.#wide, wide) };
  }

  /** Writes only the columns that differ, so that the indexes of the others do not change. */
  #change(stored: Stored, row: Row, membership: Membership): boolean {
    const narrow = this.#narrow.filter((name) => (row.narrow[name] ?? null) !== stored.narrow[name]);
    const members = (["scope", "parent", "pass"] as const).filter((name) => membership[name] !== stored[name]);
    this.#update(this.#layout.narrow, stored.id, [
      ...members.map((name) => [name, membership[name]] as const),
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
      if (narrow.includes(name) || texts.includes(name)) words.change(stored.id, this.#indexedText(row, words.field));
    }
    return wide.length > 0;
  }

  #indexedText(row: Row, field: string): SqlValue {
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

/** The two tables are read one after the other, because the engine would plan a join of them again for every value. */
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
