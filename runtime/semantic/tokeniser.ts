// The rules are those of "From text to tokens" in model/README.md.

const ascii = /^[\0-\x7f]*$/;
const marks = /\p{M}+/gu;
const word = /[\p{L}\p{N}]+(?:'\p{L}+)?/gu;
const part = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{Lu}\p{N}]+|\p{N}+/gu;
/** A part of a word with more code points gives no token. */
const longestPart = 40;

/** Splits texts into the entries of a vocabulary. */
export class Tokeniser {
  readonly #rows: ReadonlyMap<string, number>;
  /** Code points of the longest entry, without the mark of a continuation. */
  readonly #longest: number;

  /** @param entries each entry's place is its token; `##x` continues a word */
  constructor(entries: readonly string[]) {
    this.#rows = new Map(entries.map((entry, row) => [entry, row]));
    this.#longest = entries.reduce((most, entry) => Math.max(most, entry.replace(/^##/, "").length), 0);
  }

  /** The tokens of a text, in the order of the text; at most `most`. */
  tokens(text: string, most: number): number[] {
    const found: number[] = [];
    if (ascii.test(text)) this.#asciiTokens(text, most, found);
    else
      for (const [one] of text.normalize("NFKD").replace(marks, "").replaceAll("’", "'").matchAll(word)) {
        if (found.length >= most) break;
        this.#add(one, one.toLowerCase(), found);
      }
    return found.length > most ? found.slice(0, most) : found;
  }

  /** The same as the pattern `word` for ASCII, several times as fast. */
  #asciiTokens(text: string, most: number, found: number[]): void {
    const lower = text.toLowerCase();
    for (let at = 0; at < text.length && found.length < most; ) {
      if (!isWordCode(lower.charCodeAt(at))) {
        at++;
        continue;
      }
      let end = at + 1;
      while (end < text.length && isWordCode(lower.charCodeAt(end))) end++;
      if (lower.charCodeAt(end) === apostrophe && isLetterCode(lower.charCodeAt(end + 1))) {
        end += 2;
        while (end < text.length && isLetterCode(lower.charCodeAt(end))) end++;
      }
      const row = this.#rows.get(lower.slice(at, end));
      if (row === undefined) this.#split(text.slice(at, end), found);
      else found.push(row);
      at = end;
    }
  }

  #add(given: string, lower: string, found: number[]): void {
    const row = this.#rows.get(lower);
    if (row === undefined) this.#split(given, found);
    else found.push(row);
  }

  /** Splits a word that is no entry at its apostrophe, at humps (camelCase), and between letters and digits. */
  #split(given: string, found: number[]): void {
    for (const side of given.split("'"))
      for (const [one] of side.matchAll(part)) {
        const lower = one.toLowerCase();
        const row = this.#rows.get(lower);
        if (row === undefined) this.#pieces(lower, found);
        else found.push(row);
      }
  }

  /** Cuts a part into the longest entries from its beginning. When there is a place at which none fits, it gives no token. */
  #pieces(lower: string, found: number[]): void {
    const points = lower.length > 2 * longestPart ? [] : Array.from(lower);
    if (points.length > longestPart) return;
    const pieces: number[] = [];
    for (let at = 0; at < points.length; ) {
      let end = Math.min(points.length, at + this.#longest);
      let row: number | undefined;
      for (; end > at && row === undefined; end--) row = this.#rows.get((at === 0 ? "" : "##") + points.slice(at, end).join(""));
      if (row === undefined) return;
      pieces.push(row);
      at = end + 1;
    }
    found.push(...pieces);
  }
}

const apostrophe = 0x27;

function isLetterCode(lower: number): boolean {
  return lower >= 0x61 && lower <= 0x7a;
}

function isWordCode(lower: number): boolean {
  return isLetterCode(lower) || (lower >= 0x30 && lower <= 0x39);
}
