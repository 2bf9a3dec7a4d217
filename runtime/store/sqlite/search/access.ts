import { allOf, join, raw, type Sql, sql } from "../../../sql/index.ts";
import type { Column, Layout } from "../tables/layout.ts";
import { unplanned } from "../tables/unplanned.ts";
import type { Vocabulary } from "../words/vocabulary.ts";

/** How to find, through an index, the records that may fulfil a condition. */
export interface AccessPath {
  /** A name for the report of `explain`. */
  readonly label: string;
  readonly index: string;
  /**
   * Selects the ids.
   *
   * @param watched whether the watch sees each id. Without it the statement cannot be stopped at the deadline
   */
  readonly ids: (watched: boolean) => Sql;
  /** Set where the same id may be selected several times. */
  readonly repeats?: true;
  /** The source of rows `n` and its condition, where an index of columns gives whole rows. */
  readonly rows?: { readonly from: Sql; readonly where: Sql };
  /** How many words are looked up, for an index of words. Such an index gives only ids. */
  readonly words?: number;
  /** The parts of a union. */
  readonly parts?: readonly AccessPath[];
  /** Whether every record found fulfils the condition, so that the condition need not be tested again. */
  readonly exact: boolean;
}

export interface AccessContext {
  readonly layout: Layout;
  /** Id of the connector instance. It is part of every access. */
  readonly instance: number;
  /** The words of a column; undefined where the column has no index of words. */
  readonly vocabulary: (column: Column) => Vocabulary | undefined;
}

/** More words than this are looked up one by one, because the index would go through all of them for every record that it finds. */
const mostJoined = 12;
/** A union has at most this many parts. Preparing a statement with more would take longer than a scan. */
const mostParts = 100;

/** A source of the rows `n` with some ids, each once, and its condition. Only ids that are in all the lists count. */
export function rowsOf(
  { rows, repeats }: AccessPath,
  ids: Sql,
  lists: readonly Sql[],
  { layout, instance }: AccessContext,
): { from: Sql; where: Sql } {
  if (rows !== undefined) return rows;
  // The plus prevents the engine from asking the index of words for one id after the other.
  const within = lists.map((list) => sql`+id IN (${list})`);
  const distinct = raw(repeats === true ? "DISTINCT id" : "id");
  const chosen = sql`SELECT ${distinct} FROM (${ids}) WHERE ${allOf([raw("TRUE"), ...within])}`;
  return {
    from: sql`(${chosen}) d CROSS JOIN ${raw(layout.narrow)} n ON n.id = d.id`,
    where: sql`n.inst = ${unplanned(instance)}`,
  };
}

/** Finds the rows in which a condition on the columns of an index is true. */
export function throughColumn(
  index: string,
  label: string,
  where: Sql,
  exact: boolean,
  { layout, instance }: AccessContext,
): AccessPath {
  const from = raw(`${layout.narrow} n INDEXED BY ${index}`);
  const bound = sql`n.inst = ${unplanned(instance)} AND ${where}`;
  const ids = (watched: boolean) => sql`SELECT n.id FROM ${from} WHERE ${bound}${passing(watched)}`;
  return { label, index, rows: { from, where: bound }, ids, exact };
}

/** Finds the records through the table `i` of a list's values. @param repeats whether a record may have several of the values */
export function throughValues(
  items: string,
  label: string,
  where: Sql,
  repeats: boolean,
  { instance }: AccessContext,
): AccessPath {
  const bound = sql`i.inst = ${unplanned(instance)} AND ${where}`;
  const ids = (watched: boolean) => sql`SELECT i.id FROM ${raw(items)} i WHERE ${bound}${passing(watched)}`;
  return { label, index: items, ids, exact: true, ...(repeats ? { repeats: true } : {}) };
}

/**
 * Finds the records that have at least one word of each group. Small groups are looked up together. Each large group gives an access of
 * its own, because the index would go through all of its words for every record.
 *
 * @param exact whether a record that has a word of each group fulfils the condition; the accesses of several groups find too many records
 */
export function throughWords(
  { words, field }: Column,
  groups: readonly (readonly string[])[],
  exact: boolean,
  { layout }: AccessContext,
): AccessPath[] {
  if (words === undefined) return [];
  const common = { label: `words of ${field}`, index: words.index, exact: exact && groups.length === 1 };
  if (groups.some((group) => group.length === 0)) {
    const rows = { from: raw(`${layout.narrow} n`), where: raw("FALSE") };
    return [{ ...common, words: 0, ids: () => raw("SELECT 1 AS id WHERE FALSE"), rows }];
  }
  // Words consist of letters, marks and digits, so they contain no quote.
  const either = (group: readonly string[]) => `(${group.map((word) => `"${word}"`).join(" OR ")})`;
  const index = raw(words.index);
  const small = groups.filter(({ length }) => length <= mostJoined);
  const large = groups.filter(({ length }) => length > mostJoined);
  const together = (joined: readonly (readonly string[])[]): AccessPath => {
    const match = sql`SELECT rowid AS id FROM ${index} WHERE ${index} MATCH ${joined.map(either).join(" AND ")}`;
    return { ...common, words: joined.flat().length, ids: (watched) => sql`${match}${passing(watched)}` };
  };
  const oneByOne = (group: readonly string[]): AccessPath => {
    const from = sql`json_each(${JSON.stringify(group.map((word) => `"${word}"`))}) m CROSS JOIN ${index} ON ${index} MATCH m.value`;
    const ids = (watched: boolean) => sql`SELECT ${index}.rowid AS id FROM ${from} WHERE TRUE${passing(watched)}`;
    return { ...common, words: group.length, ids, repeats: true };
  };
  return [...(small.length === 0 ? [] : [together(small)]), ...large.map(oneByOne)];
}

/** Finds the records that at least one of the parts finds. */
export function throughAny(parts: readonly AccessPath[]): AccessPath[] {
  if (parts.length > mostParts) return [];
  // The parts may be of any size, so the watch has to see every id.
  const ids = join(
    parts.map((part) => part.ids(true)),
    " UNION ",
  );
  return [
    {
      label: `any of ${[...new Set(parts.map(({ label }) => label))].join(", ")}`,
      index: [...new Set(parts.map(({ index }) => index))].join(", "),
      ids: () => ids,
      parts,
      exact: parts.every(({ exact }) => exact),
    },
  ];
}

function passing(watched: boolean): Sql {
  return raw(watched ? " AND pass()" : "");
}
