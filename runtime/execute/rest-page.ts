import { createHmac } from "node:crypto";
import { badCursor, TenonError } from "../base/errors.ts";
import { type PageEnd, pathKeys, type RestOperation, type RestPaging } from "../contract/index.ts";
import type { RestAnswer } from "../platform/call.ts";
import { linkTarget } from "../platform/link.ts";
import { follow } from "./record-reader.ts";

/** After so many pages a walk is taken for one that never ends. */
const mostPages = 100_000;

/** Where a page is: what the platform gave to find it, and how many pages come before it. */
export interface RestPosition {
  /** Path and query of the page, the platform's cursor, the number of the page, or the number of records before it. */
  readonly at: string | number;
  readonly pages: number;
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
  /** A text that only this service knows. Cursors are signed with it, because they may have an address to which the credential is sent. */
  readonly secret: string;
}

/** The position of the page that the caller's cursor names; undefined for the first page. @throws TenonError `bad_cursor` */
export function positionOf(call: PageCall): RestPosition | undefined {
  const { operation, params } = call;
  const after = params[operation.list?.page?.cursor ?? ""];
  if (typeof after !== "string" || after === "") return undefined;
  const [mark, at, pages] = readJson(after);
  if ((typeof at !== "string" && typeof at !== "number") || typeof pages !== "number") throw badCursor();
  const position = { at, pages };
  if (mark !== markOf(call, position)) throw badCursor();
  return position;
}

/** The query of the page at a position, beside the parameters of the call. */
export function pageQuery(
  by: RestPaging,
  position: RestPosition | undefined,
): readonly [name: string, value: string] | undefined {
  switch (by.kind) {
    case "single":
    case "link":
    case "address":
      return undefined;
    case "cursor":
      return position === undefined ? undefined : [by.param, String(position.at)];
    case "offset":
      return position === undefined ? undefined : [by.param, String(position.at)];
    case "number":
      return [by.param, String(position?.at ?? by.first)];
  }
}

/**
 * The cursor of the page after this one; null on the last page.
 *
 * @param rows how many records this page has, `asked` how many were asked for
 * @throws TenonError `platform_failed` when the answer does not say whether there are more, or leads to the same page again
 */
export function nextCursor(
  call: PageCall,
  position: RestPosition | undefined,
  answer: RestAnswer,
  { rows, asked }: { readonly rows: number; readonly asked: number },
): string | null {
  const { by } = call.operation.list ?? { by: { kind: "single" } };
  const at = next(by, call, position, answer, rows, asked);
  if (at === undefined) return null;
  const pages = (position?.pages ?? 0) + 1;
  if (at === position?.at || pages > mostPages)
    throw new TenonError("platform_failed", `${call.title} goes on with a page that was read already, so the list never ends.`);
  return Buffer.from(JSON.stringify([markOf(call, { at, pages }), at, pages])).toString("base64url");
}

function next(
  by: RestPaging,
  call: PageCall,
  position: RestPosition | undefined,
  { data, headers }: RestAnswer,
  rows: number,
  asked: number,
): string | number | undefined {
  const read = (path: string) => follow(data, pathKeys(path));
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
      const target = read(by.next);
      return typeof target === "string" && target !== "" ? nextAddress(target, call) : undefined;
    }
    case "cursor": {
      if (by.more !== undefined && read(by.more) !== true) {
        if (read(by.more) === null && rows >= asked) throw noEnd(call, by.more);
        return undefined;
      }
      const found = by.header === true ? headers.get(by.next) : read(by.next);
      return typeof found === "string" && found !== "" ? found : typeof found === "number" ? found : undefined;
    }
    case "offset": {
      const start = Number(position?.at ?? 0);
      return isLast(by.end, call, read, { rows, asked, before: start }) ? undefined : start + rows;
    }
    case "number": {
      const number = Number(position?.at ?? by.first);
      const before = (number - by.first) * asked;
      return isLast(by.end, call, read, { rows, asked, before, page: number - by.first + 1 }) ? undefined : number + 1;
    }
  }
}

interface Place {
  readonly rows: number;
  readonly asked: number;
  /** Records before this page. */
  readonly before: number;
  readonly page?: number;
}

/** Whether a page is the last one. An answer that does not have the platform's own sign of it counts as the last only if it is not full. */
function isLast(end: PageEnd, call: PageCall, read: (path: string) => unknown, { rows, asked, before, page }: Place): boolean {
  if (rows === 0) return true;
  if (end === "short") return rows < asked;
  const [[kind, path] = ["more", ""]] = Object.entries(end);
  const sign = read(path);
  if (kind === "more" && typeof sign === "boolean") return !sign;
  if (kind === "total" && typeof sign === "number") return before + rows >= sign;
  if (kind === "pages" && typeof sign === "number") return (page ?? 1) >= sign;
  if (rows < asked) return true;
  throw noEnd(call, path);
}

function noEnd({ title }: PageCall, path: string): TenonError {
  return new TenonError(
    "platform_failed",
    `${title} sent a full page without "${path}", so it is unknown whether there are more records.`,
  );
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

/** Ties a position to its call: the same list with the same filters at the same address. The size of a page may change. */
function markOf({ operation, params, path, secret }: PageCall, { at, pages }: RestPosition): string {
  const { size = "", cursor = "" } = operation.list?.page ?? {};
  const own = Object.entries(params).filter(([name]) => name !== size && name !== cursor && name !== "fields");
  own.sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([operation.method, path, own, at, pages]);
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
