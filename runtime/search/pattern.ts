import { fold, type Pattern } from "./like.ts";

// What follows from a `like` pattern about the texts that fit it: stores use it to look into an index instead of at every text.

/** Where texts stand that begin with a text: from `from` (included) to `to` (not included), ordered by code point. */
export interface TextRange {
  readonly from: string;
  /** Undefined: to the end. */
  readonly to: string | undefined;
}

/** The texts that begin with a text. */
export function beginningWith(begin: string): TextRange {
  return { from: begin, to: behind(begin) };
}

/** The least text behind all those that begin with a text, by code point; undefined when there is none. */
function behind(begin: string): string | undefined {
  const points = [...begin];
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const point = last.codePointAt(0) ?? 0;
    if (point === 0x10ffff) continue;
    // Surrogates are no characters.
    return points.join("") + String.fromCodePoint(point === 0xd7ff ? 0xe000 : point + 1);
  }
  return undefined;
}

/** What the folded texts that fit a pattern have in common: they are one text, or begin with one. */
export type Beginning =
  | { readonly kind: "equal"; readonly text: string }
  /** `exact`: every text that begins so fits the pattern. */
  | { readonly kind: "range"; readonly range: TextRange; readonly exact: boolean };

/** Undefined when texts that fit may begin with anything. */
export function beginningOf({ segments }: Pattern): Beginning | undefined {
  const [first = []] = segments;
  const [begin = ""] = first;
  if (segments.length === 1 && first.length <= 1 && begin !== null) return { kind: "equal", text: begin };
  if (begin === null || begin === "") return undefined;
  const exact = segments.length === 2 && first.length === 1 && segments[1]?.length === 0;
  return { kind: "range", range: beginningWith(begin), exact };
}

/**
 * The words that every text that fits a pattern must have: whole words, and parts of words. A line break before or behind a part stands
 * for the beginning or the end of the word.
 */
export function wordsOfPattern({ segments }: Pattern): { whole: string[]; parts: string[] } {
  const whole: string[] = [];
  const parts: string[] = [];
  for (const [place, segment] of segments.entries())
    for (const [index, piece] of segment.entries()) {
      if (piece === null) continue;
      const openLeft = place > 0 || index > 0;
      const openRight = place < segments.length - 1 || index < segment.length - 1;
      for (const { 0: word, index: at } of piece.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
        if (!isStable(word)) continue;
        const left = at > 0 || !openLeft;
        const right = at + word.length < piece.length || !openRight;
        if (left && right) whole.push(word);
        else parts.push(`${left ? "\n" : ""}${word}${right ? "\n" : ""}`);
      }
    }
  return { whole, parts };
}

/**
 * Whether a piece of folded text stands unchanged in the decomposed words of every text that contains it: its characters have no
 * other form, and folding and lower case agree on them.
 */
function isStable(word: string): boolean {
  return (
    word === word.normalize("NFD") &&
    word === word.normalize("NFC") &&
    !/\p{M}|σ|[\u1100-\u11ff]/u.test(word) &&
    fold(word) === word
  );
}
