import { TenonError } from "../base/errors.ts";
import type { FieldTree } from "../contract/index.ts";
import { compareTexts } from "../search/index.ts";
import { contextOf } from "../semantic/context.ts";
import { chosen } from "./answer.ts";
import type { Hit, HitMetadata, HitPosition, SemanticQuery } from "./semantic.ts";
import type { Collection } from "./store.ts";

/** The order of the hits: by score, then by the keys of the records, then by the places of the passages. */
export function comparePlaces(
  a: Pick<HitPosition, "score" | "key" | "at">,
  b: Pick<HitPosition, "score" | "key" | "at">,
): number {
  if (a.score !== b.score) return b.score - a.score;
  return compareTexts(a.key, b.key) || a.at - b.at;
}

/** A passage with its score and its place in the text of its record. */
export interface PlacedPassage {
  readonly score: number;
  readonly at: number;
  readonly end: number;
}

/**
 * Of all passages of a text that are as near to the prompt as the worst of them: the offsets of those whose context no better one has too.
 * In a short text, all passages have the same context.
 */
export function distinctPassages(text: string, passages: readonly PlacedPassage[], contextSize: number): ReadonlySet<number> {
  const contexts = new Set<string>();
  const kept = new Set<number>();
  for (const passage of passages.toSorted((a, b) => b.score - a.score || a.at - b.at)) {
    const context = contextOf(text, passage, contextSize);
    if (!contexts.has(context)) kept.add(passage.at);
    contexts.add(context);
  }
  return kept;
}

/** The `metadata` of a hit. The text may have changed since its passages were embedded. */
export function hitMetadata(text: string, { score, at, end }: PlacedPassage, contextSize: number): HitMetadata {
  const context = contextOf(text, { at, end }, contextSize);
  return { score, context, start: Math.min(at, text.length), end: Math.min(end, text.length) };
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

/** Makes hits until they have as many bytes of JSON as an answer may have. */
export function hitsWithin<Found>(
  found: readonly Found[],
  { bytes = Number.POSITIVE_INFINITY }: SemanticQuery,
  make: (one: Found) => Hit,
): Hit[] {
  const hits: Hit[] = [];
  let left = bytes;
  for (const one of found) {
    const hit = make(one);
    if (bytes < Number.POSITIVE_INFINITY) left -= Buffer.byteLength(JSON.stringify(hit));
    if (left < 0 && hits.length > 0) break;
    hits.push(hit);
  }
  return hits;
}

/** The error where nothing was synced. It names no time, because waiting does not help. */
export function notSynced({ entity }: Collection, { field, howToSync = "" }: SemanticQuery): TenonError {
  const message = `Nothing of ${entity} was synced yet, so ${field} cannot be searched by meaning. ${howToSync}`;
  return new TenonError("semantic_index_not_ready", message.trim());
}

/** @param texts how many texts there are, and how many of them wait; fewer than none where the model has no index at all */
export function notReady(
  { entity }: Collection,
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
