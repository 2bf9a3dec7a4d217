import type { Statements } from "../../../sqlite/index.ts";
import { entityName } from "../../catalogue.ts";
import type { Collection } from "../../store.ts";
import type { Layout } from "../tables/layout.ts";

/** How many pages of a word index one step writes. They are few, so that other calls need not wait long. */
const piecePages = 500;
/** Share of an entity's records that must have been written since the last merge, so that another one is worth the time. */
const worthMerging = 0.2;

/**
 * Merges the pieces of an entity's word indexes, some pages in each step. A search reads every piece for each of its words, so fewer
 * pieces make it faster.
 */
export class WordMerge {
  readonly #statements: Statements;
  /** How many records were written since the word indexes of an entity were last merged, by the entity's name. */
  readonly #written = new Map<string, number>();

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** Notes that records of an entity were written. */
  wrote(collection: Collection, records: number): void {
    const name = entityName(collection);
    this.#written.set(name, (this.#written.get(name) ?? 0) + records);
  }

  /** Whether a merge of an entity is worth the time. @param all how many records it has */
  isWorth(collection: Collection, all: number): boolean {
    return (this.#written.get(entityName(collection)) ?? 0) >= worthMerging * all;
  }

  /** Does one step. @param begin whether to start a merge of all pieces @returns whether more steps are needed */
  step(collection: Collection, layout: Layout, begin: boolean): boolean {
    if (begin) this.#written.delete(entityName(collection));
    let more = false;
    for (const { words } of layout.columns.values()) {
      if (words === undefined) continue;
      const before = this.#changes();
      this.#statements
        .get(`INSERT INTO ${words.index} (${words.index}, rank) VALUES ('merge', ?)`)
        .run(begin ? -piecePages : piecePages);
      // The engine reports one change even when it has done nothing.
      if (this.#changes() - before >= 2) more = true;
    }
    return more;
  }

  #changes(): number {
    return Number(this.#statements.get("SELECT total_changes()").pluck().get());
  }
}
