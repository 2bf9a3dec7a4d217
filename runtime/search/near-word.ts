import { editDistance } from "../base/text.ts";

/** Bits of a number. A longer word is compared without bits. */
const mostBits = 31;

/**
 * Makes a test of whether words are at most a number of edits away from a word. Letters are code points, and a swap of neighbours is one
 * edit. The result agrees with `editDistance`. Where every letter has a bit, a column of the table of distances is a few operations on one
 * number (Hyyrö 2003, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances").
 */
export function nearTest(word: string, edits: number): (found: string) => boolean {
  const letters = [...word];
  const compared = (found: string) => editDistance(letters, [...found], edits) <= edits;
  const { length } = word;
  if (length === 0 || length > mostBits || surrogate.test(word)) return compared;
  const masks = new Map<number, number>();
  // Most letters are ASCII, and a list is faster than a map.
  const ascii = new Int32Array(128);
  for (let at = 0; at < length; at++) {
    const code = word.charCodeAt(at);
    const mask = (masks.get(code) ?? 0) | (1 << at);
    masks.set(code, mask);
    if (code < ascii.length) ascii[code] = mask;
  }
  const last = 1 << (length - 1);
  return (found) => {
    if (Math.abs(found.length - length) > 2 * edits) return false;
    let distance = length;
    let left = found.length;
    // Where the distance grows and shrinks from one row of a column to the next.
    let [grows, shrinks] = [-1, 0];
    let [same, before] = [0, 0];
    for (let at = 0; at < found.length; at++) {
      const code = found.charCodeAt(at);
      if (code >= 0xd800 && code <= 0xdfff) return compared(found);
      const here = (code < ascii.length ? ascii[code] : masks.get(code)) ?? 0;
      const swapped = ((~same & here) << 1) & before;
      same = ((((here & grows) + grows) | 0) ^ grows) | here | shrinks | swapped;
      let wider = shrinks | ~(same | grows);
      const narrower = same & grows;
      if ((wider & last) !== 0) distance++;
      if ((narrower & last) !== 0) distance--;
      // No letter lowers the distance by more than one.
      if (distance - --left > edits) return false;
      wider = (wider << 1) | 1;
      grows = (narrower << 1) | ~(same | wider);
      shrinks = wider & same;
      before = here;
    }
    return distance <= edits;
  };
}

const surrogate = /[\ud800-\udfff]/;
