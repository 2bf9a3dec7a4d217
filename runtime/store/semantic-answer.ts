import { TenonError } from "../base/errors.ts";
import type { FieldTree } from "../contract/index.ts";
import { compareTexts } from "../search/index.ts";
import { chosen } from "./answer.ts";
import type { HitPosition } from "./semantic.ts";
import type { Shelf } from "./store.ts";

/** The order of the hits: by score, then by the keys of the records, then by the places of the passages. */
export function comparePlaces(
  a: Pick<HitPosition, "score" | "key" | "at">,
  b: Pick<HitPosition, "score" | "key" | "at">,
): number {
  if (a.score !== b.score) return b.score - a.score;
  return compareTexts(a.key, b.key) || a.at - b.at;
}

/** The `entity` of a hit: the members of the spec's hit as strings, and chosen fields of the record as they are. */
export function hitEntity(
  record: Readonly<Record<string, unknown>>,
  hit: Readonly<Record<string, string>>,
  fields: FieldTree | null,
) {
  const member = (name: string) => {
    const value = record[hit[name] ?? ""] ?? null;
    return value === null ? null : String(value);
  };
  if (fields === null) return Object.fromEntries(Object.keys(hit).map((name) => [name, member(name)]));
  const own = new Map([...fields].filter(([name]) => !Object.hasOwn(hit, name)));
  const picked = chosen(record, own) as Readonly<Record<string, unknown>>;
  return Object.fromEntries([...fields.keys()].map((name) => [name, own.has(name) ? picked[name] : member(name)]));
}

export function notSynced({ entity }: Shelf, field: string): TenonError {
  const message = `Nothing of ${entity} was synced yet, so ${field} cannot be searched by meaning. Sync first, then ask again.`;
  return new TenonError("semantic_index_not_ready", message, { retryAfter: 5 });
}

/** @param texts how many texts there are, and how many of them wait; fewer than none where the model has no index at all */
export function notReady(
  { entity }: Shelf,
  field: string,
  { waiting, texts }: { readonly waiting: number; readonly texts: number },
): TenonError {
  const left = waiting < 0 ? texts : waiting;
  const what = left === 0 ? "the sync that reads the records has not ended" : `${texts - left} of ${texts} texts are embedded`;
  const message = `${field} of ${entity} is being prepared for search by meaning: ${what}. GET …/sync says how far it is.`;
  return new TenonError("semantic_index_not_ready", message, { retryAfter: 2 });
}

/** Measures the parts of a search in milliseconds. */
export class Clock {
  readonly times: Record<string, number> = {};
  #last = performance.now();

  note(part: string): void {
    const now = performance.now();
    this.times[part] = Math.round((now - this.#last) * 100) / 100;
    this.#last = now;
  }
}
