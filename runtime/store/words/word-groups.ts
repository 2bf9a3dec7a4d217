import { type Comparable, type FuzzyWord, fuzzyWord, type Pattern, wordsOf, wordsOfPattern } from "../../search/index.ts";

// Decision 1 in runtime/site/text/decisions.md says why: we index words ourselves.

// Which words to look up in an index of words, so that few records have to be tested. A record that passes a test has at least one word
// of each group.

/** The words of one field that a store has, such as a `WordList`. Both methods give undefined when more than `most` words are found. */
export interface Words {
  containing(text: string, most: number): string[] | undefined;
  near(wanted: FuzzyWord, most: number): string[] | undefined;
}

/** How many words one lookup in an index of words may join. */
export const mostWords = 2_000;
/** How many words of an operand are looked up. The others are only tested. */
const mostLookedUp = 16;
/** How many whole words of a pattern are looked up. Fewer are enough here, because the longest part is looked up too. */
const mostWholeWords = 8;

/** The groups of a `like` pattern. */
export function groupsOfPattern(pattern: Pattern, words: Words): string[][] {
  const { whole, parts } = wordsOfPattern(pattern);
  const [longest] = parts.sort((a, b) => b.length - a.length);
  const groups = whole.slice(0, mostWholeWords).map((word) => [word]);
  if (longest !== undefined && longest.length >= 2) {
    const found = words.containing(longest, mostWords);
    if (found !== undefined) groups.push(found);
  }
  return groups;
}

/** The groups of a `fuzzy` operand. @returns also whether a record with a word of each group always passes the test */
export function groupsNear(operand: string, words: Words): { readonly groups: string[][]; readonly exact: boolean } {
  const wanted = wordsOf(operand).map(fuzzyWord);
  const groups: string[][] = [];
  for (const word of wanted.slice(0, mostLookedUp)) {
    const found = words.near(word, mostWords);
    if (found !== undefined) groups.push(found);
  }
  // A single word has no order to test.
  return { groups, exact: wanted.length === 1 && groups.length === 1 };
}

/** The groups of a text that a value has to equal. */
export function groupsOfValue(operand: Comparable): string[][] {
  if (typeof operand !== "string") return [];
  const words = [...new Set(wordsOf(operand))].sort((a, b) => b.length - a.length).slice(0, mostLookedUp);
  return words.map((word) => [word]);
}
