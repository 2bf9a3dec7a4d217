import { codePointLength } from "../../../base/text.ts";
import { beginningWith, type FuzzyWord } from "../../../search/index.ts";
import { join, raw, type Sql, sql } from "../../../sql/index.ts";
import { decomposedWord, type Layout, vocabularyWord, type WordColumn } from "../tables/layout.ts";
import { patternsNear } from "./near-patterns.ts";

// Statements that find words in the vocabulary. With an index of trigrams they read few of its rows, without it all of the field's.

/** The words of one field of one instance. */
export interface FieldOfWords {
  readonly layout: Layout;
  readonly inst: number;
  readonly words: WordColumn;
}

/** The words that contain a text in NFD. `"\n"` before or after it means the beginning or the end of the word. */
export function wordsContaining(of: FieldOfWords, text: string, limit: number): Sql {
  const pattern = `${text.startsWith("\n") ? "" : "%"}${text.replaceAll("\n", "")}${text.endsWith("\n") ? "" : "%"}`;
  return wordsWhere(of, fits(pattern), limit);
}

/** The words that begin with a text. */
export function wordsBeginning({ layout, inst, words }: FieldOfWords, text: string, limit: number): Sql {
  const { from, to } = beginningWith(text);
  const inRange = (name: string) => {
    const end = to === undefined ? raw("") : sql` AND ${raw(name)} < ${to}`;
    return sql`${raw(name)} >= ${from}${end}`;
  };
  const all = sql`SELECT ${raw(vocabularyWord)} AS word FROM ${raw(layout.vocabulary)} WHERE inst = ${inst} AND field = ${words.number}`;
  // The tokens of long words begin with a character that no word has.
  return sql`${all} AND ${inRange("token")} UNION ALL ${all} AND token >= '#' AND token < '$' AND ${inRange("word")} LIMIT ${limit}`;
}

/** Words among which are all that are at most some edits away from a word, but for those that begin with it. */
export function wordsNear(of: FieldOfWords, { text }: FuzzyWord, edits: 1 | 2, limit: number): Sql {
  const length = codePointLength(text);
  const long = sql`char_length(${raw(vocabularyWord)}) BETWEEN ${length - edits} AND ${length + edits}`;
  const near = join(patternsNear(text, edits).map(fits), " OR ");
  return wordsWhere(of, sql`${long} AND (${near})`, limit);
}

function wordsWhere({ layout, inst, words }: FieldOfWords, condition: Sql, limit: number): Sql {
  return sql`SELECT ${raw(vocabularyWord)} AS word FROM ${raw(layout.vocabulary)}
    WHERE inst = ${inst} AND field = ${words.number} AND ${condition} LIMIT ${limit}`;
}

/** Words have no character with a meaning in patterns. */
function fits(pattern: string): Sql {
  return sql`${raw(decomposedWord)} LIKE ${pattern}`;
}
