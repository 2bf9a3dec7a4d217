import { describe, expect, it } from "vitest";
import type { FieldPlan, Warning } from "../../../runtime/contract/index.ts";
import { compileReader } from "../../../runtime/execute/record-reader.ts";

function read(fields: Readonly<Record<string, FieldPlan>>, source: object) {
  const warnings: Warning[] = [];
  const state = {
    params: {},
    restUrl: "https://api.example.test",
    warn: (warning: Warning) => warnings.push(warning),
    count: () => undefined,
  };
  return { record: compileReader({ name: "Thing", fields }, null)(source, "data.3", state), warnings };
}

const colour: FieldPlan = { read: "colour", values: ["red", "green"] };

describe("a field of an enumeration", () => {
  it("gives a value that the enumeration lists, and null, without a warning", () => {
    expect(read({ colour }, { colour: "red" })).toEqual({ record: { colour: "red" }, warnings: [] });
    expect(read({ colour }, { colour: null })).toEqual({ record: { colour: null }, warnings: [] });
  });

  it("passes any other value through with a warning that names the field", () => {
    const { record, warnings } = read({ colour }, { colour: "blue" });
    expect(record).toEqual({ colour: "blue" });
    expect(warnings).toEqual([
      { path: "data.3.colour", code: "unlisted_value", message: 'colour has the value "blue", which is not one of red, green.' },
    ]);
  });

  it("compares the value after its conversion", () => {
    expect(read({ colour: { ...colour, as: { kind: "lower" } } }, { colour: "RED" }).warnings).toEqual([]);
    const mapped: FieldPlan = { ...colour, as: { kind: "map", values: { ROUGE: "red" } } };
    expect(read({ colour: mapped }, { colour: "ROUGE" }).warnings).toEqual([]);
    expect(read({ colour: mapped }, { colour: "VERT" }).warnings).toHaveLength(1);
  });

  it("looks at each element of a list", () => {
    const { record, warnings } = read({ colour: { ...colour, list: "empty" } }, { colour: ["red", "blue", null, "green"] });
    expect(record).toEqual({ colour: ["red", "blue", "green"] });
    expect(warnings.map(({ path, code }) => [path, code])).toEqual([
      ["data.3.colour", "element_missing"],
      ["data.3.colour.1", "unlisted_value"],
    ]);
    expect(warnings[0]?.message).toBe("The platform left out 1 of the 4 elements of colour.");
  });
});

it.each<[string, FieldPlan, unknown]>([
  ["a text", { read: "field" }, "a \ud800 b"],
  ["a list of texts", { read: "field", list: "empty" }, ["fine", "\udc00"]],
  ["an open object", { read: "field", open: true }, { a: [{ b: "\ud800" }] }],
])("half of a surrogate pair in %s passes through with a warning", (_where, field, value) => {
  const { record, warnings } = read({ field }, { field: value });
  expect(record).toEqual({ field: value });
  const message = "field has half of a surrogate pair, which the cache replaces by U+FFFD.";
  expect(warnings).toEqual([{ path: "data.3.field", code: "broken_text", message }]);
});

describe("what the platform gives as an id or as an object", () => {
  const inner = () => ({ name: "Inner", fields: { id: { read: "id" } } });
  const plan = {
    customer: { read: "customer", as: { kind: "id" } },
    whole: { read: "customer", as: { kind: "expanded" }, of: inner },
    open: { read: "customer", as: { kind: "expanded" }, open: true },
    all: { read: "all", as: { kind: "id" }, list: "empty" },
  } as const;

  it.each([
    ["cus_1", { customer: "cus_1", whole: null, open: null }],
    [7, { customer: "7", whole: null, open: null }],
    [
      { id: "cus_1", name: "a" },
      { customer: "cus_1", whole: { id: "cus_1" }, open: { id: "cus_1", name: "a" } },
    ],
    [null, { customer: null, whole: null, open: null }],
  ])("%j is read without a warning", (customer, expected) => {
    const { record, warnings } = read(plan, { customer, all: [{ id: "a" }, "b"] });
    expect(record).toEqual({ ...expected, all: ["a", "b"] });
    expect(warnings).toEqual([]);
  });

  it("is a strange value where it is neither", () => {
    const { record, warnings } = read(plan, { customer: { name: "a" }, all: [] });
    expect(record).toMatchObject({ customer: { name: "a" }, whole: { id: null } });
    expect(warnings.map(({ code }) => code)).toContain("unexpected_type");
  });
});

describe("a value of another type than the spec declares", () => {
  const inner = () => ({ name: "Inner", fields: { a: { read: "a" } } });
  it.each<[string, FieldPlan, unknown, string]>([
    ["a text, where an object is declared", { read: "field", open: true }, "cus_1", "field is a text, not an object"],
    ["a list, where an object is declared", { read: "field", open: true }, [1], "field is a list, not an object"],
    ["a text, where a record is declared", { read: "field", of: inner }, "cus_1", "field is a text, not an object"],
    ["an object, where a list is declared", { read: "field", list: "empty" }, { a: 1 }, "field is an object, not a list"],
    ["a number, where a text is declared", { read: "field" }, 7, "field is a number, not a text"],
    ["an object, where a text is declared", { read: "field" }, { a: 1 }, "field is an object, not a text"],
    ["a text, where a number is declared", { read: "field", is: "integer" }, "seven", "field is a text, not a whole number"],
    [
      "a fraction, where a whole number is declared",
      { read: "field", is: "integer" },
      1.5,
      "field is a number, not a whole number",
    ],
    ["a number, where a boolean is declared", { read: "field", is: "boolean" }, 1, "field is a number, not true or false"],
    ["an object that cannot be converted", { read: "field", as: { kind: "lower" } }, { a: 1 }, "field is an object, not a text"],
    [
      "a text that is no number",
      { read: "field", as: { kind: "integer" }, is: "integer" },
      "many",
      "field is a text, not a whole number",
    ],
    ...[" ", "0x10", "1e3", true, false].map((value): [string, FieldPlan, unknown, string] => [
      `what JavaScript alone takes for a number: ${JSON.stringify(value)}`,
      { read: "field", as: { kind: "integer" }, is: "integer" },
      value,
      "not a whole number",
    ]),
    [
      "a text with a number that is not exact",
      { read: "field", as: { kind: "integer" }, is: "integer" },
      "9007199254740993",
      "field is a whole number too large to be exact, so it stays a text.",
    ],
    ["a word, where a time is declared", { read: "field", is: "timestamp" }, "yesterday", "field is a text, not a time"],
    ["a day that no month has", { read: "field", is: "timestamp" }, "2026-02-30", "field is a text, not a time"],
    ["a number, where a time is declared", { read: "field", is: "timestamp" }, 1_700_000_000, "field is a number, not a time"],
    ["true, where a time is declared", { read: "field", as: { kind: "seconds" } }, true, "field is true or false, not a text"],
    ["true, where an id is declared", { read: "field", as: { kind: "string" } }, true, "field is true or false, not a text"],
    ["an empty text that is no number", { read: "field", as: { kind: "integer" }, is: "integer" }, "", "field is a text"],
    ["an object in an enumeration", { read: "field", values: ["red"] }, { a: 1 }, "field is an object, not a text"],
  ])("(%s) is passed through as it is, with a warning", (_what, field, value, message) => {
    const { record, warnings } = read({ field }, { field: value });
    expect(record).toEqual({ field: value });
    expect(warnings).toEqual([{ path: "data.3.field", code: "unexpected_type", message: expect.stringContaining(message) }]);
  });

  it.each<[what: string, holder: unknown, text: string]>([
    ["a text", "bob", "a text"],
    ["a list", ["bob"], "a list"],
    ["false", false, "true or false"],
  ])("(%s) has a warning where the field is read from an object in its place", (_what, owner, text) => {
    const { record, warnings } = read({ field: { read: "repo.owner.login" } }, { repo: { owner } });
    expect(record).toEqual({ field: null });
    const message = `repo.owner is ${text}, not an object as the spec declares.`;
    expect(warnings).toEqual([{ path: "data.3.field", code: "unexpected_type", message }]);
  });

  it("has no warning where the object is missing, or another path has the value", () => {
    const paths: FieldPlan = { read: ["owner.login", "login"] };
    expect(read({ field: paths }, { owner: "bob", login: "bob" }).warnings).toEqual([]);
    expect(read({ field: paths }, { owner: null }).warnings).toEqual([]);
    expect(read({ field: { read: "owners.0.login" } }, { owners: [] }).warnings).toEqual([]);
  });

  it("is passed through in a list, beside the values that fit", () => {
    const { record, warnings } = read({ field: { read: "field", list: "empty", is: "number" } }, { field: [1, "2"] });
    expect(record).toEqual({ field: [1, "2"] });
    expect(warnings).toMatchObject([{ path: "data.3.field", code: "unexpected_type" }]);
  });

  it.each<[FieldPlan, unknown]>([
    [{ read: "field", open: true }, { a: 1 }],
    [{ read: "field", is: "timestamp" }, "2026-02-28"],
    [{ read: "field", is: "timestamp" }, "2026-02-28T09:30:00.123+02:00"],
    [{ read: "field", as: { kind: "seconds" }, is: "timestamp" }, 12],
    [{ read: "field", is: "number" }, 1.5],
    [{ read: "field", is: "boolean" }, false],
    [{ read: "field", as: { kind: "integer" }, is: "integer" }, "12"],
    [{ read: "field", as: { kind: "string" } }, 12],
    [{ read: "field", as: { kind: "seconds" } }, 12],
    [{ read: "field", is: "integer" }, null],
  ])("is no value that fits, nor null: %j", (field, value) => {
    expect(read({ field }, { field: value }).warnings).toEqual([]);
  });
});

/** The value of a field that is made of the call's parameters. */
function given(param: NonNullable<FieldPlan["param"]>, params: Readonly<Record<string, unknown>>): unknown {
  const read = compileReader({ name: "Record", fields: { field: { param } } }, null);
  return read({ field: "not this one" }, "data", {
    params,
    restUrl: "https://api.example.test",
    warn: () => undefined,
    count: () => undefined,
  })["field"];
}

const fullName = ["", "owner", "/", "repo", ""];

describe("a field that is a parameter", () => {
  it("has the value of the call's parameter, whatever its type", () => {
    expect(given("number", { number: 7 })).toBe(7);
    expect(given("path", { path: "" })).toBe("");
  });

  it("is null when the call has none", () => {
    expect(given("org", { username: "octocat" })).toBeNull();
    expect(given("milestone", { milestone: null })).toBeNull();
  });
});

describe("a field that is made of several parameters", () => {
  it("is a text with their values, taken as they are", () => {
    expect(given(fullName, { owner: "octocat", repo: "hello-world" })).toBe("octocat/hello-world");
    expect(given(["no. ", "number", " of ", "owner", ""], { owner: "{repo}", number: 0 })).toBe("no. 0 of {repo}");
  });

  it("is null when one of them is missing", () => {
    expect(given(fullName, { owner: "octocat" })).toBeNull();
    expect(given(fullName, { owner: "octocat", repo: null })).toBeNull();
  });
});

describe("a time in a number", () => {
  const at = (kind: "seconds" | "milliseconds", value: unknown) =>
    read({ at: { read: "at", as: { kind } } }, { at: value }).record;

  it("becomes an ISO 8601 text, whether it is a number or a text", () => {
    expect(at("seconds", 1_700_000_000)).toEqual({ at: "2023-11-14T22:13:20.000Z" });
    expect(at("seconds", "1700000000")).toEqual({ at: "2023-11-14T22:13:20.000Z" });
    expect(at("seconds", 0)).toEqual({ at: "1970-01-01T00:00:00.000Z" });
    expect(at("milliseconds", 1_700_000_000_123)).toEqual({ at: "2023-11-14T22:13:20.123Z" });
    expect(at("milliseconds", -1)).toEqual({ at: "1969-12-31T23:59:59.999Z" });
  });

  it("stays as it is where it is no time", () => {
    expect(at("seconds", null)).toEqual({ at: null });
    expect(at("seconds", "")).toEqual({ at: "" });
    expect(at("milliseconds", "soon")).toEqual({ at: "soon" });
    expect(at("milliseconds", 9e15)).toEqual({ at: 9e15 });
  });
});

describe("a value that may be cut", () => {
  const text: FieldPlan = { read: "text", cut: "truncated" };

  it.each([true, "true", 1, {}])("has a warning unless the platform says that it is whole: %j", (truncated) => {
    const { warnings } = read({ text }, { text: "a", truncated });
    expect(warnings).toMatchObject([{ path: "data.3.text", code: "value_cut" }]);
  });

  it.each([false, null, undefined])("has none where it is whole, or no sign comes with it: %j", (truncated) => {
    expect(read({ text }, { text: "a", truncated }).warnings).toEqual([]);
  });
});
