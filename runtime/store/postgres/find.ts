import { join, type Queries, raw, type Sql, sql } from "../../postgres/index.ts";
import { type Comparable, type Condition, interpret, type SortPosition } from "../../search/index.ts";
import { largestAnswer } from "../answer.ts";
import { type Layout, wideColumns } from "./layout.ts";
import type { Where } from "./operators.ts";
import { phases, type SortColumn } from "./order.ts";
import { textsOf } from "./records.ts";
import { foundOf, givenValue, itemOf } from "./rows.ts";
import { givenText } from "./text.ts";

/** What is to be found. */
export interface Wanted {
  readonly layout: Layout;
  readonly conditions: readonly Condition[];
  readonly where: Where;
  readonly sort: readonly SortColumn[];
  readonly after: SortPosition | undefined;
  /** How many records are needed. */
  readonly need: number;
  /** Whether the fields that are not searchable are needed too. */
  readonly whole: boolean;
}

/** A record that was found. */
export interface FoundRow {
  readonly position: SortPosition;
  readonly found: string;
  readonly more: string | undefined;
  readonly texts: readonly (string | null)[];
  /** Its values of each enumeration, in the order of `listedColumns`. */
  readonly listed: readonly (readonly Comparable[])[];
}

type Values = Readonly<Record<string, unknown>>;

/** How many records are read at once where each of them has to be tested; then twice as many each time, up to the most. */
const firstTested = 200;
const mostTested = 5_000;

/**
 * Finds records, in order. Where the engine cannot decide a condition, it gives more records than fulfil it, and each of them is tested
 * here. The rows end early when they have the bytes of the largest answer.
 */
export async function findRows(queries: Queries, wanted: Wanted): Promise<{ readonly rows: FoundRow[]; readonly more: boolean }> {
  const { where, need } = wanted;
  const holds = where.exact ? undefined : tester(wanted);
  const rows: FoundRow[] = [];
  let { after } = wanted;
  let size = 0;
  for (let limit = holds === undefined ? need : Math.max(need, firstTested); ; limit = Math.min(limit * 2, mostTested)) {
    const read = await queries.query<Values>(statementOf(wanted, after, limit));
    for (const values of read) {
      // A row beyond the largest answer has no content.
      if (typeof values["found"] !== "string") return { rows, more: true };
      const row = rowOf(wanted, values);
      after = row.position;
      if (holds !== undefined && !holds(row)) continue;
      if (rows.length === need || size >= largestAnswer) return { rows, more: true };
      size += row.found.length + row.texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
      rows.push(row);
    }
    if (holds === undefined || read.length < limit) return { rows, more: false };
  }
}

/** All records that fulfil the conditions, in the order of their keys. */
export async function* testedRows(queries: Queries, wanted: Omit<Wanted, "sort" | "after" | "need">): AsyncGenerator<FoundRow> {
  const all = { ...wanted, sort: [], after: undefined, need: mostTested };
  const holds = wanted.where.exact ? undefined : tester(all);
  for (let after: SortPosition | undefined; ; ) {
    const read = await queries.query<Values>(statementOf(all, after, mostTested));
    for (const values of read) {
      // The rest comes with the next statement.
      if (typeof values["found"] !== "string") break;
      const row = rowOf(all, values);
      after = row.position;
      if (holds === undefined || holds(row)) yield row;
    }
    if (read.length < mostTested) return;
  }
}

/** The statement that finds records. */
export function statementOf({ layout, where, sort, whole }: Wanted, after: SortPosition | undefined, limit: number): Sql {
  const columns = [
    raw("n.k"),
    ...sort.map(({ column }, index) => sql`${column.sql} AS ${raw(`s${index}`)}`),
    ...listedColumns(layout).map(({ sql: name }, index) => sql`${name} AS ${raw(`e${index}`)}`),
    raw("n.found"),
    ...wideColumns(layout).map(({ sql: name }, index) => sql`${name} AS ${raw(`w${index}`)}`),
    ...(whole ? [raw("n.more")] : []),
  ];
  const parts = phases(sort, after).map((phase, index) => {
    const found = sql`${raw(layout.records)} n WHERE ${where.sql} AND ${phase.where}`;
    // Without OFFSET 0, the engine might walk through the records in the order that is asked for.
    const from = where.rare ? sql`(SELECT n.* FROM ${found} OFFSET 0) n` : found;
    return sql`(SELECT ${raw(String(index))} AS part, ${join(columns, ", ")} FROM ${from} ORDER BY ${phase.order} LIMIT ${limit})`;
  });
  const heavy = ["found", ...wideColumns(layout).map((_, index) => `w${index}`), ...(whole ? ["more"] : [])];
  const bytes = heavy.map((name) => `coalesce(octet_length(${name}), 0)`).join(" + ");
  const light = ["k", ...sort.map((_, index) => `s${index}`), ...listedColumns(layout).map((_, index) => `e${index}`)];
  const shown = heavy.map((name) => `CASE WHEN size <= ${largestAnswer} THEN ${name} END AS ${name}`);
  return sql`SELECT part, ${raw([...light, ...shown].join(", "))}
    FROM (SELECT *, coalesce(sum(${raw(bytes)}) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS size
      FROM (SELECT * FROM (${join(parts, " UNION ALL ")}) AS parts LIMIT ${limit}) AS found) AS sized`;
}

/** The enumerations, of which a record may have a value that is not listed. */
export function listedColumns(layout: Layout) {
  return [...layout.columns.values()].filter(({ listed }) => listed !== undefined);
}

function rowOf({ layout, sort }: Wanted, values: Values): FoundRow {
  const own = sort.map((_, index) => givenValue((values[`s${index}`] ?? null) as Comparable));
  const { more } = values;
  return {
    position: [...own, givenText(String(values["k"]))],
    found: String(values["found"]),
    more: typeof more === "string" ? more : undefined,
    texts: textsOf(wideColumns(layout).length, values),
    listed: listedColumns(layout).map(({ kind }, index) => {
      const stored = values[`e${index}`] ?? null;
      return kind === "list" ? (stored as string[]).map(itemOf) : [givenValue(stored as Comparable)];
    }),
  };
}

/** Makes the test of all conditions. */
function tester({ layout, conditions }: Wanted): (row: FoundRow) => boolean {
  const wide = wideColumns(layout);
  const holds = interpret({ kind: "and", conditions }, layout.plan.fields);
  return ({ found, texts }) => holds(foundOf(wide, found, texts));
}
