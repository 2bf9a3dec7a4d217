import type { RecordObject } from "../../../search/index.ts";
import { nothingSaved, type PageResult } from "../../store.ts";
import type { Layout } from "../tables/layout.ts";
import { rowOf } from "./rows.ts";

/** A record with one of its memberships. */
export interface FoundRecord {
  readonly record: RecordObject;
  /** As `keyOf` makes it. */
  readonly key: string;
  /** Key of the parent, which is the record for which it was read; empty where it belongs to the scope itself. */
  readonly parent: string;
}

/** A record of a page that was in the scope before. */
export interface KnownRecord {
  readonly k: string;
  /** Whether the sync run has seen it. */
  readonly seen: boolean;
  /** The parents below which the sync run has seen it, as far as the page has something below them. */
  readonly memberships: readonly string[] | null;
}

/**
 * Counts what saving the records of a page does: each once for each membership, and those that came before in this sync run with other
 * content.
 */
export class PageCounts {
  readonly #layout: Layout;
  /** Places in which the sync run has seen a record. */
  readonly #memberships = new Set<string>();
  /** Keys of records that the sync run has seen, each with the record where the digest does not tell whether it is the same. */
  readonly #seen = new Map<string, RecordObject | undefined>();
  readonly #result = { ...nothingSaved };

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /**
   * Takes what the sync run has seen on the pages before.
   *
   * @param known records that it has seen
   * @param records with these keys as they are stored; needed only where the entity has relation fields
   */
  begin(known: readonly KnownRecord[], records: ReadonlyMap<string, RecordObject>): void {
    for (const { k, memberships } of known) {
      this.#seen.set(k, records.get(k));
      for (const parent of memberships ?? []) this.#memberships.add(membershipKey(k, parent));
    }
  }

  /** @param before digest of the stored record; undefined where there is none @param digest of the record that replaces it */
  add({ record, key, parent }: FoundRecord, before: string | undefined, digest: string): void {
    const membership = membershipKey(key, parent);
    const seen = this.#memberships.has(membership);
    if (before !== digest && this.#seen.has(key) && this.#differs(this.#seen.get(key), record)) this.#result.repeated++;
    else if (!seen) this.#result[before === undefined ? "inserted" : before === digest ? "unchanged" : "changed"]++;
    this.#memberships.add(membership);
    this.#seen.set(key, this.#layout.relations.length === 0 ? undefined : record);
  }

  get result(): PageResult {
    return this.#result;
  }

  /** Whether two records with different digests differ in fields that do not depend on where they were found. */
  #differs(before: RecordObject | undefined, record: RecordObject): boolean {
    const { relations } = this.#layout;
    if (before === undefined) return relations.length === 0;
    const without = Object.fromEntries(relations.map((field) => [field, []]));
    const contentOf = (one: RecordObject) => rowOf(this.#layout, 0, { ...one, ...without }).digest;
    return contentOf(before) !== contentOf(record);
  }
}

function membershipKey(key: string, parent: string): string {
  return JSON.stringify([key, parent]);
}
