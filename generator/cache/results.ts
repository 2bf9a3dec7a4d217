import { createHash } from "node:crypto";

/**
 * Results of earlier work. Each is kept under a key that is a hash of everything that the result was made from. A result can
 * therefore never be out of date: when one byte of what it was made from changes, the key is another, nothing is found under
 * it, and the work is done again.
 */
export class Results {
  /** The least recently used result comes first. */
  readonly #values: Map<string, unknown>;
  #added = false;

  constructor(values: Iterable<readonly [key: string, value: unknown]> = []) {
    this.#values = new Map(values);
  }

  /** The result that is kept under a key. The caller knows its type, because the key names the kind of result. */
  find<Value>(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value as Value;
  }

  /** Keeps a result, which must consist of plain JSON values, and gives it back. */
  keep<Value>(key: string, value: Value): Value {
    this.#values.set(key, value);
    this.#added = true;
    return value;
  }

  /** Whether `keep` was called, so that saving is worth it. */
  get added(): boolean {
    return this.#added;
  }

  /** All results, the most recently used first. */
  newestFirst(): (readonly [key: string, value: unknown])[] {
    return [...this.#values].reverse();
  }
}

/** Key of a result. Each input is hashed with its length, so that two lists of inputs never look the same when joined. */
export function keyOf(kind: string, ...inputs: readonly string[]): string {
  const hash = createHash("sha256");
  for (const input of inputs) hash.update(`${Buffer.byteLength(input)}:`).update(input);
  return `${kind} ${hash.digest("base64url")}`;
}
