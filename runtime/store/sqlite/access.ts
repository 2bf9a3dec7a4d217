import type { Column, Layout } from "./layout.ts";
import { allOf, join, raw, type Sql, sql, unplanned } from "./sql.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** A way through an index to the records that may fulfil a condition. */
export interface Access {
  /** A name for people. */
  readonly label: string;
  readonly index: string;
  /**
   * Selects the ids.
   *
   * @param watched whether each of them passes the watch, without which the statement runs to its end whatever the deadline
   */
  readonly ids: (watched: boolean) => Sql;
  /** Whether an id may come several times. */
  readonly repeats?: true;
  /** Source of rows `n` and the condition that belongs to it, where an index of columns gives the rows themselves. */
  readonly rows?: { readonly from: Sql; readonly where: Sql };
  /** How many words are looked up in an index of words, which gives ids only. */
  readonly words?: number;
  /** The parts of a union. */
  readonly parts?: readonly Access[];
  /** Whether every record found fulfils the condition, so that it need not be tested again. */
  readonly exact: boolean;
}

export interface AccessContext {
  readonly layout: Layout;
  /** Id of the connector instance. It is part of every access. */
  readonly instance: number;
  /** The words of a column; undefined where there is no index of them. */
  readonly vocabulary: (column: Column) => Vocabulary | undefined;
}

/** Of more words than these each is looked up by itself, because the index goes through all of them for every record that it finds. */
const mostJoined = 12;
/** More parts make no union: preparing the statement would take longer than a scan. */
const mostParts = 100;

/** Source of the rows `n` of some ids, each once, and the condition that belongs to it. Only ids that are in all the lists count. */
export function rowsOf(
  { rows, repeats }: Access,
  ids: Sql,
  lists: readonly Sql[],
  { layout, instance }: AccessContext,
): { from: Sql; where: Sql } {
  if (rows !== undefined) return rows;
  // The plus keeps the engine from asking the index of words for one id after the other.
  const within = lists.map((list) => sql`+id IN (${list})`);
  const distinct = raw(repeats === true ? "DISTINCT id" : "id");
  const chosen = sql`SELECT ${distinct} FROM (${ids}) WHERE ${allOf([raw("TRUE"), ...within])}`;
  return {
    from: sql`(${chosen}) d CROSS JOIN ${raw(layout.narrow)} n ON n.id = d.id`,
    where: sql`n.inst = ${unplanned(instance)}`,
  };
}

/** The rows of an index of columns in which a condition holds. */
export function throughColumn(
  index: string,
  label: string,
  where: Sql,
  exact: boolean,
  { layout, instance }: AccessContext,
): Access {
  const from = raw(`${layout.narrow} n INDEXED BY ${index}`);
  const bound = sql`n.inst = ${unplanned(instance)} AND ${where}`;
  const ids = (watched: boolean) => sql`SELECT n.id FROM ${from} WHERE ${bound}${passing(watched)}`;
  return { label, index, rows: { from, where: bound }, ids, exact };
}

/**
 * The records that have one word of each group. Small groups are looked up together; each large one is a way of its own, because the
 * index goes through all of its words for every record.
 */
export function throughWords(
  { words, field }: Column,
  groups: readonly (readonly string[])[],
  exact: boolean,
  { layout }: AccessContext,
): Access[] {
  if (words === undefined) return [];
  const common = { label: `words of ${field}`, index: words.index, exact };
  if (groups.some((group) => group.length === 0)) {
    const rows = { from: raw(`${layout.narrow} n`), where: raw("FALSE") };
    return [{ ...common, words: 0, ids: () => raw("SELECT 1 AS id WHERE FALSE"), rows }];
  }
  // Words are letters, marks and digits only, so that nothing in them ends the quotes.
  const either = (group: readonly string[]) => `(${group.map((word) => `"${word}"`).join(" OR ")})`;
  const index = raw(words.index);
  const small = groups.filter(({ length }) => length <= mostJoined);
  const large = groups.filter(({ length }) => length > mostJoined);
  const joined = small.map(either);
  if (large.length === 0) {
    const count = small.reduce((sum, group) => sum + group.length, 0);
    const match = sql`SELECT rowid AS id FROM ${index} WHERE ${index} MATCH ${joined.join(" AND ")}`;
    return [{ ...common, words: count, ids: (watched) => sql`${match}${passing(watched)}` }];
  }
  return large.map((group) => {
    const matches = JSON.stringify(group.map((word) => [either([word]), ...joined].join(" AND ")));
    const from = sql`json_each(${matches}) m CROSS JOIN ${index} ON ${index} MATCH m.value`;
    const ids = (watched: boolean) => sql`SELECT ${index}.rowid AS id FROM ${from} WHERE TRUE${passing(watched)}`;
    return { ...common, words: group.length, ids, repeats: true as const };
  });
}

/** The records of at least one part. */
export function throughAny(parts: readonly Access[]): Access[] {
  if (parts.length > mostParts) return [];
  // Each part is as large as it likes, and so the watch looks at every one.
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
