import { createHash } from "node:crypto";
import { characterBoundary } from "../base/text.ts";
import { withoutNoise } from "./noise.ts";

/** A part of a text that is embedded as a whole. */
export interface Passage {
  /** Offsets into the original text, in UTF-16 code units; never inside a character. */
  readonly at: number;
  readonly end: number;
  /** What is embedded: the part without noise, with single spaces. */
  readonly text: string;
  /** Digest of `text`, in base64url. */
  readonly hash: string;
}

/** Words of a passage. Longer and shorter ones ranked worse. */
const mostWords = 120;
/** A heading begins a new passage when the present one has at least this many words. */
const enoughWords = 40;
/** UTF-16 code units of a passage in a language without spaces between words. */
const mostUnits = 1_200;
/** Passages of one text, and its UTF-16 code units that are read. The rest of an even longer text is not embedded. */
const mostPassages = 500;
const mostRead = 600_000;

/** A sentence, a line of code, or a part of either that is not longer than a passage. */
interface Piece {
  readonly at: number;
  readonly end: number;
  readonly words: number;
  /** Whether a passage should begin here. */
  readonly opens: boolean;
}

/** Cuts a text into passages: sentences, list items and lines of code in their order, as many as fit. */
export function cutPassages(original: string): Passage[] {
  const text = withoutNoise(original.slice(0, characterBoundary(original, mostRead)));
  const passages: Passage[] = [];
  let first: Piece | undefined;
  let last: Piece | undefined;
  let words = 0;
  const close = () => {
    if (first !== undefined && last !== undefined) passages.push(passageOf(text, first.at, last.end));
    first = undefined;
    words = 0;
  };
  for (const piece of piecesOf(text)) {
    const begin = first?.at ?? piece.at;
    const full = words + piece.words > mostWords || piece.end - begin > mostUnits * 2;
    if (full || (piece.opens && words >= enoughWords)) close();
    if (passages.length >= mostPassages) return passages;
    first ??= piece;
    last = piece;
    words += piece.words;
  }
  close();
  return passages;
}

function passageOf(text: string, at: number, end: number): Passage {
  const clean = text.slice(at, end).replace(/\s+/g, " ").trim();
  return { at, end, text: clean, hash: createHash("sha256").update(clean).digest("base64url").slice(0, 22) };
}

const fence = /^ {0,3}(?:`{3,}|~{3,})/;
const opening = /^ {0,3}(?:#{1,6}\s|(?:[-*_] ?){3,}$)/;
const item = /^\s*(?:[-*+]|\d{1,9}[.)])\s+/;

/** Paragraphs end at blank lines, headings, list items and fences. Inside a fence every line is a piece. */
function* piecesOf(text: string): Generator<Piece> {
  let code = false;
  let begin: number | undefined;
  let opens = false;
  for (let at = 0; at <= text.length; ) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    // What marks a line stands at its beginning; a longer one need not be copied.
    const line = text.slice(at, Math.min(end, at + 200));
    const isFence = fence.test(line);
    const isOpening = !code && opening.test(line);
    if (isFence || code || isOpening || item.test(line) || line.trim() === "") {
      if (begin !== undefined) yield* sentencesOf(text, begin, at, opens);
      begin = undefined;
      opens = false;
    }
    if (isFence) code = !code;
    else if (code) yield* sentencesOf(text, at, end, false);
    else if (isOpening) yield* sentencesOf(text, at, end, true);
    else begin ??= at;
    at = end + 1;
  }
  if (begin !== undefined) yield* sentencesOf(text, begin, text.length, opens);
}

/** A sentence ends at its mark before a space, or at a mark of Chinese or Japanese. */
const sentenceEnd = /(?<![.!?])[.!?]+["')\]]*(?=\s)|[。！？]+/g;

function* sentencesOf(text: string, from: number, to: number, opens: boolean): Generator<Piece> {
  const block = text.slice(from, to);
  let at = 0;
  for (const { index, 0: mark } of block.matchAll(sentenceEnd)) {
    yield* partsOf(text, from + at, from + index + mark.length, opens && at === 0);
    at = index + mark.length;
  }
  yield* partsOf(text, from + at, to, opens && at === 0);
}

/** A sentence that is too long for a passage is cut between words, and a word that is too long between characters. */
function* partsOf(text: string, from: number, to: number, opens: boolean): Generator<Piece> {
  let begin: number | undefined;
  let end = from;
  let words = 0;
  let first = opens;
  for (const { index, 0: word } of text.slice(from, to).matchAll(/\S+/g)) {
    for (const [at, stop] of slicesOf(text, from + index, from + index + word.length)) {
      if (begin !== undefined && (words === mostWords || stop - begin > mostUnits)) {
        yield { at: begin, end, words, opens: first };
        begin = undefined;
        first = false;
        words = 0;
      }
      begin ??= at;
      end = stop;
      words++;
    }
  }
  // Marks of Markdown alone are nothing to embed.
  if (begin !== undefined && /[\p{L}\p{N}]/u.test(text.slice(begin, end))) yield { at: begin, end, words, opens: first };
}

function* slicesOf(text: string, from: number, to: number): Generator<readonly [number, number]> {
  for (let at = from; at < to; ) {
    const end = characterBoundary(text, Math.min(to, at + mostUnits));
    yield [at, end];
    at = end;
  }
}
