import { keyColumn, type MembershipColumn, membershipColumns } from "../../../contract/index.ts";
import { type Database, isForbidden, type Queries, sqlState, unavailable } from "../../../postgres/index.ts";
import { join, raw, type Sql, sql } from "../../../sql/index.ts";
import {
  type BoundStatement,
  columnOfWords,
  type Engine,
  outOfRange,
  quotedColumn,
  renderStatement,
  statementFault,
  type Type,
  type WordTest,
  wordTests,
} from "../../../statement/index.ts";
import { largestAnswer } from "../../answer.ts";
import { entityName, type LayoutCatalogue } from "../../catalogue.ts";
import { neverSynced } from "../../collection-sync.ts";
import { searchTooSlow } from "../../ending.ts";
import { StatementRows } from "../../statement-rows.ts";
import type { StatementAnswer, StatementQuery } from "../../statement-store.ts";
import type { StoreInstance } from "../../store.ts";
import { itemOf } from "../rows/rows.ts";
import { anotherSpec } from "../tables/collections.ts";
import { type Layout, named } from "../tables/layout.ts";
import { givenText, storedText } from "../tables/text.ts";
import type { WordSearch } from "../words/word-search.ts";
import type { SearchLimits } from "./find.ts";
import { instanceIdOf, notedOf } from "./search-tables.ts";
import { listColumn } from "./statement-lists.ts";
import { withIndexedOrder } from "./statement-order.ts";
import { type StatementLimits, StatementTurns } from "./statement-turns.ts";
import { makeViews, showInstance } from "./statement-views.ts";
import { nearWordGroups, wordCondition } from "./statement-words.ts";

/** SQLSTATE of a statement that names a table that is not there. */
const undefinedTable = "42P01";

/** A view is not there, or the role may not read it: it may be newer than what the role was granted. */
class NotGranted extends Error {}

export interface StatementTablesOptions {
  readonly database: Database;
  /** Where statements run: `database`, or a replica of it. */
  readonly reader: Database;
  readonly catalogue: LayoutCatalogue<Layout>;
  readonly words: WordSearch;
  /** A role that sees only views of the records; empty for the user of the database. */
  readonly role: string;
}

/** Runs statements, each in a transaction that can only read. */
export class StatementTables {
  readonly #database: Database;
  readonly #reader: Database;
  readonly #catalogue: LayoutCatalogue<Layout>;
  readonly #role: string;
  readonly #words: WordSearch;
  readonly #turns: StatementTurns;

  constructor({ database, reader, catalogue, words, role }: StatementTablesOptions) {
    this.#database = database;
    this.#reader = reader;
    this.#catalogue = catalogue;
    this.#words = words;
    this.#role = role;
    this.#turns = new StatementTurns(reader.connections);
  }

  /** Makes the views where the role can be used, and tells the operator what should be known of it otherwise. */
  async lookAtRole(tell: (text: string, level: "info" | "error") => void): Promise<void> {
    const role = this.#role;
    const [row] = await this.#database.query<{ usable: boolean }>(
      sql`SELECT pg_has_role(oid, 'MEMBER') AND NOT rolsuper AS usable FROM pg_roles WHERE rolname = ${role}`,
    );
    if (row?.usable === true) await this.#prepareViews();
    if (role === "")
      tell(
        "SQL of callers runs in read-only transactions with the rights of the database's user. TENON_DATABASE_SQL_ROLE names a role that sees only views of the records; the page on PostgreSQL says how to make it.",
        "info",
      );
    else if (row?.usable !== true)
      tell(
        `SQL of callers is refused: TENON_DATABASE_SQL_ROLE names "${role}", and ${row === undefined ? "there is no such role" : "this is a superuser, or the database's user is no member of it"}.`,
        "error",
      );
  }

  /** Makes the views of all entities, so that services need not do it: these may lack the right to. */
  async #prepareViews(): Promise<void> {
    const stored = await this.#database.query<{ name: string; version: string }>(sql`SELECT name, version FROM store_entities`);
    const versions = new Map(stored.map(({ name, version }) => [name, version]));
    const layouts = this.#catalogue.entities.flatMap((entity) => {
      const layout = this.#catalogue.layout(entity);
      return versions.get(entityName(entity)) === layout.version ? [layout] : [];
    });
    if (layouts.length === 0) return;
    // Where this user may not, a statement that lacks a view says so.
    await this.#database.transaction((queries) => makeViews(queries, layouts, this.#role)).catch(() => undefined);
  }

  run(instance: StoreInstance, query: StatementQuery, limits: SearchLimits): Promise<StatementAnswer> {
    return this.#turns.take(limits, (own) => this.#granted(instance, query, own));
  }

  /** Runs a statement, and makes the views first that the role lacks. */
  async #granted(instance: StoreInstance, query: StatementQuery, limits: StatementLimits): Promise<StatementAnswer> {
    try {
      return await this.#attempt(this.#reader, instance, query, limits);
    } catch (thrown) {
      if (!(thrown instanceof NotGranted)) throw thrown;
    }
    const layouts = query.statement.entities.map((entity) => this.#catalogue.layout({ ...instance, entity }));
    await this.#database
      .transaction((queries) => makeViews(queries, layouts, this.#role), { deadline: limits.deadline })
      .catch((thrown: unknown) => {
        throw sqlState(thrown) === undefinedTable ? anotherSpec(query.statement.entities.join(", ")) : thrown;
      });
    // A replica follows later.
    return await this.#attempt(this.#database, instance, query, limits).catch((thrown: unknown) => {
      throw thrown instanceof NotGranted
        ? unavailable(`has no views that ${this.#role} may read; tenon store migrate makes them`, thrown)
        : thrown;
    });
  }

  async #attempt(database: Database, instance: StoreInstance, query: StatementQuery, limits: StatementLimits) {
    const options = { ...limits, late: searchTooSlow, readOnly: true, isolation: "repeatable read" } as const;
    try {
      return await database.transaction((queries) => this.#run(queries, instance, query, limits), options);
    } catch (thrown) {
      if (limits.signal?.aborted === true && thrown === limits.signal.reason) throw searchTooSlow();
      const state = sqlState(thrown) ?? "";
      if (state === undefinedTable) throw anotherSpec(query.statement.entities.join(", "));
      // A number out of range, or a statement that is too complex for the server.
      if (/^(?:22|54)/.test(state))
        throw statementFault(
          faultOf(state, query.statement) ?? { message: "The database cannot run this statement.", at: undefined },
        );
      throw thrown;
    }
  }

  async #run(
    queries: Queries,
    instance: StoreInstance,
    { statement, limit, hits = [] }: StatementQuery,
    { alone, brief }: StatementLimits,
  ): Promise<StatementAnswer> {
    // Several processes of the server for each of several statements would leave none for searches.
    if (!alone) await queries.run(raw("SET LOCAL max_parallel_workers_per_gather = 0"));
    if (brief !== undefined) await queries.run(raw(`SET LOCAL statement_timeout = ${brief}`));
    const inst = await instanceIdOf(queries, instance);
    const tables = [];
    const missing = new Set<string>();
    for (const entity of statement.entities) {
      const collection = { ...instance, entity };
      const noted =
        inst === undefined ? undefined : await notedOf(queries, collection, this.#catalogue.layout(collection), { inst });
      if (noted === undefined) missing.add(entity);
      tables.push({ entity, syncedAt: noted?.syncedAt ?? null, sync: noted?.sync ?? neverSynced });
    }
    const near = await this.#near(queries, instance, { statement, inst, missing });
    const engine: Engine = { ...this.#engine(instance, inst, missing), ...near, hits: (search) => hits[search] ?? [] };
    const layoutOf = (entity: string) => (missing.has(entity) ? undefined : this.#catalogue.layout({ ...instance, entity }));
    const query = inst === undefined ? statement.query : await withIndexedOrder(queries, statement.query, inst, layoutOf);
    const bounded = withLongest(statement, renderStatement(query, engine, limit + 1));
    const rendered = await inCase(queries, withinRow(statement, bounded));
    const rows = new StatementRows(statement, limit, listOf);
    let _isOpen = true;
    // From here on, the statement has the rights of the role alone.
    await this.#enterRole(queries, inst);
    await queries
      .each<Readonly<Record<string, unknown>>, undefined>(rendered, (row) => {
        _isOpen &&= rows.add(valuesOf(statement, row));
        return undefined;
      })
      .catch((thrown: unknown) => {
        const isLacking = isForbidden(thrown) || (this.#role !== "" && sqlState(thrown) === undefinedTable);
        throw isLacking ? new NotGranted("", { cause: thrown }) : thrown;
      });
    return { ...rows.answer, tables, sql: rendered.texts.join("?") };
  }

  async #enterRole(queries: Queries, inst: number | undefined): Promise<void> {
    if (this.#role === "") return;
    if (inst !== undefined) await showInstance(queries, inst);
    await queries.run(sql`SET LOCAL ROLE ${raw(named(this.#role))}`).catch((thrown: unknown) => {
      throw unavailable(`has no role ${this.#role} for SQL that its user is a member of`, thrown);
    });
  }

  /** Looks up the words that fuzzy tests ask for, of which the statement then has the tokens. */
  async #near(
    queries: Queries,
    instance: StoreInstance,
    {
      statement,
      inst,
      missing,
    }: { readonly statement: BoundStatement; readonly inst: number | undefined; readonly missing: ReadonlySet<string> },
  ): Promise<Pick<Engine, "words">> {
    const groups = new Map<string, readonly (readonly string[])[]>();
    const keyOf = ({ value, operand }: WordTest) => JSON.stringify([value.searched, value.name, operand]);
    for (const test of wordTests(statement.query)) {
      const { how, value, operand } = test;
      const entity = value.searched ?? "";
      if (how !== "fuzzy" || inst === undefined || missing.has(entity) || groups.has(keyOf(test))) continue;
      const layout = this.#catalogue.layout({ ...instance, entity });
      groups.set(keyOf(test), await nearWordGroups({ queries, layout, inst, words: this.#words }, value.name, operand));
    }
    return { words: (test, value, words) => wordCondition(test, groups.get(keyOf(test)) ?? [], { inst, value, words }) };
  }

  #membershipsIn({ members, views }: Layout): string {
    if (this.#role !== "") return views.memberships;
    return `(SELECT m.inst, m.k, m.parent, s.name FROM ${members} m JOIN store_scopes s ON s.inst = m.inst AND s.id = m.scope)`;
  }

  #engine(instance: StoreInstance, inst: number | undefined, missing: ReadonlySet<string>): Omit<Engine, "words" | "hits"> {
    return {
      name: "postgres",
      value: ({ value, type }) => boundValue(value, type),
      table: (entity, columns) => {
        const layout = this.#catalogue.layout({ ...instance, entity });
        // The tables of an entity are made when its first record comes.
        const isThere = inst !== undefined && !missing.has(entity);
        const memberships = membershipColumns.filter((name) => columns.includes(name) && !layout.columns.has(name));
        const own = new Map<string, Sql>([
          [keyColumn, raw("n.k")],
          ...memberships.map((name) => [name, raw(`m.${name}`)] as const),
        ]);
        const read = columns.map((name) => {
          const column = layout.columns.get(name);
          const words = layout.columns.get(columnOfWords(name) ?? "")?.words;
          if (words !== undefined)
            return sql`${raw(isThere ? `n.${words.name}` : "NULL::bigint[]")} AS ${raw(quotedColumn(name))}`;
          const stored = (column?.kind === "list" ? listColumn(column, layout) : column?.sql) ?? own.get(name) ?? raw("NULL");
          const type = column?.sqlType ?? (memberships.some((one) => one === name) ? "text[]" : 'text COLLATE "C"');
          return sql`${isThere ? stored : raw(`NULL::${type}`)} AS ${raw(quotedColumn(name))}`;
        });
        const listed = join(read.length === 0 ? [raw("1 AS one")] : read, ", ");
        if (!isThere) return sql`SELECT ${listed} WHERE FALSE`;
        const joined = memberships.length === 0 ? raw("") : membershipsOf(this.#membershipsIn(layout), inst, memberships);
        return sql`SELECT ${listed} FROM ${raw(this.#role === "" ? layout.records : layout.views.records)} n${joined} WHERE n.inst = ${inst}::integer`;
      },
      // A token of a list has the instance before its value; the token of an empty list has no value.
      unnest: (list, type, alias) =>
        sql`LATERAL (SELECT ${elementValue(type)} AS value FROM unnest(${list}) e WHERE strpos(e, ':=') > 0) ${alias}`,
    };
  }
}

const membershipNames: Readonly<Record<MembershipColumn, string>> = { scope: "m.name", parent: "m.parent" };

/** A join with the memberships of all records of an instance: as lists of tokens, as the values of list fields are stored. */
function membershipsOf(source: string, inst: number, columns: readonly MembershipColumn[]): Sql {
  const lists = columns.map((name) => {
    const token = `(m.inst || ':=' || ${membershipNames[name]})`;
    // The parent of a record that was found in the scope itself is empty.
    return `array_agg(DISTINCT ${token} ORDER BY ${token}) FILTER (WHERE ${membershipNames[name]} <> '') AS ${name}`;
  });
  return sql` LEFT JOIN (SELECT m.k, ${raw(lists.join(", "))} FROM ${raw(source)} m WHERE m.inst = ${inst}::integer GROUP BY m.k) m ON m.k = n.k`;
}

/** Ends a statement whose row has too long texts before the server sends it: nothing else that a statement has divides by zero. */
function withinRow({ query: { types } }: BoundStatement, rendered: Sql): Sql {
  const lengths = types.flatMap((type, index) => (type === "text" ? [`coalesce(octet_length(r.c${index}), 0)::bigint`] : []));
  if (lengths.length === 0) return rendered;
  const size = lengths.join(" + ");
  return sql`SELECT * FROM (${rendered}) r WHERE CASE WHEN ${raw(size)} <= ${raw(String(largestAnswer))} THEN TRUE ELSE 1 / (0 * (${raw(size)})) = 1 END`;
}

/** Bytes of the longest text that a statement makes, and of all texts that it makes of one row. */
const [longestText, mostOfRow] = [4 * 1024 * 1024, 64 * 1024 * 1024];

/** Limits the texts that a statement makes: the more it makes, the shorter they must be. */
function withLongest({ parts }: BoundStatement, rendered: Sql): Sql {
  const longest = String(Math.floor(Math.min(longestText, mostOfRow / parts)));
  return { ...rendered, texts: rendered.texts.map((text) => text.replaceAll(longestPlace, longest)) };
}

const faults: Readonly<Record<string, (typeof outOfRange)[keyof typeof outOfRange]>> = {
  "22001": outOfRange.text,
  "22003": outOfRange.number,
  "22008": outOfRange.time,
  "22012": outOfRange.row,
  "2201E": outOfRange.sought,
  "2201F": outOfRange.text,
  "54000": outOfRange.text,
};

/** @param state SQLSTATE */
function faultOf(state: string, { query }: BoundStatement): (typeof outOfRange)[keyof typeof outOfRange] | undefined {
  // A sum that is too large for a number says that string_agg would make too long a text.
  return state === "22003" && JSON.stringify(query).includes('"name":"string_agg') ? outOfRange.joined : faults[state];
}

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
const longestPlace = "/*longest*/";

/** Gives the functions that change case a collation that the server has. */
async function inCase(queries: Queries, statement: Sql): Promise<Sql> {
  if (!statement.texts.some((text) => text.includes(casePlace))) return statement;
  const rows = await queries.query<{ collname: string }>(
    sql`SELECT collname::text AS collname FROM pg_collation WHERE collname = ANY (${caseCollations}::text[])`,
  );
  const best = caseCollations.find((name) => rows.some(({ collname }) => collname === name)) ?? "default";
  return { ...statement, texts: statement.texts.map((text) => text.replaceAll(casePlace, ` COLLATE "${best}"`)) };
}
