import { type Answer, json } from "../../../simulator/answer.ts";
import type { WriteCall } from "./write.ts";

/** How many records of a page are wanted, and which page or cursor. */
export function pageOf({ query = "" }: WriteCall, most = 100) {
  const given = new URLSearchParams(query);
  const text = (name: string) => given.get(name) ?? undefined;
  return {
    size: Math.min(most, Number(text("per_page") ?? Math.min(most, 30))),
    page: Number(text("page") ?? 1),
    cursor: text("cursor"),
    text,
  };
}

/** A page of records, alone or within `around`. The header `Link` leads to the next one. */
export function pageAnswer(
  { rest, path, query = "" }: WriteCall,
  records: readonly unknown[],
  { from, size, next }: { readonly from: number; readonly size: number; readonly next: readonly [name: string, value: number] },
  around: (shown: readonly unknown[]) => unknown = (shown) => shown,
): Answer {
  const following = new URLSearchParams(query);
  following.set(next[0], String(next[1]));
  const link = from + size < records.length ? { link: `<${rest}${path}?${following}>; rel="next"` } : {};
  return json(200, around(records.slice(from, from + size)), link);
}

/** The page of a list whose pages have numbers. */
export function numberedPage(
  call: WriteCall,
  records: readonly unknown[],
  around?: (shown: readonly unknown[]) => unknown,
  most?: number,
): Answer {
  const { page, size } = pageOf(call, most);
  return pageAnswer(call, records, { size, from: (page - 1) * size, next: ["page", page + 1] }, around);
}
