import { BoundedMap } from "../../../base/bounded-map.ts";
import type { Queries } from "../../../postgres/index.ts";
import { raw, sql } from "../../../sql/index.ts";
import { WordList } from "../../words/word-list.ts";
import { vocabularyWord } from "../tables/layout.ts";
import type { FieldOfWords } from "./word-lookups.ts";

/** How many words are read at once, which keeps other work of this process waiting for about ten milliseconds. */
const batchSize = 10_000;
/** How many vocabularies are kept in memory. */
const mostKept = 100;

/** How many words a process keeps in memory, and for how long. */
export interface WordsInMemory {
  /** The most words of one field. */
  readonly field: number;
  /** The most words of all fields. */
  readonly all: number;
  /**
   * Milliseconds for which the words of a field stay after they were requested, although others have no room. So fields that have no room
   * together are not read in turn for every search.
   */
  readonly stay: number;
}

/** A word takes about 60 bytes. */
export const wordsInMemory: WordsInMemory = { field: 1_000_000, all: 2_000_000, stay: 60_000 };

interface WordRow {
  readonly token: string;
  readonly word: string;
  readonly revision: number;
}

/** The words of one field of one instance in memory, up to a revision. */
class Vocabulary {
  /** When its words were last asked for, as of `performance.now()`. */
  usedAt = performance.now();
  readonly #of: FieldOfWords;
  /** How many words the field had before they were read. */
  readonly #expected: number;
  readonly #list = new WordList(() => undefined);
  #read = 0;
  #last: Pick<WordRow, "revision" | "token"> = { revision: 0, token: "" };
  #reading: Promise<void> = Promise.resolve();

  constructor(of: FieldOfWords, expected: number) {
    this.#of = of;
    this.#expected = expected;
  }

  /** How many words it has, or will have when they are read. */
  get count(): number {
    return Math.max(this.#expected, this.#read);
  }

  /** Reads the words that were added since the last call. Words are never removed, so nothing else can have changed. */
  async refresh(queries: Pick<Queries, "query">): Promise<WordList> {
    // One after the other, so that no word is added twice.
    const reading = this.#reading.then(() => this.#readNew(queries));
    this.#reading = reading.catch(() => undefined);
    await reading;
    return this.#list;
  }

  async #readNew(queries: Pick<Queries, "query">): Promise<void> {
    for (;;) {
      const { revision, token } = this.#last;
      const rows = await queries.query<WordRow>(
        sql`SELECT token, ${raw(vocabularyWord)} AS word, revision ${wordsOfField(this.#of)}
          AND revision >= ${revision} AND (revision, token) > (${revision}, ${token}) ORDER BY revision, token LIMIT ${batchSize}`,
      );
      this.#last = rows.at(-1) ?? this.#last;
      this.#read += rows.length;
      this.#list.add(rows.map(({ word }) => word));
      if (rows.length < batchSize) return;
    }
  }
}

/** The words of the fields that were searched last. Each process has them in memory and reads what was added to the tables. */
export class Vocabularies {
  readonly #most: WordsInMemory;
  /** First the one that was used longest ago. */
  readonly #kept = new Map<string, Vocabulary>();
  /** When fields last had no room, as of `performance.now()`. */
  readonly #withoutRoom = new BoundedMap<string, number>(mostKept);

  constructor(most: WordsInMemory) {
    this.#most = most;
  }

  /** The words of a field, with all that the caller's transaction sees; undefined where there is no room for them in memory. */
  async words(queries: Pick<Queries, "query">, { layout, inst, words }: FieldOfWords): Promise<WordList | undefined> {
    const of = { layout, inst, words };
    const key = `${inst} ${words.number} ${layout.vocabulary}`;
    const vocabulary = this.#kept.get(key) ?? (await this.#begin(queries, of, key));
    if (vocabulary === undefined) return undefined;
    vocabulary.usedAt = performance.now();
    this.#kept.delete(key);
    this.#kept.set(key, vocabulary);
    const list = await vocabulary.refresh(queries);
    // New words may have come.
    if (vocabulary.count <= this.#most.field && this.#hasRoom(0, 0)) return list;
    this.#kept.delete(key);
    this.#withoutRoom.set(key, performance.now());
    return undefined;
  }

  /** Takes room for the words of a field before they are read, so that fields which are read at the same time have no more together. */
  async #begin(queries: Pick<Queries, "query">, of: FieldOfWords, key: string): Promise<Vocabulary | undefined> {
    const { field, stay } = this.#most;
    if (performance.now() - (this.#withoutRoom.get(key) ?? Number.NEGATIVE_INFINITY) < stay) return undefined;
    const [row] = await queries.query<{ count: number }>(
      sql`SELECT count(*) FROM (SELECT 1 ${wordsOfField(of)} ORDER BY token LIMIT ${field + 1}) AS counted`,
    );
    const count = row?.count ?? 0;
    // Another search may have begun meanwhile.
    const begun = this.#kept.get(key);
    if (begun !== undefined) return begun;
    if (count > field || !this.#hasRoom(1, count)) {
      this.#withoutRoom.set(key, performance.now());
      return undefined;
    }
    const vocabulary = new Vocabulary(of, count);
    this.#kept.set(key, vocabulary);
    return vocabulary;
  }

  /** Whether there is room for some vocabularies more with some words. Those that nobody has asked for lately give way. */
  #hasRoom(vocabularies: number, count: number): boolean {
    let words = [...this.#kept.values()].reduce((sum, one) => sum + one.count, count);
    const isFull = () => words > this.#most.all || this.#kept.size + vocabularies > mostKept;
    for (const [key, { count: own, usedAt }] of this.#kept) {
      if (!isFull() || performance.now() - usedAt < this.#most.stay) break;
      this.#kept.delete(key);
      words -= own;
    }
    return !isFull();
  }
}

function wordsOfField({ layout, inst, words }: FieldOfWords) {
  return sql`FROM ${raw(layout.vocabulary)} WHERE inst = ${inst} AND field = ${words.number}`;
}
