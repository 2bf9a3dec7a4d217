import { BoundedMap } from "../base/bounded-map.ts";

/** Milliseconds after which something that nobody has seen any more counts as new. */
const lapse = 180_000;
const mostKeys = 1_000;

/** Remembers since when something is seen to be wrong: in memory, and in bounds. */
export class FirstSeen {
  readonly #seen = new BoundedMap<string, { readonly first: number; last: number }>(mostKeys);

  /** Notes that something is wrong now. @returns since when (milliseconds since 1970) */
  note(key: string, now = Date.now()): number {
    const known = this.#seen.get(key);
    const first = known !== undefined && now - known.last <= lapse ? known.first : now;
    this.#seen.set(key, { first, last: now });
    return first;
  }
}
