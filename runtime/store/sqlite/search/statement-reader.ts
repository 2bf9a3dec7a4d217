import { keyColumn, type PlaceColumn, placeColumns } from "../../../contract/index.ts";
import { join, raw, type Sql, sql } from "../../../sql/index.ts";
import { type Connection, Statements } from "../../../sqlite/index.ts";
import {
  type Engine,
  limitTexts,
  quotedColumn,
  renderStatement,
  sqliteAggregates,
  sqliteFunctions,
} from "../../../statement/index.ts";
import { entityName } from "../../catalogue.ts";
import { StatementRows } from "../../statement-rows.ts";
import type { StatementAnswer, StatementQuery } from "../../statement-store.ts";
import type { Collection, StoreInstance } from "../../store.ts";
import { listValues } from "../rows/rows.ts";
import type { Catalogue } from "../tables/catalogue.ts";
import { openReader } from "../tables/connection.ts";
import type { Layout } from "../tables/layout.ts";
import { anotherSpec } from "../tables/store-error.ts";
import { syncedCollection } from "./collection-sync.ts";
import type { SearchApi } from "./search-api.ts";
import { checkProgram } from "./statement-program.ts";
import { GaveWay, Watch } from "./watch.ts";

/** Of so many records that are each read once, the watch sees one. */
const watchedRows = 32;

const placeLists: Readonly<Record<PlaceColumn, string>> = {
  scope: "json_group_array(DISTINCT s.name ORDER BY s.name)",
  // The parent of a record that was found in the scope itself is empty.
  parent: "nullif(json_group_array(DISTINCT m.parent ORDER BY m.parent) FILTER (WHERE m.parent <> ''), '[]')",
};

/** A join with the places of all records of an instance: as lists in JSON, as the values of list fields are stored. */
function placesOf({ members }: Layout, instance: number, columns: readonly PlaceColumn[]): Sql {
  const lists = columns.map((name) => `${placeLists[name]} AS "${name}"`).join(", ");
  return sql` LEFT JOIN (SELECT m.id, ${raw(lists)} FROM ${raw(members)} m JOIN store_scopes s ON s.id = m.scope WHERE s.inst = ${instance} AND watch_row(m.id) GROUP BY m.id) m ON m.id = n.id`;
}

/** Runs statements on a connection of its own that can only read, one at a time. */
export class StatementReader implements SearchApi<StatementQuery, StatementAnswer> {
  readonly #db: Connection;
  readonly #statements: Statements;
  readonly #watch: Watch;
  readonly #catalogue: Catalogue;

  constructor(file: string, catalogue: Catalogue, { request }: { readonly request?: Int32Array } = {}) {
    this.#catalogue = catalogue;
    this.#db = openReader(file);
    this.#db.pragma("query_only = ON");
    // What a statement sorts and groups is as large as its author likes: it must not be kept in memory.
    this.#db.pragma("temp_store = FILE");
    this.#statements = new Statements(this.#db);
    this.#watch = new Watch(this.#db, request);
    for (const [name, run] of Object.entries(sqliteFunctions))
      this.#db.function(name, { deterministic: true, varargs: true }, run);
    for (const [name, aggregate] of Object.entries(sqliteAggregates)) this.#db.aggregate(name, aggregate);
    this.#db.function("watch_row", { varargs: true }, () => {
      this.#watch.did(1);
      return 1;
    });
    this.#db.function("watch_rows", () => {
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
    const place = { connector, instance };
    const { texts, values } = renderStatement(statement.query, this.#engine(place, hits), limit + 1);
    const text = texts.join("?");
    const layouts = statement.entities.map((entity) => this.#catalogue.layout({ ...place, entity }));
    const readable = ['"store_scopes"', ...layouts.flatMap(({ narrow, wide, members }) => [narrow, wide, members])];
    checkProgram(this.#db, text, values, readable);
    const rows = new StatementRows(statement, limit, listValues);
    limitTexts(statement.names.length);
    for (const row of this.#db
      .prepare(text)
      .raw()
      .iterate(...values)) {
      this.#watch.did(1);
      if (!rows.add(row as unknown[])) break;
    }
    const tables = statement.entities.map((entity) => ({
      entity,
      ...syncedCollection(this.#statements, { ...place, entity }, undefined),
    }));
    return { ...rows.answer, tables, sql: text };
  }

  close(): void {
    this.#db.close();
  }

  #engine(place: StoreInstance, hits: NonNullable<StatementQuery["hits"]>): Engine {
    return {
      name: "sqlite",
      value: ({ value }) => sql`${typeof value === "boolean" ? Number(value) : value}`,
      table: (entity, columns, isRepeated) => this.#table({ ...place, entity }, columns, isRepeated),
      unnest: (list, _type, alias) => sql`json_each(${list}) ${alias}`,
      words: ({ how, operand }, value) => sql`${raw(`t_${how}`)}(${value}, ${operand})`,
      hits: (search) => hits[search] ?? [],
      watched: (columns) => sql`watch_row(${join(columns, ", ")})`,
    };
  }

  /**
   * The records of the instance; `at:` is a column for the watch. Where each is read once, the watch need not see them all. Where they are
   * read again and again, an index of few values is of no use, and the engine does not know that: `+` keeps it from using one.
   */
  #table(collection: Collection, columns: readonly string[], isRepeated: boolean): Sql {
    const layout = this.#catalogue.layout(collection);
    const version = this.#statements.get("SELECT version FROM store_entities WHERE name = ?").pluck().get(entityName(collection));
    const id = this.#statements
      .get("SELECT id FROM store_instances WHERE connector = ? AND name = ?")
      .pluck()
      .get(collection.connector, collection.instance);
    if (version !== undefined && version !== layout.version) throw anotherSpec(collection.entity);
    if (version === undefined || typeof id !== "number")
      return raw(`SELECT ${['1 AS "at:"', ...columns.map((name) => `NULL AS ${quotedColumn(name)}`)].join(", ")} WHERE FALSE`);
    const places = placeColumns.filter((name) => columns.includes(name) && !layout.columns.has(name));
    const own: ReadonlyMap<string, string> = new Map([
      [keyColumn, "n.k"],
      ...places.map((name) => [name, `m."${name}"`] as const),
    ]);
    const read = columns.map((name) => {
      const column = layout.columns.get(name);
      const stored = column === undefined ? (own.get(name) ?? "NULL") : `${isRepeated && column.few ? "+" : ""}${column.sql}`;
      return `${stored} AS ${quotedColumn(name)}`;
    });
    const listed = ['n.id AS "at:"', ...read].join(", ");
    const joined = places.length === 0 ? raw("") : placesOf(layout, id, places);
    return sql`SELECT ${raw(listed)} FROM ${raw(layout.narrow)} n${joined} WHERE n.inst = ${id} AND ${raw(isRepeated ? "watch_row(n.id)" : `(n.id % ${watchedRows} <> 0 OR watch_rows())`)}`;
  }
}
