import type { Page, PageResult } from "../store/store.ts";

// A pass reads on while the store saves what it has read. A transaction costs the store much, however little it saves: each record changes
// many pages of indexes, and the next record changes some of the same. Therefore all pages that were read during one transaction are saved
// together in the next one. Where the platform is slower than the store, each page has a transaction of its own as before.

/** The most records, and lists of records, that wait for the store, and the most characters in their texts. */
const mostWaiting = { records: 2_000, characters: 16 * 1024 * 1024 } as const;

/**
 * Saves the pages of a pass in the order in which they were read. The position of a page is never stored without all pages before it, so
 * that a pass which is cut off reads again what was not stored.
 */
export class PageQueue {
  readonly #save: (page: Page) => Promise<PageResult>;
  readonly #waiting: Page[] = [];
  readonly #counts = { inserted: 0, changed: 0, unchanged: 0 };
  #records = 0;
  #characters = 0;
  /** Ends with the transaction that the store is doing. */
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
    this.#waiting.push(page);
    for (const { records } of [page, ...(page.others ?? [])]) {
      this.#records += 1 + records.length;
      this.#characters += lengthOf(records);
    }
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
    const [first] = this.#waiting;
    if (first === undefined) {
      this.#saving = undefined;
      return;
    }
    // A mark of a parent belongs to the step of the position with which it is saved.
    const other = this.#waiting.findIndex(({ position }) => position.step !== first.position.step);
    const pages = this.#waiting.splice(0, other < 0 ? this.#waiting.length : other);
    if (other < 0) {
      this.#records = 0;
      this.#characters = 0;
    }
    this.#saving = this.#save(joined(first, pages)).then(
      ({ inserted, changed, unchanged }) => {
        this.#counts.inserted += inserted;
        this.#counts.changed += changed;
        this.#counts.unchanged += unchanged;
        this.#saveNext();
      },
      (thrown: unknown) => {
        this.#failed = { thrown };
        this.#waiting.length = 0;
        this.#saving = undefined;
      },
    );
  }

  #refuseAfterFailure(): void {
    if (this.#failed !== undefined) throw this.#failed.thrown;
  }
}

/** One page with the records of several, and the position of the last. @param first the first of them */
function joined(first: Page, pages: readonly Page[]): Page {
  const others = pages.flatMap(({ position: _, others: more = [], ...list }) => [list, ...more]).slice(1);
  return { ...first, others, position: pages.at(-1)?.position ?? first.position };
}

/** The number of characters in all texts of a value that was read from JSON. */
function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  let sum = 0;
  for (const one of Object.values(value)) sum += lengthOf(one);
  return sum;
}
