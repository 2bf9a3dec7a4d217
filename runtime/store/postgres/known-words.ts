import type { Row } from "./rows.ts";

/** A word of a field, by the number of the field. */
export interface FieldWord {
  readonly field: number;
  readonly word: string;
}

/** How many words are remembered of an entity, and of how many entities. */
const mostWords = 300_000;
const mostEntities = 20;
/** A part of a longer text keeps all of that text in memory, unless it is shorter than this. */
const copiedFrom = 13;

/** Words that a vocabulary is known to have, so that they need not be sent to the database again. Words are never removed from one. */
export class KnownWords {
  readonly #fields = new Map<number, Set<string>>();
  #count = 0;

  /** The words of rows that the vocabulary may lack, each once. */
  unknown(rows: readonly Row[]): FieldWord[] {
    const found: FieldWord[] = [];
    const fresh = new Map<number, Set<string>>();
    for (const { words } of rows)
      for (const [field, list] of words) {
        const known = this.#fields.get(field);
        const own = fresh.get(field) ?? new Set();
        fresh.set(field, own);
        for (const word of list) {
          if (known?.has(word) === true || own.has(word)) continue;
          own.add(word);
          found.push({ field, word });
        }
      }
    return found;
  }

  /** Remembers words that were committed. */
  add(words: readonly FieldWord[]): void {
    this.#count += words.length;
    if (this.#count > mostWords) {
      this.#fields.clear();
      this.#count = words.length;
    }
    for (const { field, word } of words) {
      const known = this.#fields.get(field) ?? new Set();
      this.#fields.set(field, known.add(word.length < copiedFrom ? word : Buffer.from(word).toString()));
    }
  }
}

/** What is known of the vocabularies that this process has written to last. */
export class KnownVocabularies {
  readonly #kept = new Map<string, KnownWords>();

  /** @param table of the vocabulary, and what tells it from another one that had the same name before */
  of(inst: number, table: string): KnownWords {
    const key = `${inst} ${table}`;
    const known = this.#kept.get(key) ?? new KnownWords();
    this.#kept.delete(key);
    this.#kept.set(key, known);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostEntities && oldest !== undefined) this.#kept.delete(oldest);
    return known;
  }
}
