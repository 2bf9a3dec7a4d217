import { codePointLength } from "../base/text.ts";
import { nearTest } from "./near-word.ts";
import { isAscii, normalised, splitWords, wordsOf } from "./words.ts";

/** A word of the operand, with the rules by which it is compared with words of values. */
export interface FuzzyWord {
  readonly text: string;
  /** The largest edit distance that still counts as found. */
  readonly distance: 0 | 1 | 2;
  /** Whether the word is also found as the beginning of a longer word. */
  readonly prefix: boolean;
  /** Whether a word is at most `distance` edits away. */
  readonly isNear: (found: string) => boolean;
}

/**
 * The rules for a word of the operand. It may have two errors from 8 letters on and one error from 4 letters on, and may be the beginning
 * of a word from 3 letters on. Letters are counted as code points.
 */
export function fuzzyWord(text: string): FuzzyWord {
  const letters = codePointLength(text);
  const distance = letters >= 8 ? 2 : letters >= 4 ? 1 : 0;
  return { text, distance, prefix: letters >= 3, isNear: nearTest(text, distance) };
}

export function fuzzyMatches({ text, distance, prefix, isNear }: FuzzyWord, found: string): boolean {
  return found === text || (prefix && found.startsWith(text)) || (distance > 0 && isNear(found));
}

/**
 * Makes a test of whether a text has every word of the operand in this order; other words may come between. Each word takes the first
 * word of the text that fits, which leaves the most text for the following words.
 */
export function fuzzyFinder(operand: string): (text: string) => boolean {
  const wanted = wordsOf(operand).map(fuzzyWord);
  const quick = wanted.map(({ text, distance, prefix }) => ({
    mask: letterMask(text),
    length: codePointLength(text),
    distance,
    prefix,
  }));
  return (text) => {
    const given = normalised(text);
    if (!isAscii(given)) return inOrder(wanted, splitWords(given));
    let next = 0;
    for (let at = 0; at < given.length && next < wanted.length; at++) {
      let mask = 0;
      const start = at;
      for (let bit = asciiBit(given, at); bit !== 0; bit = asciiBit(given, ++at)) mask |= bit;
      const one = quick[next];
      if (at === start || one === undefined) continue;
      // Most words are ruled out by their letters alone, which is much faster than comparing them.
      const long = at - start - one.length;
      const begins = one.prefix && long > 0 && (one.mask & ~mask) === 0;
      const near = long <= one.distance && -long <= one.distance && masksNear(one.mask, mask, one.distance);
      if ((begins || near) && fuzzyMatches(wanted[next] as FuzzyWord, given.slice(start, at))) next++;
    }
    return next === wanted.length;
  };
}

function inOrder(wanted: readonly FuzzyWord[], words: readonly string[]): boolean {
  let next = 0;
  for (const found of words) {
    const one = wanted[next];
    if (one === undefined) break;
    if (fuzzyMatches(one, found)) next++;
  }
  return next === wanted.length;
}

/** A mask with a bit for each letter from a to z that a word has. All other characters share six more bits. */
export function letterMask(word: string): number {
  let mask = 0;
  for (let at = 0; at < word.length; at++) {
    const code = word.codePointAt(at) ?? 0;
    if (code > 0xffff) at++;
    mask |= letterBit(code);
  }
  return mask;
}

/** The same mask for the letters that a word has more than once. */
export function repeatedMask(word: string): number {
  let [mask, repeated] = [0, 0];
  for (const letter of word) {
    const bit = letterBit(letter.codePointAt(0) ?? 0);
    repeated |= mask & bit;
    mask |= bit;
  }
  return repeated;
}

/** Whether words with these masks may be at most a number of edits apart. One edit adds and removes at most one letter. */
export function masksNear(one: number, other: number, edits: number): boolean {
  const differ = one ^ other;
  return differ === 0 || (bits(differ & one) <= edits && bits(differ & other) <= edits);
}

/** The same with the masks of repeated letters, which rule out far more words: both count together. */
export function lettersNear(one: number, other: number, oneRepeated: number, otherRepeated: number, edits: number): boolean {
  return (
    bits(one & ~other) + bits(oneRepeated & ~otherRepeated) <= edits &&
    bits(other & ~one) + bits(otherRepeated & ~oneRepeated) <= edits
  );
}

function letterBit(code: number): number {
  return code >= 97 && code <= 122 ? 1 << (code - 97) : 1 << (26 + (code % 6));
}

/** Bits of the ASCII characters that may be in words; 0 for all others. */
const asciiBits = Int32Array.from({ length: 128 }, (_, code) =>
  /[a-zA-Z0-9]/.test(String.fromCharCode(code)) ? letterBit(code) : 0,
);

function asciiBit(text: string, at: number): number {
  if (at >= text.length) return 0;
  return asciiBits[text.charCodeAt(at)] ?? 0;
}

function bits(mask: number): number {
  let rest = mask - ((mask >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return (((rest + (rest >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
