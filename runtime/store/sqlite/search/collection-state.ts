import { BoundedMap } from "../../../base/bounded-map.ts";
import type { Statements } from "../../../sqlite/index.ts";
import { entityName } from "../../catalogue.ts";
import type { Collection } from "../../store.ts";
import { allScopes } from "../../works/counts.ts";
import type { Catalogue } from "../tables/catalogue.ts";
import type { Layout } from "../tables/layout.ts";
import { anotherSpec } from "../tables/store-error.ts";
import { readSyncState, type SyncState } from "./collection-sync.ts";

/** What a search needs of a collection beside its records. */
export interface CollectionState {
  readonly layout: Layout;
  /** The id of the instance; undefined when nothing was ever stored. */
  readonly instance: number | undefined;
  readonly records: number;
  readonly sync: SyncState;
}

/** How many collections are kept. */
const mostKept = 1_000;

/**
 * Reads the states of collections on a connection that never writes. Each is kept until another connection has changed the file, because
 * the small statements that read it take longer than a cheap search.
 */
export class CollectionStates {
  readonly #statements: Statements;
  readonly #catalogue: Catalogue;
  readonly #kept = new BoundedMap<string, CollectionState>(mostKept);
  #version: unknown;

  constructor(statements: Statements, catalogue: Catalogue) {
    this.#statements = statements;
    this.#catalogue = catalogue;
  }

  /**
   * Must be called in a transaction: the state is that of the file which the transaction sees.
   *
   * @throws TenonError `store_unusable` for tables of another spec
   */
  of(collection: Collection): CollectionState {
    const version = this.#statements.get("PRAGMA data_version").pluck().get();
    if (version !== this.#version) this.#kept.clear();
    this.#version = version;
    const key = `${collection.connector}\n${collection.instance}\n${collection.entity}`;
    return this.#kept.getOrMake(key, () => this.#read(collection));
  }

  #read(collection: Collection): CollectionState {
    const { connector, instance, entity } = collection;
    const tables = this.#statements
      .get("SELECT version, loading FROM store_entities WHERE name = ?")
      .get(entityName(collection)) as { readonly version: unknown; readonly loading: unknown } | undefined;
    const layout = typeof tables?.loading === "number" ? this.#catalogue.bare(collection) : this.#catalogue.layout(collection);
    if (tables !== undefined && tables.version !== layout.version) throw anotherSpec(entity);
    const id = this.#statements
      .get("SELECT id FROM store_instances WHERE connector = ? AND name = ?")
      .pluck()
      .get(connector, instance) as number | undefined;
    const count = "SELECT records FROM store_counts WHERE inst = likely(?) AND entity = likely(?) AND scope = likely(?)";
    return {
      layout,
      instance: tables === undefined ? undefined : id,
      records: id === undefined ? 0 : Number(this.#statements.get(count).pluck().get(id, entity, allScopes) ?? 0),
      sync: readSyncState(this.#statements, id, entity),
    };
  }
}
