import { createHash } from "node:crypto";

/**
 * Results of earlier work. Each is kept under a key that is a hash of everything that the result was made from. A result can
 * therefore never be out of date: when one byte of what it was made from changes, the key is another, nothing is found under
 * it, and the work is done again.
 */
export class Results {
  /** The least recently used result comes first. */
  readonly #kept: Map<string, Kept>;
  #added = false;

  /** @param saved what `newestFirst` gave, in the opposite order */
  constructor(saved: Iterable<readonly [key: string, json: string]> = []) {
    this.#kept = new Map(Array.from(saved, ([key, json]) => [key, { json }]));
  }

  /** The result that is kept under a key. The caller knows its type, because the key names the kind of result. */
  find<Value>(key: string): Value | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    // Most of what is saved is not asked for, so it is not parsed before.
    if (!("value" in kept)) kept.value = JSON.parse(kept.json);
    return kept.value as Value;
  }

  /** Keeps a result, which must consist of plain JSON values, and gives it back. */
  keep<Value>(key: string, value: Value): Value {
    this.#kept.set(key, { value });
    this.#added = true;
    return value;
  }

  /** Whether `keep` was called, so that saving is worth it. */
  get added(): boolean {
    return this.#added;
  }

  /** All results as texts of JSON without line breaks, the most recently used first. */
  *newestFirst(): Generator<readonly [key: string, json: string]> {
    for (const [key, kept] of [...this.#kept].reverse()) yield [key, "json" in kept ? kept.json : JSON.stringify(kept.value)];
  }
}

type Kept = { readonly json: string; value?: unknown } | { readonly value: unknown };

/** Key of a result. Each input is hashed with its length, so that two lists of inputs never look the same when joined. */
export function keyOf(kind: string, ...inputs: readonly string[]): string {
  const hash = createHash("sha256");
  for (const input of inputs) hash.update(`${Buffer.byteLength(input)}:`).update(input);
  return `${kind} ${hash.digest("base64url")}`;
}
