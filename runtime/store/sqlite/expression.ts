import type { Comparable } from "../../search/index.ts";
import { type Condition, fold, likePattern, type Pattern, type Test, testOf } from "../../search/index.ts";
import type { Column, Layout } from "./layout.ts";
import { allOf, join, raw, type Sql, type SqlValue, sql, unplanned } from "./sql.ts";

/** Tests that SQL asks for by number, because only JavaScript has their exact meaning. */
export type Tests = ((value: Comparable) => boolean)[];

/**
 * Negations pushed down to the single tests (De Morgan), lists of one kind merged into their parent. The meaning stays; a plan
 * sees more of it.
 */
export function normalise(condition: Condition, negated = false): Condition {
  switch (condition.kind) {
    case "test":
      return negated ? { kind: "not", condition } : condition;
    case "not":
      return normalise(condition.condition, !negated);
    case "and":
    case "or": {
      const kind = (condition.kind === "and") !== negated ? "and" : "or";
      const inner = condition.conditions.map((one) => normalise(one, negated));
      return { kind, conditions: inner.flatMap((one) => (one.kind === kind ? one.conditions : [one])) };
    }
  }
}

/** The exact condition in SQL: true or not, never unknown in a place where that makes a difference. */
export function expression(condition: Condition, layout: Layout, tests: Tests): Sql {
  switch (condition.kind) {
    case "test":
      return testSql(condition, columnOf(layout, condition.field), tests);
    case "not": {
      const { condition: inner } = condition;
      if (inner.kind === "test" && inner.operator === "eq") {
        const column = columnOf(layout, inner.field);
        return sql`${raw(column.sql)} IS NOT ${sqlOperand(inner.operand)}`;
      }
      return sql`(${expression(inner, layout, tests)}) IS NOT TRUE`;
    }
    case "and":
      return sql`(${allOf(condition.conditions.map((one) => expression(one, layout, tests)))})`;
    case "or":
      return sql`(${join(
        condition.conditions.map((one) => expression(one, layout, tests)),
        " OR ",
      )})`;
  }
}

const comparisons = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

function testSql(test: Test, column: Column, tests: Tests): Sql {
  const name = raw(column.sql);
  switch (test.operator) {
    case "eq":
      return test.operand === null ? sql`${name} IS NULL` : sql`${name} = ${unplanned(sqlOperand(test.operand))}`;
    case "neq":
      return sql`${name} IS NOT ${sqlOperand(test.operand)}`;
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return sql`${name} ${raw(comparisons[test.operator])} ${sqlOperand(test.operand)}`;
    case "in":
      return inList(name, test.operand);
    case "like": {
      const folded = column.folded === undefined ? undefined : foldedRange(column.folded, likePattern(test.operand));
      return folded?.exact ?? javascript(test, name, tests);
    }
    case "keyword":
    case "fuzzy":
      return javascript(test, name, tests);
  }
}

function inList(name: Sql, operand: readonly Comparable[]): Sql {
  const values = [...new Set(operand)].filter((value) => value !== null).map(sqlOperand);
  const [only] = values;
  // The engine makes `=` of a list of one.
  const equal = values.length === 1 && only !== undefined ? unplanned(only) : undefined;
  const listed = values.length === 0 ? [] : [equal === undefined ? sql`${name} IN (${listOf(values)})` : sql`${name} = ${equal}`];
  const all = operand.includes(null) ? [...listed, sql`${name} IS NULL`] : listed;
  return sql`(${join(all, " OR ")})`;
}

/** Longer lists are one value, so that they neither make a statement of their own for each length nor reach the engine's limit. */
const mostListed = 20;

function listOf(values: readonly SqlValue[]): Sql {
  // The engine ends a text of JSON at a zero character, and reads fractions in its own way.
  const plain = (value: SqlValue) => (typeof value === "string" ? !value.includes("\0") : Number.isSafeInteger(value));
  return values.length > mostListed && values.every(plain)
    ? sql`SELECT value FROM json_each(${JSON.stringify(values)})`
    : join(
        values.map((value) => sql`${value}`),
        ", ",
      );
}

function javascript({ operator, operand }: Test, name: Sql, tests: Tests): Sql {
  tests.push(testOf(operator, operand));
  return sql`holds(${tests.length - 1}, ${name})`;
}

export function sqlOperand(value: Comparable): SqlValue {
  return typeof value === "boolean" ? Number(value) : value;
}

/**
 * Where folded texts that fit a pattern stand in their order: one place for a pattern without wildcards, a range for one that begins
 * with text. `exact` when nothing else has to be looked at.
 */
export function foldedRange(column: string, { segments }: Pattern): { range: Sql; exact?: Sql } | undefined {
  const [first = []] = segments;
  const [begin = ""] = first;
  const name = raw(column);
  if (segments.length === 1 && first.length <= 1 && begin !== null) {
    const exact = sql`${name} = ${unplanned(begin)}`;
    return { range: exact, exact };
  }
  if (begin === null || begin === "") return undefined;
  const end = behind(begin);
  const range = end === undefined ? sql`${name} >= ${begin}` : sql`${name} >= ${begin} AND ${name} < ${end}`;
  const whole = segments.length === 2 && first.length === 1 && segments[1]?.length === 0;
  return whole ? { range, exact: sql`(${range})` } : { range };
}

/** The least text behind all those that begin with a text, by code point; undefined when there is none. */
export function behind(begin: string): string | undefined {
  const points = [...begin];
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const point = last.codePointAt(0) ?? 0;
    if (point === 0x10ffff) continue;
    // Surrogates are no characters.
    return points.join("") + String.fromCodePoint(point === 0xd7ff ? 0xe000 : point + 1);
  }
  return undefined;
}

export function columnOf(layout: Layout, field: string): Column {
  const column = layout.columns.get(field);
  if (column === undefined) throw new Error(`"${field}" is no searchable field`);
  return column;
}

/** The least of a pattern that every value must have: whole words, and parts of words with their place in it. */
export function wordsOfPattern({ segments }: Pattern): { whole: string[]; parts: string[] } {
  const whole: string[] = [];
  const parts: string[] = [];
  for (const [place, segment] of segments.entries())
    for (const [index, piece] of segment.entries()) {
      if (piece === null) continue;
      const openLeft = place > 0 || index > 0;
      const openRight = place < segments.length - 1 || index < segment.length - 1;
      for (const { 0: word, index: at } of piece.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
        if (!isStable(word)) continue;
        const left = at > 0 || !(openLeft || index > 0);
        const right = at + word.length < piece.length || !openRight;
        if (left && right) whole.push(word);
        else parts.push(`${left ? "\n" : ""}${word}${right ? "\n" : ""}`);
      }
    }
  return { whole, parts };
}

/**
 * Whether a piece of folded text stands unchanged in the decomposed words of every value that contains it: its characters have no
 * other form, and folding and lower case agree on them.
 */
function isStable(word: string): boolean {
  return (
    word === word.normalize("NFD") &&
    word === word.normalize("NFC") &&
    !/\p{M}|σ|[\u1100-\u11ff]/u.test(word) &&
    fold(word) === word
  );
}
