import { codePointLength } from "../../base/text.ts";
import { type FuzzyWord, fuzzyMatches, letterMask, lettersNear, masksNear, repeatedMask } from "../../search/index.ts";

/** When there are more pieces of text than this, they are joined into one. */
const mostPieces = 16;

/** How many words are compared, and how many characters are searched, in the time of one look at a record. */
const wordsPerLook = 100;
const charactersPerLook = 2_000;

/** Words of one length whose letters have the same short mask. */
interface Group {
  readonly words: string[];
  /** The mask of each word's letters, and that of its repeated letters, as `letterMask` and `repeatedMask` make them. */
  readonly masks: number[];
  readonly repeated: number[];
}

/** Words of one length. Most groups are ruled out by their short masks, and with each all of its words. */
interface Bucket {
  readonly byMask: Map<number, Group>;
  /** The same groups and their short masks, in the same order. */
  readonly groups: Group[];
  readonly shortMasks: number[];
}

/** Keeps the words of one field in memory, so that similar words and words that contain a text are found without reading the index. */
export class WordList {
  /**
   * All words, decomposed and separated by line breaks, in pieces as they were read. Words of Latin letters are kept apart, because texts
   * with only Latin letters take half the memory.
   */
  readonly #texts: { readonly latin: string[]; readonly other: string[] } = { latin: [], other: [] };
  /** Buckets by number of code points. */
  readonly #buckets = new Map<number, Bucket>();
  readonly #did: (looks: number) => void;

  /** @param did is called with the work that was done, in looks at a record; it may throw to stop a search */
  constructor(did: (looks: number) => void) {
    this.#did = did;
  }

  /** Adds words that the list does not have. */
  add(found: readonly string[]): void {
    const decomposed = { latin: [] as string[], other: [] as string[] };
    for (const word of found) {
      this.#keep(word);
      const text = word.normalize("NFD");
      decomposed[isLatin(text) ? "latin" : "other"].push(text);
    }
    for (const kind of ["latin", "other"] as const) {
      const texts = this.#texts[kind];
      if (decomposed[kind].length > 0) texts.push(`\n${decomposed[kind].join("\n")}\n`);
      if (texts.length > mostPieces) texts.splice(0, texts.length, texts.join(""));
    }
  }

  /**
   * Finds the words that contain a text. `"\n"` before or after the text means the beginning or the end of the word.
   *
   * @returns undefined when more than `most` words are found
   */
  containing(text: string, most: number): string[] | undefined {
    const found = new Set<string>();
    for (const all of [...(isLatin(text) ? this.#texts.latin : []), ...this.#texts.other]) {
      for (let at = all.indexOf(text); at >= 0; ) {
        const start = text.startsWith("\n") ? at + 1 : all.lastIndexOf("\n", at) + 1;
        const end = all.indexOf("\n", text.endsWith("\n") ? at + text.length - 1 : at + text.length);
        found.add(all.slice(start, end).normalize("NFC"));
        if (found.size > most) return undefined;
        at = all.indexOf(text, end);
      }
      this.#did(all.length / charactersPerLook);
    }
    return [...found];
  }

  /**
   * Finds the words that fit a word of a fuzzy search.
   *
   * @param beginning finds some words that begin with a text; an index does that faster than this list
   * @returns undefined when more than `most` words are found
   */
  near(
    wanted: FuzzyWord,
    most: number,
    beginning: (text: string, most: number) => string[] = (text, some) => this.#beginning(text, some),
  ): string[] | undefined {
    const found = new Set<string>();
    if (wanted.prefix) {
      const begin = beginning(wanted.text, most + 1);
      if (begin.length > most) return undefined;
      for (const word of begin) found.add(word);
    }
    const { distance, text } = wanted;
    if (distance === 0) return [...found.add(text)];
    const mask = letterMask(text);
    const repeats = repeatedMask(text);
    const short = shortMask(mask);
    const length = codePointLength(text);
    for (let other = length - distance; other <= length + distance; other++) {
      const { groups, shortMasks } = this.#buckets.get(other) ?? noWords;
      let looked = groups.length;
      for (let at = 0; at < groups.length; at++) {
        if (!masksNear(short, shortMasks[at] ?? 0, distance)) continue;
        const { words, masks, repeated } = groups[at] ?? noGroup;
        looked += words.length;
        for (let index = 0; index < words.length; index++) {
          if (!lettersNear(mask, masks[index] ?? 0, repeats, repeated[index] ?? 0, distance)) continue;
          const word = words[index] ?? "";
          if (!fuzzyMatches(wanted, word)) continue;
          found.add(word);
          if (found.size > most) return undefined;
        }
      }
      this.#did(looked / wordsPerLook);
    }
    return [...found];
  }

  #beginning(text: string, most: number): string[] {
    const found: string[] = [];
    const mask = letterMask(text);
    for (const [length, { groups }] of this.#buckets) {
      if (length < codePointLength(text)) continue;
      for (const { words, masks } of groups) {
        for (let index = 0; index < words.length && found.length < most; index++)
          if ((mask & ~(masks[index] ?? 0)) === 0 && words[index]?.startsWith(text)) found.push(words[index] ?? "");
        this.#did(words.length / wordsPerLook);
      }
    }
    return found;
  }

  #keep(word: string): void {
    const length = codePointLength(word);
    let bucket = this.#buckets.get(length);
    if (bucket === undefined) {
      bucket = { byMask: new Map(), groups: [], shortMasks: [] };
      this.#buckets.set(length, bucket);
    }
    const mask = letterMask(word);
    const short = shortMask(mask);
    let group = bucket.byMask.get(short);
    if (group === undefined) {
      group = { words: [], masks: [], repeated: [] };
      bucket.byMask.set(short, group);
      bucket.groups.push(group);
      bucket.shortMasks.push(short);
    }
    group.masks.push(mask);
    group.repeated.push(repeatedMask(word));
    group.words.push(word);
  }
}

const noGroup: Group = { words: [], masks: [], repeated: [] };
const noWords: Bucket = { byMask: new Map(), groups: [], shortMasks: [] };

/** Bits of a short mask. */
const shortBits = 12;

/** A shorter mask, in which several letters share a bit. One edit still adds at most one bit and removes at most one. */
function shortMask(mask: number): number {
  return (mask | (mask >>> shortBits) | (mask >>> (2 * shortBits))) & ((1 << shortBits) - 1);
}

/** Whether every character of a text takes one byte in memory. */
function isLatin(text: string): boolean {
  return /^[\0-\xff]*$/.test(text);
}
