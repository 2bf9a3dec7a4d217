import type { Connection, Statements } from "../../../sqlite/index.ts";
import { type EntityId, entityName } from "../../catalogue.ts";
import { allScopes } from "../../works/counts.ts";
import type { Layout } from "../tables/layout.ts";
import type { EntityWriter } from "./entity-writer.ts";

// Decision 9 in runtime/site/text/decisions.md says why: the first load of a large scope builds its indexes at the end.

// Every record that is saved changes about twenty pages of indexes. While a scope is read for the first time, it is much faster to save the
// records alone and to make indexes and words at the end, when the engine can sort them. Meanwhile searches test every record.

/** How many records a scope must have before its entity is loaded without indexes. Smaller scopes are not worth the two changes. */
const worthLoading = 5_000;
/** Records whose words are written in one step. */
const wordsAtOnce = 5_000;

/** Begins and ends the loading of many records into an entity. It runs in the caller's transactions. */
export class BulkLoad {
  readonly #db: Connection;
  readonly #statements: Statements;
  readonly #least: number;
  /**
   * Entities that were loaded by this writer. Each is loaded once, so that a sync that fails again and again does not make indexes each
   * time.
   */
  readonly #done = new Set<string>();

  constructor(db: Connection, statements: Statements, least = worthLoading) {
    this.#db = db;
    this.#statements = statements;
    this.#least = least;
  }

  /** The id up to which the records of an entity have their words; null when all have them, and the indexes are there. */
  of(entity: EntityId): number | null {
    const found = this.#statements.get("SELECT loading FROM store_entities WHERE name = ?").pluck().get(entityName(entity));
    return (found as number | null | undefined) ?? null;
  }

  /** How many records an entity has in all instances. */
  recordsOf({ connector, entity }: EntityId): number {
    const sum =
      "SELECT coalesce(sum(c.records), 0) FROM store_counts c JOIN store_instances i ON i.id = c.inst WHERE i.connector = ? AND c.entity = ? AND c.scope = ?";
    return Number(this.#statements.get(sum).pluck().get(connector, entity, allScopes));
  }

  /** Whether any instance of an entity's connector is synced now. */
  isSynced({ connector }: EntityId): boolean {
    const until = "SELECT max(l.until) FROM store_leases l JOIN store_instances i ON i.id = l.inst WHERE i.connector = ?";
    return Number(this.#statements.get(until).pluck().get(connector) ?? 0) > Date.now();
  }

  /** Whether the indexes of an entity are in the way: most of its records are of a scope that is read for the first time. */
  isWorth(entity: EntityId, scope: number, all: number): boolean {
    return scope >= this.#least && scope * 2 >= all && !this.#done.has(entityName(entity));
  }

  /** Drops the indexes of an entity. */
  begin(entity: EntityId, { narrow, indexes }: Layout): void {
    for (const { name } of indexes) this.#db.exec(`DROP INDEX IF EXISTS ${name}`);
    this.#statements
      .get(`UPDATE store_entities SET loading = (SELECT coalesce(max(id), 0) FROM ${narrow}) WHERE name = ?`)
      .run(entityName(entity));
  }

  /** Does one step of making the indexes and the words. @returns whether more steps are needed */
  settle(entity: EntityId, { indexes }: Layout, writer: EntityWriter): boolean {
    const from = this.of(entity);
    if (from === null) return false;
    this.#done.add(entityName(entity));
    const there = new Set(this.#db.prepare("SELECT name FROM sqlite_schema WHERE type = 'index'").pluck().all());
    const missing = indexes.find(({ name }) => !there.has(plain(name)));
    if (missing !== undefined) {
      this.#db.exec(missing.create);
      return true;
    }
    const last = writer.loadWords(from, wordsAtOnce);
    const more = last !== undefined || writer.addVocabulary();
    this.#statements
      .get("UPDATE store_entities SET loading = ? WHERE name = ?")
      .run(more ? (last ?? from) : null, entityName(entity));
    return more;
  }
}

/** The name without its quotes. */
function plain(name: string): string {
  return name.slice(1, -1).replaceAll('""', '"');
}
