import { describe, expect, it } from "vitest";
import { OpenApi } from "../../generator/model/open-api.ts";
import { describePlatform } from "../../generator/model/platform-description.ts";

// How a call sends its parameters, as an OpenAPI description says.

const list = { type: "array", items: { type: "string" } };

/** The call `POST /books` of a description. @param shared parameters of its path */
function callOf(operation: object, shared: readonly object[] = [], components: object = {}) {
  const rest = new OpenApi({
    openapi: "3.1.0",
    components,
    paths: { "/books": { parameters: shared, post: operation } },
  } as never);
  return describePlatform({ key: "", graphql: undefined, scalars: {}, rest }).rest("POST", "/books");
}

describe("a list in a query", () => {
  it.each([
    [{}, "repeat"],
    [{ explode: false }, ","],
    [{ style: "form", explode: true }, "repeat"],
    [{ style: "spaceDelimited" }, " "],
    [{ style: "pipeDelimited" }, "|"],
    [{ style: "pipeDelimited", explode: true }, "repeat"],
    [{ style: "deepObject" }, "brackets"],
    [{ style: "deepObject", explode: true }, "brackets"],
    [{ style: "of another version" }, ","],
    [{ style: "constructor" }, ","],
  ])("of %j is joined by %j", (style, join) => {
    const call = callOf({ parameters: [{ name: "tags", in: "query", schema: list, ...style }] });
    expect(call?.params.map((one) => [one.name, one.join])).toEqual([["tags", join]]);
  });
});

it("a list in a form is joined as its encoding says, and otherwise as nothing says", () => {
  const schema = { type: "object", properties: { tags: list, notes: list, parts: list, plain: list } };
  const encoding = {
    tags: { style: "pipeDelimited" },
    notes: { explode: false },
    parts: { style: "form" },
    plain: { contentType: "text/plain" },
  };
  const call = callOf({ requestBody: { content: { "application/x-www-form-urlencoded": { schema, encoding } } } });
  expect([call?.form, call?.formJoins]).toEqual([true, { tags: "|", notes: ",", parts: "repeat" }]);
});

it("a call's own parameter takes the place of that of its path with the same name, in the same part of the call", () => {
  const shelf = { name: "shelf", schema: { type: "string" } };
  const parameters = [{ ...shelf, in: "query", required: true }];
  const shared = [
    { ...shelf, in: "query" },
    { ...shelf, in: "header" },
    { ...shelf, name: "room", in: "query" },
  ];
  const { params = [] } = callOf({ parameters }, shared) ?? {};
  expect(params.map(({ name, in: place, required }) => `${name} ${place} ${required}`)).toEqual([
    "shelf query true",
    "shelf header false",
    "room query false",
  ]);
});

describe("the response of success", () => {
  const of = (type: string) => ({ content: { "application/json": { schema: { type } } } });

  it.each([
    [{ 204: {}, default: of("object") }, undefined],
    [{ "2XX": of("string"), default: of("object") }, "string"],
    [{ 404: of("string"), default: of("object") }, "object"],
    [{ default: of("object"), 201: of("string") }, "string"],
  ])("of %j is %s: `default` is a refusal beside one of success", (responses, type) => {
    expect(callOf({ responses })?.answer?.["type"]).toBe(type);
  });

  it("leads to the next page by a header Link, also where it or the header is a reference", () => {
    const header = { schema: { type: "string" } };
    const components = {
      responses: { List: { headers: { Link: { $ref: "#/components/headers/Next" } } } },
      headers: { Next: header },
    };
    for (const response of [{ headers: { link: header } }, components.responses.List, { $ref: "#/components/responses/List" }])
      expect(callOf({ responses: { 200: response } }, [], components)?.links).toBe(true);
    expect(callOf({ responses: { 200: {}, default: { headers: { Link: header } } } }, [], components)?.links).toBe(false);
  });
});
