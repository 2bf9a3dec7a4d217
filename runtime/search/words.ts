import { fold } from "./like.ts";

/** A run of letters, marks and digits (decision 6). */
const word = /[\p{L}\p{M}\p{N}]+/gu;

/** Normalised words of a text in their order, repeats included. */
export function wordsOf(text: string): string[] {
  return splitWords(normalised(text));
}

/** The same of a text that is normalised already. */
export function splitWords(text: string): string[] {
  return text.match(word) ?? [];
}

/** Whether one of the words stands in a text, without listing all words of the text. */
export function wordFinder(words: readonly string[]): (text: string) => boolean {
  const wanted = [...new Set(words)];
  return (text) => {
    const given = normalised(text);
    return wanted.some((one) => hasWord(given, one));
  };
}

/** NFC comes last: lower case can be composed where upper case cannot (J and a caron are one character only as a small j). */
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

/** Whether a code point begins here that takes two code units. */
function isPair(text: string, at: number): boolean {
  return at >= 0 && (text.codePointAt(at) ?? 0) > 0xffff;
}

const wordPoint = /[\p{L}\p{M}\p{N}]/u;

function isWordPoint(point: number | undefined): boolean {
  if (point === undefined) return false;
  if (point < 128) return (point >= 97 && point <= 122) || (point >= 48 && point <= 57) || (point >= 65 && point <= 90);
  return wordPoint.test(String.fromCodePoint(point));
}
