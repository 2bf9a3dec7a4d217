import { characterBoundary } from "../base/text.ts";

/** How far from its end (in characters) a context may be cut back to the border of a word. */
const longestWord = 40;

/**
 * The part of a text around a passage, at most `size` characters, cut between words and never inside a character. The passage is in its
 * middle where the text allows it; of a passage that is longer, the beginning is shown.
 */
export function contextOf(text: string, passage: { readonly at: number; readonly end: number }, size: number): string {
  if (text.length <= size) return text;
  const length = passage.end - passage.at;
  const wanted = length >= size ? passage.at : passage.at - Math.floor((size - length) / 2);
  const from = Math.max(0, Math.min(wanted, text.length - size));
  const to = from + size;
  return text.slice(wordStart(text, from, Math.min(to, passage.at)), wordEnd(text, to, from)).trim();
}

/** The beginning of the first word at or after an offset, when one begins soon and before `limit`. */
function wordStart(text: string, at: number, limit: number): number {
  if (at === 0 || isSpace(text, at - 1)) return at;
  for (let next = at; next <= Math.min(limit, at + longestWord); next++) if (isSpace(text, next)) return next;
  // A context must not become longer, so the cut moves on to the end of the character.
  return characterBoundary(text, at) === at ? at : at + 1;
}

/** The end of the last word at or before an offset. */
function wordEnd(text: string, at: number, least: number): number {
  if (at >= text.length || isSpace(text, at)) return at;
  for (let before = at; before > Math.max(least, at - longestWord); before--) if (isSpace(text, before - 1)) return before;
  return characterBoundary(text, at);
}

function isSpace(text: string, at: number): boolean {
  return /\s/.test(text.charAt(at));
}
