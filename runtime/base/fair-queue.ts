/**
 * A bounded queue in which callers take turns: however much one of them has waiting, the next item of another caller comes right after one
 * of its items. The items of one caller keep their order.
 */
export class FairQueue<Item> {
  readonly #most: number;
  /** The items by caller. The caller whose turn is next stands first. */
  readonly #lines = new Map<string, Item[]>();
  #size = 0;

  /** @param most items that may wait */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds an item. @returns the item for which there is no room: the newest of the caller who has most of them, which may be this one */
  add(caller: string, item: Item): Item | undefined {
    const line = this.#lines.get(caller) ?? [];
    line.push(item);
    this.#lines.set(caller, line);
    this.#size++;
    if (this.#size <= this.#most) return undefined;
    const newest = [...this.#lines.values()].reduce((longest, one) => (one.length > longest.length ? one : longest), line).at(-1);
    if (newest !== undefined) this.remove(newest);
    return newest;
  }

  /** Takes the next item out. */
  next(): Item | undefined {
    for (const [caller, line] of this.#lines) {
      const item = line.shift();
      this.#size--;
      this.#lines.delete(caller);
      // The caller's next turn comes after those of all others.
      if (line.length > 0) this.#lines.set(caller, line);
      return item;
    }
    return undefined;
  }

  remove(item: Item): void {
    for (const [caller, line] of this.#lines) {
      const index = line.indexOf(item);
      if (index < 0) continue;
      line.splice(index, 1);
      this.#size--;
      if (line.length === 0) this.#lines.delete(caller);
      return;
    }
  }

  /** Takes all items out. */
  clear(): Item[] {
    const items = [...this.#lines.values()].flat();
    this.#lines.clear();
    this.#size = 0;
    return items;
  }
}
