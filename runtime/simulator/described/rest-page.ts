import type { Json, RoutePage, StoredRecord } from "./platform-file.ts";
import { bodyAt, type Values } from "./template.ts";

/** A page of a list: its records, and how the answer says where the next page is. */
export interface PageOf {
  readonly rows: readonly StoredRecord[];
  readonly body: Json;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * @param values parameters of the query, the path and the body
 * @returns the page, or a text for a wrong parameter
 */
export function cutPage(all: readonly StoredRecord[], page: RoutePage, address: URL, values: Values): PageOf | string {
  const size = Number(values[page.size] ?? page.default);
  if (!Number.isInteger(size) || size < 1 || size > page.max) return `${page.size} must be from 1 to ${page.max}`;
  const given = values[page.param] ?? undefined;
  const byNumber = page.by === "number" || page.by === "link";
  const first = byNumber ? 1 : 0;
  const byLast = page.by === "last" || page.by === "keyset";
  const known = byLast && given !== undefined ? all.findIndex(({ id }) => String(id) === String(given)) : 0;
  if (known < 0) return `No such ${page.param}: '${String(given)}'`;
  const position = byLast ? (given === undefined ? 0 : known + 1) : Number(given ?? first);
  if (!Number.isInteger(position) || position < first || position > all.length + size) return `Invalid cursor ${page.param}`;
  const start = byNumber ? (position - 1) * size : position;
  const rows = all.slice(start, start + size);
  const more = start + size < all.length;
  const after = byNumber ? position + 1 : start + size;
  let body: Json = {};
  const add = (place: string | undefined, value: Json) => {
    if (place !== undefined) body = mergedBody(body, bodyAt(place, value));
  };
  add(page.more, more);
  add(page.total, all.length);
  const next = new URL(address);
  next.searchParams.set(page.param, String(byLast ? rows.at(-1)?.["id"] : after));
  if (more && page.by === "address") add(page.next, next.href);
  if (more && page.by === "cursor") add(page.next, String(after));
  add(page.last, !more);
  const link = more && (page.by === "link" || page.by === "keyset") ? { link: `<${next.pathname}${next.search}>; rel=next` } : {};
  return { rows, body, headers: link };
}

function mergedBody(a: Json, b: Json): Json {
  return typeof a === "object" && a !== null && !Array.isArray(a) && typeof b === "object" && b !== null && !Array.isArray(b)
    ? Object.fromEntries(
        [...new Set([...Object.keys(a), ...Object.keys(b)])].map((key) => [
          key,
          mergedBody(a[key] ?? {}, b[key] ?? a[key] ?? {}),
        ]),
      )
    : b;
}
