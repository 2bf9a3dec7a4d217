/** A map of at most so many entries: one more takes the place of the entry that was used longest ago. */
export class BoundedMap<Key, Value> {
  readonly #most: number;
  /** The entry that was used longest ago comes first. */
  readonly #entries = new Map<Key, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  /** The value of a key, which counts as used now. */
  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.#put(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#put(key, value);
    if (this.#entries.size <= this.#most) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  get size(): number {
    return this.#entries.size;
  }

  #put(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
  }
}
