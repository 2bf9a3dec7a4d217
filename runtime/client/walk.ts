import { callError } from "./errors.ts";
import type { WalkOptions } from "./options.ts";
import type { Answered } from "./transport.ts";

const usualPages = 1000;

/**
 * Reads page after page and gives the records.
 *
 * @param cursor parameter that takes the cursor of the previous response; undefined where the whole list comes at once
 * @param read reads one page
 * @throws CallError `platform_failed` for a cursor that comes twice, `invalid_request` for a list with more pages than `maxPages`
 */
export async function* walk(
  params: Readonly<Record<string, unknown>>,
  cursor: string | undefined,
  { maxRecords = Number.POSITIVE_INFINITY, maxPages = usualPages }: WalkOptions,
  read: (params: Readonly<Record<string, unknown>>) => Promise<Answered>,
): AsyncGenerator<unknown, void, void> {
  const seen = new Set<string>();
  let given = 0;
  let next = params;
  for (let pages = 1; ; pages++) {
    if (given >= maxRecords) return;
    const { data, meta } = await read(next);
    for (const item of Array.isArray(data) ? data : []) {
      if (given >= maxRecords) return;
      given++;
      yield item;
    }
    const end = endOf(meta);
    if (cursor === undefined || end === undefined) return;
    if (seen.has(end)) throw callError("platform_failed", "The list gave the same cursor twice, so that it would have no end.");
    if (pages >= maxPages)
      throw callError("invalid_request", `The list has more than ${maxPages} pages; give a larger maxPages, or maxRecords.`);
    seen.add(end);
    next = { ...params, [cursor]: end };
  }
}

/** The cursor of the next page; undefined after the last one. Lists and cached searches name it differently. */
function endOf(meta: Answered["meta"]): string | undefined {
  const { has_next_page, end_cursor, has_more, cursor } = meta;
  const end = has_next_page === true ? end_cursor : has_more === true ? cursor : undefined;
  return typeof end === "string" && end !== "" ? end : undefined;
}
