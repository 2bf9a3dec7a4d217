import type { FieldTree } from "../../../contract/index.ts";
import { type Condition, conjuncts, type Group } from "../../../search/index.ts";
import { type Connection, type SqliteValue, Statements } from "../../../sqlite/index.ts";
import { chosen, largestAnswer, mostByText } from "../../answer.ts";
import type { SyncedCollection } from "../../collection-sync.ts";
import { namedGroups } from "../../groups.ts";
import { type Collection, mostGroups, type PlanReport, type StoreAnswer, type StoreSearch } from "../../store.ts";
import { givenValue, recordOf, wideFields } from "../rows/rows.ts";
import type { Catalogue } from "../tables/catalogue.ts";
import { openReader } from "../tables/connection.ts";
import { type Column, columnName, columnNamed, type Layout, quoted } from "../tables/layout.ts";
import { Vocabulary } from "../words/vocabulary.ts";
import { CollectionStates } from "./collection-state.ts";
import { syncedCollection } from "./collection-sync.ts";
import { Finder, type Preference } from "./finder.ts";
import { positionOf, sortColumns } from "./order.ts";
import type { ReaderApi } from "./search-api.ts";
import { UnlistedValues } from "./unlisted-values.ts";
import { GaveWay, Watch } from "./watch.ts";

const encoder = new TextEncoder();
const opening = encoder.encode("[");
const comma = encoder.encode(",");
const closing = encoder.encode("]");

/** The number of records in a batch. */
const batchSize = 100;

export interface ReaderOptions {
  /** The way to prefer where there are several. Only tests and benchmarks set it. */
  readonly prefer?: Preference | undefined;
  /** Its first number is the request to the running search, one of `requests`. */
  readonly request?: Int32Array;
}

/** The records of one entity of one instance, as work beside a search needs them. */
export interface CollectionView {
  readonly layout: Layout;
  /** The id of the instance; undefined when nothing was ever stored. */
  readonly instance: number | undefined;
  readonly statements: Statements;
  readonly watch: Watch;
  readonly synced: SyncedCollection;
  /** The ids of the records that fulfil all conditions, by their keys, at most `need`. */
  readonly find: (conditions: readonly Condition[], need: number) => number[];
}

/** Runs searches on one connection, one at a time. */
export class Reader implements ReaderApi {
  readonly #db: Connection;
  readonly #statements: Statements;
  readonly #watch: Watch;
  readonly #states: CollectionStates;
  readonly #unlisted: UnlistedValues;
  readonly #vocabularies = new Map<string, Vocabulary>();

  readonly #prefer: Preference | undefined;

  constructor(file: string, catalogue: Catalogue, { prefer, request }: ReaderOptions = {}) {
    this.#prefer = prefer;
    this.#db = openReader(file);
    this.#statements = new Statements(this.#db);
    this.#states = new CollectionStates(this.#statements, catalogue);
    this.#unlisted = new UnlistedValues(this.#statements);
    this.#watch = new Watch(this.#db, request);
  }

  /**
   * @param deadline as of `Date.now()`
   * @returns undefined when the search had to give way and had done more than a little work
   * @throws TenonError `search_timeout`
   */
  search(collection: Collection, query: StoreSearch, deadline: number): StoreAnswer | undefined {
    this.#watch.start(deadline);
    // In one transaction all statements of a search see the same state of the file.
    this.#statements.get("BEGIN").run();
    try {
      return this.#search(collection, query);
    } catch (thrown) {
      if (thrown instanceof GaveWay) return undefined;
      throw thrown;
    } finally {
      this.#statements.get("COMMIT").run();
    }
  }

  /**
   * Runs other work on the connection, in one transaction like a search.
   *
   * @param named scopes that the work is about; absent where it names none
   * @param deadline as of `Date.now()`
   * @returns undefined as `search`
   */
  within<Result>(
    collection: Collection,
    named: readonly string[] | undefined,
    deadline: number,
    work: (view: CollectionView) => Result,
  ): Result | undefined {
    this.#watch.start(deadline);
    this.#statements.get("BEGIN").run();
    try {
      const { layout, instance, records, sync } = this.#states.of(collection);
      const context = { layout, instance: instance ?? 0, vocabulary: (column: Column) => this.#vocabulary(column) };
      return work({
        layout,
        instance,
        statements: this.#statements,
        watch: this.#watch,
        synced: syncedCollection(this.#statements, sync, named),
        find: (conditions, need) =>
          new Finder(this.#statements, this.#watch, context, records, { explain: false }).find({
            conditions,
            sort: [],
            after: undefined,
            need,
          }),
      });
    } catch (thrown) {
      if (thrown instanceof GaveWay) return undefined;
      throw thrown;
    } finally {
      this.#statements.get("COMMIT").run();
    }
  }

  close(): void {
    this.#db.close();
  }

  #search(collection: Collection, query: StoreSearch): StoreAnswer {
    const { filter, sort, after, limit: wanted, fields, explain, count: counts, groupBy } = query;
    const state = this.#states.of(collection);
    const { layout, instance, records: all } = state;
    const byText = sort.some(({ field }) => columnNamed(layout, field).kind === "wide");
    const limit = byText ? Math.min(wanted, mostByText) : wanted;
    const total = (count: number) => (counts === undefined ? {} : { total: count });
    const { syncedAt, sync } = syncedCollection(this.#statements, state.sync, query.scopes);
    if (instance === undefined)
      return { json: encoder.encode("[]"), more: false, last: undefined, syncedAt, sync, unlisted: [], ...total(0) };
    const context = { layout, instance, vocabulary: (column: Column) => this.#vocabulary(column) };
    const finder = new Finder(this.#statements, this.#watch, context, all, { explain, prefer: this.#prefer });
    const conditions = conjuncts(filter);
    const plan = () => (explain ? { plan: finder.report satisfies PlanReport } : {});
    if (groupBy !== undefined) {
      const columns = groupBy.map((field) => columnNamed(layout, field));
      const rows = finder.count(conditions, columns, mostGroups + 1);
      const { groups, count } = namedGroups(rows.map(groupOf(columns)), groupBy);
      const given = rows.length > mostGroups ? [] : groups.slice(0, wanted);
      return {
        json: encoder.encode(JSON.stringify(given)),
        more: groups.length > given.length,
        last: undefined,
        syncedAt,
        sync,
        unlisted: [],
        ...(rows.length > mostGroups ? { tooManyGroups: true as const } : {}),
        ...total(count),
        ...plan(),
      };
    }
    const ids = finder.find({ conditions, sort, after, need: limit + 1 });
    const { json, count } = this.#json(layout, ids.slice(0, limit), query);
    const lastId = ids[count - 1];
    return {
      json,
      more: ids.length > count,
      last: lastId === undefined ? undefined : positionOf(this.#statements, layout, lastId, sortColumns(layout, sort)),
      syncedAt,
      sync,
      unlisted: this.#unlisted.among(state, ids.slice(0, count), fields),
      ...(counts === undefined || conditions.length === 0 ? total(all) : total(Number(finder.count(conditions, [], 1)[0]?.[0]))),
      ...plan(),
    };
  }

  #vocabulary({ words }: Column): Vocabulary | undefined {
    if (words === undefined) return undefined;
    let vocabulary = this.#vocabularies.get(words.vocabulary);
    if (vocabulary === undefined) {
      vocabulary = new Vocabulary(this.#statements, words, (looks) => this.#watch.did(looks));
      this.#vocabularies.set(words.vocabulary, vocabulary);
    }
    vocabulary.refresh(() => this.#watch.check());
    return vocabulary;
  }

  /**
   * The records as a JSON array, and their number. A large answer ends early, and a cursor leads to the rest. The array is made in batches,
   * and the deadline is checked between two batches. Where few bytes are wanted, a batch has one record: a hundred could have far more.
   */
  #json(layout: Layout, ids: readonly number[], { fields, bytes }: StoreSearch): { json: Uint8Array; count: number } {
    const most = Math.min(bytes ?? largestAnswer, largestAnswer);
    const length = bytes === undefined ? batchSize : 1;
    const parts: Uint8Array[] = [];
    let size = 0;
    let count = 0;
    while (count < ids.length) {
      this.#watch.did(length);
      const batch = ids.slice(count, count + length);
      const part = fields === null ? this.#whole(layout, batch) : this.#chosen(layout, batch, fields);
      size += part.length + comma.length;
      if (count > 0 && size > most) break;
      parts.push(count === 0 ? opening : comma, part);
      count += batch.length;
    }
    const all = parts.length === 0 ? [opening, closing] : [...parts, closing];
    // Memory can be handed over to another thread only as a whole, so the parts are copied into an array of their own.
    const json = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of all) {
      json.set(part, at);
      at += part.length;
    }
    return { json, count };
  }

  /**
   * The records with all searchable fields. The file has them as JSON except for the long texts. The engine joins both, so that no text has
   * to be converted into a JavaScript string. The CROSS JOIN keeps the order of the ids.
   */
  #whole(layout: Layout, ids: readonly number[]): Uint8Array {
    const texts = wideFields(layout).map((name) => {
      const [text, key] = [`w.${quoted(columnName(name))}`, JSON.stringify(name)];
      // A value that is no text is among the other fields.
      const odd = `WHEN ${text} IS NULL AND instr(w.more, '${key}:') > 0 THEN coalesce(w.more -> '$.${key}', 'null')`;
      return `'${key}:', CASE ${odd} ELSE json_quote(${text}) END, `;
    });
    const record =
      texts.length === 0 ? "w.found" : `concat('{', ${texts.join("',', ")}iif(w.found = '{}', '', ','), substr(w.found, 2))`;
    return this.#statements
      .get(`SELECT CAST(group_concat(${record}) AS BLOB) FROM json_each(?) d CROSS JOIN ${layout.wide} w ON w.id = d.value`)
      .pluck()
      .get(JSON.stringify(ids)) as Uint8Array;
  }

  #chosen(layout: Layout, ids: readonly number[], fields: FieldTree): Uint8Array {
    // Most bytes of a record are in its long texts and in what no search asks for: only what was requested is read.
    const wide = wideFields(layout).filter((name) => fields.has(name));
    const isInMore = [...fields.keys()].some((name) => wide.includes(name) || !layout.columns.has(name));
    const names = ["found", isInMore ? "more" : "'{}'", ...wide.map((name) => quoted(columnName(name)))];
    const statement = this.#statements.get(`SELECT ${names.join(", ")} FROM ${layout.wide} WHERE id = ?`).raw();
    const parts = ids.map((id) => {
      const [found, more, ...texts] = statement.get(id) as [string, string, ...SqliteValue[]];
      return JSON.stringify(chosen(recordOf(layout, found, texts, more, wide), fields));
    });
    return encoder.encode(parts.join());
  }
}

/** Makes the group of a row that has the values of some columns and a count. */
function groupOf(columns: readonly Column[]) {
  return (row: readonly SqliteValue[]): Group => ({
    values: columns.map((column, index) => givenValue(column, row[index])),
    count: Number(row[columns.length]),
  });
}
