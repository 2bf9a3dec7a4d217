import type { RecordObject } from "../../../search/index.ts";
import type { Connection, SqliteValue, Statements } from "../../../sqlite/index.ts";
import { type ChangeNotes, differingFields } from "../../change-log.ts";
import { relationsOf } from "../../relations.ts";
import { type Gone, Members, type Membership } from "../rows/members.ts";
import { itemsOf, type Row, recordOf, rowOf, wideFields } from "../rows/rows.ts";
import { type Column, columnName, foldedName, isInNarrow, type Layout, quoted } from "../tables/layout.ts";
import { WordWriter } from "../words/word-writer.ts";

interface Stored {
  readonly id: number;
  readonly inst: number;
  readonly key: string;
  readonly found: string;
  readonly more: string;
  readonly narrow: Readonly<Record<string, SqliteValue>>;
  readonly wide: Readonly<Record<string, SqliteValue>>;
}

/** What saving a record did. */
export interface Saved {
  /** How it counts; undefined where the sync run has counted it before, and it has not changed since. */
  readonly kind: "inserted" | "changed" | "unchanged" | "repeated" | undefined;
  /** Whether the record was in the scope before. */
  readonly known: boolean;
}

/** Writes the records of one entity into all its tables. It runs in the caller's transaction; the caller must call `flush` at its end. */
export class EntityWriter {
  readonly members: Members;
  readonly #statements: Statements;
  readonly #layout: Layout;
  readonly #narrow: readonly string[];
  readonly #wide: readonly string[];
  readonly #lists: readonly Column[];
  readonly #words: readonly WordWriter[];
  readonly #texts: Texts;
  /** The words of records with higher ids are written later, because many records are being loaded. */
  #wordsTo = Number.POSITIVE_INFINITY;

  constructor(statements: Statements, layout: Layout) {
    this.members = new Members(statements, layout);
    this.#statements = statements;
    this.#layout = layout;
    const columns = [...layout.columns.values()];
    this.#narrow = columns
      .filter(isInNarrow)
      .flatMap(({ field, folded }) => [columnName(field), ...(folded === undefined ? [] : [foldedName(field)])]);
    this.#wide = wideFields(layout).map(columnName);
    this.#lists = columns.filter(({ kind }) => kind === "list");
    this.#words = columns.flatMap(({ words }) => (words === undefined ? [] : [new WordWriter(statements, words)]));
    this.#texts = textsOf(layout, this.#narrow, this.#wide);
  }

  /** Must be called at the beginning of a transaction. @param loading the records up to this id have their words; null for all */
  begin(loading: number | null): void {
    this.#wordsTo = loading ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Writes the words of the next records, but not into the vocabularies. @param after id of a record @param most how many records
   * @returns the id of the last of them; undefined when there is none
   */
  loadWords(after: number, most: number): number | undefined {
    const rows = this.#statements.get(this.#texts.words).raw().all(after, most) as [number, ...SqliteValue[]][];
    for (const [id, ...values] of rows)
      for (const [index, words] of this.#words.entries()) words.load(id, this.#textOf(words.field, values[index] ?? null));
    return rows.at(-1)?.[0];
  }

  /** Adds some words that `loadWords` has written to the vocabularies. @returns whether there are more */
  addVocabulary(): boolean {
    return this.#words.some((words) => words.addVocabulary());
  }

  /**
   * Saves a record that was found in a place. A stored record is changed only where it differs.
   *
   * @param row the record as `rowOf` makes it
   * @param notes gets what that changes
   */
  save(record: RecordObject, row: Row, membership: Membership, notes?: ChangeNotes): Saved {
    const { inst } = membership;
    const relations = relationsOf(record, this.#layout.relations);
    const stored = this.#stored(this.#texts.byKey, [inst, row.key]);
    if (stored === undefined) {
      const id = this.insert(row, inst, 1);
      this.members.add(id, row.key, membership, relations);
      notes?.add(row.key, "created");
      return { kind: "inserted", known: false };
    }
    const { id } = stored;
    const { membership: isMember, scope, seen } = this.members.add(id, row.key, membership, relations);
    if (!isMember) this.#count(id, 1);
    const changed = this.#change(stored, relations === undefined ? row : this.#joined(id, record), notes);
    // Only a record that differs is looked for in the other places of the scope, because it may have thousands of them.
    const repeated =
      changed &&
      (relations === undefined || this.#differs(stored, record)) &&
      (seen || this.members.isSeenElsewhere(row.key, membership));
    return { kind: repeated ? "repeated" : seen ? undefined : changed ? "changed" : "unchanged", known: scope };
  }

  /** Whether a record has other values than the stored one in fields that do not depend on where it was found. */
  #differs(stored: Stored, record: RecordObject): boolean {
    const before = this.#recordOf(stored);
    const row = rowOf(this.#layout, {
      ...record,
      ...Object.fromEntries(this.#layout.relations.map((name) => [name, before[name]])),
    });
    return (
      row.found !== stored.found ||
      row.more !== stored.more ||
      this.#wide.some((name) => (row.wide[name] ?? null) !== stored.wide[name])
    );
  }

  /** The stored records with some keys, as JSON. */
  current(inst: number, keys: readonly string[]): { key: string; json: string }[] {
    return keys.flatMap((key) => {
      const stored = this.#stored(this.#texts.byKey, [inst, key]);
      return stored === undefined ? [] : [{ key, json: JSON.stringify(this.#recordOf(stored)) }];
    });
  }

  /** Inserts a record without a membership. @param members how many memberships it will have @returns its id */
  insert(row: Row, inst: number, members: number): number {
    const values = this.#narrow.map((name) => row.narrow[name] ?? null);
    const made = this.#run(this.#texts.insertNarrow, [inst, row.key, members, ...values]);
    const id = Number(made.lastInsertRowid);
    const texts = this.#wide.map((name) => row.wide[name] ?? null);
    this.#run(this.#texts.insertWide, [id, row.found, row.more, ...texts]);
    for (const list of this.#lists) {
      const values = itemsOf(list, row.narrow[columnName(list.field)]);
      for (const value of values) this.#addItem(list, inst, value, row.key, id);
    }
    if (id <= this.#wordsTo) for (const words of this.#words) words.add(id, this.#indexedText(row, words.field));
    return id;
  }

  /** Removes a membership, and the record with its last one. @param notes gets what that changes @returns whether the record was removed */
  leave(scope: number, gone: Gone, notes: ChangeNotes): boolean {
    this.members.remove(scope, gone);
    this.#count(gone.id, -1);
    const stored = this.#stored(this.#texts.byId, [gone.id]);
    if (stored === undefined) throw new Error(`there is no record ${gone.id}`);
    if (this.#statements.get(this.#texts.members).pluck().get(gone.id) === 0) {
      this.#remove(stored);
      notes.add(stored.key, "deleted");
      return true;
    }
    if (this.#layout.relations.length > 0) this.#change(stored, this.#joined(gone.id, this.#recordOf(stored)), notes);
    return false;
  }

  /** Writes the words of all changed rows. That is much faster for many rows at once. */
  flush(): void {
    for (const words of this.#words) words.flush();
  }

  /** Drops what has not been written. It must be called after a rollback. */
  forget(): void {
    for (const words of this.#words) words.forget();
  }

  #count(id: number, by: number): void {
    this.#run(`UPDATE ${this.#layout.narrow} SET members = members + ? WHERE id = ?`, [by, id]);
  }

  #remove({ id, inst, key, narrow }: Stored): void {
    for (const list of this.#lists)
      for (const value of itemsOf(list, narrow[columnName(list.field)])) this.#removeItem(list, inst, value, key);
    this.#run(`DELETE FROM ${this.#layout.narrow} WHERE id = ?`, [id]);
    this.#run(`DELETE FROM ${this.#layout.wide} WHERE id = ?`, [id]);
    if (id <= this.#wordsTo) for (const words of this.#words) words.change(id, null);
  }

  #addItem({ items }: Column, inst: number, value: string | number, key: string, id: number): void {
    this.#run(`INSERT INTO ${items} (inst, v, k, id) VALUES (?, ?, ?, ?)`, [inst, value, key, id]);
  }

  #removeItem({ items }: Column, inst: number, value: string | number, key: string): void {
    this.#run(`DELETE FROM ${items} WHERE inst = ? AND v = ? AND k = ?`, [inst, value, key]);
  }

  /** The row of a record whose relation fields have the values of all places where it was found. */
  #joined(id: number, record: RecordObject): Row {
    return rowOf(this.#layout, { ...record, ...this.members.relations(id) });
  }

  #recordOf({ found, more, wide }: Pick<Row, "found" | "more" | "wide">): RecordObject {
    const texts = this.#wide.map((name) => wide[name] ?? null);
    return recordOf(this.#layout, found, texts, more);
  }

  #stored(narrowText: string, by: readonly SqliteValue[]): Stored | undefined {
    const row = this.#get<[number, number, string, ...SqliteValue[]]>(narrowText, by);
    if (row === undefined) return undefined;
    const [id, inst, key, ...narrow] = row;
    const record = this.#get<[string, string, ...SqliteValue[]]>(this.#texts.findWide, [id]);
    if (record === undefined) throw new Error(`record ${id} has no text`);
    const [found, more, ...wide] = record;
    const named = (names: readonly string[], values: readonly SqliteValue[]) =>
      Object.fromEntries(names.map((name, index) => [name, values[index] ?? null]));
    return { id, inst, key, found, more, narrow: named(this.#narrow, narrow), wide: named(this.#wide, wide) };
  }

  /** Writes only the columns that differ, so that the indexes of the others do not change. */
  #change(stored: Stored, row: Row, notes?: ChangeNotes): boolean {
    const narrow = this.#narrow.filter((name) => (row.narrow[name] ?? null) !== stored.narrow[name]);
    this.#update(
      this.#layout.narrow,
      stored.id,
      narrow.map((name) => [name, row.narrow[name] ?? null] as const),
    );
    const texts = this.#wide.filter((name) => (row.wide[name] ?? null) !== stored.wide[name]);
    const wide = [
      ...(row.found === stored.found ? [] : [["found", row.found] as const]),
      ...texts.map((name) => [name, row.wide[name] ?? null] as const),
      ...(row.more === stored.more ? [] : [["more", row.more] as const]),
    ];
    this.#update(this.#layout.wide, stored.id, wide);
    for (const list of this.#lists) if (narrow.includes(columnName(list.field))) this.#changeItems(list, stored, row);
    for (const words of stored.id <= this.#wordsTo ? this.#words : []) {
      const name = columnName(words.field);
      if (narrow.includes(name) || texts.includes(name)) words.change(stored.id, this.#indexedText(row, words.field));
    }
    if (wide.length === 0) return false;
    notes?.add(stored.key, "updated", this.#changed(stored, row, texts));
    return true;
  }

  /**
   * Names of the fields that a row changes. Only what differs as a text is parsed.
   *
   * @param texts names of the columns of long texts that differ
   */
  #changed(stored: Stored, row: Row, texts: readonly string[]): string[] {
    const parsed = (json: string) => JSON.parse(json) as RecordObject;
    const found = row.found === stored.found ? [] : differingFields(parsed(stored.found), row.values.found);
    const more = row.more === stored.more ? [] : differingFields(parsed(stored.more), row.values.more);
    const long = texts.length === 0 ? [] : wideFields(this.#layout).filter((field) => texts.includes(columnName(field)));
    return [...new Set([...found, ...long, ...more])];
  }

  #changeItems(list: Column, { id, inst, key, narrow }: Stored, row: Row): void {
    const name = columnName(list.field);
    const before = itemsOf(list, narrow[name]);
    const after = itemsOf(list, row.narrow[name]);
    for (const value of before) if (!after.includes(value)) this.#removeItem(list, inst, value, key);
    for (const value of after) if (!before.includes(value)) this.#addItem(list, inst, value, key, id);
  }

  #indexedText(row: Row, field: string): SqliteValue {
    if (this.#layout.columns.get(field)?.kind === "key") return row.key;
    const name = columnName(field);
    return this.#textOf(field, row.narrow[name] ?? row.wide[name] ?? null);
  }

  /** The text whose words are written, from the stored value of a field. */
  #textOf(field: string, value: SqliteValue): SqliteValue {
    const column = this.#layout.columns.get(field);
    // A line break separates words.
    return column?.kind === "list" && value !== null ? itemsOf(column, value).join("\n") : value;
  }

  #update(table: string, id: number, values: readonly (readonly [string, SqliteValue])[]): void {
    if (values.length === 0) return;
    const set = values.map(([name]) => `${quoted(name)} = ?`).join(", ");
    this.#run(`UPDATE ${table} SET ${set} WHERE id = ?`, [...values.map(([, value]) => value), id]);
  }

  #run(text: string, values: readonly SqliteValue[]): ReturnType<ReturnType<Connection["prepare"]>["run"]> {
    return this.#statements.get(text).run(...values);
  }

  #get<Found>(text: string, values: readonly SqliteValue[]): Found | undefined {
    return this.#statements
      .get(text)
      .raw()
      .get(...values) as Found | undefined;
  }
}

interface Texts {
  readonly byKey: string;
  readonly byId: string;
  readonly members: string;
  readonly findWide: string;
  readonly insertNarrow: string;
  readonly insertWide: string;
  /** The texts with words of the records behind an id. */
  readonly words: string;
}

/** The two tables are read one after the other, because the engine would plan a join of them again for every value. */
function textsOf(layout: Layout, narrow: readonly string[], wide: readonly string[]): Texts {
  const find = `SELECT ${["id", "inst", "k", ...narrow.map(quoted)].join(", ")} FROM ${layout.narrow}`;
  const insert = ["inst", "k", "members", ...narrow.map(quoted)];
  const record = ["found", "more", ...wide.map(quoted)];
  const texts = [...layout.columns.values()].flatMap(({ field, kind, words }) =>
    words === undefined ? [] : [kind === "key" ? "n.k" : `${kind === "wide" ? "w" : "n"}.${quoted(columnName(field))}`],
  );
  return {
    byKey: `${find} WHERE inst = ? AND k = ?`,
    byId: `${find} WHERE id = ?`,
    members: `SELECT members FROM ${layout.narrow} WHERE id = ?`,
    findWide: `SELECT ${record.join(", ")} FROM ${layout.wide} WHERE id = ?`,
    insertNarrow: `INSERT INTO ${layout.narrow} (${insert.join(", ")}) VALUES (${marks(insert.length)})`,
    words: `SELECT n.id${texts.map((text) => `, ${text}`).join("")} FROM ${layout.narrow} n CROSS JOIN ${layout.wide} w ON w.id = n.id WHERE n.id > ? ORDER BY n.id LIMIT ?`,
    insertWide: `INSERT INTO ${layout.wide} (id, ${record.join(", ")}) VALUES (${marks(record.length + 1)})`,
  };
}

function marks(count: number): string {
  return Array.from({ length: count }, () => "?").join(", ");
}
