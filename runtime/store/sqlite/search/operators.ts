import {
  type Beginning,
  beginningOf,
  type Comparable,
  likePattern,
  type OperatorName,
  type Test,
  type TestOf,
  testOf,
  wordsOf,
} from "../../../search/index.ts";
import { join, raw, type Sql, sql } from "../../../sql/index.ts";
import type { SqliteValue } from "../../../sqlite/index.ts";
import { groupsNear, groupsOfPattern, groupsOfValue, mostWords } from "../../words/word-groups.ts";
import { listValues, sqlOperand } from "../rows/rows.ts";
import { type Column, emptyList } from "../tables/layout.ts";
import { unplanned } from "../tables/unplanned.ts";
import { type AccessContext, type AccessPath, throughColumn, throughValues, throughWords } from "./access.ts";

/** Tests that SQL calls by their number in this list, because only JavaScript can decide them exactly. */
export type Tests = ((value: Comparable) => boolean)[];

/** How SQLite decides a test and finds the records that pass it. */
interface SqlOperator<Name extends OperatorName> {
  /** The exact test of a row `n`. It may give NULL instead of false. @param tests receives the test where JavaScript has to decide it */
  expression(test: TestOf<Name>, column: Column, tests: Tests): Sql;
  /** The accesses to the records through indexes; none when every record has to be tested. */
  ways(test: TestOf<Name>, column: Column, context: AccessContext): AccessPath[];
  /** Whether the index of a column can answer several of these tests together, as one range. */
  readonly isRange: boolean;
  /** Whether testing a record needs JavaScript, which is far slower than comparing values. */
  readonly inJavascript: boolean;
}

/** A longer list is passed as one JSON value, which saves a statement for each length and stays below the engine's limit. */
const mostListed = 20;

function comparison<Name extends "gt" | "gte" | "lt" | "lte">(symbol: string): SqlOperator<Name> {
  const expression = ({ operand }: TestOf<Name>, column: Column) =>
    sql`${raw(column.sql)} ${raw(symbol)} ${sqlOperand(operand as Comparable)}`;
  return {
    expression,
    ways: (test, column, context) => throughIndex(column, expression(test, column), context),
    isRange: true,
    inJavascript: false,
  };
}

/** One entry for each operator. A new operator needs nothing else in this store. */
const sqlOperators: { readonly [Name in OperatorName]: SqlOperator<Name> } = {
  eq: {
    expression: ({ operand }, column) => equal(column, operand),
    ways: ({ operand }, column, context) => {
      if (column.kind === "list") return throughItems(column, [operand], context);
      return column.index === undefined
        ? throughWordsOfValue(operand, column, context)
        : throughIndex(column, equal(column, operand), context);
    },
    isRange: false,
    inJavascript: false,
  },
  gt: comparison(">"),
  gte: comparison(">="),
  lt: comparison("<"),
  lte: comparison("<="),
  in: {
    expression: ({ operand }, column) => oneOf(column, operand),
    ways: ({ operand }, column, context) =>
      column.kind === "list" ? throughItems(column, operand, context) : throughIndex(column, oneOf(column, operand), context),
    isRange: false,
    inJavascript: false,
  },
  like: {
    expression: (test, column, tests) => {
      const beginning = column.folded === undefined ? undefined : beginningOf(likePattern(test.operand));
      const decided = column.folded !== undefined && beginning !== undefined && isExact(beginning);
      return decided ? sql`(${beginsWith(column.folded, beginning)})` : inJavascript(test, column, tests);
    },
    ways: ({ operand }, column, context) => throughPattern(operand, column, context),
    isRange: false,
    inJavascript: true,
  },
  keyword: {
    expression: inJavascript,
    ways: ({ operand }, column, context) => {
      const words = [...new Set(wordsOf(operand))];
      return words.length === 0 || words.length > mostWords ? [] : throughWords(column, [words], true, context);
    },
    isRange: false,
    inJavascript: true,
  },
  fuzzy: {
    expression: inJavascript,
    ways: ({ operand }, column, context) => throughNearWords(operand, column, context),
    isRange: false,
    inJavascript: true,
  },
};

/** The entry of a test's operator. */
export function operatorOf({ operator }: Test): SqlOperator<OperatorName> {
  return sqlOperators[operator];
}

function inJavascript({ operator, operand }: Test, column: Column, tests: Tests): Sql {
  const test = testOf(operator, operand);
  tests.push(column.kind === "list" ? (stored) => listValues(stored).some(test) : test);
  return sql`holds(${tests.length - 1}, ${raw(column.sql)})`;
}

/** The exact test of whether a row `n` has a value; for a list, whether one of its values equals it. */
function equal(column: Column, operand: Comparable): Sql {
  const name = raw(column.sql);
  if (column.items !== undefined && operand !== null) return anyItem(column.items, sql`= ${sqlOperand(operand)}`);
  return operand === null ? sql`${name} IS NULL` : sql`${name} = ${unplanned(sqlOperand(operand))}`;
}

function oneOf(column: Column, operand: readonly Comparable[]): Sql {
  const name = raw(column.sql);
  const values = [...new Set(operand)].filter((value) => value !== null).map(sqlOperand);
  const [only] = values;
  // The engine turns a list of one value into `=`.
  const single = values.length === 1 && only !== undefined ? unplanned(only) : undefined;
  const is = single === undefined ? sql`IN (${listOf(values)})` : sql`= ${single}`;
  const listed = values.length === 0 ? [] : [column.items === undefined ? sql`${name} ${is}` : anyItem(column.items, is)];
  const all = operand.includes(null) ? [...listed, sql`${name} IS NULL`] : listed;
  return sql`(${join(all, " OR ")})`;
}

/** Whether the table of a list's values has one for the row `n` that compares as given. */
function anyItem(items: string, compares: Sql): Sql {
  return sql`EXISTS (SELECT 1 FROM ${raw(items)} i WHERE i.inst = n.inst AND i.v ${compares} AND i.k = n.k)`;
}

function listOf(values: readonly SqliteValue[]): Sql {
  // In JSON, the engine ends a text at a zero character, and may read a fraction as a slightly different number.
  const isPlain = (value: SqliteValue) => (typeof value === "string" ? !value.includes("\0") : Number.isSafeInteger(value));
  return values.length > mostListed && values.every(isPlain)
    ? sql`SELECT value FROM json_each(${JSON.stringify(values)})`
    : join(
        values.map((value) => sql`${value}`),
        ", ",
      );
}

function isExact(beginning: Beginning): boolean {
  return beginning.kind === "equal" || beginning.exact;
}

/** @param folded column with folded texts */
function beginsWith(folded: string, beginning: Beginning): Sql {
  const name = raw(folded);
  if (beginning.kind === "equal") return sql`${name} = ${unplanned(beginning.text)}`;
  const { from, to } = beginning.range;
  return to === undefined ? sql`${name} >= ${from}` : sql`${name} >= ${from} AND ${name} < ${to}`;
}

function throughIndex(column: Column, where: Sql, context: AccessContext): AccessPath[] {
  return column.index === undefined ? [] : [throughColumn(column.index, column.field, where, true, context)];
}

/** Finds the records whose list has one of the values. */
function throughItems(column: Column, operand: readonly Comparable[], context: AccessContext): AccessPath[] {
  const { field, items } = column;
  if (items === undefined) return [];
  const values = [...new Set(operand)].map((value) => (value === null ? emptyList(column) : sqlOperand(value)));
  const [only = ""] = values;
  const is = values.length === 1 ? sql`= ${unplanned(only)}` : sql`IN (${listOf(values)})`;
  return [throughValues(items, field, sql`i.v ${is}`, values.length > 1, context)];
}

function throughPattern(operand: string, column: Column, context: AccessContext): AccessPath[] {
  const pattern = likePattern(operand);
  const beginning = beginningOf(pattern);
  const { folded, foldedIndex } = column;
  if (folded !== undefined && foldedIndex !== undefined && beginning !== undefined) {
    const label = `beginning of ${column.field}`;
    return [throughColumn(foldedIndex, label, beginsWith(folded, beginning), isExact(beginning), context)];
  }
  const vocabulary = context.vocabulary(column);
  return vocabulary === undefined ? [] : throughGroups(column, groupsOfPattern(pattern, vocabulary), false, context);
}

function throughNearWords(operand: string, column: Column, context: AccessContext): AccessPath[] {
  const vocabulary = context.vocabulary(column);
  if (vocabulary === undefined) return [];
  const { groups, exact } = groupsNear(operand, vocabulary);
  return throughGroups(column, groups, exact, context);
}

/** A long text has no index of values. But a record whose text equals the operand also has the operand's words. */
function throughWordsOfValue(operand: Comparable, column: Column, context: AccessContext): AccessPath[] {
  return throughGroups(column, groupsOfValue(operand), false, context);
}

function throughGroups(column: Column, groups: string[][], exact: boolean, context: AccessContext): AccessPath[] {
  return groups.length === 0 ? [] : throughWords(column, groups, exact, context);
}
