import { BoundedMap } from "../../../base/bounded-map.ts";
import type { PassageIndex } from "./passage-index.ts";

/** The passages that a filter allows. */
export interface Mask {
  /** For each slot of the index, 1 where it is left out. */
  readonly closed: Uint8Array;
  /** How many slots are not left out. */
  readonly open: number;
}

/** The mask of one filter. */
export interface MaskOfFilter {
  /** The mask, where it is worth making: when the same filter was used before, and nothing has changed since. */
  known(): Mask | undefined;
  make(): Mask;
}

/** How many filters are remembered. */
const most = 8;

interface Entry {
  /** State of the file for which the mask holds. */
  readonly version: number;
  readonly index: PassageIndex;
  readonly mask: Mask | undefined;
}

/** The masks of the filters that were used last. */
export class FilterMasks {
  readonly #entries = new BoundedMap<string, Entry>(most);

  /**
   * @param key identifies the filter and whose records it tests
   * @param version changes with each change of the file
   * @param find finds the ids of the records that the filter allows
   */
  of(key: string, version: number, index: PassageIndex, find: () => readonly number[]): MaskOfFilter {
    const entry = this.#entries.get(key);
    const again = entry !== undefined && entry.version === version && entry.index === index;
    const remember = (mask: Mask | undefined) => this.#entries.set(key, { version, index, mask });
    const make = () => {
      const mask = (again ? entry.mask : undefined) ?? maskOf(index, find());
      remember(mask);
      return mask;
    };
    if (!again) remember(undefined);
    return { make, known: () => (again ? make() : undefined) };
  }
}

function maskOf({ records, count, closed: empty }: PassageIndex, allowed: readonly number[]): Mask {
  const isAllowed = new Uint8Array(allowed.reduce((largest, id) => Math.max(largest, id), 0) + 1);
  for (const id of allowed) isAllowed[id] = 1;
  const closed = new Uint8Array(count);
  let open = 0;
  for (let slot = 0; slot < count; slot++)
    if (empty[slot] === 0 && isAllowed[records[slot] ?? 0] === 1) open++;
    else closed[slot] = 1;
  return { closed, open };
}
