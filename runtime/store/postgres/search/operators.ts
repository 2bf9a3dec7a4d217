import {
  beginningOf,
  type Comparable,
  likePattern,
  type OperatorName,
  type Test,
  type TestOf,
  wordsOf,
} from "../../../search/index.ts";
import { join, raw, type Sql, sql } from "../../../sql/index.ts";
import { groupsNear, groupsOfPattern, groupsOfValue, type Words } from "../../words/word-groups.ts";
import { itemToken, surelyWhole } from "../rows/rows.ts";
import type { Column } from "../tables/layout.ts";
import type { WordCounts } from "../words/word-counts.ts";
import { wordToken } from "../words/word-tokens.ts";
import { type Compared, compared, oneOf } from "./comparisons.ts";
import { foldedPattern, roughPattern, roughWord } from "./patterns.ts";

/** A condition on the records `n`. */
export interface Where {
  /** True for every record that fulfils the condition. It may be NULL instead of false. */
  readonly sql: Sql;
  /** Whether it is true for no other record. */
  readonly exact: boolean;
  /** About how many records can fulfil it, where the words that it asks for tell. */
  readonly count?: number;
}

export interface Context {
  /** The id of the instance. */
  readonly inst: number;
  /** The words of a column; undefined where it has no index of words. */
  readonly words: (column: Column) => Words | undefined;
  /** How many records have each word of a column; undefined where that is not known. */
  readonly counts: (column: Column) => WordCounts | undefined;
  /**
   * Whether the records are to be looked up by their words; absent where the engine decides. When they are, the engine is not shown which
   * words these are: it takes each of several for far more common than most are, and would sooner test the words of all records. When they
   * are not, the words are left out where the text itself is tested.
   */
  readonly byWords?: boolean;
}

type SqlOperator<Name extends OperatorName> = (test: TestOf<Name>, column: Column, context: Context) => Where;

/** How many words of an operand are tested where there is no index of words. */
const mostTested = 20;

/** One entry for each operator. What a new one reads besides is said in `wanted-indexes.ts` (indexes) and `where.ts` (words). */
const sqlOperators: { readonly [Name in OperatorName]: SqlOperator<Name> } = {
  eq: ({ operand }, column, context) => {
    if (column.kind === "list") return exactly(hasItem(column, context.inst, [operand]));
    if (operand === null) return exactly(isNull(column));
    const equal = compared(column, "=", operand);
    // A long text has no index of values. But a record whose text equals the operand also has the operand's words.
    const groups = column.kind === "wide" ? groupsOfValue(operand) : [];
    return {
      ...exactly(allOf([...groups.map((group) => hasWord(column, context, group)), equal])),
      ...countOf(column, context, groups),
    };
  },
  gt: comparison(">"),
  gte: comparison(">="),
  lt: comparison("<"),
  lte: comparison("<="),
  in: ({ operand }, column, { inst }) => {
    if (column.kind === "list") return exactly(hasItem(column, inst, operand));
    const values = [...new Set(operand)].filter((value) => value !== null);
    const listed = values.length === 0 ? [] : [oneOf(column, values)];
    return exactly(sql`(${join([...listed, ...(operand.includes(null) ? [isNull(column)] : [])], " OR ")})`);
  },
  like: ({ operand }, column, context) => {
    const pattern = likePattern(operand);
    const list = context.words(column);
    const beginning = beginningOf(pattern);
    const folded = foldedColumn(column);
    if (folded !== undefined && beginning?.kind === "equal") return exactly(compared(folded, "=", beginning.text));
    const byBeginning = folded !== undefined && beginning?.kind === "range" ? inRange(folded, beginning.range) : undefined;
    const groups = byBeginning !== undefined || list === undefined ? [] : groupsOfPattern(pattern, list);
    const isTested = context.byWords === false && column.kind !== "list";
    const indexed = byBeginning ?? (isTested ? [] : groups.map((group) => hasWord(column, context, group)));
    const count = countOf(column, context, groups);
    if (folded !== undefined) {
      const fits = sql`${folded.sql} LIKE ${foldedPattern(pattern)}`;
      // U+0001 begins a group, of which `_` would take a part.
      const counted = pattern.segments.some((segment) => segment.includes(null));
      const tested = counted ? sql`(${fits} OR strpos(${folded.sql}, chr(1)) > 0)` : fits;
      return { sql: allOf([...indexed, tested]), exact: !counted, ...count };
    }
    const rough = column.kind === "list" ? [] : [fitsRoughly(column, roughPattern(pattern))];
    return { sql: allOf([...indexed, ...rough]), exact: false, ...count };
  },
  keyword: ({ operand }, column, context) => {
    const wanted = [...new Set(wordsOf(operand))];
    if (wanted.length === 0) return exactly(raw("FALSE"));
    if (column.words !== undefined)
      return { ...exactly(hasWord(column, context, wanted)), ...countOf(column, context, [wanted]) };
    if (column.kind === "list" || wanted.length > mostTested) return anything;
    const tests = wanted.map((word) => sql`lower(${column.sql}) LIKE ${roughWord(word)}`);
    return { sql: sql`(${join(tests, " OR ")})`, exact: false };
  },
  fuzzy: ({ operand }, column, context) => {
    const list = context.words(column);
    if (list === undefined) return anything;
    const { groups, exact } = groupsNear(operand, list);
    const found = allOf(groups.map((group) => hasWord(column, context, group)));
    return { sql: found, exact, ...countOf(column, context, groups) };
  },
};

const anything: Where = { sql: raw("TRUE"), exact: false };

/** Translates one test of a record. */
export function whereOfTest(test: Test, column: Column, context: Context): Where {
  const operator = sqlOperators[test.operator] as SqlOperator<OperatorName>;
  return operator(test, column, context);
}

function comparison<Name extends "gt" | "gte" | "lt" | "lte">(symbol: ">" | ">=" | "<" | "<="): SqlOperator<Name> {
  return ({ operand }, column) =>
    exactly(operand === null ? raw("FALSE") : compared(column, symbol, operand as Exclude<Comparable, null>));
}

function exactly(text: Sql): Where {
  return { sql: text, exact: true };
}

function isNull({ sql: name }: Column): Sql {
  return sql`${name} IS NULL`;
}

/** Whether the list has one of the values; null stands for an empty list. */
function hasItem({ sql: name }: Column, inst: number, values: readonly Comparable[]): Sql {
  return sql`${name} && ${values.map((value) => itemToken(inst, value))}::text[]`;
}

/** Whether the text has one of the words. */
function hasWord({ words }: Column, { inst, byWords }: Context, group: readonly string[]): Sql {
  if (words === undefined) return raw("TRUE");
  if (group.length === 0) return raw("FALSE");
  const tokens = sql`${group.map((word) => wordToken(inst, word))}::bigint[]`;
  return sql`n.${raw(words.name)} && ${byWords === true ? sql`(SELECT ${tokens})` : tokens}`;
}

/** @param groups of words of which a record has at least one of each */
function countOf(column: Column, { inst, counts }: Context, groups: readonly (readonly string[])[]): Pick<Where, "count"> {
  const known = column.words === undefined ? undefined : counts(column);
  if (known === undefined || groups.length === 0) return {};
  return { count: Math.min(...groups.map((group) => known.ofAny(group.map((word) => wordToken(inst, word))))) };
}

/** Whether the beginning of a pattern decides which records of an index are tested, so that their words need not be known. */
export function hasBeginning({ folded }: Column, pattern: string): boolean {
  return folded !== undefined && beginningOf(likePattern(pattern)) !== undefined;
}

function foldedColumn({ folded }: Column): Compared | undefined {
  return folded === undefined
    ? undefined
    : { kind: "narrow", name: folded, sqlType: 'text COLLATE "C"', sql: raw(`n.${folded}`) };
}

/** A value that may have been shortened has to be tested. */
function fitsRoughly({ sql: name, isShort }: Column, pattern: string): Sql {
  const fits = sql`lower(${name}) LIKE ${pattern}`;
  return isShort === true ? sql`(${fits} OR octet_length(${name}) > ${raw(String(surelyWhole))})` : fits;
}

function inRange(folded: Compared, { from, to }: { readonly from: string; readonly to: string | undefined }): Sql[] {
  return [compared(folded, ">=", from), ...(to === undefined ? [] : [compared(folded, "<", to)])];
}

function allOf(parts: readonly Sql[]): Sql {
  return parts.length === 0 ? raw("TRUE") : sql`(${join(parts, " AND ")})`;
}
