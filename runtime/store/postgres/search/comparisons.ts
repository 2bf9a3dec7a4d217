import { codePointLength } from "../../../base/text.ts";
import type { Comparable } from "../../../search/index.ts";
import { join, raw, type Sql, sql } from "../../../sql/index.ts";
import { storedKey, storedShort, storedValue } from "../rows/rows.ts";
import { type Column, indexed, indexedLength, isCut } from "../tables/layout.ts";

// Comparisons of a column with a value, so that the index of the column can answer them. An index has only the beginning of a text: where
// the value is shorter than that, comparing the beginning decides; otherwise the whole text is compared too.

export type Symbol = "=" | ">" | ">=" | "<" | "<=";

/** A column with the folded texts of another one is compared like any column of texts. */
export type Compared = Pick<Column, "kind" | "name" | "sqlType" | "sql" | "isShort">;

export function compared(column: Compared, symbol: Symbol, value: Exclude<Comparable, null>): Sql {
  const operand = operandOf(column, value);
  const whole = sql`${column.sql} ${raw(symbol)} ${operand}`;
  if (typeof value !== "string" || !isCut(column)) return whole;
  const beginning = beginningOf(column);
  if (isShort(value)) return sql`${beginning} ${raw(symbol)} ${operand}`;
  const wide = symbol === "=" ? "=" : symbol.startsWith(">") ? ">=" : "<=";
  return sql`(${beginning} ${raw(wide)} left(${operand}, ${raw(String(indexedLength))}) AND ${whole})`;
}

/** Whether a column has one of several values. */
export function oneOf(column: Compared, values: readonly Exclude<Comparable, null>[]): Sql {
  const cut = isCut(column);
  const short = values.filter((value) => !cut || typeof value !== "string" || isShort(value));
  const list = short.map((value) => storedOperand(column, value));
  const left = sql`${cut ? beginningOf(column) : column.sql} = ANY (${list}::${raw(column.sqlType.split(" COLLATE")[0] ?? "")}[])`;
  const long = values.filter((value) => !short.includes(value)).map((value) => compared(column, "=", value));
  return sql`(${join([...(short.length === 0 ? [] : [left]), ...long], " OR ")})`;
}

/** What records are ordered by, so that they are in the order of the column. */
export function orderedBy(column: Compared): Sql[] {
  return isCut(column) ? [beginningOf(column), column.sql] : [column.sql];
}

function operandOf(column: Compared, value: Exclude<Comparable, null>): Sql {
  return sql`${storedOperand(column, value)}::${raw(column.sqlType.split(" COLLATE")[0] ?? "")}`;
}

function storedOperand({ kind, isShort }: Compared, value: Exclude<Comparable, null>): Comparable {
  if (typeof value !== "string") return value;
  return kind === "key" ? storedKey(value) : isShort === true ? storedShort(value) : storedValue(value);
}

function beginningOf(column: Compared): Sql {
  return raw(indexed(column, `n.${column.name}`));
}

function isShort(value: string): boolean {
  return codePointLength(String(storedValue(value))) < indexedLength;
}
