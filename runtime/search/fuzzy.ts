import { codePointLength, editDistance } from "../base/text.ts";
import { isAscii, normalised, splitWords, wordsOf } from "./words.ts";

/** A word of the operand that is compared with words of values. */
export interface FuzzyWord {
  readonly text: string;
  /** The largest edit distance that still counts as found. */
  readonly distance: 0 | 1 | 2;
  /** Whether it is found as the beginning of a word. */
  readonly prefix: boolean;
}

/** How a word of the operand is compared: two errors from 8 letters on, one from 4 on; as a beginning from 3 on. Letters are code points. */
export function fuzzyWord(text: string): FuzzyWord {
  const letters = codePointLength(text);
  return { text, distance: letters >= 8 ? 2 : letters >= 4 ? 1 : 0, prefix: letters >= 3 };
}

export function fuzzyMatches({ text, distance, prefix }: FuzzyWord, found: string): boolean {
  if (found === text || (prefix && found.startsWith(text))) return true;
  if (distance === 0 || Math.abs(found.length - text.length) > 2 * distance) return false;
  if (!surrogate.test(text) && !surrogate.test(found)) return within(text, found, distance, 0, 0);
  return editDistance([...text], [...found], distance) <= distance;
}

const surrogate = /[\ud800-\udfff]/;

/**
 * Whether the rests of two texts, from a position in each, are at most so many edits apart; a swap of neighbours is one. It answers as
 * `editDistance` does, but faster for few edits. The texts must have no surrogates.
 */
function within(a: string, b: string, edits: number, startA: number, startB: number): boolean {
  let [atA, atB] = [startA, startB];
  while (atA < a.length && atB < b.length && a.charCodeAt(atA) === b.charCodeAt(atB)) {
    atA++;
    atB++;
  }
  const [leftA, leftB] = [a.length - atA, b.length - atB];
  if (leftA === 0 || leftB === 0) return Math.max(leftA, leftB) <= edits;
  if (edits === 0 || Math.abs(leftA - leftB) > edits) return false;
  const swapped = a.charCodeAt(atA) === b.charCodeAt(atB + 1) && a.charCodeAt(atA + 1) === b.charCodeAt(atB);
  return (
    within(a, b, edits - 1, atA + 1, atB + 1) ||
    within(a, b, edits - 1, atA + 1, atB) ||
    within(a, b, edits - 1, atA, atB + 1) ||
    (swapped && leftA > 1 && leftB > 1 && within(a, b, edits - 1, atA + 2, atB + 2))
  );
}

/**
 * A test of whether every word of the operand is found in a text, in this order; other words may stand between. Taking the first word
 * that fits leaves most of the text for the other words.
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
      // The letters alone rule out most words, which is much faster than comparing.
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

/** A bit for each letter from a to z that a word has; all other characters share six more bits. */
export function letterMask(word: string): number {
  let mask = 0;
  for (let at = 0; at < word.length; at++) {
    const code = word.codePointAt(at) ?? 0;
    if (code > 0xffff) at++;
    mask |= letterBit(code);
  }
  return mask;
}

/** Whether words with these masks may be so many edits apart: an edit adds one letter and takes one away at most. */
export function masksNear(one: number, other: number, edits: number): boolean {
  const differ = one ^ other;
  return differ === 0 || (bits(differ & one) <= edits && bits(differ & other) <= edits);
}

function letterBit(code: number): number {
  return code >= 97 && code <= 122 ? 1 << (code - 97) : 1 << (26 + (code % 6));
}

/** Bits of the ASCII characters that words consist of; 0 for all others. */
const asciiBits = Int32Array.from({ length: 128 }, (_, code) =>
  /[a-zA-Z0-9]/.test(String.fromCharCode(code)) ? letterBit(code) : 0,
);

function asciiBit(text: string, at: number): number {
  return at < text.length ? (asciiBits[text.charCodeAt(at)] ?? 0) : 0;
}

function bits(mask: number): number {
  let rest = mask - ((mask >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return (((rest + (rest >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
