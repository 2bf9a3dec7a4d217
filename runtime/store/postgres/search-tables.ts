import { setImmediate as pause } from "node:timers/promises";
import type { FieldTree } from "../../contract/index.ts";
import { type Database, join, type Queries, raw, type Sql, sql, sqlState } from "../../postgres/index.ts";
import { type Comparable, type Condition, comparedValue, conjuncts, type Group } from "../../search/index.ts";
import { chosen, mostByText } from "../answer.ts";
import { entityName, type LayoutCatalogue } from "../catalogue.ts";
import { allScopes } from "../counts.ts";
import { searchTooSlow } from "../ending.ts";
import { namedGroups } from "../groups.ts";
import { mostGroups, type SearchStore, type Shelf, type StoreAnswer, type StoreSearch, type UnlistedValue } from "../store.ts";
import { CommonWords } from "./common-words.ts";
import { explained } from "./explain.ts";
import { type FoundRow, findRows, listedColumns, statementOf, testedRows } from "./find.ts";
import { columnNamed, type Layout, wideColumns } from "./layout.ts";
import type { Where } from "./operators.ts";
import { sortColumns } from "./order.ts";
import { foundJson, foundOf, givenValue, recordOf } from "./rows.ts";
import { anotherSpec } from "./shelves.ts";
import { Vocabularies } from "./vocabularies.ts";
import { fieldsOfWords, whereOfAll } from "./where.ts";

/** The records of one entity of one instance, as one transaction sees them. */
export interface ShelfView {
  readonly queries: Queries;
  readonly layout: Layout;
  /** The id of the instance. */
  readonly inst: number;
  /** What is noted of the shelf. It may come later than what is read of the records. */
  readonly noted: Promise<Noted>;
}

/** What the database notes of a shelf. */
interface Noted {
  readonly inst: number;
  readonly records: number;
  readonly syncedAt: string | null;
}

/** SQLSTATE of a statement that names a table that is not there. */
const undefinedTable = "42P01";
/** How many records are put into an answer before other work of this process has its turn. */
const recordsAtOnce = 200;
/** Values of one enumeration that records have although it does not list them, at most. */
const mostUnlisted = 20;

const encoder = new TextEncoder();

/** Finds records in the tables. */
export class SearchTables implements SearchStore {
  readonly #database: Database;
  readonly #catalogue: LayoutCatalogue<Layout>;
  readonly #vocabularies = new Vocabularies();
  readonly #common = new CommonWords();
  /** The ids of instances whose records were searched before. An id is never given to another instance. */
  readonly #instances = new Map<string, number>();

  constructor(database: Database, catalogue: LayoutCatalogue<Layout>) {
    this.#database = database;
    this.#catalogue = catalogue;
  }

  async search(shelf: Shelf, query: StoreSearch, deadline: number, signal?: AbortSignal): Promise<StoreAnswer> {
    return this.within(shelf, deadline, signal, (view) => (view === undefined ? emptyAnswer(query) : this.#search(view, query)));
  }

  /**
   * Does work in one transaction, in which all statements see the same state.
   *
   * @param work gets undefined when nothing was ever stored
   * @throws TenonError `search_timeout`, `store_unusable` for tables of another spec
   */
  async within<Result>(
    shelf: Shelf,
    deadline: number,
    signal: AbortSignal | undefined,
    work: (view: ShelfView | undefined) => Promise<Result> | Result,
  ): Promise<Result> {
    const options = {
      deadline,
      late: searchTooSlow,
      readOnly: true,
      isolation: "repeatable read",
      ...(signal === undefined ? {} : { signal }),
    } as const;
    const key = JSON.stringify([shelf.connector, shelf.instance, shelf.entity]);
    try {
      return await this.#database.transaction(async (queries) => {
        const layout = this.#catalogue.layout(shelf);
        const noted = notedOf(queries, shelf, layout);
        const known = this.#instances.get(key);
        if (known !== undefined) {
          const view = { queries, layout, inst: known, noted: noted.then((one) => one ?? nothingNoted(known)) };
          // It is awaited with the records, which may fail first.
          view.noted.catch(() => undefined);
          const result = await work(view);
          await view.noted;
          return result;
        }
        const first = await noted;
        if (first === undefined) return work(undefined);
        this.#instances.set(key, first.inst);
        return work({ queries, layout, inst: first.inst, noted: Promise.resolve(first) });
      }, options);
    } catch (thrown) {
      if (signal?.aborted === true && thrown === signal.reason) throw searchTooSlow();
      // The tables of this process's plan were there before.
      if (sqlState(thrown) === undefinedTable && this.#instances.delete(key)) throw anotherSpec(shelf.entity);
      throw thrown;
    }
  }

  /** Translates conditions, with the words that the instance has. */
  async where({ queries, layout, inst }: ShelfView, conditions: readonly Condition[]): Promise<Where> {
    const words = new Map<string, Awaited<ReturnType<Vocabularies["words"]>>>();
    const common = new Map<string, ReadonlySet<string>>();
    const { listed, all } = fieldsOfWords(conditions);
    for (const field of all) {
      const { kind, words: own } = columnNamed(layout, field);
      if (own === undefined) continue;
      if (listed.has(field)) words.set(field, await this.#vocabularies.words(queries, layout, inst, own));
      if (listed.has(field) || kind !== "key") common.set(field, await this.#common.tokens(queries, layout, own));
    }
    return whereOfAll(conditions, layout, {
      inst,
      words: ({ field }) => words.get(field),
      common: ({ field }) => common.get(field),
    });
  }

  async #search(view: ShelfView, query: StoreSearch): Promise<StoreAnswer> {
    const { layout, queries } = view;
    const conditions = conjuncts(query.filter);
    const where = await this.where(view, conditions);
    if (query.groupBy !== undefined) return this.#groups(view, query, query.groupBy, conditions, where);
    const sort = sortColumns(layout, query.sort);
    const byText = sort.some(({ column }) => column.kind === "wide");
    const limit = byText ? Math.min(query.limit, mostByText) : query.limit;
    const wanted = { layout, conditions, where, sort, after: query.after, need: limit, whole: query.fields !== null };
    const { rows, more } = await findRows(queries, { ...wanted, need: limit + 1 });
    const { records, syncedAt } = await view.noted;
    const shown = rows.slice(0, limit);
    const total = conditions.length === 0 ? records : undefined;
    const plan = () => explained(queries, layout, where, statementOf(wanted, query.after, limit + 1));
    return {
      json: await jsonOf(layout, shown, query.fields),
      more: more || rows.length > limit,
      last: shown.at(-1)?.position,
      syncedAt,
      unlisted: unlistedAmong(layout, shown, query.fields),
      ...(query.count === undefined ? {} : { total: total ?? countOf(await countBy(view, conditions, where, [])) }),
      ...(query.explain ? { plan: await plan() } : {}),
    };
  }

  async #groups(
    view: ShelfView,
    query: StoreSearch,
    groupBy: readonly string[],
    conditions: readonly Condition[],
    where: Where,
  ): Promise<StoreAnswer> {
    const found = await countBy(view, conditions, where, groupBy);
    const { groups, count } = namedGroups(found, groupBy);
    const given = found.length > mostGroups ? [] : groups.slice(0, query.limit);
    const plan = () => explained(view.queries, view.layout, where, countStatement(view.layout, where, groupBy));
    return {
      json: encoder.encode(JSON.stringify(given)),
      more: groups.length > given.length,
      last: undefined,
      syncedAt: (await view.noted).syncedAt,
      unlisted: [],
      ...(found.length > mostGroups ? { tooManyGroups: true as const } : {}),
      ...(query.count === undefined ? {} : { total: count }),
      ...(query.explain ? { plan: await plan() } : {}),
    };
  }
}

/**
 * @returns undefined when nothing was ever stored
 * @throws TenonError `store_unusable` for tables of another spec
 */
async function notedOf(queries: Queries, shelf: Shelf, layout: Layout): Promise<Noted | undefined> {
  const { connector, instance, entity } = shelf;
  const [row] = await queries.query<{ version: string; inst: number; records: number | null; synced_at: string | null }>(
    // While a scope was never read to its end, the age of the answer is unknown.
    sql`SELECT e.version, i.id AS inst,
        (SELECT c.records FROM store_counts c WHERE c.inst = i.id AND c.entity = ${entity} AND c.scope = ${allScopes}) AS records,
        (SELECT CASE WHEN count(*) = count(s.completed_at) THEN min(s.completed_at) END FROM store_states s WHERE s.inst = i.id AND s.entity = ${entity}) AS synced_at
      FROM store_entities e, store_instances i WHERE e.name = ${entityName(shelf)} AND i.connector = ${connector} AND i.name = ${instance}`,
  );
  if (row === undefined) return undefined;
  if (row.version !== layout.version) throw anotherSpec(entity);
  return { inst: row.inst, records: row.records ?? 0, syncedAt: row.synced_at };
}

/** What is noted of a shelf of which everything was removed since it was searched first. */
function nothingNoted(inst: number): Noted {
  return { inst, records: 0, syncedAt: null };
}

function emptyAnswer({ count }: StoreSearch): StoreAnswer {
  const json = encoder.encode("[]");
  return { json, more: false, last: undefined, syncedAt: null, unlisted: [], ...(count === undefined ? {} : { total: 0 }) };
}

/** The records as a JSON array. */
async function jsonOf(layout: Layout, rows: readonly FoundRow[], fields: FieldTree | null): Promise<Uint8Array> {
  const wide = wideColumns(layout);
  const record = ({ found, texts, more = "{}" }: FoundRow) =>
    fields === null ? foundJson(wide, found, texts) : JSON.stringify(chosen(recordOf(wide, found, texts, more), fields));
  const parts: Uint8Array[] = [];
  for (let from = 0; from < rows.length; from += recordsAtOnce) {
    if (from > 0) await pause();
    const part = rows.slice(from, from + recordsAtOnce).map(record);
    parts.push(encoder.encode(`${from === 0 ? "[" : ","}${part.join()}`));
  }
  return parts.length === 0 ? encoder.encode("[]") : Buffer.concat([...parts, encoder.encode("]")]);
}

/** The values of enumerations that the records have although the enumerations do not list them. */
function unlistedAmong(layout: Layout, rows: readonly FoundRow[], fields: FieldTree | null): UnlistedValue[] {
  return listedColumns(layout).flatMap(({ field, listed = [] }, index) => {
    if (fields !== null && !fields.has(field)) return [];
    const values = new Set(rows.flatMap((row) => row.listed[index] ?? []));
    const unlisted = [...values].filter((value) => typeof value === "string" && !listed.includes(value));
    return unlisted
      .sort()
      .slice(0, mostUnlisted)
      .map((value) => ({ field, value: String(value) }));
  });
}

/** Counts records by the values of some fields: of more groups than an answer may have, one more than that. */
async function countBy(
  view: ShelfView,
  conditions: readonly Condition[],
  where: Where,
  groupBy: readonly string[],
): Promise<Group[]> {
  if (!where.exact) return countTested(view, conditions, where, groupBy);
  const rows = await view.queries.query<Readonly<Record<string, Comparable>>>(countStatement(view.layout, where, groupBy));
  return rows.map((row) => ({
    values: groupBy.map((_, index) => givenValue(row[`v${index}`] ?? null)),
    count: Number(row["count"]),
  }));
}

function countStatement(layout: Layout, where: Where, groupBy: readonly string[]): Sql {
  const columns = groupBy.map((field) => columnNamed(layout, field).sql);
  const named = columns.map((name, index) => sql`${name} AS ${raw(`v${index}`)}, `);
  const grouped = columns.length === 0 ? raw("") : sql` GROUP BY ${join(columns, ", ")}`;
  return sql`SELECT ${join(named, "")}count(*) AS count FROM ${raw(layout.records)} n WHERE ${where.sql}${grouped} LIMIT ${mostGroups + 1}`;
}

/** Counts records that have to be tested here. */
async function countTested(
  { queries, layout }: ShelfView,
  conditions: readonly Condition[],
  where: Where,
  groupBy: readonly string[],
): Promise<Group[]> {
  const groups = new Map<string, { readonly values: readonly Comparable[]; count: number }>();
  const wide = wideColumns(layout);
  for await (const { found, texts } of testedRows(queries, { layout, conditions, where, whole: false })) {
    const record = foundOf(wide, found, texts);
    const values = groupBy.map((field) => comparedValue(columnNamed(layout, field).type, record[field]));
    const key = JSON.stringify(values);
    const group = groups.get(key) ?? { values, count: 0 };
    group.count++;
    groups.set(key, group);
    if (groups.size > mostGroups) break;
  }
  if (groups.size === 0 && groupBy.length === 0) return [{ values: [], count: 0 }];
  return [...groups.values()];
}

function countOf(groups: readonly Group[]): number {
  return groups[0]?.count ?? 0;
}
