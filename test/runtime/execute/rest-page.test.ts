import { describe, expect, it } from "vitest";
import type { RestOperation, RestPaging } from "../../../runtime/contract/index.ts";
import { nextCursor, type PageCall, pageQuery, positionOf } from "../../../runtime/execute/rest-page.ts";

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
  return { operation, params, path: "/things", title: "Shop", base: "https://shop.example/api", secret: "secret" };
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
  const cursor = nextCursor(call, positionOf(call), answer, { rows, asked: 2 });
  return cursor === null ? null : positionOf(callOf(by, { ...params, after: cursor }))?.at;
}

const offset: RestPaging = { kind: "offset", param: "offset", end: { more: "more" } };
const number: RestPaging = { kind: "number", param: "page", first: 1, end: { total: "meta.total" } };

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
    ["an empty cursor", { kind: "cursor", param: "c", next: "meta.next" }, { data: { meta: { next: "" } } }, null],
    [
      "a cursor in a header",
      { kind: "cursor", param: "c", next: "x-next", header: true },
      { headers: { "x-next": "abc" } },
      "abc",
    ],
    [
      "a cursor that says it is the last",
      { kind: "cursor", param: "c", next: "n", more: "more" },
      { data: { n: "abc", more: false } },
      null,
    ],
    ["more records", offset, { data: { more: true } }, 2],
    ["no more records", offset, { data: { more: false } }, null],
    ["a page that is not full, and no sign of the end", offset, { rows: 1 }, null],
    ["a total that is not reached", number, { data: { meta: { total: 3 } } }, 2],
    ["a total that is reached", number, { data: { meta: { total: 2 } } }, null],
    ["a number of pages", { ...number, end: { pages: "pages" } }, { data: { pages: 2 } }, 2],
    ["a full page, where a short one is the last", { ...number, end: "short" }, {}, 2],
    ["a short page, where a short one is the last", { ...number, end: "short" }, { rows: 1 }, null],
  ];
  it.each(cases)("%s", (_what, by, given, expected) => {
    expect(placeAfter(by, given)).toBe(expected);
  });

  it.each([
    ["a full page without the sign of the end", offset, {}],
    ["a full page without the total", number, {}],
    [
      "a full page with a cursor but without its sign",
      { kind: "cursor", param: "c", next: "n", more: "more" },
      { data: { n: "a" } },
    ],
    ["a Link that cannot be read", { kind: "link" }, { headers: { link: "next" } }],
    ["a Link to another host", { kind: "link" }, { headers: { link: "<https://evil.example/things>; rel=next" } }],
    ["a Link with a user", { kind: "link" }, { headers: { link: "<https://a@shop.example/things>; rel=next" } }],
  ] as [string, RestPaging, Given][])("%s is an error, never the end", (_what, by, given) => {
    expect(() => placeAfter(by, given)).toThrow(/^Shop /);
  });

  it("that is the same page again is an error: the list would never end", () => {
    const by: RestPaging = { kind: "cursor", param: "c", next: "n" };
    const answer = { status: 200, data: { n: "same" }, headers: new Headers() };
    const first = nextCursor(callOf(by), undefined, answer, { rows: 2, asked: 2 });
    const call = callOf(by, { after: first });
    expect(() => nextCursor(call, positionOf(call), answer, { rows: 2, asked: 2 })).toThrow("never ends");
  });

  it("is asked for by the platform's own parameter", () => {
    expect(pageQuery(number, undefined)).toEqual(["page", "1"]);
    expect(pageQuery(number, { at: 4, pages: 3 })).toEqual(["page", "4"]);
    expect(pageQuery(offset, undefined)).toBeUndefined();
    expect(pageQuery(offset, { at: 40, pages: 2 })).toEqual(["offset", "40"]);
  });
});

describe("a cursor", () => {
  const by: RestPaging = { kind: "address", next: "next" };
  const made = nextCursor(
    callOf(by, { shelf: "a", per_page: 2 }),
    undefined,
    { status: 200, data: { next: "?c=2" }, headers: new Headers() },
    { rows: 2, asked: 2 },
  );

  it("is good for the same list with a page of another size", () => {
    expect(positionOf(callOf(by, { shelf: "a", per_page: 50, after: made }))?.pages).toBe(1);
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
