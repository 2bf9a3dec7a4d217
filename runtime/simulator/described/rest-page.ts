import type { Json, RoutePage, StoredRecord } from "./platform-file.ts";
import { bodyAt } from "./template.ts";

/** A page of a list: its records, and how the answer says where the next page is. */
export interface PageOf {
  readonly rows: readonly StoredRecord[];
  readonly body: Json;
  readonly headers: Readonly<Record<string, string>>;
}

/** @param address of the request, `query` its parameters; returns a text for a wrong parameter */
export function pageOf(all: readonly StoredRecord[], page: RoutePage, address: URL): PageOf | string {
  const query = address.searchParams;
  const size = Number(query.get(page.size) ?? page.default);
  if (!Number.isInteger(size) || size < 1 || size > page.max) return `${page.size} must be from 1 to ${page.max}`;
  const given = query.get(page.param);
  const first = page.by === "number" ? 1 : 0;
  const position = Number(given ?? first);
  if (!Number.isInteger(position) || position < first || position > all.length + size) return `Invalid cursor ${page.param}`;
  const start = page.by === "number" ? (position - 1) * size : position;
  const rows = all.slice(start, start + size);
  const more = start + size < all.length;
  const after = page.by === "number" ? position + 1 : start + size;
  let body: Json = {};
  const add = (place: string | undefined, value: Json) => {
    if (place !== undefined) body = mergedBody(body, bodyAt(place, value));
  };
  add(page.more, more);
  add(page.total, all.length);
  const next = new URL(address);
  next.searchParams.set(page.param, String(after));
  if (more && page.by === "address") add(page.next, next.href);
  if (more && page.by === "cursor") add(page.next, after);
  const link = more && page.by === "link" ? { link: `<${next.pathname}${next.search}>; rel=next` } : {};
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
