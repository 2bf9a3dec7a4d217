import type { Queries, QueryOptions } from "../../../postgres/index.ts";
import { type Comparable, type SortPosition, TurnedTest } from "../../../search/index.ts";
import { largestAnswer } from "../../answer.ts";
import { searchTooSlow } from "../../ending.ts";
import { textsOf } from "../rows/records.ts";
import { foundOf, givenValue, itemOf } from "../rows/rows.ts";
import { type Column, wideColumns } from "../tables/layout.ts";
import { givenText } from "../tables/text.ts";
import { phasesOf, type Sizes, sizesOf, statementOf, type Wanted } from "./find-statement.ts";
import type { SortColumn } from "./order.ts";
import { planning } from "./planning.ts";

type Values = Readonly<Record<string, unknown>>;

/** A record that was found. */
export interface FoundRow {
  readonly found: string;
  readonly more: string | undefined;
  readonly texts: readonly (string | null)[];
  /** The columns of its row, of which `positionOf` and `listedValues` read some. */
  readonly values: Values;
}

/** A record that was found, with what was made of it. */
export interface MadeRow<Made> {
  readonly row: FoundRow;
  readonly made: Made;
}

/** When a search must have ended, what ends it before, and whose it is: see `QueryOptions`. */
export type SearchLimits = Required<Pick<QueryOptions, "deadline">> & Pick<QueryOptions, "signal" | "caller">;

/**
 * Finds records, in order. Where the engine cannot decide a condition, it gives more records than fulfil it, and each of them is tested
 * here. The rows end early, before the one with which they would have more bytes than a response may.
 *
 * @param make is called for a row when it arrives, while the server goes on, unless the row has to be tested first
 * @throws TenonError `search_timeout` when it is tested for too long
 */
export async function findRows<Made>(
  queries: Queries,
  wanted: Wanted,
  limits: SearchLimits,
  make: (row: FoundRow) => Made,
): Promise<{ readonly rows: MadeRow<Made>[]; readonly more: boolean }> {
  const { where, need, bytes } = wanted;
  const test = where.exact ? undefined : new Tester(wanted, limits);
  const take = (row: FoundRow): MadeRow<Made | undefined> => ({ row, made: test === undefined ? make(row) : undefined });
  const rows: MadeRow<Made>[] = [];
  let { after } = wanted;
  let size = 0;
  for (
    let limit = test === undefined ? need : Math.max(need, planning.firstTested);
    ;
    limit = Math.min(limit * 2, planning.mostTested)
  ) {
    const { shown, more } = await readRows(queries, wanted, after, limit, take);
    for (const { row, made } of shown) {
      if (test !== undefined && !(await test.holds(row))) continue;
      size += row.found.length + row.texts.reduce((sum, text) => sum + (text?.length ?? 0), row.more?.length ?? 0);
      if (rows.length === need || (rows.length > 0 && size > bytes)) return { rows, more: true };
      rows.push({ row, made: made ?? make(row) });
    }
    const last = shown.at(-1);
    if (test === undefined || last === undefined || !more) return { rows, more };
    after = positionOf(wanted.sort, last.row);
  }
}

/** All records that fulfil the conditions, in the order of their keys. @throws TenonError as {@link findRows} */
export async function* testedRows(
  queries: Queries,
  wanted: Omit<Wanted, "sort" | "after" | "need" | "bytes">,
  limits: SearchLimits,
): AsyncGenerator<FoundRow> {
  const all = { ...wanted, sort: [], after: undefined, need: planning.mostTested, bytes: largestAnswer };
  const test = wanted.where.exact ? undefined : new Tester(all, limits);
  for (let after: SortPosition | undefined; ; ) {
    const { shown, more } = await readRows(queries, all, after, planning.mostTested, (row) => ({ row }));
    for (const { row } of shown) if (test === undefined || (await test.holds(row))) yield row;
    const last = shown.at(-1);
    if (last === undefined || !more) return;
    after = positionOf(all.sort, last.row);
  }
}

/**
 * Reads records until there are as many as the limit says, or as large an answer as there may be.
 *
 * @returns what was made of the rows, and whether there may be more behind them
 */
async function readRows<Taken extends object>(
  queries: Queries,
  wanted: Wanted,
  after: SortPosition | undefined,
  limit: number,
  take: (row: FoundRow) => Taken,
): Promise<{ readonly shown: Taken[]; readonly more: boolean }> {
  const shown: Taken[] = [];
  const wide = wideColumns(wanted.layout).length;
  const takeContent = (values: Values) => (hasContent(values) ? take(rowOf(wide, values)) : undefined);
  for (const phases of phasesOf(wanted, after)) {
    const need = limit - shown.length;
    const read = (sizes: Sizes) => queries.each(statementOf(wanted, phases, need, sizes), takeContent);
    let rows = await read(sizesOf(need));
    if (sizesOf(need) === "each" && rows.includes(undefined)) rows = await read("sum");
    for (const row of rows) {
      if (row === undefined) return { shown, more: true };
      shown.push(row);
    }
    if (shown.length === limit) return { shown, more: true };
  }
  return { shown, more: false };
}

function hasContent(values: Values): boolean {
  return typeof values["found"] === "string";
}

function rowOf(wide: number, values: Values): FoundRow {
  const { found, more } = values;
  return {
    found: String(found),
    more: typeof more === "string" ? more : undefined,
    texts: textsOf(wide, values),
    values,
  };
}

/** The position of a row in the order of a sort. */
export function positionOf(sort: readonly SortColumn[], { values }: FoundRow): SortPosition {
  const own = sort.map((_, index) => givenValue((values[`s${index}`] ?? null) as Comparable));
  return [...own, givenText(String(values["k"]))];
}

/** The values that a row has of an enumeration. @param name that the enumeration has in the statement */
export function listedValues({ kind }: Column, name: string, { values }: FoundRow): readonly Comparable[] {
  const stored = values[name] ?? null;
  return kind === "list" ? (stored as string[]).map(itemOf) : [givenValue(stored as Comparable)];
}

/** Tests records for all conditions. */
class Tester {
  readonly #wide: ReturnType<typeof wideColumns>;
  readonly #test: TurnedTest;

  constructor({ layout, conditions }: Pick<Wanted, "layout" | "conditions">, { deadline, signal, caller }: SearchLimits) {
    this.#wide = wideColumns(layout);
    this.#test = new TurnedTest({ kind: "and", conditions }, layout.plan.fields, caller?.id ?? "", () => {
      // Nobody waits for the answer any longer.
      if (signal?.aborted === true || performance.now() >= deadline) throw searchTooSlow();
    });
  }

  /** @throws TenonError `search_timeout` */
  holds({ found, texts }: FoundRow): Promise<boolean> {
    return this.#test.holds(found.length, () => foundOf(this.#wide, found, texts));
  }
}
