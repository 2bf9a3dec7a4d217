import { type FuzzyWord, fuzzyMatches } from "../../search/index.ts";
import type { Statements } from "./connection.ts";
import type { WordTables } from "./layout.ts";

/** Words of one field, held in memory so that words near a word, or containing a text, are found without reading the index. */
export class Vocabulary {
  readonly #statements: Statements;
  readonly #tables: WordTables;
  readonly #words: string[] = [];
  /** All words between line breaks, decomposed, in pieces as they were read. */
  readonly #texts: string[] = [];
  /** For each word a bit per letter and digit that it has, and its length. */
  #masks = new Int32Array(1024);
  #lengths = new Uint8Array(1024);
  #last = 0;

  constructor(statements: Statements, tables: WordTables) {
    this.#statements = statements;
    this.#tables = tables;
  }

  /** Reads the words that came since. They are never taken away, so that this is all there is to do. */
  refresh(): void {
    const found = this.#statements
      .get(`SELECT id, word FROM ${this.#tables.vocabulary} WHERE id > ? ORDER BY id`)
      .raw()
      .all(this.#last) as [number, string][];
    if (found.length === 0) return;
    this.#last = found.at(-1)?.[0] ?? this.#last;
    this.#reserve(this.#words.length + found.length);
    for (const [, word] of found) {
      this.#masks[this.#words.length] = letters(word);
      this.#lengths[this.#words.length] = Math.min(255, word.length);
      this.#words.push(word);
    }
    this.#texts.push(`\n${found.map(([, word]) => word.normalize("NFD")).join("\n")}\n`);
    if (this.#texts.length > 16) this.#texts.splice(0, this.#texts.length, this.#texts.join(""));
  }

  /**
   * Words in which a text stands: `"\n"` before or behind it stands for the beginning or the end of the word.
   *
   * @returns undefined when there are more than `most`
   */
  containing(text: string, most: number): string[] | undefined {
    const found = new Set<string>();
    for (const all of this.#texts) {
      for (let at = all.indexOf(text); at >= 0; ) {
        const start = text.startsWith("\n") ? at + 1 : all.lastIndexOf("\n", at) + 1;
        const end = all.indexOf("\n", text.endsWith("\n") ? at + text.length - 1 : at + text.length);
        found.add(all.slice(start, end).normalize("NFC"));
        if (found.size > most) return undefined;
        at = all.indexOf(text, end);
      }
    }
    return [...found];
  }

  /** Words that a word of a fuzzy search finds. @returns undefined when there are more than `most` */
  near(wanted: FuzzyWord, most: number): string[] | undefined {
    const found = new Set<string>();
    if (wanted.prefix) {
      // Marks that follow in the word may change places with those at the end, so these are left out: what is found is looked at.
      const begin = this.containing(`\n${wanted.text.normalize("NFD").replace(/\p{M}+$/u, "")}`, most);
      if (begin === undefined) return undefined;
      for (const word of begin) if (fuzzyMatches(wanted, word)) found.add(word);
    }
    const { distance, text } = wanted;
    if (distance === 0) return [...found.add(text)];
    const mask = letters(text);
    for (let index = 0; index < this.#words.length; index++) {
      // An edit changes the length by one (two code units at most) and takes away or brings one letter each.
      if (Math.abs((this.#lengths[index] ?? 0) - Math.min(255, text.length)) > 2 * distance) continue;
      if (bits((this.#masks[index] ?? 0) ^ mask) > 2 * distance) continue;
      const word = this.#words[index] ?? "";
      if (!fuzzyMatches(wanted, word)) continue;
      found.add(word);
      if (found.size > most) return undefined;
    }
    return [...found];
  }

  #reserve(size: number): void {
    if (size <= this.#masks.length) return;
    const room = Math.max(size, this.#masks.length * 2);
    const masks = new Int32Array(room);
    const lengths = new Uint8Array(room);
    masks.set(this.#masks);
    lengths.set(this.#lengths);
    this.#masks = masks;
    this.#lengths = lengths;
  }
}

/** A bit per kind of character: 26 letters, and the rest spread over six bits. */
function letters(word: string): number {
  let mask = 0;
  for (let at = 0; at < word.length; at++) {
    const code = word.codePointAt(at) ?? 0;
    if (code > 0xffff) at++;
    mask |= code >= 97 && code <= 122 ? 1 << (code - 97) : 1 << (26 + (code % 6));
  }
  return mask;
}

function bits(mask: number): number {
  let rest = mask - ((mask >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return (((rest + (rest >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
