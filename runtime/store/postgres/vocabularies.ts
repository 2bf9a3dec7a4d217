import { type Queries, raw, sql } from "../../postgres/index.ts";
import { WordList } from "../word-list.ts";
import { vocabularyWord } from "./layout.ts";
import type { FieldOfWords } from "./word-lookups.ts";

/** How many words are read at once, which keeps other work of this process waiting for about ten milliseconds. */
const batchSize = 10_000;
/** How many vocabularies are kept in memory. */
const mostKept = 100;

/** How many words a process keeps in memory: of one field, and of all fields. */
export interface WordsInMemory {
  readonly field: number;
  readonly all: number;
}

/** A word takes about 60 bytes. */
export const wordsInMemory: WordsInMemory = { field: 1_000_000, all: 2_000_000 };

interface WordRow {
  readonly token: string;
  readonly word: string;
  readonly turn: number;
}

/** The words of one field of one instance in memory, up to a turn. */
class Vocabulary {
  count = 0;
  readonly #of: FieldOfWords;
  readonly #most: number;
  /** Undefined when the field has too many words. */
  #list: WordList | undefined = new WordList(() => undefined);
  #last: Pick<WordRow, "turn" | "token"> = { turn: 0, token: "" };
  #reading: Promise<void> = Promise.resolve();

  constructor(of: FieldOfWords, most: number) {
    this.#of = of;
    this.#most = most;
  }

  /** Reads the words that were added since the last call. Words are never removed, so nothing else can have changed. */
  async refresh(queries: Pick<Queries, "query">): Promise<WordList | undefined> {
    // One after the other, so that no word is added twice.
    const reading = this.#reading.then(() => this.#read(queries));
    this.#reading = reading.catch(() => undefined);
    await reading;
    return this.#list;
  }

  async #read(queries: Pick<Queries, "query">): Promise<void> {
    const { layout, inst, words } = this.#of;
    const of = sql`FROM ${raw(layout.vocabulary)} WHERE inst = ${inst} AND field = ${words.number}`;
    if (this.count === 0 && this.#list !== undefined) {
      const beyond = await queries.query(sql`SELECT 1 ${of} ORDER BY token OFFSET ${this.#most} LIMIT 1`);
      if (beyond.length > 0) this.#list = undefined;
    }
    while (this.#list !== undefined) {
      const { turn, token } = this.#last;
      const rows = await queries.query<WordRow>(
        sql`SELECT token, ${raw(vocabularyWord)} AS word, turn ${of}
          AND turn >= ${turn} AND (turn, token) > (${turn}, ${token}) ORDER BY turn, token LIMIT ${batchSize}`,
      );
      this.#last = rows.at(-1) ?? this.#last;
      this.count += rows.length;
      this.#list.add(rows.map(({ word }) => word));
      if (this.count > this.#most) {
        this.#list = undefined;
        this.count = 0;
      }
      if (rows.length < batchSize) return;
    }
  }
}

/** The words of the fields that were searched last. Each process has them in memory and reads what was added to the tables. */
export class Vocabularies {
  readonly #most: WordsInMemory;
  readonly #kept = new Map<string, Vocabulary>();

  constructor(most: WordsInMemory) {
    this.#most = most;
  }

  /** The words of a field, with all that the caller's transaction sees; undefined for a field with too many words. */
  async words(queries: Pick<Queries, "query">, { layout, inst, words }: FieldOfWords): Promise<WordList | undefined> {
    const key = `${inst} ${words.number} ${layout.vocabulary}`;
    const vocabulary = this.#kept.get(key) ?? new Vocabulary({ layout, inst, words }, this.#most.field);
    this.#kept.delete(key);
    this.#kept.set(key, vocabulary);
    const list = await vocabulary.refresh(queries);
    this.#dropOldest();
    return list;
  }

  #dropOldest(): void {
    let words = [...this.#kept.values()].reduce((sum, { count }) => sum + count, 0);
    for (const [key, { count }] of this.#kept) {
      if (words <= this.#most.all && this.#kept.size <= mostKept) return;
      this.#kept.delete(key);
      words -= count;
    }
  }
}
