import type { FieldTree } from "../../contract/index.ts";
import type { Position } from "../../search/index.ts";
import type { PlanReport, Shelf, StoreAnswer, StoreSearch } from "../store.ts";
import { type Catalogue, entityName } from "./catalogue.ts";
import { type Connection, openReader, Statements } from "./connection.ts";
import { normalise } from "./expression.ts";
import { Finder, type Preference } from "./finder.ts";
import { type Column, columnName, type Layout, quoted } from "./layout.ts";
import { recordOf, wideFields } from "./rows.ts";
import type { SqlValue } from "./sql.ts";
import { Vocabulary } from "./vocabulary.ts";
import { Watch } from "./watch.ts";

const encoder = new TextEncoder();

/** Answers searches from one connection, one at a time. */
export class Reader {
  readonly #db: Connection;
  readonly #statements: Statements;
  readonly #watch: Watch;
  readonly #catalogue: Catalogue;
  readonly #vocabularies = new Map<string, Vocabulary>();

  readonly #prefer: Preference | undefined;

  constructor(file: string, catalogue: Catalogue, prefer?: Preference) {
    this.#catalogue = catalogue;
    this.#prefer = prefer;
    this.#db = openReader(file);
    this.#statements = new Statements(this.#db);
    this.#watch = new Watch(this.#db);
  }

  /** @param deadline as of `Date.now()` @throws TenonError `search_timeout` */
  search(shelf: Shelf, query: StoreSearch, deadline: number): StoreAnswer {
    this.#watch.start(deadline);
    // All statements of a search see the same state of the file.
    this.#statements.get("BEGIN").run();
    try {
      return this.#search(shelf, query);
    } finally {
      this.#statements.get("COMMIT").run();
    }
  }

  close(): void {
    this.#db.close();
  }

  #search(shelf: Shelf, { filter, sort, after, limit, fields, explain }: StoreSearch): StoreAnswer {
    const layout = this.#catalogue.layout(shelf);
    const instance = this.#instance(shelf, layout);
    if (instance === undefined) return { json: encoder.encode("[]"), more: false, last: undefined, syncedAt: null };
    const context = { layout, instance, vocabulary: (column: Column) => this.#vocabulary(column) };
    const finder = new Finder(this.#statements, this.#watch, context, this.#records(instance, shelf.entity), {
      explain,
      prefer: this.#prefer,
    });
    const condition = filter === undefined ? undefined : normalise(filter);
    const conditions = condition === undefined ? [] : condition.kind === "and" ? condition.conditions : [condition];
    const ids = finder.find({ conditions, sort, after, need: limit + 1 });
    const more = ids.length > limit;
    if (more) ids.pop();
    const lastId = ids.at(-1);
    return {
      json: this.#json(layout, ids, fields),
      more,
      last: lastId === undefined ? undefined : this.#position(layout, lastId, sort),
      syncedAt: this.#syncedAt(instance, shelf.entity),
      ...(explain ? { plan: finder.report satisfies PlanReport } : {}),
    };
  }

  /** Undefined when nothing was ever stored, or not by this version of the spec. */
  #instance(shelf: Shelf, layout: Layout): number | undefined {
    const version = this.#statements.get("SELECT version FROM entities WHERE name = ?").pluck().get(entityName(shelf));
    const id = this.#statements
      .get("SELECT id FROM instances WHERE connector = ? AND name = ?")
      .pluck()
      .get(shelf.connector, shelf.instance);
    return version === layout.version && id !== undefined ? Number(id) : undefined;
  }

  #records(instance: number, entity: string): number {
    const sum = "SELECT sum(records) FROM counts WHERE inst = ? AND entity = ?";
    return Number(this.#statements.get(sum).pluck().get(instance, entity) ?? 0);
  }

  #syncedAt(instance: number, entity: string): string | null {
    const oldest = "SELECT min(completed_at) FROM states WHERE inst = ? AND entity = ?";
    return (this.#statements.get(oldest).pluck().get(instance, entity) as string | null | undefined) ?? null;
  }

  #vocabulary({ words }: Column): Vocabulary | undefined {
    if (words === undefined) return undefined;
    let vocabulary = this.#vocabularies.get(words.vocabulary);
    if (vocabulary === undefined) {
      vocabulary = new Vocabulary(this.#statements, words);
      this.#vocabularies.set(words.vocabulary, vocabulary);
    }
    vocabulary.refresh();
    return vocabulary;
  }

  #position(layout: Layout, id: number, sort: StoreSearch["sort"]): Position {
    const columns = sort.map(({ field }) => layout.columns.get(field));
    const names = [...columns.map((column) => column?.sql ?? "NULL"), "n.k"];
    const row = this.#statements
      .get(`SELECT ${names.join(", ")} FROM ${layout.narrow} n CROSS JOIN ${layout.wide} w ON w.id = n.id WHERE n.id = ?`)
      .raw()
      .get(id) as SqlValue[];
    const values = columns.map((column, index) => {
      const value = row[index] ?? null;
      return column?.type === "boolean" && value !== null ? value === 1 : value;
    });
    return [...values, String(row.at(-1))];
  }

  /** The records as a JSON array. Searchable fields stand ready in the file; nothing of them is parsed here. */
  #json(layout: Layout, ids: readonly number[], fields: FieldTree | null): Uint8Array {
    const texts = wideFields(layout);
    const names = ["found", ...texts.map((name) => quoted(columnName(name))), ...(fields === null ? [] : ["more"])];
    const statement = this.#statements.get(`SELECT ${names.join(", ")} FROM ${layout.wide} WHERE id = ?`).raw();
    const parts = ids.map((id) => {
      this.#watch.check();
      const [found, ...values] = statement.get(id) as [string, ...SqlValue[]];
      if (fields !== null) return JSON.stringify(chosen(recordOf(layout, found, values, String(values.at(-1))), fields));
      const added = texts.map((name, index) => `${JSON.stringify(name)}:${JSON.stringify(values[index] ?? null)}`);
      return added.length === 0 ? found : `${found === "{}" ? "{" : `${found.slice(0, -1)},`}${added.join()}}`;
    });
    return encoder.encode(`[${parts.join()}]`);
  }
}

/** The chosen paths of a record, whole objects where no inner path was chosen. */
function chosen(value: unknown, fields: FieldTree): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => chosen(one, fields));
  if (typeof value !== "object" || value === null) return value;
  const object = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    [...fields].map(([name, inner]) => {
      const member = Object.hasOwn(object, name) ? object[name] : null;
      return [name, inner === null ? member : chosen(member, inner)];
    }),
  );
}
