import { type Database, type Queries, sqlState } from "../../../postgres/index.ts";
import { type Comparable, type Condition, comparedValue, conjuncts, type Group } from "../../../search/index.ts";
import { join, raw, type Sql, sql, steady } from "../../../sql/index.ts";
import { largestAnswer, mostByText } from "../../answer.ts";
import { entityName, type LayoutCatalogue } from "../../catalogue.ts";
import type { SyncedCollection } from "../../collection-sync.ts";
import { searchTooSlow } from "../../ending.ts";
import { namedGroups } from "../../groups.ts";
import { type Collection, mostGroups, type StoreAnswer, type StoreInstance, type StoreSearch } from "../../store.ts";
import { allScopes } from "../../works/counts.ts";
import { foundOf, givenValue } from "../rows/rows.ts";
import { anotherSpec } from "../tables/collections.ts";
import type { IndexDemand } from "../tables/index-demand.ts";
import { columnNamed, type Layout, wideColumns } from "../tables/layout.ts";
import type { LayoutState } from "../tables/layout-rows.ts";
import { type WordCounts, WordStatistics } from "../words/word-counts.ts";
import { SearchedWords, type WordSearch } from "../words/word-search.ts";
import { emptyCollection, type SumsRow, sumsOf, syncedCollection } from "./collection-sync.ts";
import { explained } from "./explain.ts";
import { findRows, positionOf, type SearchLimits, testedRows } from "./find.ts";
import { statementsOf, type Wanted } from "./find-statement.ts";
import { encoderOf, jsonOf, unlistedAmong } from "./found-answer.ts";
import type { Context, Where } from "./operators.ts";
import { sortColumns } from "./order.ts";
import { planning } from "./planning.ts";
import { wantedFor } from "./wanted-indexes.ts";
import { fieldsOfWords, whereOfAll } from "./where.ts";

/** The records of one entity of one instance, as one transaction sees them. */
export interface CollectionView {
  readonly queries: Queries;
  readonly layout: Layout;
  /** The id of the instance. */
  readonly inst: number;
  /** What the database notes of the collection. The answer may arrive after that of the records. */
  readonly noted: Promise<Noted>;
  /** About how many records it has: as many as when it was searched last. */
  readonly expected: number;
  readonly limits: SearchLimits;
}

/** What the database notes of a collection. */
interface Noted extends SyncedCollection {
  readonly records: number;
}

/** Conditions as SQL, and the statements that have looked up the words for them. */
export interface SearchWhere extends Where {
  readonly lookups: readonly Sql[];
  /** The same for records that are looked up by their words, or are not. */
  readonly as: (byWords: boolean) => Where;
}

/** SQLSTATE of a statement that names a table that is not there. */
const undefinedTable = "42P01";

const encoder = new TextEncoder();

/** Finds records in the tables. */
export class SearchTables {
  readonly #database: Database;
  readonly #catalogue: LayoutCatalogue<Layout>;
  readonly #words: WordSearch;
  readonly #demand: IndexDemand;
  readonly #statistics = new WordStatistics();
  /**
   * The collections that were searched before: the ids of their instances, which are never given to others, and how many records they had.
   */
  readonly #known = new Map<string, { readonly inst: number; readonly records: number }>();

  constructor(database: Database, catalogue: LayoutCatalogue<Layout>, words: WordSearch, demand: IndexDemand) {
    this.#demand = demand;
    this.#database = database;
    this.#catalogue = catalogue;
    this.#words = words;
  }

  search(collection: Collection, query: StoreSearch, limits: SearchLimits): Promise<StoreAnswer> {
    return this.within(collection, query.scopes, limits, async (view, empty) =>
      view === undefined ? emptyAnswer(query, await empty()) : this.#search(view, query),
    );
  }

  /**
   * Does work in one transaction, in which all statements see the same state.
   *
   * @param named scopes that the work is about; absent where it names none
   * @param work gets undefined when no record was ever stored, and then what reads how far the collection is synced all the same
   * @throws TenonError `search_timeout`, `store_unusable` for tables of another spec
   */
  async within<Result>(
    collection: Collection,
    named: readonly string[] | undefined,
    limits: SearchLimits,
    work: (view: CollectionView | undefined, empty: () => Promise<SyncedCollection>) => Promise<Result> | Result,
  ): Promise<Result> {
    const { signal } = limits;
    const options = { ...limits, late: searchTooSlow, readOnly: true, isolation: "repeatable read" } as const;
    const key = JSON.stringify([collection.connector, collection.instance, collection.entity]);
    try {
      return await this.#database.transaction(async (queries) => {
        const layout = this.#catalogue.layout(collection);
        const known = this.#known.get(key);
        const inst = known?.inst ?? (await instanceIdOf(queries, collection));
        const empty = () => emptyCollection(queries, inst, collection.entity, named);
        if (inst === undefined) return work(undefined, empty);
        const stored = notedOf(queries, collection, layout, { inst, named });
        if (known === undefined && (await stored) === undefined) return work(undefined, empty);
        const noted = stored.then(async (one) => one ?? { records: 0, ...(await empty()) });
        // It is awaited with the records, which may fail first.
        noted.catch(() => undefined);
        const expected = known?.records ?? (await noted).records;
        const result = await work({ queries, layout, inst, expected, noted, limits }, empty);
        this.#known.set(key, { inst, records: (await noted).records });
        return result;
      }, options);
    } catch (thrown) {
      if (signal?.aborted === true && thrown === signal.reason) throw searchTooSlow();
      // The tables of this process's plan were there before.
      if (sqlState(thrown) === undefinedTable && this.#known.delete(key)) throw anotherSpec(collection.entity);
      throw thrown;
    }
  }

  /** Translates conditions, with the words that the instance has. */
  async where({ queries, layout, inst }: CollectionView, conditions: readonly Condition[]): Promise<SearchWhere> {
    const counts = new Map<string, WordCounts>();
    const { listed, all } = fieldsOfWords(conditions, layout);
    for (const field of all) {
      const { kind, words } = columnNamed(layout, field);
      if (words !== undefined && (listed.has(field) || kind !== "key"))
        counts.set(field, await this.#statistics.counts(queries, layout, words));
    }
    const asked = new SearchedWords(this.#words, { queries, layout, inst });
    const translated = (way: Pick<Context, "byWords"> = {}) =>
      whereOfAll(conditions, layout, {
        ...way,
        inst,
        words: ({ field, words }) => (words === undefined || !listed.has(field) ? undefined : asked.words(words)),
        counts: ({ field }) => counts.get(field),
      });
    if (listed.size > 0) {
      translated();
      await asked.answer();
    }
    return { ...translated(), lookups: asked.statements, as: (byWords) => translated({ byWords }) };
  }

  async #search(view: CollectionView, query: StoreSearch): Promise<StoreAnswer> {
    const { layout, queries } = view;
    const conditions = conjuncts(query.filter);
    const found = await this.where(view, conditions);
    const sort = sortColumns(layout, query.sort);
    // An index of one field has its groups in order, so that they are counted without reading a record.
    const [group, ...others] = query.groupBy ?? [];
    const grouped = group === undefined || others.length > 0 ? [] : [{ field: group, direction: "asc" } as const];
    const order = [...sort, ...sortColumns(layout, grouped)];
    this.#demand.note(layout, view.expected, wantedFor(layout, conditions, order));
    if (query.groupBy !== undefined) return this.#groups(view, query, query.groupBy, conditions, found);
    const byText = sort.some(({ column }) => column.kind === "wide");
    const limit = byText ? Math.min(query.limit, mostByText) : query.limit;
    const byWords = isLookedUp(found, limit, view.expected);
    const where = found.count === undefined ? found : found.as(byWords);
    const wanted = {
      layout,
      conditions,
      where,
      sort,
      after: query.after,
      need: limit + 1,
      bytes: Math.min(query.bytes ?? largestAnswer, largestAnswer),
      whole: query.fields !== null,
      byWords,
    };
    const { rows, more } = await findRows(queries, wanted, view.limits, encoderOf(layout, query.fields));
    const { records, syncedAt, sync } = await view.noted;
    const made = rows.slice(0, limit);
    const shown = made.map(({ row }) => row);
    const total = conditions.length === 0 ? records : undefined;
    const last = shown.at(-1);
    const plan = () => explained(queries, layout, where, statementsOf(wanted, query.after, limit + 1), found.lookups);
    return {
      json: jsonOf(made.map((one) => one.made)),
      more: more || rows.length > limit,
      last: last === undefined ? undefined : positionOf(sort, last),
      syncedAt,
      sync,
      unlisted: unlistedAmong(layout, shown, query.fields),
      ...(query.count === undefined ? {} : { total: total ?? countOf(await countBy(view, conditions, found, [])) }),
      ...(query.explain ? { plan: await plan() } : {}),
    };
  }

  async #groups(
    view: CollectionView,
    query: StoreSearch,
    groupBy: readonly string[],
    conditions: readonly Condition[],
    where: SearchWhere,
  ): Promise<StoreAnswer> {
    const found = await countBy(view, conditions, where, groupBy);
    const { groups, count } = namedGroups(found, groupBy);
    const given = found.length > mostGroups ? [] : groups.slice(0, query.limit);
    const plan = () => {
      const counted = wayOfAll(where, view.expected).where;
      return explained(view.queries, view.layout, counted, [countStatement(view.layout, counted, groupBy)], where.lookups);
    };
    const { syncedAt, sync } = await view.noted;
    return {
      json: encoder.encode(JSON.stringify(given)),
      more: groups.length > given.length,
      last: undefined,
      syncedAt,
      sync,
      unlisted: [],
      ...(found.length > mostGroups ? { tooManyGroups: true as const } : {}),
      ...(query.count === undefined ? {} : { total: count }),
      ...(query.explain ? { plan: await plan() } : {}),
    };
  }
}

/** The id of a collection's instance; undefined when nothing of it was ever stored. */
export async function instanceIdOf(queries: Queries, { connector, instance }: StoreInstance): Promise<number | undefined> {
  const rows = await queries.query<{ id: number }>(
    sql`SELECT id FROM store_instances WHERE connector = ${connector} AND name = ${instance}`,
  );
  return rows[0]?.id;
}

/**
 * @returns undefined when the entity has no tables
 * @throws TenonError `store_unusable` for tables of another spec
 */
export async function notedOf(
  queries: Queries,
  collection: Collection,
  layout: Layout,
  { inst, named }: { readonly inst: number; readonly named?: readonly string[] | undefined },
): Promise<Noted | undefined> {
  const { entity } = collection;
  const name = entityName(collection);
  const [row] = await queries.query<SumsRow & { current: number | null; state: LayoutState | null; records: number | null }>(
    // The engine plans these sooner than a join.
    steady(sql`SELECT (SELECT layout FROM store_entities WHERE name = ${name}) AS current,
      (SELECT state FROM store_layouts WHERE entity = ${name} AND version = ${layout.version}) AS state,
      (SELECT records FROM store_counts WHERE inst = ${inst} AND entity = ${entity} AND scope = ${allScopes}) AS records,
      ${sumsOf(inst, entity)}`),
  );
  if (row === undefined || row.current === null) return undefined;
  // The tables of this layout may be searched also where another one is current.
  if (row.state !== "filled") throw anotherSpec(entity);
  return { records: row.records ?? 0, ...(await syncedCollection(queries, { inst, entity }, row, named)) };
}

/**
 * Whether the records are looked up by their words and then sorted, which takes as long as there are records with the words. A walk through
 * the records in their order takes longer the rarer the words are; the engine takes the test of a record's words for far cheaper than it
 * is.
 */
function isLookedUp({ count }: Where, limit: number, records: number): boolean {
  return count !== undefined && count * count < planning.testCost * limit * records;
}

/** How all records are found that fulfil conditions, in whatever order. */
export function wayOfAll(found: SearchWhere, records: number): { readonly where: Where; readonly byWords: boolean } {
  if (found.count === undefined) return { where: found, byWords: false };
  const byWords = found.count * planning.lookupCost < records;
  return { where: found.as(byWords), byWords };
}

function emptyAnswer({ count }: StoreSearch, synced: SyncedCollection): StoreAnswer {
  const json = encoder.encode("[]");
  return { json, more: false, last: undefined, ...synced, unlisted: [], ...(count === undefined ? {} : { total: 0 }) };
}

/** Counts records by the values of some fields: of more groups than an answer may have, one more than that. */
async function countBy(
  view: CollectionView,
  conditions: readonly Condition[],
  found: SearchWhere,
  groupBy: readonly string[],
): Promise<Group[]> {
  const way = wayOfAll(found, view.expected);
  const { where } = way;
  if (!where.exact) return countTested(view, { conditions, ...way }, groupBy);
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
  { queries, layout, limits }: CollectionView,
  counted: Pick<Wanted, "conditions" | "where" | "byWords">,
  groupBy: readonly string[],
): Promise<Group[]> {
  const groups = new Map<string, { readonly values: readonly Comparable[]; count: number }>();
  const wide = wideColumns(layout);
  for await (const { found, texts } of testedRows(queries, { layout, ...counted, whole: false }, limits)) {
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
