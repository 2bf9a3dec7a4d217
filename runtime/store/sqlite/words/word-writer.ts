import { isAscii, wordsOf } from "../../../search/index.ts";
import type { SqliteValue, Statements } from "../../../sqlite/index.ts";
import type { WordTables } from "../tables/layout.ts";

interface Pending {
  readonly text: SqliteValue;
  /** Whether the index may have words of the record already. */
  readonly known: boolean;
}

/** How many words of a vocabulary are kept in memory. Reading the table for each word of each record would take most of the time. */
const mostKnown = 1_000_000;
/** Words that are read from the index at once, to be added to the vocabulary. */
const wordsAtOnce = 5_000;
/** The engine cuts longer words, in bytes. */
const longestWord = 32_768;

/**
 * Writes the index of one field's words and its vocabulary. Changes are collected and written in the order of the ids. With an id lower
 * than the one before, the index would begin a new piece, which takes a hundred times as long as the change itself.
 */
export class WordWriter {
  readonly field: string;
  readonly #statements: Statements;
  readonly #insert: string;
  readonly #remove: string;
  readonly #addWord: string;
  /** The words of the index, as a table. */
  readonly #indexed: string;
  readonly #makeIndexed: string;
  readonly #pending = new Map<number, Pending>();
  /** Words that are in the vocabulary, and the number of the text in which each was last seen. */
  readonly #known = new Map<string, { turn: number }>();
  #turn = 0;
  /** The last word of the index that was added to the vocabulary. */
  #last = "";

  constructor(statements: Statements, { field, index, vocabulary, indexed }: WordTables) {
    this.field = field;
    this.#statements = statements;
    this.#insert = `INSERT INTO ${index} (rowid, words) VALUES (?, ?)`;
    this.#remove = `DELETE FROM ${index} WHERE rowid = ?`;
    this.#addWord = `INSERT OR IGNORE INTO ${vocabulary} (word) VALUES (?)`;
    this.#indexed = `temp.${indexed}`;
    this.#makeIndexed = `CREATE VIRTUAL TABLE IF NOT EXISTS ${this.#indexed} USING fts5vocab('main', ${index}, 'row')`;
  }

  add(id: number, text: SqliteValue): void {
    // The id may have belonged to a record that was removed in the same transaction.
    this.#pending.set(id, { text, known: this.#pending.get(id)?.known ?? false });
  }

  change(id: number, text: SqliteValue): void {
    this.#pending.set(id, { text, known: this.#pending.get(id)?.known ?? true });
  }

  /** Writes the collected changes. It must be called before the transaction ends. */
  flush(): void {
    const changes = [...this.#pending].sort(([a], [b]) => a - b);
    this.#pending.clear();
    for (const [id, { text, known }] of changes) {
      if (known) this.#statements.get(this.#remove).run(id);
      const words = typeof text === "string" ? this.#distinct(text, ++this.#turn) : "";
      if (words !== "") this.#statements.get(this.#insert).run(id, words);
    }
  }

  /**
   * Writes the words of a new record, but not into the vocabulary: `addVocabulary` must be called when all such records have been written.
   * That takes half the time, because the engine finds the words of most texts by itself.
   *
   * @param id higher than those before
   */
  load(id: number, text: SqliteValue): void {
    this.#last = "";
    if (typeof text !== "string") return;
    // In ASCII, a word is the same for the engine: letters and digits, in lower case.
    const words = isAscii(text) && text.length <= longestWord ? text : this.#distinct(text, ++this.#turn);
    if (words !== "") this.#statements.get(this.#insert).run(id, words);
  }

  /** Adds some words of the index to the vocabulary. @returns whether there may be more */
  addVocabulary(): boolean {
    this.#statements.get(this.#makeIndexed).run();
    const next = this.#statements.get(`SELECT term FROM ${this.#indexed} WHERE term > ? ORDER BY term LIMIT ?`).pluck();
    const words = next.all(this.#last, wordsAtOnce) as string[];
    for (const word of words) this.#statements.get(this.#addWord).run(word);
    this.#last = words.at(-1) ?? this.#last;
    return words.length === wordsAtOnce;
  }

  /** Drops collected changes and known words. It must be called after a rollback, because those words may not be in the file. */
  forget(): void {
    this.#pending.clear();
    this.#known.clear();
    this.#last = "";
  }

  /** The words of a text, each once. New words are added to the vocabulary. */
  #distinct(text: string, turn: number): string {
    if (this.#known.size > mostKnown) this.#known.clear();
    const words: string[] = [];
    for (const word of wordsOf(text)) {
      const known = this.#known.get(word);
      if (known?.turn === turn) continue;
      if (known === undefined) {
        this.#statements.get(this.#addWord).run(word);
        // A copy, because a long word would otherwise keep the whole text in memory.
        this.#known.set(` ${word}`.slice(1), { turn });
      } else known.turn = turn;
      words.push(word);
    }
    return words.join(" ");
  }
}
