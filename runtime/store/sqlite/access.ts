import { type Condition, fuzzyWord, likePattern, type Test, wordsOf } from "../../search/index.ts";
import { columnOf, expression, foldedRange, wordsOfPattern } from "./expression.ts";
import type { Column, Layout } from "./layout.ts";
import { allOf, join, raw, type Sql, sql, unplanned } from "./sql.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** A way to the records that may fulfil a condition, through an index. */
export interface Access {
  /** For people. */
  readonly label: string;
  readonly index: string;
  /** Selects the ids. */
  readonly ids: Sql;
  /** Source of rows `n`, each once, and the condition that belongs to it. */
  readonly from: Sql;
  readonly where: Sql;
  /** How many words are looked up in an index of words, which gives ids only. */
  readonly words?: number;
  /** What a union is made of. */
  readonly parts?: readonly Access[];
  /** Whether every record found fulfils the condition, so that it need not be tested again. */
  readonly exact: boolean;
}

export interface AccessContext {
  readonly layout: Layout;
  /** Number of the connector instance: part of every access. */
  readonly instance: number;
  readonly vocabulary: (column: Column) => Vocabulary | undefined;
}

/** The most words that one lookup in the index of words joins. */
const mostWords = 2_000;
/** Of more words than these, each is looked up by itself: the index goes through all of them for every record that it finds. */
const mostJoined = 12;

/** The ways to one condition of a conjunction; undefined when only a look at each record decides. */
export function accessTo(condition: Condition, context: AccessContext): Access | undefined {
  if (condition.kind === "test") return toTest(condition, context);
  if (condition.kind === "or") return toUnion(condition.conditions, context);
  if (condition.kind === "not") return undefined;
  // Inside a union: one of the conditions is enough to find candidates.
  for (const one of condition.conditions) {
    const access = accessTo(one, context);
    if (access !== undefined) return { ...access, exact: false };
  }
  return undefined;
}

function toTest(test: Test, context: AccessContext): Access | undefined {
  const column = columnOf(context.layout, test.field);
  switch (test.operator) {
    case "neq":
      return undefined;
    case "keyword": {
      const words = [...new Set(wordsOf(test.operand))];
      return words.length === 0 || words.length > mostWords ? undefined : toWords(column, [words], true, context);
    }
    case "fuzzy":
      return toFuzzy(test.operand, column, context);
    case "like":
      return toLike(test, column, context);
    default:
      if (column.index === undefined) return toWordsOfValue(test, column, context);
      return toColumn(column.index, test.field, expression(test, context.layout, []), true, context);
  }
}

/** Several tests of one column that its index answers together, such as the two ends of a range. */
export function toRange(tests: readonly Test[], context: AccessContext): Access | undefined {
  const [first] = tests;
  const column = first === undefined ? undefined : columnOf(context.layout, first.field);
  if (column?.index === undefined || first === undefined) return undefined;
  const where = allOf(tests.map((test) => expression(test, context.layout, [])));
  return toColumn(column.index, first.field, where, true, context);
}

function toColumn(index: string, label: string, where: Sql, exact: boolean, { layout, instance }: AccessContext): Access {
  const from = raw(`${layout.narrow} n INDEXED BY ${index}`);
  const bound = sql`n.inst = ${unplanned(instance)} AND ${where}`;
  return { label, index, from, where: bound, ids: sql`SELECT n.id FROM ${from} WHERE ${bound}`, exact };
}

function toLike(test: Test & { operator: "like" }, column: Column, context: AccessContext): Access | undefined {
  const pattern = likePattern(test.operand);
  const range = column.folded === undefined ? undefined : foldedRange(column.folded, pattern);
  if (range !== undefined && column.foldedIndex !== undefined)
    return toColumn(column.foldedIndex, `beginning of ${column.field}`, range.range, range.exact !== undefined, context);
  const vocabulary = context.vocabulary(column);
  if (vocabulary === undefined) return undefined;
  const { whole, parts } = wordsOfPattern(pattern);
  const [longest] = parts.sort((a, b) => b.length - a.length);
  const groups = whole.slice(0, 8).map((word) => [word]);
  if (longest !== undefined && longest.length >= 2) {
    const words = vocabulary.containing(longest, mostWords);
    if (words !== undefined) groups.push(words);
  }
  return groups.length === 0 ? undefined : toWords(column, groups, false, context);
}

function toFuzzy(operand: string, column: Column, context: AccessContext): Access | undefined {
  const vocabulary = context.vocabulary(column);
  const wanted = wordsOf(operand).map(fuzzyWord);
  if (vocabulary === undefined) return undefined;
  const groups: string[][] = [];
  for (const one of wanted.slice(0, 16)) {
    const words = vocabulary.near(one, mostWords);
    if (words !== undefined) groups.push(words);
  }
  // With a single word there is no order to look at.
  const exact = wanted.length === 1 && groups.length === 1;
  return groups.length === 0 ? undefined : toWords(column, groups, exact, context);
}

/** A long text has no index of its own: what equals a text has its words. */
function toWordsOfValue(test: Test, column: Column, context: AccessContext): Access | undefined {
  if (test.operator !== "eq" || typeof test.operand !== "string") return undefined;
  const words = [...new Set(wordsOf(test.operand))].sort((a, b) => b.length - a.length).slice(0, 16);
  return words.length === 0
    ? undefined
    : toWords(
        column,
        words.map((word) => [word]),
        false,
        context,
      );
}

/** Records that have one word of each group. */
function toWords(
  column: Column,
  groups: readonly (readonly string[])[],
  exact: boolean,
  { instance, layout }: AccessContext,
): Access | undefined {
  const { words } = column;
  if (words === undefined) return undefined;
  const label = `words of ${column.field}`;
  if (groups.some((group) => group.length === 0))
    return {
      label,
      index: words.index,
      words: 0,
      ids: raw("SELECT 1 AS id WHERE FALSE"),
      from: raw(`${layout.narrow} n`),
      where: raw("FALSE"),
      exact,
    };
  // Words are letters, marks and digits only: nothing in them ends the quotes.
  const either = (group: readonly string[]) => `(${group.map((word) => `"${word}"`).join(" OR ")})`;
  const small = groups.filter(({ length }) => length <= mostJoined).map(either);
  const large = groups.filter(({ length }) => length > mostJoined);
  const common = { label, index: words.index, words: groups.reduce((sum, group) => sum + group.length, 0), exact };
  const own = sql`n.inst = ${unplanned(instance)}`;
  if (large.length > 0) {
    const each = large.map((group) => {
      const matches = JSON.stringify(group.map((word) => [either([word]), ...small].join(" AND ")));
      return sql`SELECT ${raw(words.index)}.rowid AS id FROM json_each(${matches}) m CROSS JOIN ${raw(words.index)} ON ${raw(words.index)} MATCH m.value`;
    });
    // Both forms give each id once.
    const ids = each.length === 1 ? sql`SELECT DISTINCT id FROM (${join(each, "")})` : join(each, " INTERSECT ");
    return { ...common, ids, from: sql`(${ids}) d CROSS JOIN ${raw(layout.narrow)} n ON n.id = d.id`, where: own };
  }
  const found = sql`${raw(words.index)} MATCH ${small.join(" AND ")}`;
  return {
    ...common,
    ids: sql`SELECT rowid AS id FROM ${raw(words.index)} WHERE ${found}`,
    from: raw(`${words.index} CROSS JOIN ${layout.narrow} n ON n.id = ${words.index}.rowid`),
    where: sql`${found} AND ${own}`,
  };
}

function toUnion(conditions: readonly Condition[], context: AccessContext): Access | undefined {
  const accesses = conditions.map((one) => accessTo(one, context));
  const known = accesses.filter((one) => one !== undefined);
  if (known.length < accesses.length || known.length > 100) return undefined;
  const ids = join(
    known.map((one) => one.ids),
    " UNION ",
  );
  return {
    label: `any of ${[...new Set(known.map(({ label }) => label))].join(", ")}`,
    index: [...new Set(known.map(({ index }) => index))].join(", "),
    ids,
    from: sql`(${ids}) d CROSS JOIN ${raw(context.layout.narrow)} n ON n.id = d.id`,
    where: sql`n.inst = ${unplanned(context.instance)}`,
    parts: known,
    exact: known.every(({ exact }) => exact),
  };
}
