import type { ListPage, Page } from "../../store.ts";

// A page is copied for the thread that writes. Copying thousands of records at once would hold up the event loop.

/** Records that are copied at once. */
const mostAtOnce = 200;

/** The lists of a page in parts, each with a bounded number of records. The parts, one after the other, say the same as the page. */
export function partsOf(page: Page): ListPage[][] {
  const { checkpoint: _, others = [], ...first } = page;
  const parts: ListPage[][] = [[]];
  let records = 0;
  for (const list of [first, ...others].flatMap(shortened)) {
    if (records > 0 && records + list.records.length > mostAtOnce) {
      parts.push([]);
      records = 0;
    }
    parts.at(-1)?.push(list);
    records += list.records.length;
  }
  return parts;
}

/** A list as several that are shorter. A parent is done with the last of them. */
function shortened(list: ListPage): ListPage[] {
  if (list.records.length <= mostAtOnce) return [list];
  const { parentDone, ...more } = list;
  const count = Math.ceil(list.records.length / mostAtOnce);
  return Array.from({ length: count }, (_, at) => ({
    ...more,
    records: list.records.slice(at * mostAtOnce, (at + 1) * mostAtOnce),
    ...(parentDone === undefined || at < count - 1 ? {} : { parentDone }),
  }));
}

/** Keeps the parts of pages that have not been sent wholly. */
export class PageParts {
  /** By the number of the page. */
  readonly #parts = new Map<number, (readonly ListPage[])[]>();

  keep(page: number, lists: readonly ListPage[]): void {
    this.#parts.set(page, [...(this.#parts.get(page) ?? []), lists]);
  }

  /** The page, whose parts are then no longer kept. @param count how many parts it has */
  take(page: number, count: number, checkpoint: Page["checkpoint"]): Page {
    const parts = this.#parts.get(page) ?? [];
    this.#parts.delete(page);
    if (parts.length !== count) throw new Error(`${count} parts of a page were sent, but ${parts.length} are here`);
    return joinedPage(parts, checkpoint);
  }
}

/** The page with these parts. */
export function joinedPage(parts: readonly (readonly ListPage[])[], checkpoint: Page["checkpoint"]): Page {
  const [first = { records: [] }, ...others] = parts.flat();
  return { ...first, others, checkpoint };
}
