import { grouped } from "../../../base/grouped.ts";
import type { Queries } from "../../../postgres/index.ts";
import { fuzzyWord, wordsOf } from "../../../search/index.ts";
import { join, raw, type Sql, sql } from "../../../sql/index.ts";
import { foldedText, statementFault, type WordTest } from "../../../statement/index.ts";
import { columnNamed, type Layout } from "../tables/layout.ts";
import type { WordSearch } from "../words/word-search.ts";
import { wordToken } from "../words/word-tokens.ts";

/** How many words of a field may be near to one of an operand. */
const mostNear = 20_000;

interface Place {
  readonly queries: Queries;
  readonly layout: Layout;
  readonly inst: number;
  readonly words: WordSearch;
}

/**
 * The words of a field that each word of a fuzzy operand may stand for, in the order of the operand.
 *
 * @throws TenonError for a word that may stand for too many
 */
export async function nearWordGroups(
  { queries, layout, inst, words }: Place,
  field: string,
  operand: string,
): Promise<string[][]> {
  const column = columnNamed(layout, field).words;
  if (column === undefined) throw new Error(`${field} has no words.`);
  const place = { queries, layout, inst, words: column, seen: () => undefined };
  const groups: string[][] = [];
  for (const word of wordsOf(operand)) {
    const found = await words.near(place, fuzzyWord(word), mostNear);
    if (found === undefined)
      throw statementFault({
        message: `fuzzy: more than ${grouped(mostNear)} words of ${field} are like "${word}". Write more of its letters.`,
        at: undefined,
      });
    groups.push(found);
  }
  return groups;
}

/**
 * Whether a text has the words of a test: by the tokens of its words, which have an index. They have no order, which a fuzzy test of
 * several words finds in the text itself.
 *
 * @param groups as of `wordsNear`
 */
export function wordCondition(
  { how, operand }: WordTest,
  groups: readonly (readonly string[])[],
  { inst, value, words }: { readonly inst: number | undefined; readonly value: Sql; readonly words: Sql },
): Sql {
  if (inst === undefined) return raw("FALSE");
  const wanted = how === "keyword" ? [wordsOf(operand)] : groups;
  const tests = wanted.map((group) => sql`${words} && ${group.map((word) => wordToken(inst, word))}::bigint[]`);
  // A record that an outer join lacks has no words.
  const all = [...tests, sql`${words} IS NOT NULL`, ...(wanted.length > 1 ? [inOrder(value, wanted)] : [])];
  return sql`(${join(all, " AND ")})`;
}

/** Each word takes the first word of the text that fits, behind that of the word before it. */
function inOrder(value: Sql, groups: readonly (readonly string[])[]): Sql {
  const at = groups.reduce<Sql | undefined>((before, group) => {
    const later = before === undefined ? raw("") : sql` AND o > (${before})`;
    return sql`SELECT min(o) FROM y WHERE w COLLATE "C" = ANY (${group}::text[])${later}`;
  }, undefined);
  const text = sql`normalize(${foldedText(value)}, NFC)`;
  return sql`(WITH y AS MATERIALIZED (SELECT w, o FROM regexp_split_to_table(${text}, ${separators()}) WITH ORDINALITY s (w, o)) ${at ?? raw("SELECT 1")}) IS NOT NULL`;
}

let madeSeparators: string | undefined;

/** A pattern for what is between words. PostgreSQL has no classes of Unicode, and those of its collations differ. */
function separators(): string {
  if (madeSeparators !== undefined) return madeSeparators;
  const inWord = /[\p{L}\p{M}\p{N}]/u;
  const ranges: string[] = [];
  let first: number | undefined;
  for (let point = 0; point <= 0x110000; point++) {
    const isWord = point < 0x110000 && inWord.test(String.fromCodePoint(point));
    if (isWord) first ??= point;
    else if (first !== undefined) {
      ranges.push(`${String.fromCodePoint(first)}-${String.fromCodePoint(point - 1)}`);
      first = undefined;
    }
  }
  madeSeparators = `[^${ranges.join("")}]+`;
  return madeSeparators;
}
