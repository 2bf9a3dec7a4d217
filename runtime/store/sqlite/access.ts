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
  /** Whether an id may come several times. */
  readonly repeats?: true;
  /** Source of rows `n` and the condition that belongs to it, where an index of columns gives the rows themselves. */
  readonly rows?: { readonly from: Sql; readonly where: Sql };
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

/** The ways to one condition of a conjunction; none when only a look at each record decides. */
export function accessesTo(condition: Condition, context: AccessContext): Access[] {
  if (condition.kind === "test") return toTest(condition, context);
  if (condition.kind === "or") return toUnion(condition.conditions, context);
  if (condition.kind === "not") return [];
  // Inside a union: one of the conditions is enough to find candidates.
  for (const one of condition.conditions) {
    const [access] = accessesTo(one, context);
    if (access !== undefined) return [{ ...access, exact: false }];
  }
  return [];
}

/** Source of the rows `n` that an access gives, each once, and the condition that belongs to it; those that are in all the lists too. */
export function rowsOf(access: Access, lists: readonly Access[], { layout, instance }: AccessContext): { from: Sql; where: Sql } {
  if (access.rows !== undefined) return access.rows;
  // The plus keeps the engine from asking the index of words for one id after the other.
  const within = lists.map((one) => sql`+id IN (${one.ids})`);
  const distinct = raw(access.repeats === true ? "DISTINCT id" : "id");
  const ids = sql`SELECT ${distinct} FROM (${access.ids}) WHERE ${allOf([raw("TRUE"), ...within])}`;
  return {
    from: sql`(${ids}) d CROSS JOIN ${raw(layout.narrow)} n ON n.id = d.id`,
    where: sql`n.inst = ${unplanned(instance)}`,
  };
}

function toTest(test: Test, context: AccessContext): Access[] {
  const column = columnOf(context.layout, test.field);
  switch (test.operator) {
    case "neq":
      return [];
    case "keyword": {
      const words = [...new Set(wordsOf(test.operand))];
      return words.length === 0 || words.length > mostWords ? [] : toWords(column, [words], true, context);
    }
    case "fuzzy":
      return toFuzzy(test.operand, column, context);
    case "like":
      return toLike(test, column, context);
    default:
      if (column.index === undefined) return toWordsOfValue(test, column, context);
      return [toColumn(column.index, test.field, expression(test, context.layout, []), true, context)];
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
  return { label, index, rows: { from, where: bound }, ids: sql`SELECT n.id FROM ${from} WHERE ${bound}`, exact };
}

function toLike(test: Test & { operator: "like" }, column: Column, context: AccessContext): Access[] {
  const pattern = likePattern(test.operand);
  const range = column.folded === undefined ? undefined : foldedRange(column.folded, pattern);
  if (range !== undefined && column.foldedIndex !== undefined)
    return [toColumn(column.foldedIndex, `beginning of ${column.field}`, range.range, range.exact !== undefined, context)];
  const vocabulary = context.vocabulary(column);
  if (vocabulary === undefined) return [];
  const { whole, parts } = wordsOfPattern(pattern);
  const [longest] = parts.sort((a, b) => b.length - a.length);
  const groups = whole.slice(0, 8).map((word) => [word]);
  if (longest !== undefined && longest.length >= 2) {
    const words = vocabulary.containing(longest, mostWords);
    if (words !== undefined) groups.push(words);
  }
  return groups.length === 0 ? [] : toWords(column, groups, false, context);
}

function toFuzzy(operand: string, column: Column, context: AccessContext): Access[] {
  const vocabulary = context.vocabulary(column);
  const wanted = wordsOf(operand).map(fuzzyWord);
  if (vocabulary === undefined) return [];
  const groups: string[][] = [];
  for (const one of wanted.slice(0, 16)) {
    const words = vocabulary.near(one, mostWords);
    if (words !== undefined) groups.push(words);
  }
  // With a single word there is no order to look at.
  const exact = wanted.length === 1 && groups.length === 1;
  return groups.length === 0 ? [] : toWords(column, groups, exact, context);
}

/** A long text has no index of its own: what equals a text has its words. */
function toWordsOfValue(test: Test, column: Column, context: AccessContext): Access[] {
  if (test.operator !== "eq" || typeof test.operand !== "string") return [];
  const words = [...new Set(wordsOf(test.operand))].sort((a, b) => b.length - a.length).slice(0, 16);
  return words.length === 0
    ? []
    : toWords(
        column,
        words.map((word) => [word]),
        false,
        context,
      );
}

/**
 * Records that have one word of each group. Small groups are looked up together; each large one is a way of its own, because the index
 * goes through all of its words for every record.
 */
function toWords(
  { words, field }: Column,
  groups: readonly (readonly string[])[],
  exact: boolean,
  { layout }: AccessContext,
): Access[] {
  if (words === undefined) return [];
  const common = { label: `words of ${field}`, index: words.index, exact };
  if (groups.some((group) => group.length === 0)) {
    const rows = { from: raw(`${layout.narrow} n`), where: raw("FALSE") };
    return [{ ...common, words: 0, ids: raw("SELECT 1 AS id WHERE FALSE"), rows }];
  }
  // Words are letters, marks and digits only: nothing in them ends the quotes.
  const either = (group: readonly string[]) => `(${group.map((word) => `"${word}"`).join(" OR ")})`;
  const index = raw(words.index);
  const small = groups.filter(({ length }) => length <= mostJoined);
  const large = groups.filter(({ length }) => length > mostJoined);
  const joined = small.map(either);
  if (large.length === 0) {
    const count = small.reduce((sum, group) => sum + group.length, 0);
    return [{ ...common, words: count, ids: sql`SELECT rowid AS id FROM ${index} WHERE ${index} MATCH ${joined.join(" AND ")}` }];
  }
  return large.map((group) => {
    const matches = JSON.stringify(group.map((word) => [either([word]), ...joined].join(" AND ")));
    const ids = sql`SELECT ${index}.rowid AS id FROM json_each(${matches}) m CROSS JOIN ${index} ON ${index} MATCH m.value`;
    return { ...common, words: group.length, ids, repeats: true as const };
  });
}

function toUnion(conditions: readonly Condition[], context: AccessContext): Access[] {
  const known = conditions.flatMap((one) => accessesTo(one, context).slice(0, 1));
  if (known.length < conditions.length || known.length > 100) return [];
  const ids = join(
    known.map((one) => one.ids),
    " UNION ",
  );
  return [
    {
      label: `any of ${[...new Set(known.map(({ label }) => label))].join(", ")}`,
      index: [...new Set(known.map(({ index }) => index))].join(", "),
      ids,
      parts: known,
      exact: known.every(({ exact }) => exact),
    },
  ];
}
