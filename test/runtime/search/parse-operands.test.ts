import { describe, expect, it } from "vitest";
import { fitting, operatorNames, QueryParser } from "../../../runtime/search/index.ts";
import { brief, filterFaults, plan } from "./parsing.ts";

describe("an operator", () => {
  const fits: Readonly<Record<string, readonly string[]>> = {
    title: ["eq", "neq", "gt", "gte", "lt", "lte", "in", "like", "keyword", "fuzzy"],
    commentsCount: ["eq", "neq", "gt", "gte", "lt", "lte", "in"],
    score: ["eq", "neq", "gt", "gte", "lt", "lte", "in"],
    isDraft: ["eq", "neq", "in"],
    updatedAt: ["eq", "neq", "gt", "gte", "lt", "lte", "in"],
    labels: ["eq", "neq", "in", "like", "keyword", "fuzzy"],
    sizes: ["eq", "neq", "in"],
  };

  it.each(Object.entries(fits))("that is not allowed for %s is refused, and the allowed ones are listed", (field, allowed) => {
    const all = operatorNames.filter((name) => !["not", "and", "or"].includes(name));
    for (const name of all) {
      const refused = filterFaults({ [name]: { [field]: {} } }).filter(({ code }) => code === "operator_not_allowed");
      if (allowed.includes(name)) expect(refused).toEqual([]);
      else expect(refused).toMatchObject([{ pointer: `/params/filter/${name}/${field}`, allowed }]);
    }
    expect(fitting(plan.fields[field] ?? { type: "string" })).toEqual(allowed);
  });

  const valid: Readonly<Record<string, readonly unknown[]>> = {
    title: ["", "x", "2024-01-01", "\u0000", "\ud83d\ude00"],
    state: ["open", "no such state"],
    commentsCount: [0, -0, -1, 9007199254740991, -9007199254740991, 1.0],
    score: [0, 0.1, -1e300, 5e-324, 3],
    isDraft: [true, false],
    updatedAt: [
      "2024-01-01",
      "2024-02-29T23:59:59Z",
      "2024-01-01T00:00:00.123456789+14:00",
      "2024-01-01T00:00-0330",
      "2024-01-01T24:00:00Z",
      "2024-01-01T00Z",
      "20240101T000000,5+01",
      "2016-12-31T23:59:60Z",
      "2024-01-01T12:30.5Z",
      "2024-01-01T12,5\u221203:30",
      "2024-366",
      "2020W537",
      "0000-01-01",
    ],
  };
  const invalid: Readonly<Record<string, readonly unknown[]>> = {
    title: [1, true, {}, [], ["x"]],
    state: [1, true, {}, []],
    commentsCount: ["1", 1.5, 9007199254740992, 1e21, true, {}, [], Number.NaN, Number.POSITIVE_INFINITY],
    score: ["0.1", true, {}, [], Number.NaN, Number.POSITIVE_INFINITY],
    isDraft: ["true", 0, 1, {}, []],
    updatedAt: [
      "",
      "2024",
      "2024-01",
      "2024-13-01",
      "2024-00-01",
      "2024-01-00",
      "2023-02-29",
      "2024-04-31",
      "2024-01-01T00:00:00",
      "2024-01-01 00:00:00Z",
      "2024-01-01T24:00:01Z",
      "2024-01-01T25:00:00Z",
      "2024-01-01T00:60:00Z",
      "2024-01-01T00:00:61Z",
      "20240101T00:00Z",
      "2024-01-01T0000Z",
      "2024-01-01T00:00:00+24:00",
      "2024-01-01T00:00:00+00:60",
      "2024-01-01T00",
      "2024-01-01T0000:00Z",
      "2024-0101",
      "2023-366",
      "2024-000",
      "2021-W53-1",
      "2024-W00-1",
      "2024-W01-8",
      "2024-W01",
      " 2024-01-01",
      "2024-01-01\n",
      "1/2/2024",
      "yesterday",
      1_704_067_200_000,
      true,
      {},
      [],
    ],
  };

  it.each(Object.keys(valid))("takes values of the type of %s and nothing else", (field) => {
    for (const value of valid[field] ?? []) {
      expect(filterFaults({ eq: { [field]: value } })).toEqual([]);
      expect(filterFaults({ in: { [field]: [value, null] } })).toEqual([]);
    }
    for (const value of invalid[field] ?? []) {
      for (const name of ["eq", "neq", ...(field === "isDraft" ? [] : ["gt", "gte", "lt", "lte"])])
        expect(brief(filterFaults({ [name]: { [field]: value } }))).toEqual([`/params/filter/${name}/${field} wrong_type`]);
      expect(brief(filterFaults({ in: { [field]: [null, value] } }))).toEqual([`/params/filter/in/${field}/1 wrong_type`]);
    }
  });

  it("warns of a value that is like none of an enumeration with too many to list", () => {
    const values = Array.from({ length: 41 }, (_, index) => `value-${index}`);
    const parser = new QueryParser("issues", { ...plan.fields, state: { type: "string", index: "exact", values } });
    parser.filter({ eq: { state: "zzz" } }, ["filter"]);
    expect(parser.warnings).toMatchObject([{ path: "/filter/eq/state", message: 'state has no value "zzz".' }]);
  });

  it("warns of a value that an enumeration does not have", () => {
    const warnings = (filter: unknown) => {
      const parser = new QueryParser("issues", plan.fields);
      parser.filter(filter, ["params", "filter"]);
      expect(parser.faults).toEqual([]);
      return parser.warnings;
    };
    const at = (path: string, value: string, advice: string) => [
      { path, code: "unknown_value", message: `state has no value "${value}"; ${advice}` },
    ];
    expect(warnings({ eq: { state: "OPEN" } })).toEqual(at("/params/filter/eq/state", "OPEN", 'did you mean "open"?'));
    expect(warnings({ not: { neq: { state: "zzz" } } })).toEqual(
      at("/params/filter/not/neq/state", "zzz", "allowed: open, closed"),
    );
    expect(warnings({ in: { state: ["open", null, "Closed"] } })).toEqual(
      at("/params/filter/in/state/2", "Closed", 'did you mean "closed"?'),
    );
    expect(warnings({ eq: { state: "open", title: "OPEN" }, like: { state: "OP%" }, gt: { state: "a" } })).toEqual([]);
    expect(warnings({ in: { state: Array.from({ length: 100 }, (_, number) => `s${number}`) } }).length).toBe(20);
  });

  it("names the type that it requires", () => {
    expect(filterFaults({ eq: { updatedAt: "now" } })[0]?.message).toBe(
      "The value must be an ISO 8601 date, or date and time with offset, or null.",
    );
    expect(filterFaults({ gt: { commentsCount: "1" } })[0]?.message).toBe("The value must be a whole number.");
  });

  it("accepts null only where values are compared for equality", () => {
    for (const name of ["eq", "neq"]) expect(filterFaults({ [name]: { title: null, updatedAt: null } })).toEqual([]);
    for (const name of ["gt", "gte", "lt", "lte", "in", "like", "keyword", "fuzzy"])
      expect(brief(filterFaults({ [name]: { title: null } }))).toEqual([`/params/filter/${name}/title wrong_type`]);
  });

  it("for texts accepts only texts", () => {
    for (const name of ["like", "keyword", "fuzzy"]) {
      expect(filterFaults({ [name]: { title: "" } })).toEqual([]);
      for (const wrong of [1, false, ["x"], {}])
        expect(brief(filterFaults({ [name]: { title: wrong } }))).toEqual([`/params/filter/${name}/title wrong_type`]);
    }
  });

  it("accepts only a list where it requires a list", () => {
    expect(brief(filterFaults({ in: { title: "x" } }))).toEqual(["/params/filter/in/title wrong_type"]);
    expect(brief(filterFaults({ in: { title: [] } }))).toEqual(["/params/filter/in/title empty"]);
    expect(filterFaults({ in: { title: [null] } })).toEqual([]);
  });

  it("is refused when it contains half of a surrogate pair", () => {
    for (const half of ["\ud83d", "\ude00", "a\ud83db", "\ude00\ud83d"]) {
      for (const name of ["eq", "neq", "gt", "like", "keyword", "fuzzy"])
        expect(brief(filterFaults({ [name]: { title: half } }))).toEqual([`/params/filter/${name}/title invalid_text`]);
      expect(brief(filterFaults({ in: { title: ["x", half] } }))).toEqual(["/params/filter/in/title/1 invalid_text"]);
    }
  });
});
