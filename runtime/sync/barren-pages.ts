import type { StorePlan } from "../contract/index.ts";
import { keyText, type RecordObject } from "../search/index.ts";
import type { ListPage } from "../store/store.ts";

// Decision 8 in runtime/site/text/decisions.md says why: a list ends after 20 pages that bring nothing new.

/** A list ends after so many pages in a row that go on but bring nothing new. Some platforms send a few pages without any record. */
const mostBarren = 20;
/** The most records of a walk that are remembered together, and the bits in which they are. */
const mostRecords = 2_000_000;
const bits = 2 ** 24;
const hashes = 3;

/**
 * Counts pages of a list that go on but bring no record that this walk has not seen. What the store has does not count, so that a list
 * which is read again from its beginning may bring what is stored. Records are kept as bits of their hashes (a Bloom filter), in 2 MiB
 * however many they are: by chance one of a hundred new records is taken for one that was seen, which is never all of 20 pages.
 */
export class BarrenPages {
  readonly #plan: StorePlan;
  #seen = new Uint8Array(0);
  #records = 0;
  #inARow = 0;

  constructor(plan: StorePlan) {
    this.#plan = plan;
  }

  /** Forgets what was seen: a list is read from its beginning. */
  restart(): void {
    this.#seen = new Uint8Array(0);
    this.#records = 0;
    this.#inARow = 0;
  }

  /**
   * Notes a page, which may be of several lists.
   *
   * @param goesOn whether all of them have further pages
   * @returns how many barren pages in a row there were, where they are too many; otherwise undefined
   */
  note(lists: readonly ListPage[], goesOn: boolean): number | undefined {
    const isBarren = goesOn && !lists.map((list) => this.#addAll(list)).includes(true);
    this.#inARow = isBarren ? this.#inARow + 1 : 0;
    return this.#inARow > mostBarren ? this.#inARow : undefined;
  }

  /** @returns whether any record was new below its parent */
  #addAll({ records, parent = "" }: ListPage): boolean {
    return records.map((record) => this.#add(parent, record)).includes(true);
  }

  /** @returns whether the record was new below this parent */
  #add(parent: string, record: RecordObject): boolean {
    if (this.#records >= mostRecords) this.restart();
    if (this.#seen.length === 0) this.#seen = new Uint8Array(bits / 8);
    const text = `${parent}\n${keyText(this.#plan, record)}`;
    let isNew = false;
    for (let seed = 0; seed < hashes; seed++) {
      const at = hashOf(text, seed) % bits;
      const bit = 1 << (at % 8);
      const byte = this.#seen[at >> 3] ?? 0;
      if ((byte & bit) === 0) isNew = true;
      this.#seen[at >> 3] = byte | bit;
    }
    if (isNew) this.#records++;
    return isNew;
  }
}

/** A hash of 32 bits (FNV-1a, mixed at the end so that its lower bits depend on all of the text). */
function hashOf(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ Math.imul(seed, 0x9e3779b1);
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
