import { createHmac, hash } from "node:crypto";
import { circleText } from "../base/cursor-circle.ts";
import { badCursor, TenonError } from "../base/errors.ts";
import { grouped } from "../base/grouped.ts";
import { type EndFlag, type PageEnd, pathKeys, type RestOperation, type RestPaging } from "../contract/index.ts";
import type { RestAnswer } from "../platform/call.ts";
import { linkTarget } from "../platform/link.ts";
import { valueAtPath } from "./record-reader.ts";
import { nextWindow, type PageSent, windowAt, windowSent } from "./rest-window.ts";

/** After so many pages a walk is taken for one that never ends. */
const mostPages = 100_000;

/** Where a page is: what the platform gave to find it, and how many pages come before it. */
export interface RestPosition {
  /** Path and query of the page, the platform's cursor, the number of the page, or the number of records before it. */
  readonly at: string | number;
  readonly pages: number;
  /**
   * Digest of where an earlier page is: that of the last number of pages which is a power of two. By it a walk notices that it goes round
   * in a circle (Brent's algorithm), although nothing is kept between its requests. Absent where pages are counted, which makes no circles.
   */
  readonly earlier?: string;
  /** How many records come before the page. Only where pages are counted: the platform may give fewer of them than were requested. */
  readonly rows?: number;
  /** How many records the page before this one said that the list has. Only where pages are counted. */
  readonly total?: number;
}

/** What is needed to find a page and the one after it. */
export interface PageCall {
  readonly operation: RestOperation;
  readonly params: Readonly<Record<string, unknown>>;
  /** Path of the call below the platform's address, without the query. */
  readonly path: string;
  readonly title: string;
  /** Address of the REST API. */
  readonly base: string;
  /** Where the page is; undefined for the first one. */
  readonly position: RestPosition | undefined;
  /** A text that only this service knows. Cursors are signed with it, because they may have an address to which the credential is sent. */
  readonly secret: string;
}

/** The position of the page that the caller's cursor names; undefined for the first page. @throws TenonError `bad_cursor` */
export function positionOf(call: Omit<PageCall, "position">): RestPosition | undefined {
  const { operation, params } = call;
  const after = params[operation.list?.page?.cursor ?? ""];
  if (typeof after !== "string" || after === "") return undefined;
  const [mark, at, pages, last, total] = readJson(after);
  if ((typeof at !== "string" && typeof at !== "number") || typeof pages !== "number") throw badCursor();
  const position = {
    at,
    pages,
    ...(typeof last === "string" ? { earlier: last } : typeof last === "number" ? { rows: last } : {}),
    ...(typeof total === "number" ? { total } : {}),
  };
  if (mark !== markOf(call, position)) throw badCursor();
  return position;
}

/** What the call of the page at a position has beside the parameters of the action. */
export function pageSent({ operation, params, position }: PageCall): readonly PageSent[] {
  const { by } = operation.list ?? { by: { kind: "single" } };
  switch (by.kind) {
    case "single":
    case "link":
    case "address":
      return [];
    case "cursor":
    case "offset":
      return position === undefined ? [] : [{ name: by.param, value: position.at, body: by.body ?? false }];
    case "number":
      return [{ name: by.param, value: position?.at ?? by.first, body: by.body ?? false }];
    case "window":
      return windowSent(by, windowAt(by, params, position?.at));
  }
}

/**
 * The cursor of the page after this one; null on the last page.
 *
 * @param rows how many records this page has, `asked` how many were requested
 * @throws TenonError `platform_failed` when the answer does not say whether there are more, or leads to the same page again
 */
export function nextCursor(
  call: PageCall,
  answer: RestAnswer,
  { rows, asked }: { readonly rows: number; readonly asked: number },
): string | null {
  const { position } = call;
  const { by } = call.operation.list ?? { by: { kind: "single" } };
  const at = next(by, call, position, answer, rows, asked);
  if (at === undefined) return null;
  const pages = (position?.pages ?? 0) + 1;
  const digest = hash("sha256", String(at), "base64url").slice(0, 11);
  if (at === position?.at || digest === position?.earlier) throw new TenonError("platform_failed", `${call.title} ${circleText}`);
  if (pages > mostPages)
    throw new TenonError("platform_failed", `${call.title} has more than ${grouped(mostPages)} pages of this list.`);
  const counted = by.kind === "offset" || by.kind === "number";
  const earlier = counted ? undefined : isPowerOfTwo(pages) ? digest : position?.earlier;
  const total = totalOf(call, answer);
  const reached: RestPosition = {
    at,
    pages,
    ...(earlier === undefined ? {} : { earlier }),
    ...(counted ? { rows: (position?.rows ?? 0) + rows } : {}),
    ...(total === undefined ? {} : { total }),
  };
  const parts = [markOf(call, reached), ...placeOf(reached)];
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

/** What a cursor has of a position. Only counted pages have `rows`, and they have no `earlier`, so that both stand at the same place. */
function placeOf({ at, pages, earlier, rows, total }: RestPosition): readonly (string | number)[] {
  return [at, pages, earlier ?? rows, total].filter((part) => part !== undefined);
}

/**
 * Whether the list has fewer records than it had a page before. Where pages are counted, what follows a removed record has moved forward,
 * perhaps to a page that was read already.
 */
export function hasShrunk(call: PageCall, answer: RestAnswer): boolean {
  return (totalOf(call, answer) ?? Number.POSITIVE_INFINITY) < (call.position?.total ?? 0);
}

/** How many records a list has whose pages are counted, where the answer says so. */
export function totalOf({ operation }: PageCall, { data }: RestAnswer): number | undefined {
  const { by } = operation.list ?? {};
  if (by === undefined || !("end" in by) || typeof by.end === "string" || !("total" in by.end)) return undefined;
  const total = valueAtPath(data, pathKeys(by.end.total));
  return typeof total === "number" ? total : undefined;
}

function isPowerOfTwo(pages: number): boolean {
  return Number.isInteger(Math.log2(pages));
}

function next(
  by: RestPaging,
  call: PageCall,
  position: RestPosition | undefined,
  { data, headers }: RestAnswer,
  rows: number,
  asked: number,
): string | number | undefined {
  const read = (path: string) => valueAtPath(data, pathKeys(path));
  const pages = position?.pages ?? 0;
  switch (by.kind) {
    case "single":
      return undefined;
    case "link": {
      const link = headers.get("link");
      const target = link === null ? undefined : linkTarget(link, "next");
      if (target === "unreadable")
        throw new TenonError("platform_failed", `${call.title} sent a header Link that cannot be read.`);
      return target === undefined ? undefined : nextAddress(target, call);
    }
    case "address": {
      const target = read(by.next) ?? "";
      if (target === "") return undefined;
      if (typeof target !== "string" || !isAddress(target)) throw unclear(call, `"${by.next}" that is not an address`);
      return nextAddress(target, call);
    }
    case "cursor": {
      const flag = by.end === undefined ? undefined : flagAt(by.end, call, read);
      if (flag?.more === null && rows >= asked) throw noEnd(call, flag.path);
      // Some platforms give a cursor with every page. Without their sign, only an empty page is the end of such a list.
      if (flag?.more === false || (flag?.more === null && rows === 0)) return undefined;
      const found = (by.header === true ? headers.get(by.next) : read(by.next)) ?? "";
      if (typeof found !== "string" && typeof found !== "number") throw unclear(call, `"${by.next}" that is not a cursor`);
      if (found === "" && flag?.more === true) throw unclear(call, `"${flag.path}" but no cursor in "${by.next}"`);
      return found === "" ? undefined : found;
    }
    case "window":
      return nextWindow(by, windowAt(by, call.params, position?.at));
    case "offset": {
      const start = Number(position?.at ?? 0);
      return isLast(by.end, call, read, { rows, asked, before: start, pages }) ? undefined : start + rows;
    }
    case "number": {
      const number = Number(position?.at ?? by.first);
      const before = position?.rows ?? 0;
      return isLast(by.end, call, read, { rows, asked, before, pages, page: number - by.first + 1 }) ? undefined : number + 1;
    }
  }
}

interface Place {
  readonly rows: number;
  readonly asked: number;
  /** Records before this page. */
  readonly before: number;
  /** Pages before this one, in this walk. */
  readonly pages: number;
  /** The number of this page, counted from 1. Absent where pages have no numbers. */
  readonly page?: number;
}

/**
 * Whether a page is the last one. An answer that does not have the platform's own sign of it counts as the last only if it is short.
 *
 * @throws TenonError `platform_failed` when the sign contradicts the page; `bad_cursor` when the list has become shorter than the part that
 *   was read: what follows has moved to earlier pages, so that only reading from the beginning finds it
 */
function isLast(end: PageEnd, call: PageCall, read: (path: string) => unknown, place: Place): boolean {
  const { rows, asked, before, page = 1 } = place;
  if (end === "empty") return rows === 0;
  if (end === "short") return isShort(place);
  const [[kind, path] = ["more", ""]] = Object.entries(end);
  const sign = read(path);
  if (sign === null) {
    if (rows < asked) return isShort(place);
    throw noEnd(call, path);
  }
  if ("more" in end || "last" in end) {
    const { more } = flagAt(end, call, read);
    // Behind an empty page only pages that are numbered have another place.
    if (more === true && rows === 0 && place.page === undefined)
      throw unclear(call, `an empty page although "${path}" is ${String(sign)}`);
    return more !== true;
  }
  if (typeof sign !== "number") throw unclear(call, `"${path}" that is no number`);
  const [reached, isBehind] = kind === "total" ? [before + rows, before > sign] : [page, page > Math.max(sign, 1)];
  if (rows === 0 && isBehind) throw badCursor();
  if (rows === 0 ? reached < sign : reached > sign)
    throw unclear(call, `${rows} records in a page that "${path}" (${sign}) contradicts`);
  return reached >= sign;
}

/** Whether an answer says that there are more pages; null where it has no such sign. */
function flagAt(
  end: EndFlag,
  call: PageCall,
  read: (path: string) => unknown,
): { readonly path: string; readonly more: boolean | null } {
  const path = "more" in end ? end.more : end.last;
  const sign = read(path);
  if (sign !== null && typeof sign !== "boolean") throw unclear(call, `"${path}" that is neither true nor false`);
  return { path, more: sign === null || "more" in end ? sign : !sign };
}

/**
 * Whether a page is shorter than the platform's pages are. A platform may give at most so many records, whatever is requested. Then no page
 * is as long as requested, and only the pages before this one say how long a page is. A short first page has none before it, so the
 * next page is requested: a list of one short page costs one more call, but a list of many is not taken to end there.
 */
function isShort({ rows, asked, before, pages }: Place): boolean {
  return rows === 0 || (pages > 0 && rows < Math.min(asked, before / pages));
}

function noEnd(call: PageCall, path: string): TenonError {
  return unclear(call, `a full page without "${path}"`);
}

/** The error for an answer that does not say clearly whether it is the last. Taken for the end, it would let a sync remove what follows. */
function unclear({ title }: PageCall, what: string): TenonError {
  return new TenonError("platform_failed", `${title} sent ${what}, so it is unknown whether there are more records.`);
}

/** Whether a text is a whole address or one that is relative to the page. A cursor would also resolve, to a page that does not exist. */
function isAddress(text: string): boolean {
  return /^(https?:\/\/|\.{0,2}\/|[^\s?]*\?)/i.test(text);
}

/**
 * Path and query of the next page on the platform's host. A relative address is relative to the page itself (RFC 3986, 5).
 *
 * @throws TenonError `platform_failed` for another host, to which the credential must not be sent
 */
function nextAddress(target: string, { base, path, title }: PageCall): string {
  const here = new URL(base + path);
  const url = URL.canParse(target, here.href) ? new URL(target, here) : undefined;
  // Behind a proxy a platform may name itself with another scheme. The call goes to the configured address all the same.
  if (url === undefined || url.host !== here.host || url.username !== "" || url.password !== "")
    throw new TenonError("platform_failed", `${title} names an address of another host as the next page.`);
  return `${url.pathname}${url.search}`;
}

/**
 * Ties a position to its call: the same list with the same filters at the same address. The size of a page may change, except where pages
 * are numbered: page 3 of another size is another place.
 */
function markOf({ operation, params, path, secret }: Omit<PageCall, "position">, position: RestPosition): string {
  const { size = "", cursor = "" } = operation.list?.page ?? {};
  const loose = new Set([cursor, "fields", ...(operation.list?.by.kind === "number" ? [] : [size])]);
  const own = Object.entries(params).filter(([name]) => !loose.has(name));
  own.sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([operation.method, path, own, ...placeOf(position)]);
  return createHmac("sha256", secret).update(text).digest("base64url").slice(0, 16);
}

function readJson(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(value) ? (value as unknown[]) : [];
  } catch {
    return [];
  }
}
