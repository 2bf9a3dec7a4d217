import type { Condition, SortPosition } from "../../../search/index.ts";
import { join, raw, type Sql, sql, steady } from "../../../sql/index.ts";
import { largestAnswer } from "../../answer.ts";
import { type Layout, wideColumns } from "../tables/layout.ts";
import type { Where } from "./operators.ts";
import { type Phase, phases, type SortColumn } from "./order.ts";
import { isSteadySearch } from "./steady-search.ts";
import { needsValue } from "./where.ts";

/** What is to be found. */
export interface Wanted {
  readonly layout: Layout;
  readonly conditions: readonly Condition[];
  readonly where: Where;
  readonly sort: readonly SortColumn[];
  readonly after: SortPosition | undefined;
  /** How many records are needed. */
  readonly need: number;
  /** Bytes of records that may be returned. */
  readonly bytes: number;
  /** Whether the fields that are not searchable are needed too. */
  readonly whole: boolean;
  /** Whether the records are found by their words and then sorted. Otherwise the engine may walk through all of them in the order. */
  readonly byWords: boolean;
}

/** How the bytes of an answer are bounded: those of each record, which takes the engine no time, or the sum of all. */
export type Sizes = "each" | "sum";

/**
 * With at most this many records, the bytes of each are bounded alone, by its share of the largest answer; few records are larger than
 * that.
 */
const mostFew = 100;

export function sizesOf(limit: number): Sizes {
  return limit <= mostFew ? "each" : "sum";
}

/** The statements that find records. Each but the first is needed only where those before it do not find enough. */
export function statementsOf(wanted: Wanted, after: SortPosition | undefined, limit: number): Sql[] {
  return phasesOf(wanted, after).map((one) => statementOf(wanted, one, limit, sizesOf(limit)));
}

/** The parts of a walk from a position on, together where one statement reads them. */
export function phasesOf({ sort, conditions, byWords }: Wanted, after: SortPosition | undefined): Phase[][] {
  const [first] = sort;
  const present = first !== undefined && conditions.some((one) => needsValue(one, first.column.field));
  const all = phases(sort, after, { present, sorted: byWords });
  // The engine plans a second part as long as the first one. But where it is likely that few records are found, both are sooner read at
  // once.
  return conditions.length < 2 ? all.map((one) => [one]) : [all];
}

/** @param sizes which records come without content: those with more bytes than their share, or those behind the largest answer */
export function statementOf(wanted: Wanted, parts: readonly Phase[], limit: number, sizes: Sizes): Sql {
  const statement = makeStatement(wanted, parts, limit, sizes);
  return isSteadySearch(wanted) ? steady(statement) : statement;
}

function makeStatement(wanted: Wanted, parts: readonly Phase[], limit: number, sizes: Sizes): Sql {
  const { layout, where, byWords } = wanted;
  const bound = readBytes(wanted);
  const { light, heavy } = columnsOf(wanted);
  const most = raw(String(limit));
  const columns = join(named([...light, ...(sizes === "each" ? boundedOf(heavy, bound, limit) : heavy)]), ", ");
  const read = raw([...new Set([...light, ...heavy].flatMap(({ of, reads }) => reads ?? of.texts))].join(", "));
  const statements = parts.map((part) => {
    const found = sql`${raw(layout.records)} n WHERE ${where.sql} AND ${part.where}`;
    // Without OFFSET 0, the engine might walk through the records in the requested order.
    const from = byWords ? sql`(SELECT ${read} FROM ${found} OFFSET 0) n` : found;
    return sql`(SELECT ${columns} FROM ${from} ORDER BY ${part.order} LIMIT ${most})`;
  });
  const all = statements.length === 1 ? join(statements, "") : sql`(${join(statements, " UNION ALL ")} LIMIT ${most})`;
  if (sizes === "each") return all;
  const bytes = heavy.map(({ name }) => `coalesce(octet_length(${name}), 0)`).join(" + ");
  const shown = heavy.map(({ name }) => `CASE WHEN size <= ${bound} THEN ${name} END AS ${name}`);
  return sql`SELECT ${raw([...light.map(({ name }) => name), ...shown].join(", "))}
    FROM (SELECT *, coalesce(sum(${raw(bytes)}) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS size FROM ${all} AS found) AS sized`;
}

/** Bytes that a statement may give. Where records are tested here, many more may be read than are returned. */
function readBytes({ where, bytes }: Wanted): number {
  return where.exact ? bytes : largestAnswer;
}

/** A column of the answer to a statement. */
interface Given {
  readonly name: string;
  readonly of: Sql;
  /** The columns that it is made of, where it is not one of them. */
  readonly reads?: readonly string[];
}

/** The columns that may have many bytes, and the others. */
function columnsOf({ layout, sort, whole }: Wanted): { readonly light: readonly Given[]; readonly heavy: readonly Given[] } {
  return {
    light: [
      { name: "k", of: raw("n.k") },
      ...sort.map(({ column }, index) => ({ name: `s${index}`, of: column.sql })),
      ...listedColumns(layout).map((column, index) => ({ name: `e${index}`, of: column.sql })),
    ],
    heavy: [
      { name: "found", of: raw("n.found") },
      ...wideColumns(layout).map((column, index) => ({ name: `w${index}`, of: column.sql })),
      ...(whole ? [{ name: "more", of: raw("n.more") }] : oddColumn(layout)),
    ],
  };
}

/** The other fields, where one of them may be a value that is no text and stands in the place of a long text. */
function oddColumn(layout: Layout): Given[] {
  const wide = wideColumns(layout);
  if (wide.length === 0) return [];
  const isOdd = wide.map(({ sql: text, field }) => sql`(${text} IS NULL AND strpos(n.more, ${`${JSON.stringify(field)}:`}) > 0)`);
  return [{ name: "more", of: sql`CASE WHEN ${join(isOdd, " OR ")} THEN n.more END`, reads: ["n.more"] }];
}

/** Leaves `found` out of records of which one of the columns has more bytes than its share, and every column that has. */
function boundedOf(heavy: readonly Given[], bound: number, limit: number): Given[] {
  const share = raw(String(Math.floor(bound / limit / heavy.length)));
  const bytes = ({ of }: Given) => sql`octet_length(${of})`;
  return heavy.map((one) => {
    const all = one.name === "found" ? heavy : [one];
    return { name: one.name, of: sql`CASE WHEN greatest(${join(all.map(bytes), ", ")}) <= ${share} THEN ${one.of} END` };
  });
}

function named(columns: readonly Given[]): Sql[] {
  return columns.map(({ name, of }) => sql`${of} AS ${raw(name)}`);
}

/** The enumerations, of which a record may have a value that is not listed. */
export function listedColumns(layout: Layout) {
  return [...layout.columns.values()].filter(({ listed }) => listed !== undefined);
}
