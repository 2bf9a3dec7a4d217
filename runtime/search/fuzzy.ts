import { codePointLength, editDistance } from "../contract/index.ts";

/** A word of the operand that is compared with words of values. */
export interface FuzzyWord {
  readonly text: string;
  /** The largest edit distance that still counts as found. */
  readonly distance: 0 | 1 | 2;
  /** Whether it is found as the beginning of a word. */
  readonly prefix: boolean;
}

/** How far a word of the operand may be from the word found (decision 6). Letters are code points. */
export function fuzzyWord(text: string): FuzzyWord {
  const letters = codePointLength(text);
  return { text, distance: letters >= 8 ? 2 : letters >= 4 ? 1 : 0, prefix: letters >= 3 };
}

export function fuzzyMatches({ text, distance, prefix }: FuzzyWord, found: string): boolean {
  if (found === text || (prefix && found.startsWith(text))) return true;
  if (distance === 0 || Math.abs(found.length - text.length) > 2 * distance) return false;
  return editDistance(points(text), points(found), distance) <= distance;
}

/** Without surrogates a text is its own list of code points. */
function points(text: string): ArrayLike<string> {
  return /[\ud800-\udfff]/.test(text) ? [...text] : text;
}

/** Whether every wanted word is found, in this order; others may stand between. Taking the first that fits leaves most for the rest. */
export function fuzzyFound(wanted: readonly FuzzyWord[], words: readonly string[]): boolean {
  let next = 0;
  for (const found of words) {
    const one = wanted[next];
    if (one === undefined) break;
    if (fuzzyMatches(one, found)) next++;
  }
  return next === wanted.length;
}
