import { nothingSaved, type Page, type PageResult } from "../store/store.ts";

// Decision 4 in runtime/site/text/decisions.md says why: the page queue is in memory.

// A sync run reads on while the store saves what it has read. A transaction costs the store much, however little it saves: each record
// changes many pages of indexes, and the next record changes some of the same. Therefore all pages that were read during one transaction
// are saved together in the next one. Where the platform is slower than the store, each page has a transaction of its own as before.

/** The most records, and lists of records, that wait for the store, and the most characters in their texts. */
const mostWaiting = { records: 4_000, characters: 16 * 1024 * 1024 } as const;
/**
 * Milliseconds that a transaction should take at most: other processes wait ten seconds for a file that is locked. As many records are
 * saved together as the store has lately saved in this time, but at least `leastTogether`.
 */
const longest = 5_000;
const leastTogether = 500;

const countNames = Object.keys(nothingSaved) as (keyof PageResult)[];

interface Waiting {
  readonly page: Page;
  /** How many records and lists it has. */
  readonly records: number;
  readonly characters: number;
}

/**
 * Saves the pages of a sync run in the order in which they were read. The checkpoint of a page is never stored without all pages before it,
 * so that a sync run which is cut off reads again what was not stored.
 */
export class PageQueue {
  readonly #save: (page: Page) => Promise<PageResult>;
  readonly #waiting: Waiting[] = [];
  readonly #counts = { ...nothingSaved };
  #records = 0;
  #characters = 0;
  /** The most records that are saved together; a page with more is saved alone. */
  #together: number = mostWaiting.records;
  /** Resolves when the store has ended the present transaction. */
  #saving: Promise<void> | undefined;
  #failed: { readonly thrown: unknown } | undefined;

  constructor(save: (page: Page) => Promise<PageResult>) {
    this.#save = save;
  }

  /**
   * Takes a page that is to be saved. Resolves as soon as another one may be read, which may be before the page is saved.
   *
   * @throws what saving this page or an earlier one threw; no page is saved after that
   */
  async add(page: Page): Promise<void> {
    this.#refuseAfterFailure();
    const lists = [page, ...(page.others ?? [])];
    const records = lists.reduce((sum, list) => sum + 1 + list.records.length, 0);
    const characters = lists.reduce((sum, list) => sum + lengthOf(list.records), 0);
    this.#waiting.push({ page, records, characters });
    this.#records += records;
    this.#characters += characters;
    if (this.#saving === undefined) this.#saveNext();
    while (this.#saving !== undefined && (this.#records >= mostWaiting.records || this.#characters >= mostWaiting.characters))
      await this.#saving;
    this.#refuseAfterFailure();
  }

  /** Resolves when all pages are saved, with what saving them did. @throws what saving one of them threw */
  async saved(): Promise<PageResult> {
    while (this.#saving !== undefined) await this.#saving;
    this.#refuseAfterFailure();
    return { ...this.#counts };
  }

  #saveNext(): void {
    const taken = this.#take();
    const [first, ...others] = taken;
    if (first === undefined) {
      this.#saving = undefined;
      return;
    }
    const records = taken.reduce((sum, one) => sum + one.records, 0);
    const began = performance.now();
    this.#saving = this.#save(joined(first.page, others)).then(
      (result) => {
        for (const count of countNames) this.#counts[count] += result[count];
        const fit = (records * longest) / (performance.now() - began);
        this.#together = Math.max(leastTogether, Math.min(mostWaiting.records, fit));
        this.#saveNext();
      },
      (thrown: unknown) => {
        this.#failed = { thrown };
        this.#waiting.length = 0;
        this.#saving = undefined;
      },
    );
  }

  /** The pages that are saved next, all of one step: a marker of a parent belongs to the step of the checkpoint with which it is saved. */
  #take(): Waiting[] {
    const step = this.#waiting[0]?.page.checkpoint.step;
    let records = 0;
    const other = this.#waiting.findIndex(({ page, records: own }, at) => {
      records += own;
      return page.checkpoint.step !== step || (at > 0 && records > this.#together);
    });
    const taken = this.#waiting.splice(0, other < 0 ? this.#waiting.length : other);
    for (const one of taken) {
      this.#records -= one.records;
      this.#characters -= one.characters;
    }
    return taken;
  }

  #refuseAfterFailure(): void {
    if (this.#failed !== undefined) throw this.#failed.thrown;
  }
}

/** One page with the lists of several, and the checkpoint of the last. */
function joined(first: Page, rest: readonly Waiting[]): Page {
  const others = rest.flatMap(({ page: { checkpoint: _, others: more = [], ...list } }) => [list, ...more]);
  return { ...first, others: [...(first.others ?? []), ...others], checkpoint: rest.at(-1)?.page.checkpoint ?? first.checkpoint };
}

/** The number of characters in all texts of a value that was read from JSON. */
function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  let sum = 0;
  for (const one of Object.values(value)) sum += lengthOf(one);
  return sum;
}
