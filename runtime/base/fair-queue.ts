import { BoundedMap } from "./bounded-map.ts";

/** Callers of whom it is known when they had their last turn. */
const mostServed = 10_000;

/**
 * A bounded queue in which callers take turns: the next item is of the caller whose last turn is the longest ago. However much one of them
 * has waiting, the item of a caller who comes later waits for at most one item of each other. The items of one caller keep their order.
 */
export class FairQueue<Item> {
  readonly #most: number;
  /** The items by caller. */
  readonly #lines = new Map<string, Item[]>();
  /** The number of each caller's last turn. */
  readonly #served = new BoundedMap<string, number>(mostServed);
  #turns = 0;
  #size = 0;

  /** @param most items that may wait */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  /** Those who have items, in the order of their turns. */
  get callers(): readonly string[] {
    return [...this.#lines.keys()];
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

  /** Takes the next item out. @param may whether it may be the turn of a caller */
  next(may: (caller: string) => boolean = () => true): Item | undefined {
    const first = this.#order().find(([caller]) => may(caller));
    if (first === undefined) return undefined;
    const [caller, [item]] = first;
    if (item !== undefined) this.remove(item);
    this.served(caller);
    return item;
  }

  /** All items in the order in which {@link next} would take them out. */
  inTurn(): Item[] {
    const lines = this.#order().map(([, line]) => line);
    const items: Item[] = [];
    for (let turn = 0; items.length < this.#size; turn++)
      for (const line of lines) {
        const item = line[turn];
        if (item !== undefined) items.push(item);
      }
    return items;
  }

  /** Notes that a caller had a turn, also with something that did not wait here. */
  served(caller: string): void {
    this.#served.set(caller, ++this.#turns);
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

  /** The callers who have items, the next one first. */
  #order(): [caller: string, line: Item[]][] {
    const turnOf = (caller: string) => this.#served.get(caller) ?? 0;
    return [...this.#lines].sort(([a], [b]) => turnOf(a) - turnOf(b));
  }
}
