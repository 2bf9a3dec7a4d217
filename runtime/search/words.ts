import { fold } from "./like.ts";

/** A word is a run of letters, marks and digits, as long as possible. */
const word = /[\p{L}\p{M}\p{N}]+/gu;

/** The words of a text in order, in lower case and NFC. A word that occurs twice is listed twice. */
export function wordsOf(text: string): string[] {
  return splitWords(normalised(text));
}

/** The words of a text that is the result of `normalised`. */
export function splitWords(text: string): string[] {
  return text.match(word) ?? [];
}

/** Makes a test of whether a text has at least one of some words. The test does not list the words of the text, to be faster. */
export function wordFinder(words: readonly string[]): (text: string) => boolean {
  const wanted = [...new Set(words)];
  return (text) => {
    const given = normalised(text);
    return wanted.some((one) => hasWord(given, one));
  };
}

/** Lower case and NFC, in this order: a letter may have a composed form in lower case only, such as j with a caron. */
export function normalised(text: string): string {
  return isAscii(text) ? text.toLowerCase() : fold(text).normalize("NFC");
}

export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

function hasWord(text: string, wanted: string): boolean {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const before = at === 0 ? undefined : text.codePointAt(isPair(text, at - 2) ? at - 2 : at - 1);
    const after = text.codePointAt(at + wanted.length);
    if (!isWordPoint(before) && !isWordPoint(after)) return true;
  }
  return false;
}

/** Whether a surrogate pair begins at a position. */
function isPair(text: string, at: number): boolean {
  return at >= 0 && (text.codePointAt(at) ?? 0) > 0xffff;
}

const wordPoint = /[\p{L}\p{M}\p{N}]/u;

function isWordPoint(point: number | undefined): boolean {
  if (point === undefined) return false;
  if (point < 128) return (point >= 97 && point <= 122) || (point >= 48 && point <= 57) || (point >= 65 && point <= 90);
  return wordPoint.test(String.fromCodePoint(point));
}
