import { beginningWith, type FuzzyWord } from "../../../search/index.ts";
import { raw, sql } from "../../../sql/index.ts";
import { type Statements, sqliteText } from "../../../sqlite/index.ts";
import { WordList } from "../../words/word-list.ts";
import type { WordTables } from "../tables/layout.ts";
import { unplanned } from "../tables/unplanned.ts";

/** How many words are read at once, which takes about ten milliseconds. */
const batchSize = 10_000;

/** The words of one field that the file has. */
export class Vocabulary {
  readonly #statements: Statements;
  readonly #tables: WordTables;
  readonly #list: WordList;
  #last = 0;

  /** @param did is called with the work that was done, in looks at a record; it may throw to stop a search */
  constructor(statements: Statements, tables: WordTables, did: (looks: number) => void) {
    this.#statements = statements;
    this.#tables = tables;
    this.#list = new WordList(did);
  }

  /**
   * Reads the words that were added since the last call. Words are never removed, so nothing else can have changed.
   *
   * @param check is called between batches; when it throws, the words read so far are kept
   */
  refresh(check: () => void): void {
    while (this.#readBatch()) check();
  }

  /** As `WordList.containing`. */
  containing(text: string, most: number): string[] | undefined {
    return this.#list.containing(text, most);
  }

  /** As `WordList.near`. */
  near(wanted: FuzzyWord, most: number): string[] | undefined {
    return this.#list.near(wanted, most, (text, some) => this.#beginning(text, some));
  }

  /** @returns whether there may be more words */
  #readBatch(): boolean {
    const found = this.#statements
      .get(`SELECT id, word FROM ${this.#tables.vocabulary} WHERE id > ? ORDER BY id LIMIT ${batchSize}`)
      .raw()
      .all(this.#last) as [number, string][];
    this.#last = found.at(-1)?.[0] ?? this.#last;
    if (found.length > 0) this.#list.add(found.map(([, word]) => word));
    return found.length === batchSize;
  }

  #beginning(text: string, most: number): string[] {
    const { from, to } = beginningWith(text);
    const range = to === undefined ? sql`word >= ${from}` : sql`word >= ${from} AND word < ${to}`;
    const { text: found, params } = sqliteText(
      sql`SELECT word FROM ${raw(this.#tables.vocabulary)} WHERE ${range} LIMIT ${unplanned(most)}`,
    );
    return this.#statements
      .get(found)
      .pluck()
      .all(...params) as string[];
  }
}
