import type { Pattern } from "../../../search/index.ts";
import { storedText } from "../tables/text.ts";

// `like` patterns as PostgreSQL's LIKE takes them. There, as here, `\` takes the next character as it is.

/** The pattern for folded texts. Where it has a `_`, it is exact only for texts without the characters that are stored as groups. */
export function foldedPattern({ segments }: Pattern): string {
  return segments
    .map((segment) => segment.map((piece) => (piece === null ? "_" : escaped(storedText(piece)))).join(""))
    .join("%");
}

/**
 * A pattern for texts that PostgreSQL has converted into lower case, which it does for ASCII letters alone. Every text that fits the given
 * pattern fits this one, but not the other way round.
 */
export function roughPattern({ segments }: Pattern): string {
  const pieces = segments.map((segment) => segment.map((piece) => (piece === null ? "%" : roughPiece(piece))).join(""));
  return joinedWildcards(pieces.join("%"));
}

/** A pattern for the texts that contain a folded word. */
export function roughWord(word: string): string {
  return joinedWildcards(`%${roughPiece(word)}%`);
}

/**
 * Any text may stand where the given one has a character that is not ASCII, and where it has an i or a k, into which U+0130 and U+212A are
 * folded.
 */
function roughPiece(piece: string): string {
  return Array.from(piece, (char) => (isPlain(char) ? escaped(char) : "%")).join("");
}

function isPlain(char: string): boolean {
  return char > "\x03" && char < "\x80" && char !== "i" && char !== "k";
}

/** One `%` in the place of several; an escaped one is a character. */
function joinedWildcards(pattern: string): string {
  return pattern.replace(/(\\.)|%+/gs, (_all, taken: string | undefined) => taken ?? "%");
}

function escaped(text: string): string {
  return text.replace(/[%_\\]/g, "\\$&");
}
