import { type Queries, raw, sql } from "../../postgres/index.ts";
import { WordList } from "../word-list.ts";
import type { Layout, WordColumn } from "./layout.ts";

/** How many words are read at once, which keeps other work of this process waiting for about ten milliseconds. */
const batchSize = 10_000;
/** How many vocabularies are kept in memory. */
const mostKept = 100;

interface WordRow {
  readonly token: string;
  readonly word: string | null;
  readonly turn: number;
}

/** The words of one field of one instance in memory, up to a turn. */
class Vocabulary {
  readonly list = new WordList(() => undefined);
  readonly #of: { readonly layout: Layout; readonly inst: number; readonly words: WordColumn };
  #last: Pick<WordRow, "turn" | "token"> = { turn: 0, token: "" };
  #reading: Promise<void> = Promise.resolve();

  constructor(of: { readonly layout: Layout; readonly inst: number; readonly words: WordColumn }) {
    this.#of = of;
  }

  /** Reads the words that were added since the last call. Words are never removed, so nothing else can have changed. */
  refresh(queries: Queries): Promise<void> {
    // One after the other, so that no word is added twice.
    const reading = this.#reading.then(() => this.#read(queries));
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  async #read(queries: Queries): Promise<void> {
    const { layout, inst, words } = this.#of;
    for (;;) {
      const { turn, token } = this.#last;
      const rows = await queries.query<WordRow>(
        sql`SELECT token, word, turn FROM ${raw(layout.vocabulary)} WHERE inst = ${inst} AND field = ${words.number}
          AND turn >= ${turn} AND (turn, token) > (${turn}, ${token}) ORDER BY turn, token LIMIT ${batchSize}`,
      );
      this.#last = rows.at(-1) ?? this.#last;
      this.list.add(rows.map((row) => row.word ?? row.token));
      if (rows.length < batchSize) return;
    }
  }
}

/** The words of the fields that were searched last. Each process has them in memory and reads what was added to the tables. */
export class Vocabularies {
  readonly #kept = new Map<string, Vocabulary>();

  /** The words of a field, with all that the caller's transaction sees. */
  async words(queries: Queries, layout: Layout, inst: number, words: WordColumn): Promise<WordList> {
    const key = `${inst} ${words.number} ${layout.vocabulary}`;
    const vocabulary = this.#kept.get(key) ?? new Vocabulary({ layout, inst, words });
    this.#kept.delete(key);
    this.#kept.set(key, vocabulary);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
    await vocabulary.refresh(queries);
    return vocabulary.list;
  }
}
