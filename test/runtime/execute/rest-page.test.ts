import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import type { RestOperation, RestPaging } from "../../../runtime/contract/index.ts";
import { executeChecked, prepareRequest } from "../../../runtime/execute/index.ts";
import { hasShrunk, nextCursor, type PageCall, pageSent, positionOf } from "../../../runtime/execute/rest-page.ts";
import { fakeInstance } from "../../support/fake-instance.ts";

const paging = { size: "per_page", cursor: "after", max: 100 };

function callOf(by: RestPaging, params: Readonly<Record<string, unknown>> = {}): PageCall {
  const operation: RestOperation = {
    kind: "rest",
    method: "GET",
    path: "/things",
    query: [],
    body: [],
    record: { name: "Thing", fields: {} },
    list: { page: paging, by },
  };
  const call = { operation, params, path: "/things", title: "Shop", base: "https://shop.example/api", secret: "secret" };
  return { ...call, position: positionOf(call) };
}

interface Given {
  readonly data?: unknown;
  readonly headers?: Record<string, string>;
  readonly rows?: number;
}

/** The place of the page that follows an answer to the first call; null where there is none. */
function placeAfter(
  by: RestPaging,
  { data = {}, headers = {}, rows = 2 }: Given,
  params: Readonly<Record<string, unknown>> = {},
) {
  const call = callOf(by, params);
  const answer = { status: 200, data, headers: new Headers(headers) };
  const cursor = nextCursor(call, answer, { rows, asked: 2 });
  return cursor === null ? null : positionOf(callOf(by, { ...params, after: cursor }))?.at;
}

const offset: RestPaging = { kind: "offset", param: "offset", end: { more: "more" } };
const number: RestPaging = { kind: "number", param: "page", first: 1, end: { total: "meta.total" } };
const pages: RestPaging = { ...number, end: { pages: "pages" } };
const short: RestPaging = { ...number, end: "short" };
const address: RestPaging = { kind: "address", next: "n" };
const cursor: RestPaging = { kind: "cursor", param: "c", next: "n" };
const lastId: RestPaging = { ...cursor, next: "data[-1].id", end: { more: "more" } };
const streamed: RestPaging = { ...cursor, end: { last: "done" } };
const signed: RestPaging = { ...cursor, end: { more: "more" } };

describe("the next page of a REST list", () => {
  const cases: [what: string, by: RestPaging, given: Given, expected: unknown][] = [
    ["a relative Link", { kind: "link" }, { headers: { link: "<things?page=2>; rel=next" } }, "/api/things?page=2"],
    ["no Link", { kind: "link" }, {}, null],
    [
      "an address in the body",
      { kind: "address", next: "links.next" },
      { data: { links: { next: "/v2/things?c=9" } } },
      "/v2/things?c=9",
    ],
    ["no address in the body", { kind: "address", next: "links.next" }, { data: { links: { next: null } } }, null],
    ["a cursor in the body", { kind: "cursor", param: "c", next: "meta.next" }, { data: { meta: { next: 51 } } }, 51],
    ["the id of the last record", lastId, { data: { data: [{ id: "a" }, { id: "b" }], more: true } }, "b"],
    ["the id of the last record of the last page", lastId, { data: { data: [{ id: "a" }], more: false } }, null],
    ["the id of the last record of a bare list", { ...cursor, next: "[-1].id" }, { data: [{ id: 1 }, { id: 2 }] }, 2],
    ["an empty page, where the last record leads on", { ...cursor, next: "[-1].id" }, { rows: 0, data: [] }, null],
    ["an address that is a query", address, { data: { n: "?page=2" } }, "/api/things?page=2"],
    ["an address beside the page", address, { data: { n: "things?page=2" } }, "/api/things?page=2"],
    ["an empty cursor", { kind: "cursor", param: "c", next: "meta.next" }, { data: { meta: { next: "" } } }, null],
    [
      "a cursor in a header",
      { kind: "cursor", param: "c", next: "x-next", header: true },
      { headers: { "x-next": "abc" } },
      "abc",
    ],
    [
      "a cursor that says it is the last",
      { kind: "cursor", param: "c", next: "n", end: { more: "more" } },
      { data: { n: "abc", more: false } },
      null,
    ],
    ["a cursor behind an empty page", signed, { rows: 0, data: { n: "abc", more: true } }, "abc"],
    ["neither a sign nor a cursor", signed, { rows: 1 }, null],
    ["a cursor of the last page of a stream", streamed, { data: { n: "abc", done: true } }, null],
    ["a cursor within a stream", streamed, { data: { n: "abc", done: false } }, "abc"],
    ["the last page by its own sign", { ...offset, end: { last: "done" } }, { data: { done: true } }, null],
    ["a page by a sign that it is not the last", { ...offset, end: { last: "done" } }, { data: { done: false } }, 2],
    ["more records", offset, { data: { more: true } }, 2],
    ["no more records", offset, { data: { more: false } }, null],
    ["an empty page, and no sign of the end", offset, { rows: 0 }, null],
    ["a first page that is not full, and no sign of the end", offset, { rows: 1 }, 1],
    ["a page that is not full, with a cursor but without its sign", signed, { rows: 1, data: { n: "abc" } }, "abc"],
    ["an empty page, with a cursor but without its sign", signed, { rows: 0, data: { n: "abc" } }, null],
    ["a total that is not reached", number, { data: { meta: { total: 3 } } }, 2],
    ["a total that is reached", number, { data: { meta: { total: 2 } } }, null],
    ["an empty page that more pages follow", { ...number, end: { more: "more" } }, { rows: 0, data: { more: true } }, 2],
    ["a list without records", number, { rows: 0, data: { meta: { total: 0 } } }, null],
    ["a list without pages", pages, { rows: 0, data: { pages: 0 } }, null],
    ["a list of one empty page", pages, { rows: 0, data: { pages: 1 } }, null],
    ["a number of pages", pages, { data: { pages: 2 } }, 2],
    ["a full page, where a short one is the last", short, {}, 2],
    ["a first page that is short, where the platform may give fewer than are asked for", short, { rows: 1 }, 2],
    ["an empty page, where a short one is the last", short, { rows: 0 }, null],
  ];
  it.each(cases)("%s", (_what, by, given, expected) => {
    expect(placeAfter(by, given)).toBe(expected);
  });

  it.each([
    ["a full page without the sign of the end", offset, {}],
    ["a full page without the total", number, {}],
    [
      "a full page with a cursor but without its sign",
      { kind: "cursor", param: "c", next: "n", end: { more: "more" } },
      { data: { n: "a" } },
    ],
    ["a list that has more but no last record", lastId, { rows: 0, data: { data: [], more: true } }],
    ["a last record without an id", lastId, { data: { data: [{ id: "a" }, {}], more: true } }],
    ["an address that is a cursor", address, { data: { n: "eyJpZCI6N30=" } }],
    ["an address with another scheme", address, { data: { n: "javascript:alert(1)" } }],
    ["an address that is an object", address, { data: { n: {} } }],
    ["an address that is a number", address, { data: { n: 2 } }],
    ["an address that is false", address, { data: { n: false } }],
    ["a cursor that is an object", cursor, { data: { n: { after: "a" } } }],
    ["a cursor that is true", cursor, { data: { n: true } }],
    ["a sign that is no boolean", signed, { rows: 1, data: { more: "true", n: "a" } }],
    ["a sign that is a number", signed, { rows: 1, data: { more: 1, n: "a" } }],
    ["a sign that there is more, but no cursor", signed, { data: { more: true } }],
    ["a sign that there is more, but an empty cursor", signed, { rows: 0, data: { more: true, n: "" } }],
    ["a sign of the last page that is no boolean", streamed, { rows: 1, data: { done: "true", n: "a" } }],
    ["a page that is not the last, but has no cursor", streamed, { data: { done: false } }],
    ["a sign of an offset that is no boolean", offset, { rows: 1, data: { more: "false" } }],
    ["an empty page at an offset that more records follow", offset, { rows: 0, data: { more: true } }],
    ["an empty page before the total", number, { rows: 0, data: { meta: { total: 3 } } }],
    ["an empty page before the last", pages, { rows: 0, data: { pages: 2 } }],
    ["a total that is a text", number, { rows: 1, data: { meta: { total: "3" } } }],
    ["a total below the records of the page", number, { data: { meta: { total: 1 } } }],
    ["a total of nothing", { ...offset, end: { total: "total" } }, { data: { total: 0 } }],
    ["a number of pages below this page", pages, { data: { pages: 0 } }],
    ["a Link that cannot be read", { kind: "link" }, { headers: { link: "next" } }],
    ["a Link to another host", { kind: "link" }, { headers: { link: "<https://evil.example/things>; rel=next" } }],
    ["a Link with a user", { kind: "link" }, { headers: { link: "<https://a@shop.example/things>; rel=next" } }],
  ] as [string, RestPaging, Given][])("%s is an error, never the end", (_what, by, given) => {
    expect(() => placeAfter(by, given)).toThrow(/^Shop /);
  });

  it("that is the same page again is an error: the list would never end", () => {
    const by: RestPaging = { kind: "cursor", param: "c", next: "n" };
    const answer = { status: 200, data: { n: "same" }, headers: new Headers() };
    const first = nextCursor(callOf(by), answer, { rows: 2, asked: 2 });
    const call = callOf(by, { after: first });
    expect(() => nextCursor(call, answer, { rows: 2, asked: 2 })).toThrow("never ends");
  });

  it.each([
    ["a total", number, (left: number) => ({ meta: { total: left } })],
    ["a number of pages", pages, (left: number) => ({ pages: Math.ceil(left / 2) })],
  ])("is read from the beginning where %s says that the list has become shorter than what was read", (_what, by, data) => {
    const answer = (left: number) => ({ status: 200, data: data(left), headers: new Headers() });
    let call = callOf(by);
    for (const _page of [1, 2]) call = callOf(by, { after: nextCursor(call, answer(9), { rows: 2, asked: 2 }) });
    const empty = { rows: 0, asked: 2 };
    expect(() => nextCursor(call, answer(1), empty)).toThrow(expect.objectContaining({ code: "bad_cursor" }));
    expect(() => nextCursor(call, answer(1), { rows: 1, asked: 2 })).toThrow("contradicts");
  });

  it("tells when the list became shorter after the page before", () => {
    const answer = (total: number) => ({ status: 200, data: { total }, headers: new Headers() });
    for (const by of [
      { ...offset, end: { total: "total" } },
      { ...number, end: { total: "total" } },
    ] as const) {
      const after = nextCursor(callOf(by), answer(9), { rows: 2, asked: 2 });
      const call = callOf(by, { after });
      const shrunk = (total: number) => hasShrunk(call, answer(total));
      expect([shrunk(8), shrunk(9), shrunk(10)]).toEqual([true, false, false]);
      expect(hasShrunk(callOf(by), answer(1))).toBe(false);
    }
  });

  it("is asked for by the platform's own parameter", () => {
    const sent = (by: RestPaging, position?: PageCall["position"]) => pageSent({ ...callOf(by), position });
    expect(sent(number)).toEqual([{ name: "page", value: 1, body: false }]);
    expect(sent(number, { at: 4, pages: 3 })).toEqual([{ name: "page", value: 4, body: false }]);
    expect(sent(offset)).toEqual([]);
    expect(sent(offset, { at: 40, pages: 2 })).toEqual([{ name: "offset", value: 40, body: false }]);
    expect(sent({ ...cursor, body: true }, { at: "abc", pages: 1 })).toEqual([{ name: "c", value: "abc", body: true }]);
  });
});

describe("a walk on a platform that gives 3 records at most", () => {
  /** How many records the pages of a list have, when so many are asked for. */
  function lengths(by: RestPaging, records: number, asked: number, data: object = {}): number[] {
    const found: number[] = [];
    let call = callOf(by, { per_page: asked });
    for (let before = 0; ; ) {
      const rows = Math.min(3, asked, records - before);
      before += rows;
      found.push(rows);
      const after = nextCursor(call, { status: 200, data, headers: new Headers() }, { rows, asked });
      if (after === null) return found;
      call = callOf(by, { per_page: asked, after });
    }
  }

  it("reads as many records as the total says", () => {
    expect(lengths(number, 8, 10, { meta: { total: 8 } })).toEqual([3, 3, 2]);
    expect(lengths(number, 6, 10, { meta: { total: 6 } })).toEqual([3, 3]);
    expect(lengths(number, 5, 2, { meta: { total: 5 } })).toEqual([2, 2, 1]);
  });

  it.each([
    ["numbers", short],
    ["offsets", { ...offset, end: "short" } as const],
    ["numbers, without the platform's total", number],
    ["offsets, without the platform's sign", offset],
  ])("ends with a page that is shorter than the others: %s", (_what, by) => {
    expect(lengths(by, 8, 10)).toEqual([3, 3, 2]);
    expect(lengths(by, 6, 10)).toEqual([3, 3, 0]);
    expect(lengths(by, 2, 10)).toEqual([2, 0]);
    expect(lengths(by, 0, 2)).toEqual([0]);
  });
});

describe("a cursor", () => {
  const by: RestPaging = { kind: "address", next: "next" };
  const made = nextCursor(
    callOf(by, { shelf: "a", per_page: 2 }),
    { status: 200, data: { next: "?c=2" }, headers: new Headers() },
    { rows: 2, asked: 2 },
  );

  it("is good for the same list with a page of another size", () => {
    expect(positionOf(callOf(by, { shelf: "a", per_page: 50, after: made }))?.pages).toBe(1);
  });

  it("is refused with a page of another size where pages are numbered: it would be another place", () => {
    const sized = (params: object) => callOf(number, { shelf: "a", per_page: 2, ...params });
    const answer = { status: 200, data: { meta: { total: 9 } }, headers: new Headers() };
    const after = nextCursor(sized({}), answer, { rows: 2, asked: 2 });
    expect(positionOf(sized({ after }))?.at).toBe(2);
    expect(() => positionOf(sized({ after, per_page: 3 }))).toThrow(expect.objectContaining({ code: "bad_cursor" }));
  });

  it.each([
    ["of another list", { shelf: "b", after: made }],
    ["that was changed", { shelf: "a", after: `x${made}` }],
    ["that somebody wrote", { shelf: "a", after: Buffer.from('["x","https://shop.example/api/admin",1]').toString("base64url") }],
    ["that is no cursor", { shelf: "a", after: "abc" }],
  ])("%s is refused", (_what, params) => {
    expect(() => positionOf(callOf(by, params))).toThrow(expect.objectContaining({ code: "bad_cursor" }));
  });
});

describe("a walk through pages", () => {
  const walks: [what: string, by: RestPaging, given: (place: string) => Given][] = [
    ["cursors", { kind: "cursor", param: "c", next: "next" }, (place) => ({ data: { next: place } })],
    ["addresses", { kind: "address", next: "next" }, (place) => ({ data: { next: `/api/things?c=${place}` } })],
    ["headers Link", { kind: "link" }, (place) => ({ headers: { link: `</api/things?c=${place}>; rel="next"` } })],
  ];

  it.each(walks)("ends with an error when its %s go round in a circle", (_what, by, given) => {
    let cursor: string | null = "";
    let pages = 0;
    const walk = () => {
      for (; cursor !== null && pages < 1_000; pages++) {
        const call: PageCall = callOf(by, { after: cursor });
        const { data = {}, headers = {} } = given(`${pages < 10 ? "first" : "again"}${pages % 33}`);
        const answer = { status: 200, data, headers: new Headers(headers) };
        cursor = nextCursor(call, answer, { rows: 2, asked: 2 });
      }
    };
    expect(walk).toThrow("Shop returned a cursor a second time, so the list never ends.");
    expect(pages).toBeLessThan(130);
  });
});

it("says how many records the platform counts, to callers who want it", async () => {
  const list = github.entities["webhooks"]?.actions["list"];
  if (list?.operation.kind !== "rest" || list.operation.list === undefined) throw new Error("webhooks.list is a list of REST");
  const operation = { ...list.operation, answer: "items", list: { ...list.operation.list, by: number } };
  const { instance } = fakeInstance(() => ({ items: [{ id: 1 }], meta: { total: 7 } }));
  const metaOf = async (withTotal: boolean) => {
    const context = { timeout: 1_000, signal: new AbortController().signal, log: pino({ level: "silent" }), requestId: "r" };
    const request = prepareRequest({ ...list, operation }, { owner: "o", repo: "r" });
    return (await executeChecked(instance, request, { ...context, withTotal })).meta;
  };
  expect(await metaOf(true)).toMatchObject({ total_count: 7 });
  expect(await metaOf(false)).not.toHaveProperty("total_count");
});

it("warns that records may be missing, where a list became shorter while it was read", async () => {
  const list = github.entities["webhooks"]?.actions["list"];
  if (list?.operation.kind !== "rest" || list.operation.list === undefined) throw new Error("webhooks.list is a list of REST");
  const operation = { ...list.operation, answer: "items", list: { ...list.operation.list, by: number } };
  const totals = [9, 9, 8];
  const { instance, seen } = fakeInstance(() => ({ items: [{ id: 1 }, { id: 2 }], meta: { total: totals[seen.length - 1] } }));
  const context = { timeout: 5_000, signal: new AbortController().signal, log: pino({ level: "silent" }), requestId: "r" };
  const warnings: unknown[] = [];
  for (let after: unknown = ""; seen.length < totals.length; ) {
    const request = prepareRequest({ ...list, operation }, { owner: "o", repo: "r", per_page: 2, after, fields: ["id"] });
    const { meta } = await executeChecked(instance, request, context);
    warnings.push(meta.warnings);
    after = meta["end_cursor"];
  }
  const message = "The list became shorter while it was read, so records may be missing between its pages.";
  expect(warnings).toEqual([undefined, undefined, [{ path: "data", code: "record_missing", message }]]);
});

it("goes on behind a page that had to be halved, where a page with fewer records than were requested is the last one", async () => {
  const list = github.entities["webhooks"]?.actions["list"];
  if (list?.operation.kind !== "rest" || list.operation.list === undefined) throw new Error("webhooks.list is a list of REST");
  const by: RestPaging = { kind: "offset", param: "offset", end: "short" };
  const operation = { ...list.operation, list: { ...list.operation.list, by } };
  const sizes: number[] = [];
  const { instance } = fakeInstance(({ url }) => {
    const [size, offset] = ["per_page", "offset"].map((name) => Number(url.searchParams.get(name)));
    sizes.push(size ?? 0);
    // The records of the second page are large.
    if (offset === 40 && size === 40)
      return new Response(new Uint8Array(17 * 2 ** 20), { headers: { "content-type": "application/json" } });
    return Array.from({ length: Math.min(size ?? 0, 70 - (offset ?? 0)) }, (_, index) => ({ id: (offset ?? 0) + index }));
  });
  const context = { timeout: 5_000, signal: new AbortController().signal, log: pino({ level: "silent" }), requestId: "r" };
  let found = 0;
  for (let after: unknown = ""; after !== null && sizes.length < 10; ) {
    const request = prepareRequest({ ...list, operation }, { owner: "o", repo: "r", per_page: 40, after });
    const { data, meta } = await executeChecked(instance, request, context);
    found += (data as unknown[]).length;
    after = meta["end_cursor"];
  }
  expect([found, sizes]).toEqual([70, [40, 40, 20, 40]]);
});
