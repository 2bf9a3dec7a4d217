import type { ChangeKind } from "../contract/index.ts";
import type { RecordObject } from "../search/index.ts";

// The change log says which cached records were created, updated and deleted, in the order in which that was committed.

/** One change of a record. */
export interface Change {
  /** Position in the log of the instance. It grows by one with each change. */
  readonly sequence: number;
  readonly entity: string;
  /** Key of the record, as `keyText` makes it. */
  readonly key: string;
  /** The scope whose sync saw the change: `repository=octocat/hello-world`. */
  readonly scope: string;
  readonly kind: ChangeKind;
  /** Names of the fields that an update changed; empty for the other kinds. */
  readonly fields: readonly string[];
  /** When it was stored, in milliseconds since 1970. */
  readonly at: number;
}

/** A part of the log, in order. */
export interface ChangePage {
  /** Names the log. Sequence numbers of another log mean nothing in this one. Empty before the first change. */
  readonly log: string;
  /** The log has no changes before this one any longer. */
  readonly first: number;
  /** The sequence number of the next change that will be stored. */
  readonly next: number;
  readonly changes: readonly Change[];
  /** Where to go on reading: all changes before it are in this slice, or of other entities. */
  readonly position: number;
}

export interface ChangesQuery {
  /** Sequence number of the first change to read. */
  readonly from: number;
  /** The most changes to read. */
  readonly limit: number;
  /** Null for all entities. */
  readonly entities: readonly string[] | null;
}

/** How much of the log is kept. */
export interface ChangeRetention {
  /** Milliseconds for which a change is kept. */
  readonly time: number;
  /** Changes of one instance. */
  readonly entries: number;
}

export const defaultChangeRetention: ChangeRetention = { time: 7 * 86_400_000, entries: 1_000_000 };

export interface CurrentRecord {
  readonly key: string;
  /** JSON of the whole record. */
  readonly json: string;
}

/** What one transaction changes in an entity of a scope. It has each record once. */
export class ChangeNotes {
  readonly #notes = new Map<string, { kind: ChangeKind; fields: readonly string[] }>();

  /** @param key as it is stored */
  add(key: string, kind: ChangeKind, fields: readonly string[] = []): void {
    // Members in another order are no change.
    if (kind === "updated" && fields.length === 0) return;
    const before = this.#notes.get(key);
    // What is created and then updated in one transaction was never seen otherwise.
    if (before?.kind === "created" && kind === "updated") return;
    const both = before?.kind === "updated" && kind === "updated";
    this.#notes.set(key, { kind, fields: both ? [...new Set([...before.fields, ...fields])] : fields });
  }

  /** The changes of one kind, in the order in which they were added. */
  of(wanted: ChangeKind): { readonly key: string; readonly fields: readonly string[] }[] {
    return [...this.#notes].flatMap(([key, { kind, fields }]) => (kind === wanted ? [{ key, fields }] : []));
  }
}

/** Names of the members in which two records differ. */
export function differingFields(before: RecordObject, after: RecordObject): string[] {
  const names = Object.keys(before).filter((name) => !isSame(before[name] ?? null, after[name] ?? null));
  for (const name of Object.keys(after)) if (!Object.hasOwn(before, name) && (after[name] ?? null) !== null) names.push(name);
  return names;
}

/** Whether two values of JSON are equal. Texts, which may be long, are not copied for that. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  return JSON.stringify(one) === JSON.stringify(other);
}
