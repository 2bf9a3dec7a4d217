import { fold, type Pattern } from "./like.ts";

// Facts about the texts that fit a `like` pattern. A store uses them to search an index instead of testing every text.

/** The range of all texts with a certain beginning, ordered by code point: `from` is included, `to` is not. */
export interface TextRange {
  readonly from: string;
  /** Undefined where the range has no upper end. */
  readonly to: string | undefined;
}

/** The range of the texts that begin with a text. */
export function beginningWith(begin: string): TextRange {
  return { from: begin, to: behind(begin) };
}

/** The smallest text, by code point, that comes after all texts with a certain beginning; undefined when there is none. */
function behind(begin: string): string | undefined {
  const points = [...begin];
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const point = last.codePointAt(0) ?? 0;
    if (point === 0x10ffff) continue;
    // Surrogates are skipped, because they are not characters.
    return points.join("") + String.fromCodePoint(point === 0xd7ff ? 0xe000 : point + 1);
  }
  return undefined;
}

/** What all folded texts that fit a pattern have in common: they equal one text, or begin with one. */
export type Beginning =
  | { readonly kind: "equal"; readonly text: string }
  /** `exact`: every text with this beginning fits the pattern. */
  | { readonly kind: "range"; readonly range: TextRange; readonly exact: boolean };

/** The common beginning of all texts that fit a pattern; undefined when they may begin with anything. */
export function beginningOf({ segments }: Pattern): Beginning | undefined {
  const [first = []] = segments;
  const [begin = ""] = first;
  if (segments.length === 1 && first.length <= 1 && begin !== null) return { kind: "equal", text: begin };
  if (begin === null || begin === "") return undefined;
  const exact = segments.length === 2 && first.length === 1 && segments[1]?.length === 0;
  return { kind: "range", range: beginningWith(begin), exact };
}

/**
 * The words that every text must have to fit a pattern: whole words, and parts of words. A line break before or after a part stands for
 * the beginning or the end of the word.
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
 * Whether every text that contains a piece of folded text has this piece unchanged in its decomposed words. That is true when its
 * characters have no other form, and folding and lower case give the same for them.
 */
function isStable(word: string): boolean {
  return (
    word === word.normalize("NFD") &&
    word === word.normalize("NFC") &&
    !/\p{M}|σ|[\u1100-\u11ff]/u.test(word) &&
    fold(word) === word
  );
}
