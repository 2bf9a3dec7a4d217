import { keyColumn, type PlaceColumn, placeColumns } from "../../../contract/index.ts";
import { type Database, type Queries, sqlState, unavailable } from "../../../postgres/index.ts";
import { join, raw, type Sql, sql } from "../../../sql/index.ts";
import {
  type BoundStatement,
  type Engine,
  outOfRange,
  quotedColumn,
  renderStatement,
  statementFault,
  type Type,
} from "../../../statement/index.ts";
import type { LayoutCatalogue } from "../../catalogue.ts";
import { neverSynced } from "../../collection-sync.ts";
import { searchTooSlow } from "../../ending.ts";
import { StatementRows } from "../../statement-rows.ts";
import type { StatementAnswer, StatementQuery } from "../../statement-store.ts";
import type { StoreInstance } from "../../store.ts";
import { itemOf } from "../rows/rows.ts";
import { anotherSpec } from "../tables/collections.ts";
import { type Layout, named } from "../tables/layout.ts";
import { givenText, storedText } from "../tables/text.ts";
import type { SearchLimits } from "./find.ts";
import { instanceOf, notedOf } from "./search-tables.ts";
import { listColumn } from "./statement-lists.ts";

/** SQLSTATE of a statement that names a table that is not there. */
const undefinedTable = "42P01";

/** SQLSTATE of a statement for which the role lacks a right. */
const forbidden = "42501";

/** The role may not read a table, which may be newer than what the role was granted. */
class NotGranted extends Error {}

export interface StatementTablesOptions {
  readonly database: Database;
  /** Where statements run: `database`, or a replica of it. */
  readonly reader: Database;
  readonly catalogue: LayoutCatalogue<Layout>;
  /** A role that can read the records and nothing else; empty for the user of the database. */
  readonly role: string;
}

/** Runs statements, each in a transaction that can only read. */
export class StatementTables {
  readonly #database: Database;
  readonly #reader: Database;
  readonly #catalogue: LayoutCatalogue<Layout>;
  readonly #role: string;
  #hasLooked = false;

  constructor({ database, reader, catalogue, role }: StatementTablesOptions) {
    this.#database = database;
    this.#reader = reader;
    this.#catalogue = catalogue;
    this.#role = role;
  }

  /** Tells the operator, once, what should be known of the role. */
  async lookAtRole(tell: (text: string, level: "info" | "error") => void): Promise<void> {
    if (this.#hasLooked) return;
    const role = this.#role;
    const [row] = await this.#database.query<{ usable: boolean }>(
      sql`SELECT pg_has_role(oid, 'MEMBER') AND NOT rolsuper AS usable FROM pg_roles WHERE rolname = ${role}`,
    );
    this.#hasLooked = true;
    if (role === "")
      tell(
        "SQL of callers runs in read-only transactions with the rights of the database's user. TENON_DATABASE_SQL_ROLE names a role that can read records only; the page on PostgreSQL says how to make it.",
        "info",
      );
    else if (row?.usable !== true)
      tell(
        `SQL of callers is refused: TENON_DATABASE_SQL_ROLE names "${role}", and ${row === undefined ? "there is no such role" : "this is a superuser, or the database's user is no member of it"}.`,
        "error",
      );
  }

  async run(place: StoreInstance, query: StatementQuery, limits: SearchLimits): Promise<StatementAnswer> {
    try {
      return await this.#attempt(this.#reader, place, query, limits);
    } catch (thrown) {
      if (!(thrown instanceof NotGranted)) throw thrown;
    }
    const layouts = query.statement.entities.map((entity) => this.#catalogue.layout({ ...place, entity }));
    const tables = ["store_scopes", ...layouts.flatMap(({ records, members }) => [records, members])];
    await this.#database.run(sql`GRANT SELECT ON ${raw(tables.join(", "))} TO ${raw(named(this.#role))}`);
    // A replica follows later.
    return await this.#attempt(this.#database, place, query, limits).catch((thrown: unknown) => {
      throw thrown instanceof NotGranted ? unavailable(`does not let ${this.#role} read the records`, thrown) : thrown;
    });
  }

  async #attempt(database: Database, place: StoreInstance, query: StatementQuery, limits: SearchLimits) {
    const options = { ...limits, late: searchTooSlow, readOnly: true, isolation: "repeatable read" } as const;
    try {
      return await database.transaction((queries) => this.#run(queries, place, query), options);
    } catch (thrown) {
      if (limits.signal?.aborted === true && thrown === limits.signal.reason) throw searchTooSlow();
      const state = sqlState(thrown) ?? "";
      if (state === undefinedTable) throw anotherSpec(query.statement.entities.join(", "));
      // A number out of range, or a statement that is too complex for the server.
      if (/^(?:22|54)/.test(state))
        throw statementFault(faults[state] ?? { message: "The database cannot run this statement.", at: undefined });
      throw thrown;
    }
  }

  async #run(queries: Queries, place: StoreInstance, { statement, limit }: StatementQuery): Promise<StatementAnswer> {
    const inst = await instanceOf(queries, place);
    const tables = [];
    const missing = new Set<string>();
    for (const entity of statement.entities) {
      const collection = { ...place, entity };
      const noted =
        inst === undefined
          ? undefined
          : await notedOf(queries, collection, this.#catalogue.layout(collection), { inst, named: undefined });
      if (noted === undefined) missing.add(entity);
      tables.push({ entity, syncedAt: noted?.syncedAt ?? null, sync: noted?.sync ?? neverSynced });
    }
    const engine = this.#engine(place, inst, missing);
    const rendered = await inCase(queries, renderStatement(statement.query, engine, limit + 1));
    const rows = new StatementRows(statement, limit, listOf);
    let _isOpen = true;
    // What was asked before is no business of the role.
    await this.#enterRole(queries);
    await queries
      .each<Readonly<Record<string, unknown>>, undefined>(rendered, (row) => {
        _isOpen &&= rows.add(valuesOf(statement, row));
        return undefined;
      })
      .catch((thrown: unknown) => {
        throw sqlState(thrown) === forbidden ? new NotGranted("", { cause: thrown }) : thrown;
      });
    return { ...rows.answer, tables, sql: rendered.texts.join("?") };
  }

  async #enterRole(queries: Queries): Promise<void> {
    if (this.#role === "") return;
    await queries.run(sql`SET LOCAL ROLE ${raw(named(this.#role))}`).catch((thrown: unknown) => {
      throw unavailable(`has no role ${this.#role} for SQL that its user is a member of`, thrown);
    });
  }

  #engine(place: StoreInstance, inst: number | undefined, missing: ReadonlySet<string>): Engine {
    return {
      name: "postgres",
      value: ({ value, type }) => boundValue(value, type),
      table: (entity, columns) => {
        const layout = this.#catalogue.layout({ ...place, entity });
        // The tables of an entity are made when its first record comes.
        const isThere = inst !== undefined && !missing.has(entity);
        const places = placeColumns.filter((name) => columns.includes(name) && !layout.columns.has(name));
        const own = new Map<string, Sql>([[keyColumn, raw("n.k")], ...places.map((name) => [name, raw(`m.${name}`)] as const)]);
        const read = columns.map((name) => {
          const column = layout.columns.get(name);
          const stored = (column?.kind === "list" ? listColumn(column, layout) : column?.sql) ?? own.get(name) ?? raw("NULL");
          const type = column?.sqlType ?? (places.some((one) => one === name) ? "text[]" : 'text COLLATE "C"');
          return sql`${isThere ? stored : raw(`NULL::${type}`)} AS ${raw(quotedColumn(name))}`;
        });
        const listed = join(read.length === 0 ? [raw("1 AS one")] : read, ", ");
        if (!isThere) return sql`SELECT ${listed} WHERE FALSE`;
        const joined = places.length === 0 ? raw("") : placesOf(layout, inst, places);
        return sql`SELECT ${listed} FROM ${raw(layout.records)} n${joined} WHERE n.inst = ${inst}::integer`;
      },
      // A token of a list has the instance before its value; the token of an empty list has no value.
      unnest: (list, type, alias) =>
        sql`LATERAL (SELECT ${elementValue(type)} AS value FROM unnest(${list}) e WHERE strpos(e, ':=') > 0) ${alias}`,
    };
  }
}

const placeNames: Readonly<Record<PlaceColumn, string>> = { scope: "s.name", parent: "m.parent" };

/** A join with the places of all records of an instance: as lists of tokens, as the values of list fields are stored. */
function placesOf({ members }: Layout, inst: number, columns: readonly PlaceColumn[]): Sql {
  const lists = columns.map((name) => {
    const token = `(m.inst || ':=' || ${placeNames[name]})`;
    // The parent of a record that was found in the scope itself is empty.
    return `array_agg(DISTINCT ${token} ORDER BY ${token}) FILTER (WHERE ${placeNames[name]} <> '') AS ${name}`;
  });
  return sql` LEFT JOIN (SELECT m.k, ${raw(lists.join(", "))} FROM ${raw(members)} m JOIN store_scopes s ON s.inst = m.inst AND s.id = m.scope WHERE m.inst = ${inst}::integer GROUP BY m.k) m ON m.k = n.k`;
}

const faults: Readonly<Record<string, (typeof outOfRange)[keyof typeof outOfRange]>> = {
  "22003": outOfRange.number,
  "22008": outOfRange.time,
  "54000": outOfRange.text,
};

const sqlTypes: Readonly<Record<string, Sql>> = {
  text: raw('text COLLATE "C"'),
  boolean: raw("boolean"),
};

function boundValue(value: string | number | boolean | null, type: Type): Sql {
  const cast = sqlTypes[type === "unknown" ? "text" : type] ?? raw("double precision");
  if (value === null) return sql`NULL::${cast}`;
  return sql`${typeof value === "string" ? storedText(value) : value}::${cast}`;
}

function elementValue(type: Type): Sql {
  const text = raw("substr(e, strpos(e, ':=') + 2)");
  if (type === "text") return sql`(${text} COLLATE "C")`;
  return type === "boolean" ? sql`${text}::boolean` : sql`${text}::double precision`;
}

function valuesOf({ query, names }: BoundStatement, row: Readonly<Record<string, unknown>>): unknown[] {
  return names.map((_, index) => {
    const value = row[`c${index}`];
    return typeof value === "string" && query.types[index] === "text" ? givenText(value) : value;
  });
}

function listOf(given: unknown): readonly unknown[] {
  const tokens: readonly unknown[] = Array.isArray(given) ? given : [];
  return tokens.flatMap((token) => {
    const value = typeof token === "string" ? itemOf(token) : null;
    return value === null ? [] : [value];
  });
}

/** The collations that map the case of characters as Unicode does, the best first: of PostgreSQL 18, of ICU, and of PostgreSQL 17. */
const caseCollations = ["pg_unicode_fast", "und-x-icu", "pg_c_utf8"];
const casePlace = "/*case*/";

/** Gives the functions that change case a collation that the server has. */
async function inCase(queries: Queries, statement: Sql): Promise<Sql> {
  if (!statement.texts.some((text) => text.includes(casePlace))) return statement;
  const rows = await queries.query<{ collname: string }>(
    sql`SELECT collname::text AS collname FROM pg_collation WHERE collname = ANY (${caseCollations}::text[])`,
  );
  const best = caseCollations.find((name) => rows.some(({ collname }) => collname === name)) ?? "default";
  return { ...statement, texts: statement.texts.map((text) => text.replaceAll(casePlace, ` COLLATE "${best}"`)) };
}
