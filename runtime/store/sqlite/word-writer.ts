import { wordsOf } from "../../search/index.ts";
import type { Statements } from "./connection.ts";
import type { WordTables } from "./layout.ts";
import type { SqlValue } from "./sql.ts";

interface Pending {
  readonly text: SqlValue;
  /** Whether the index may have words of the record already. */
  readonly known: boolean;
}

/** Words known to be in a vocabulary: asking the table for each word of each record would cost more than all else. */
const mostKnown = 1_000_000;

/**
 * Keeps the index of one field's words and its vocabulary. Changes are collected and written in the order of the ids: every step
 * back would make the index close its present piece and begin another one, which costs a hundred times more than a change.
 */
export class WordWriter {
  readonly field: string;
  readonly #statements: Statements;
  readonly #insert: string;
  readonly #remove: string;
  readonly #addWord: string;
  readonly #pending = new Map<number, Pending>();
  readonly #known = new Set<string>();

  constructor(statements: Statements, { field, index, vocabulary }: WordTables) {
    this.field = field;
    this.#statements = statements;
    this.#insert = `INSERT INTO ${index} (rowid, words) VALUES (?, ?)`;
    this.#remove = `DELETE FROM ${index} WHERE rowid = ?`;
    this.#addWord = `INSERT OR IGNORE INTO ${vocabulary} (word) VALUES (?)`;
  }

  add(id: number, text: SqlValue): void {
    // Where a record was just removed, its id may be given again.
    this.#pending.set(id, { text, known: this.#pending.get(id)?.known ?? false });
  }

  change(id: number, text: SqlValue): void {
    this.#pending.set(id, { text, known: this.#pending.get(id)?.known ?? true });
  }

  /** Writes what was collected. Has to be called before the transaction ends. */
  flush(): void {
    const changes = [...this.#pending].sort(([a], [b]) => a - b);
    this.#pending.clear();
    for (const [id, { text, known }] of changes) {
      if (known) this.#statements.get(this.#remove).run(id);
      const words = typeof text === "string" ? [...new Set(wordsOf(text))] : [];
      if (words.length === 0) continue;
      this.#statements.get(this.#insert).run(id, words.join(" "));
      this.#learn(words);
    }
  }

  /** After a rollback nobody knows which words are in the file. */
  forget(): void {
    this.#pending.clear();
    this.#known.clear();
  }

  /** Brings new words into the vocabulary. */
  #learn(words: readonly string[]): void {
    if (this.#known.size > mostKnown) this.#known.clear();
    for (const word of words) {
      if (this.#known.has(word)) continue;
      this.#statements.get(this.#addWord).run(word);
      this.#known.add(word);
    }
  }
}
