import { describe, expect, it } from "vitest";
import { drafted, spelled } from "../../support/drafted.ts";

const record = { type: "object", required: ["id"], properties: { id: { type: "integer" }, name: { type: "string" } } };
const list = (...parameters: readonly object[]) => ({
  get: {
    parameters,
    responses: { 200: { content: { "application/json": { schema: { type: "array", items: record } } } } },
  },
});

/** The draft of a platform with these paths. */
const draftOf = (paths: object) =>
  drafted(JSON.stringify({ openapi: "3.1.0", servers: [{ url: "https://api.race.example" }], paths }));

/** The params of the list that a draft of these paths has for an entity. */
function paramsOf(paths: object, entity: string): object {
  const { connector, entities, left } = draftOf(paths);
  expect(left).toEqual([]);
  const action = entities[entity]?.["actions"]?.["list"] as { readonly params: object } | undefined;
  return spelled(action?.params, connector["params"]);
}

describe("a param with a name that every JavaScript object has", () => {
  it("has another name in the spec, beside the others", () => {
    const query = ["constructor", "toString", "season"].map((name) => ({ name, in: "query", schema: { type: "string" } }));
    expect(paramsOf({ "/drivers": list(...query) }, "drivers")).toMatchObject({
      constructor_: { name: "constructor" },
      toString_: { name: "toString" },
      season: { type: "string" },
    });
  });

  it("names the place of a path as the platform does, and its scope too", () => {
    const of = (type: string) => {
      const place = { name: "constructorId", in: "path", required: true, schema: { type } };
      return { "/constructors/{constructorId}/drivers": list(place) };
    };
    const paths = of("string");
    expect(paramsOf(paths, "drivers")).toMatchObject({ constructorId: { required: true } });
    expect(draftOf(paths).connector["scopes"]).toMatchObject({ constructor_id: { params: ["constructorId"] } });
    const { entities } = draftOf({ ...of("integer"), "/constructors": list() });
    expect(entities["drivers"]?.["sync"]).toMatchObject([{ each: { entity: "constructors", params: { constructorId: "id" } } }]);
  });

  it("of a record is a field of another name", () => {
    const schema = { type: "object", required: ["id"], properties: { id: { type: "integer" }, constructor: { type: "string" } } };
    const answer = { 200: { content: { "application/json": { schema: { type: "array", items: schema } } } } };
    const { entities, left } = draftOf({ "/results": { get: { responses: answer } } });
    expect(left).toEqual([]);
    expect(entities["results"]?.["fields"]).toMatchObject({ constructor_: { from: "constructor" } });
  });
});

describe("the bounds of a number", () => {
  const safe = Number.MAX_SAFE_INTEGER;

  it.each([
    ["integer", { minimum: 3_000_000_000 }, [3_000_000_000, safe]],
    ["integer", { maximum: -5 }, [-safe, -5]],
    ["integer", { maximum: 2 ** 63 }, [-safe, safe]],
    ["integer", { minimum: -(2 ** 63) }, [-safe, safe]],
    ["integer", { minimum: 0.5, maximum: 10.5 }, [1, 10]],
    ["number", { minimum: 0.1, maximum: 0.9 }, [0, 1]],
    ["number", { minimum: -0.5, maximum: 1e300 }, [-1, safe]],
    ["integer", {}, [-safe, safe]],
    ["integer", { format: "int32" }, [-2_147_483_648, 2_147_483_647]],
    ["number", {}, [-safe, safe]],
  ])("of the type %s with %j are those that the language has", (type, bounds, range) => {
    const param = { name: "at", in: "query", schema: { type, ...bounds } };
    expect(paramsOf({ "/laps": list(param) }, "laps")).toMatchObject({ at: { range } });
  });

  it("are those of the elements of a list, too", () => {
    const items = { type: "integer", minimum: -3, maximum: 5_000_000_000 };
    const param = { name: "at", in: "query", schema: { type: "array", items, minItems: 200 } };
    expect(paramsOf({ "/laps": list(param) }, "laps")).toMatchObject({
      at: { items: [200, 100_000], range: [-3, 5_000_000_000] },
    });
  });

  it("of a place in a path do not cost its entity", () => {
    const place = { name: "since", in: "path", required: true, schema: { type: "integer", maximum: 2 ** 63 } };
    const { connector, entities } = draftOf({ "/days/{since}/logs": list(place) });
    expect(Object.keys(entities)).toEqual(["logs"]);
    expect(connector["params"] ?? entities["logs"]?.["actions"]?.["list"]).toMatchObject({
      params: { since: { range: [1, safe] } },
    });
  });

  it("have the example between them", () => {
    const param = { name: "lag", in: "query", required: true, schema: { type: "integer", minimum: -720, maximum: 0 } };
    expect(draftOf({ "/laps": list(param) }).connector["example"]).toMatchObject({ params: { lag: 0 } });
  });
});

it("a param that a caller has to give has no default, which would never be used", () => {
  const param = { name: "season", in: "query", required: true, schema: { type: "integer", default: 2026 } };
  const { connector, entities } = draftOf({ "/laps": list(param) });
  expect(connector["example"]).toMatchObject({ params: { season: 1 } });
  expect(entities["laps"]?.["actions"]?.["list"]).not.toMatchObject({ params: { season: { default: 2026 } } });
});

it("the length of a text is one that the language has", () => {
  const lengths = [{ minLength: 5000 }, { minLength: 1, maxLength: 2_147_483_647 }];
  const params = lengths.map((schema, index) => ({ name: `q${index}`, in: "query", schema: { type: "string", ...schema } }));
  expect(paramsOf({ "/laps": list(...params) }, "laps")).toMatchObject({
    q0: { length: [5000, 10_000_000] },
    q1: { length: [1, 10_000_000] },
  });
});
