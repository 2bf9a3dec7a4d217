/** A map of at most so many entries: one more takes the place of the entry that was used longest ago. */
export class BoundedMap<Key, Value> {
  readonly #most: number;
  readonly #dropped: (value: Value) => void;
  /** The entry that was used longest ago comes first, once more than half of the room is taken. */
  readonly #entries = new Map<Key, Value>();

  /** @param dropped is called with a value that had to give way to another entry */
  constructor(most: number, dropped: (value: Value) => void = () => undefined) {
    this.#most = most;
    this.#dropped = dropped;
  }

  /** The value of a key, which counts as used now. */
  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    // While there is so much room, nothing has to give way soon.
    if (value !== undefined && this.#entries.size > this.#most / 2) this.#put(key, value);
    return value;
  }

  /** The value of a key, which is made where there is none. */
  getOrMake(key: Key, make: () => Value): Value {
    const known = this.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.set(key, made);
    return made;
  }

  set(key: Key, value: Value): void {
    this.#put(key, value);
    if (this.#entries.size <= this.#most) return;
    for (const [oldest, dropped] of this.#entries) {
      this.#entries.delete(oldest);
      this.#dropped(dropped);

      return;
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  get size(): number {
    return this.#entries.size;
  }

  #put(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
  }
}
