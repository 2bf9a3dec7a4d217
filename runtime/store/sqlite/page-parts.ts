import type { ListPage, Page } from "../store.ts";

// A page is copied for the thread that writes. Copying thousands of records at once would hold up the event loop.

/** Records that are copied at once. */
const mostAtOnce = 200;

/** The lists of a page in parts, each with a bounded number of records. The parts, one after the other, say the same as the page. */
export function partsOf(page: Page): ListPage[][] {
  const { position: _, others = [], ...first } = page;
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

/** The page with these parts. */
export function pageOf(parts: readonly (readonly ListPage[])[], position: Page["position"]): Page {
  const [first = { records: [] }, ...others] = parts.flat();
  return { ...first, others, position };
}
