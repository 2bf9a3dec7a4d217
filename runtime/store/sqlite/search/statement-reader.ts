import { BoundedMap } from "../../../base/bounded-map.ts";
import { keyColumn, type MembershipColumn, membershipColumns } from "../../../contract/index.ts";
import { join, raw, type Sql, sql } from "../../../sql/index.ts";
import { type Connection, Statements } from "../../../sqlite/index.ts";
import {
  type Engine,
  heldValue,
  limitMemory,
  quotedColumn,
  type Reading,
  renderStatement,
  sqliteAggregates,
  sqliteFunctions,
} from "../../../statement/index.ts";
import { StatementRows } from "../../statement-rows.ts";
import type { StatementAnswer, StatementQuery } from "../../statement-store.ts";
import type { Collection, StoreInstance } from "../../store.ts";
import { listValues } from "../rows/rows.ts";
import type { Catalogue } from "../tables/catalogue.ts";
import { openReader } from "../tables/connection.ts";
import type { Layout } from "../tables/layout.ts";
import { CollectionStates } from "./collection-state.ts";
import { syncedCollection } from "./collection-sync.ts";
import type { SearchApi } from "./search-api.ts";
import { checkProgram } from "./statement-program.ts";
import { charactersPerLook, GaveWay, Watch } from "./watch.ts";

/** Characters of a text that a function takes long for. */
const longText = 10_000;
/** Of so many rows, the watch sees one. */
const watchedRows = 32;
/** Statements that were checked and stay prepared. Each takes about 50 KiB. */
const mostPrepared = 50;
/** A statement with more characters is not kept. */
const longestKept = 20_000;

/** A table is read whole for the records of one instance where it has at most so many times as many. */
const mostOfOthers = 5;
/** Tables are joined whole where the largest has at most so many times as many records as the smallest. */
const mostUnlike = 20;

type Statement = ReturnType<typeof prepare>;
const prepare = (db: Connection, text: string) => db.prepare<unknown[], unknown[]>(text).raw();

const membershipLists: Readonly<Record<MembershipColumn, string>> = {
  scope: "json_group_array(DISTINCT s.name ORDER BY s.name)",
  // The parent of a record that was found in the scope itself is empty.
  parent: "nullif(json_group_array(DISTINCT m.parent ORDER BY m.parent) FILTER (WHERE m.parent <> ''), '[]')",
};

/** A join with the memberships of all records of an instance: as lists in JSON, as the values of list fields are stored. */
function membershipsOf({ members }: Layout, instance: number, columns: readonly MembershipColumn[]): Sql {
  const lists = columns.map((name) => `${membershipLists[name]} AS "${name}"`).join(", ");
  return sql` LEFT JOIN (SELECT m.id, ${raw(lists)} FROM ${raw(members)} m JOIN store_scopes s ON s.id = m.scope WHERE s.inst = ${instance} AND ${watchedOf([raw("m.id")])} GROUP BY m.id) m ON m.id = n.id`;
}

/**
 * A condition that is true, and shows the watch a part of the rows. Which rows these are is left to chance: an author who knew it could
 * write a statement that reads only the others.
 */
function watchedOf(columns: readonly Sql[]): Sql {
  return sql`(random() & ${raw(String(watchedRows - 1))} OR watch_rows(${join(columns, ", ")}))`;
}

/** Whether an index has all these columns, so that no row of the table has to be read for them. */
function isInIndex({ columns, composites }: Layout, names: readonly string[]): boolean {
  const others = names.filter((name) => name !== keyColumn && columns.get(name)?.kind !== "key");
  const [first] = others;
  if (others.length <= 1) return first === undefined || columns.get(first)?.index !== undefined;
  return composites.some(({ fixed, by }) => others.every((name) => name === fixed || name === by));
}

/** Runs statements on a connection of its own that can only read, one at a time. */
export class StatementReader implements SearchApi<StatementQuery, StatementAnswer> {
  readonly #db: Connection;
  readonly #statements: Statements;
  readonly #watch: Watch;
  readonly #catalogue: Catalogue;
  readonly #states: CollectionStates;
  #checked = new BoundedMap<string, Statement>(mostPrepared);
  /** The number of the schema for which they were checked. */
  #schema: unknown;

  constructor(file: string, catalogue: Catalogue, { request }: { readonly request?: Int32Array } = {}) {
    this.#catalogue = catalogue;
    this.#db = openReader(file);
    this.#db.pragma("query_only = ON");
    // What a statement sorts and groups is as large as its author likes: it must not be kept in memory.
    this.#db.pragma("temp_store = FILE");
    this.#statements = new Statements(this.#db);
    this.#states = new CollectionStates(this.#statements, catalogue);
    this.#watch = new Watch(this.#db, request);
    for (const [name, run] of Object.entries(sqliteFunctions))
      this.#db.function(name, { deterministic: true, varargs: true }, (...args: Parameters<typeof run>) => {
        const [text] = args;
        // One row may have many functions of long texts.
        if (typeof text === "string" && text.length > longText) this.#watch.did(text.length / charactersPerLook);
        return run(...args);
      });
    for (const [name, aggregate] of Object.entries(sqliteAggregates)) this.#db.aggregate(name, aggregate);
    this.#db.function("held_value", heldValue);
    this.#db.function("watch_rows", { varargs: true }, () => {
      this.#watch.did(watchedRows);
      return 1;
    });
  }

  /** @param collection the instance; its entity means nothing @throws TenonError `search_timeout` */
  search(collection: Collection, query: StatementQuery, deadline: number): StatementAnswer | undefined {
    this.#watch.start(deadline);
    this.#statements.get("BEGIN").run();
    try {
      return this.#run(collection, query);
    } catch (thrown) {
      if (thrown instanceof GaveWay) return undefined;
      throw thrown;
    } finally {
      this.#statements.get("COMMIT").run();
    }
  }

  #run({ connector, instance }: Collection, { statement, limit, hits = [] }: StatementQuery): StatementAnswer {
    const owner = { connector, instance };
    const { texts, values } = renderStatement(statement.query, this.#engine(owner, hits), limit + 1);
    const text = texts.join("?");
    const layouts = statement.entities.map((entity) => this.#catalogue.layout({ ...owner, entity }));
    const readable = ['"store_scopes"', ...layouts.flatMap(({ narrow, wide, members }) => [narrow, wide, members])];
    const prepared = this.#prepared(text, values, readable);
    const rows = new StatementRows(statement, limit, listValues);
    limitMemory(statement.names.length);
    for (const row of prepared.iterate(...values)) {
      this.#watch.did(1);
      if (!rows.add(row)) break;
    }
    const tables = statement.entities.map((entity) => ({
      entity,
      ...syncedCollection(this.#statements, this.#states.of({ ...owner, entity }).sync, undefined),
    }));
    return { ...rows.answer, tables, sql: text };
  }

  close(): void {
    this.#db.close();
  }

  /**
   * Whether all rows of the table are read in their order there. The engine would read all rows of the instance in the order of an index,
   * which takes ten times as long, or look up half of another table for each of them: it has no statistics, and takes whatever an index
   * gives for few rows. Without an index, it makes one of its own for a join.
   */
  #isScanned(collection: Collection, columns: readonly string[], { whole }: Reading): boolean {
    if (whole === undefined) return false;
    const layoutOf = (entity: string) => this.#catalogue.layout({ ...collection, entity });
    const isFound = whole.lookups.some(({ entity, name }) => layoutOf(entity).columns.get(name)?.few !== true);
    if (isFound || (whole.entities.length === 1 && isInIndex(layoutOf(collection.entity), columns))) return false;
    const counts = whole.entities.map((entity) => this.#states.of({ ...collection, entity }).records);
    const last = this.#statements
      .get(`SELECT max(id) FROM ${layoutOf(collection.entity).narrow}`)
      .pluck()
      .get();
    return (
      Math.min(...counts) * mostUnlike > Math.max(...counts) && this.#states.of(collection).records * mostOfOthers > Number(last)
    );
  }

  /** What a statement may read depends on its text and on the tables that there are. */
  #prepared(text: string, values: readonly unknown[], readable: readonly string[]): Statement {
    const schema = this.#statements.get("PRAGMA schema_version").pluck().get();
    if (schema !== this.#schema) this.#checked = new BoundedMap(mostPrepared);
    this.#schema = schema;
    const make = () => {
      checkProgram(this.#db, text, values, readable);
      return prepare(this.#db, text);
    };
    return text.length > longestKept ? make() : this.#checked.getOrMake(`${readable.join()}\n${text}`, make);
  }

  #engine(owner: StoreInstance, hits: NonNullable<StatementQuery["hits"]>): Engine {
    return {
      name: "sqlite",
      value: ({ value }) => sql`${typeof value === "boolean" ? Number(value) : value}`,
      table: (entity, columns, reading) => this.#table({ ...owner, entity }, columns, reading),
      unnest: (list, _type, alias) => sql`json_each(${list}) ${alias}`,
      words: ({ how, operand }, value) => sql`${raw(`t_${how}`)}(${value}, ${operand})`,
      hits: (search) => hits[search] ?? [],
      watched: watchedOf,
    };
  }

  /**
   * The records of the instance; `at:` is a column for the watch. Where each is read once, the watch need not see them all. Where they are
   * read again and again, an index of few values is of no use, and the engine does not know that: `+` keeps it from using one.
   */
  #table(collection: Collection, columns: readonly string[], reading: Reading): Sql {
    const layout = this.#catalogue.layout(collection);
    const { instance: id } = this.#states.of(collection);
    if (id === undefined)
      return raw(`SELECT ${['1 AS "at:"', ...columns.map((name) => `NULL AS ${quotedColumn(name)}`)].join(", ")} WHERE FALSE`);
    const memberships = membershipColumns.filter((name) => columns.includes(name) && !layout.columns.has(name));
    const own: ReadonlyMap<string, string> = new Map([
      [keyColumn, "n.k"],
      ...memberships.map((name) => [name, `m."${name}"`] as const),
    ]);
    const read = columns.map((name) => {
      const column = layout.columns.get(name);
      const stored =
        column === undefined ? (own.get(name) ?? "NULL") : `${reading.repeated && column.few ? "+" : ""}${column.sql}`;
      return `${stored} AS ${quotedColumn(name)}`;
    });
    const isScanned = this.#isScanned(collection, columns, reading);
    const listed = ['n.id AS "at:"', ...read].join(", ");
    const joined = memberships.length === 0 ? raw("") : membershipsOf(layout, id, memberships);
    return sql`SELECT ${raw(listed)} FROM ${raw(layout.narrow)} n${joined} WHERE ${raw(isScanned ? "+" : "")}n.inst = ${id} AND ${reading.repeated ? watchedOf([raw("n.id")]) : raw(`(n.id & ${watchedRows - 1} OR watch_rows())`)}`;
  }
}
