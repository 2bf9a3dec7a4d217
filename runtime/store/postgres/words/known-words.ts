import { BoundedMap } from "../../../base/bounded-map.ts";
import { TokenSet } from "./token-set.ts";
import { type TokenList, tokensOf } from "./word-tokens.ts";

/** A word of a field, by the number of the field. */
export interface FieldWord {
  readonly field: number;
  readonly word: string;
}

/** How many words are remembered of an entity, and of how many entities. */
const mostWords = 300_000;
const mostEntities = 20;

/**
 * Words that a vocabulary is known to have, so that they need not be sent to the database again. Words are never removed from one. They are
 * remembered by their tokens; of two words with the same one, the second would be missing there.
 */
export class KnownWords {
  readonly #inst: number;
  readonly #fields = new Map<number, TokenSet>();

  /** @param inst the id of the instance */
  constructor(inst: number) {
    this.#inst = inst;
  }

  /** The words of rows that the vocabulary may lack, each once. */
  unknown(rows: readonly { readonly words: ReadonlyMap<number, TokenList> }[]): FieldWord[] {
    const found = new Map<number, Set<string>>();
    for (const { words: fields } of rows)
      for (const [field, { words, tokens }] of fields) {
        const known = this.#fields.get(field);
        const own = found.get(field) ?? new Set();
        found.set(field, own);
        for (const [index, word] of words.entries())
          if (known?.has(tokens[2 * index] ?? 0, tokens[2 * index + 1] ?? 0) !== true) own.add(word);
      }
    return [...found].flatMap(([field, words]) => [...words].map((word) => ({ field, word })));
  }

  /** Remembers words that were committed. */
  add(words: readonly FieldWord[]): void {
    const count = [...this.#fields.values()].reduce((sum, { size }) => sum + size, words.length);
    if (count > mostWords) this.#fields.clear();
    for (const [field, own] of Map.groupBy(words, (one) => one.field)) {
      const known = this.#fields.get(field) ?? new TokenSet();
      this.#fields.set(field, known);
      const { tokens } = tokensOf(
        this.#inst,
        own.map(({ word }) => word),
      );
      for (let at = 0; at < tokens.length; at += 2) known.add(tokens[at] ?? 0, tokens[at + 1] ?? 0);
    }
  }
}

/** What is known of the vocabularies that this process has written to last. */
export class KnownVocabularies {
  readonly #kept = new BoundedMap<string, KnownWords>(mostEntities);

  /** @param table of the vocabulary, and what tells it from another one that had the same name before */
  of(inst: number, table: string): KnownWords {
    return this.#kept.getOrMake(`${inst} ${table}`, () => new KnownWords(inst));
  }
}
