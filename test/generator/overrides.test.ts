import { describe, expect, it } from "vitest";
import { type JsonSchema, OpenApi, overridden } from "../../generator/model/open-api.ts";
import { isReached, overrideFaults } from "../../generator/model/overrides.ts";

const body = { content: { "application/json": { schema: { $ref: "#/components/schemas/Book" } } } };
const api = new OpenApi({
  openapi: "3.1.0",
  paths: { "/books": { parameters: [{ $ref: "#/components/parameters/shelf" }], post: { requestBody: body }, get: {} } },
  components: {
    parameters: { shelf: { name: "shelf", in: "query", schema: { $ref: "#/components/schemas/Shelf" } } },
    schemas: {
      Book: {
        type: "object",
        properties: { title: { type: "string" }, parts: { type: "array", items: { $ref: "#/components/schemas/Book" } } },
      },
      Shelf: { type: "string" },
      Reader: { type: "object" },
    },
    securitySchemes: {},
  },
});

describe("the place of an override", () => {
  it.each([
    ["#/components/schemas/Book", ["POST /books"], true],
    ["#/components/schemas/Book/properties/title", ["POST /books"], true],
    ["#/components/schemas", ["POST /books"], true],
    ["#/components/schemas/Shelf", ["GET /books"], true],
    ["#/paths/~1books/post/requestBody", ["POST /books"], true],
    ["#/paths/~1books/post", ["GET /books"], false],
    ["#/components/schemas/Book", ["GET /books"], false],
    ["#/components/schemas/Reader", ["GET /books", "POST /books"], false],
    // Simulated platforms read how callers are known.
    ["#/components/securitySchemes", [], true],
    ["#/security", [], true],
  ] as const)("%s says something of %j: %s", (place, calls, reached) => {
    expect(isReached(api, place, calls)).toBe(reached);
  });
});

describe("an override", () => {
  const faults = (place: readonly string[], patch: Parameters<typeof overrideFaults>[2]) =>
    overrideFaults(api, place, patch).map(({ keys, message }) => [keys.join("."), message]);
  const book = ["components", "schemas", "Book"];

  it("may change, add and remove what the description has", () => {
    expect(
      faults(book, { required: ["title"], properties: { title: { type: ["string", "null"] }, parts: null, isbn: {} } }),
    ).toEqual([]);
    expect(faults(["paths", "/books", "get"], { "x-note": 1, parameters: [{ name: "q", in: "query", schema: {} }] })).toEqual([]);
    expect(faults(["components"], { securitySchemes: { token: { type: "http", scheme: "bearer" } } })).toEqual([]);
  });

  it("is checked where it follows a reference, and inside a list", () => {
    expect(
      faults(["paths", "/books", "post", "requestBody", "content", "application/json", "schema"], { propertys: {} }),
    ).toEqual([["propertys", '"propertys" is not a key of a schema in OpenAPI']]);
    expect(faults(["paths", "/books", "get"], { parameters: [{ name: "q", inn: "query" }] })).toEqual([
      ["parameters.0.inn", '"inn" is not a key of a parameter in OpenAPI'],
    ]);
  });

  it("changes one element of a list, and what a reference to another place shares stays as it is", () => {
    const shelf = { name: "shelf", in: "query", schema: { $ref: "#/components/schemas/Shelf" } };
    const more = new OpenApi({
      ...(api.root as JsonSchema),
      paths: { "/books": { parameters: [{ $ref: "#/components/parameters/shelf" }, { name: "q" }] } },
    });
    const changed = overridden(more, ["paths", "/books", "parameters", "0"], { required: true });
    expect(changed?.at(["paths", "/books", "parameters"])).toEqual([{ ...shelf, required: true }, { name: "q" }]);
    expect(changed?.at(["components", "parameters", "shelf"])).toEqual(shelf);
    expect(overridden(more, ["paths", "/books", "parameters", "2"], { required: true })).toBeUndefined();
  });

  it("has lists and mappings where OpenAPI has them", () => {
    expect(faults(["paths", "/books", "post"], { requestBody: { content: [] }, parameters: {}, responses: "none" })).toEqual([
      ["requestBody.content", '"content" is a mapping in OpenAPI'],
      ["parameters", '"parameters" is a list in OpenAPI'],
      ["responses", '"responses" is a mapping in OpenAPI'],
    ]);
    expect(faults(book, { additionalProperties: false, type: ["object", "null"] })).toEqual([]);
  });

  it("changes something in each of its parts", () => {
    const same = "the platform's description already says this, so the override has no effect";
    expect(faults(book, { type: "object", properties: { title: { type: "string" }, isbn: null } })).toEqual([
      ["type", same],
      ["properties.title.type", same],
      ["properties.isbn", 'there is no "isbn" to remove'],
    ]);
    expect(faults(book, {})).toEqual([["", "this override changes nothing"]]);
  });
});
