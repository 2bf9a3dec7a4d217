import { describe, expect, it } from "vitest";
import { type Fault, maxFaults } from "../../../runtime/base/errors.ts";
import { type StorePlan, searchLimits } from "../../../runtime/contract/index.ts";
import {
  fitting,
  operatorNames,
  QueryParser,
  readCursor,
  type SearchQuery,
  type SortPosition,
  writeCursor,
} from "../../../runtime/search/index.ts";

const plan: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    title: { type: "string", index: "name", nullable: true },
    bodyText: { type: "string", index: "text", nullable: true },
    state: { type: "string", index: "exact", values: ["open", "closed"] },
    commentsCount: { type: "integer", index: "exact" },
    score: { type: "number", index: "exact", nullable: true },
    isDraft: { type: "boolean", index: "exact" },
    updatedAt: { type: "timestamp", index: "exact" },
    labels: { type: "string", index: "name", list: { by: ["name"] } },
    sizes: { type: "integer", index: "exact", list: {} },
  },
};
const names = Object.keys(plan.fields);

function filterFaults(filter: unknown): readonly Fault[] {
  const parser = new QueryParser("issues", plan.fields);
  parser.filter(filter, ["params", "filter"]);
  return parser.faults;
}

function sortFaults(sort: unknown): readonly Fault[] {
  const parser = new QueryParser("issues", plan.fields);
  parser.sort(sort, ["params", "sort"]);
  return parser.faults;
}

/** Places and codes, without what is said about them. */
const brief = (faults: readonly Fault[]) => faults.map(({ pointer, code }) => `${pointer} ${code}`);

/** As a caller's text is read, so that names such as `__proto__` are names. */
const json = (text: string): unknown => JSON.parse(text);

function query(filter: unknown, sort: unknown = []): Pick<SearchQuery, "filter" | "sort"> {
  const parser = new QueryParser("issues", plan.fields);
  const condition = parser.filter(filter, []);
  const keys = parser.sort(sort, []);
  expect(parser.faults).toEqual([]);
  return { sort: keys, ...(condition === undefined ? {} : { filter: condition }) };
}

const deep = (depth: number, innermost: unknown): unknown => (depth <= 1 ? innermost : { not: deep(depth - 1, innermost) });
const some = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);
const leaf = { eq: { isDraft: true } };

describe("a filter", () => {
  it("is an object", () => {
    for (const wrong of [null, "eq", 1, true, [], [leaf]])
      expect(brief(filterFaults(wrong))).toEqual(["/params/filter wrong_type"]);
  });

  it("must not be empty, and the message lists what is allowed", () => {
    expect(filterFaults({})).toMatchObject([{ pointer: "/params/filter", code: "empty", allowed: operatorNames }]);
  });

  it("with an unknown operator gets all operators and the nearest one", () => {
    expect(filterFaults({ liek: { title: "x" } })).toMatchObject([
      { pointer: "/params/filter/liek", code: "unknown_operator", allowed: operatorNames, suggestion: "like" },
    ]);
    expect(filterFaults({ EQ: { title: "x" } })).toMatchObject([{ code: "unknown_operator", suggestion: "eq" }]);
    const [turned] = filterFaults({ title: { eq: "x" } });
    expect(turned?.message).toBe('There is no operator "title". Write a condition as operator, then field, then value.');
    const [far] = filterFaults({ contains_any_of: { title: "x" } });
    expect(far?.code).toBe("unknown_operator");
    expect(far).not.toHaveProperty("suggestion");
  });

  it("with an unknown field gets all fields and the nearest one", () => {
    expect(filterFaults({ eq: { coments_count: 1 } })).toMatchObject([
      { pointer: "/params/filter/eq/coments_count", code: "unknown_field", allowed: names, suggestion: "commentsCount" },
    ]);
    const [far] = filterFaults({ eq: { "user.login": "x" } });
    expect(far).toMatchObject({ pointer: "/params/filter/eq/user.login", code: "unknown_field", allowed: names });
    expect(far).not.toHaveProperty("suggestion");
  });

  it("accepts both spellings of a field and no other", () => {
    expect(filterFaults({ eq: { commentsCount: 1, comments_count: 1 } })).toEqual([]);
    const others = ["CommentsCount", "comments-count", "commentscount", "COMMENTS_COUNT", "comments_Count", " commentsCount"];
    for (const other of others) expect(filterFaults({ eq: { [other]: 1 } })).toMatchObject([{ code: "unknown_field" }]);
  });

  it("does not accept names of JavaScript's own members as fields or operators", () => {
    for (const name of ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"]) {
      expect(brief(filterFaults(json(`{"${name}": {"title": "x"}}`)))).toEqual([`/params/filter/${name} unknown_operator`]);
      expect(brief(filterFaults(json(`{"eq": {"${name}": "x"}}`)))).toEqual([`/params/filter/eq/${name} unknown_field`]);
      expect(brief(sortFaults(json(`[{"${name}": "asc"}]`)))).toEqual([`/params/sort/0/${name} unknown_field`]);
    }
    expect(brief(sortFaults(json('[{"title": "__proto__"}]')))).toEqual(["/params/sort/0/title not_allowed"]);
  });

  it("must have an object with at least one field under an operator", () => {
    for (const wrong of ["title", null, [], 1])
      expect(brief(filterFaults({ eq: wrong }))).toEqual(["/params/filter/eq wrong_type"]);
    expect(brief(filterFaults({ eq: {} }))).toEqual(["/params/filter/eq empty"]);
  });

  it('must have a list of at least one condition under "and" and "or"', () => {
    for (const name of ["and", "or"]) {
      for (const wrong of [leaf, "x", null, 1])
        expect(brief(filterFaults({ [name]: wrong }))).toEqual([`/params/filter/${name} wrong_type`]);
      expect(brief(filterFaults({ [name]: [] }))).toEqual([`/params/filter/${name} empty`]);
      expect(brief(filterFaults({ [name]: [leaf, {}] }))).toEqual([`/params/filter/${name}/1 empty`]);
      expect(brief(filterFaults({ [name]: [leaf, [leaf]] }))).toEqual([`/params/filter/${name}/1 wrong_type`]);
    }
  });

  it('must have a condition under "not"', () => {
    expect(brief(filterFaults({ not: [leaf] }))).toEqual(["/params/filter/not wrong_type"]);
    expect(brief(filterFaults({ not: null }))).toEqual(["/params/filter/not wrong_type"]);
    expect(brief(filterFaults({ not: {} }))).toEqual(["/params/filter/not empty"]);
  });

  it("escapes names in pointers", () => {
    expect(brief(filterFaults({ eq: { "a/b~c": 1 } }))).toEqual(["/params/filter/eq/a~1b~0c unknown_field"]);
  });

  it("reports every fault, wherever it is", () => {
    const faults = filterFaults({
      and: [{ eq: { titel: "x" } }, { or: [{ gt: { isDraft: true } }, { nor: [] }] }],
      not: { in: { state: ["open", 3, true] } },
      like: { title: 1, bodyText: "fine" },
    });
    expect(brief(faults)).toEqual([
      "/params/filter/and/0/eq/titel unknown_field",
      "/params/filter/and/1/or/0/gt/isDraft operator_not_allowed",
      "/params/filter/and/1/or/1/nor unknown_operator",
      "/params/filter/not/in/state/1 wrong_type",
      "/params/filter/not/in/state/2 wrong_type",
      "/params/filter/like/title wrong_type",
    ]);
  });

  it("reports at most 20 faults", () => {
    expect(filterFaults({ in: { commentsCount: some(500, "x") } }).length).toBe(maxFaults);
    expect(maxFaults).toBe(20);
  });

  it("shortens long names in messages", () => {
    const [fault] = filterFaults({ ["x".repeat(100_000)]: leaf });
    expect(JSON.stringify(fault).length).toBeLessThan(1000);
  });
});

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

describe("limits of a filter", () => {
  it("are the documented ones", () => {
    expect(searchLimits).toEqual({ groups: 1000, depth: 10, nodes: 200, values: 1000, sortKeys: 8, text: 2048, groupFields: 2 });
  });

  it("allow a depth of 10 conditions", () => {
    expect(filterFaults(deep(10, leaf))).toEqual([]);
    expect(filterFaults(deep(11, leaf))).toMatchObject([{ pointer: `/params/filter${"/not".repeat(10)}`, code: "out_of_range" }]);
    expect(filterFaults(deep(9, { and: [leaf, { or: [leaf] }] }))).toMatchObject([
      { pointer: `/params/filter${"/not".repeat(8)}/and/1/or/0`, code: "out_of_range" },
    ]);
  });

  it("hold for a very deep filter too", () => {
    const filter = json(`${'{"not":'.repeat(50_000)}{"eq":{"isDraft":true}}${"}".repeat(50_000)}`);
    expect(brief(filterFaults(filter))).toEqual([`/params/filter${"/not".repeat(10)} out_of_range`]);
  });

  it("allow 200 conditions, including those that join others", () => {
    expect(filterFaults({ or: some(199, leaf) })).toEqual([]);
    expect(brief(filterFaults({ or: some(200, leaf) }))).toEqual(["/params/filter/or/199/eq out_of_range"]);
    expect(brief(filterFaults({ or: some(5000, leaf) }))).toEqual(["/params/filter/or/199/eq out_of_range"]);
  });

  it("count every field under an operator", () => {
    const three = { eq: { title: "x", score: 1, isDraft: true } };
    expect(filterFaults({ or: [...some(66, three), leaf] })).toEqual([]);
    expect(brief(filterFaults({ or: [...some(66, three), leaf, leaf] }))).toEqual(["/params/filter/or/67/eq out_of_range"]);
    expect(brief(filterFaults({ or: some(67, three) }))).toEqual(["/params/filter/or/66/eq out_of_range"]);
  });

  it("never drop a condition without a fault", () => {
    const many = { neq: { title: "x", bodyText: "x", score: 1, isDraft: true } };
    for (let count = 191; count < 200; count++)
      expect(brief(filterFaults({ and: [...some(count, leaf), many, many, leaf] }))).toEqual([
        expect.stringMatching(/ out_of_range$/),
      ]);
  });

  it("allow 1,000 values in one `in`", () => {
    expect(filterFaults({ in: { commentsCount: some(1000, 1) } })).toEqual([]);
    expect(brief(filterFaults({ in: { commentsCount: some(1001, 1) } }))).toEqual([
      "/params/filter/in/commentsCount out_of_range",
    ]);
  });

  it("allow 2,048 characters in a text, and count an emoji as one", () => {
    for (const name of ["like", "keyword", "fuzzy"]) {
      for (const char of ["x", "\ud83d\ude00"]) {
        expect(filterFaults({ [name]: { title: char.repeat(2048) } })).toEqual([]);
        expect(brief(filterFaults({ [name]: { title: char.repeat(2049) } }))).toEqual([
          `/params/filter/${name}/title out_of_range`,
        ]);
      }
    }
  });
});

describe("a list field", () => {
  it("cannot be sorted or grouped by, and the message says why and what can", () => {
    const [fault] = sortFaults([{ labels: "asc" }]);
    expect(fault).toMatchObject({
      pointer: "/params/sort/0/labels",
      code: "not_allowed",
      message: "Records cannot be sorted by labels, because it is a list.",
      allowed: names.filter((name) => name !== "labels" && name !== "sizes"),
    });
    const parser = new QueryParser("issues", plan.fields);
    parser.groupBy(["labels"], ["params", "groupBy"]);
    expect(parser.faults).toMatchObject([{ message: "Records cannot be grouped by labels: it is a list." }]);
    expect(parser.faults[0]?.allowed).not.toContain("sizes");
  });

  it("says that it is a list where an operator does not take lists", () => {
    expect(filterFaults({ gt: { sizes: 1 } })).toMatchObject([{ message: "gt is not allowed for sizes, which is a list." }]);
  });
});

describe("a sort", () => {
  it("is a list of objects with one field each", () => {
    for (const wrong of [null, {}, "title", { title: "asc" }])
      expect(brief(sortFaults(wrong))).toEqual(["/params/sort wrong_type"]);
    for (const wrong of [null, "title", {}, [], ["title"], { title: "asc", state: "asc" }])
      expect(brief(sortFaults([{ id: "asc" }, wrong]))).toEqual(["/params/sort/1 wrong_type"]);
  });

  it("has two directions", () => {
    for (const wrong of ["ASC", "up", "", null, 1, true])
      expect(sortFaults([{ title: wrong }])).toMatchObject([
        { pointer: "/params/sort/0/title", code: "not_allowed", allowed: ["asc", "desc"] },
      ]);
  });

  it("accepts only known fields, in both spellings", () => {
    expect(sortFaults([{ commentsCount: "asc" }, { comments_count: "desc" }])).toEqual([]);
    const twice = [{ commentsCount: "asc" }, { title: "desc" }, { comments_count: "desc" }];
    expect(query({ eq: { state: "open" } }, twice)).toEqual(query({ eq: { state: "open" } }, twice.slice(0, 2)));
    expect(sortFaults([{ updatedAtt: "asc" }])).toMatchObject([
      { pointer: "/params/sort/0/updatedAtt", code: "unknown_field", allowed: names, suggestion: "updatedAt" },
    ]);
  });

  it("has at most 8 keys", () => {
    expect(sortFaults(some(8, { id: "asc" }))).toEqual([]);
    expect(brief(sortFaults(some(9, { id: "asc" })))).toEqual(["/params/sort out_of_range"]);
  });

  it("reports all its faults", () => {
    expect(brief(sortFaults([{ titel: "up" }, { state: "down" }]))).toEqual([
      "/params/sort/0/titel unknown_field",
      "/params/sort/0/titel not_allowed",
      "/params/sort/1/state not_allowed",
    ]);
  });
});

describe("a cursor", () => {
  const sort = [{ commentsCount: "desc" }, { title: "asc" }, { isDraft: "asc" }, { updatedAt: "asc" }];
  const own = query({ eq: { state: "open" } }, sort);
  const place: SortPosition = [3, "caf\u00e9 \ud83d\ude00\u0000", null, 1_704_067_200_000, "key"];
  const cursor = writeCursor("issues", own, place);
  const rewritten = (change: (parts: unknown[]) => unknown) =>
    Buffer.from(JSON.stringify(change(JSON.parse(Buffer.from(cursor, "base64url").toString())))).toString("base64url");

  it("leads back to its position", () => {
    expect(readCursor("issues", own, plan, cursor)).toEqual(place);
  });

  it("may be put into an address unchanged", () => {
    expect(cursor).toMatch(/^[\w-]+$/);
  });

  it("is the same however filter and sort are written", () => {
    const other = query({ and: [{ eq: { state: "open" } }] }, [
      { comments_count: "desc" },
      { title: "asc" },
      { is_draft: "asc" },
      { updated_at: "asc" },
    ]);
    expect(readCursor("issues", other, plan, cursor)).toEqual(place);
    const joined = query({ eq: { state: "open", isDraft: true }, gt: { commentsCount: 1 } });
    const otherwise = query({ gt: { commentsCount: 1 }, eq: { isDraft: true, state: "open" } });
    expect(readCursor("issues", otherwise, plan, writeCursor("issues", joined, ["key"]))).toEqual(["key"]);
    const atNoon = query({ gt: { updatedAt: "2024-01-01T12:00:00Z" } });
    const elsewhere = query({ gt: { updated_at: "2024-01-01T13:00:00+01:00" } });
    expect(readCursor("issues", elsewhere, plan, writeCursor("issues", atNoon, ["key"]))).toEqual(["key"]);
  });

  it("is not valid for another filter, another sort or another entity", () => {
    const others = [
      query({ eq: { state: "closed" } }, sort),
      query({ neq: { state: "open" } }, sort),
      { sort: own.sort },
      query({ eq: { state: "open" } }, sort.slice(0, 3)),
      query({ eq: { state: "open" } }, [{ commentsCount: "asc" }, ...sort.slice(1)]),
      query({ eq: { state: "open" } }, [{ score: "desc" }, ...sort.slice(1)]),
    ];
    for (const other of others) expect(readCursor("issues", other, plan, cursor)).toBeUndefined();
    expect(readCursor("pull_requests", own, plan, cursor)).toBeUndefined();
  });

  it("is not valid when it is cut off", () => {
    for (let length = 0; length < cursor.length; length++)
      expect(readCursor("issues", own, plan, cursor.slice(0, length))).toBeUndefined();
  });

  it("is not valid when it is made up", () => {
    const strange = ["", "x", "null", "%", "W10", "e30", "MQ", Buffer.from("[".repeat(100_000)).toString("base64url")];
    for (const one of strange) expect(readCursor("issues", own, plan, one)).toBeUndefined();
  });

  it("is not valid when its values are not of the sort's types", () => {
    const replaced = (at: number, value: unknown) => rewritten((parts) => parts.with(at, value));
    expect(readCursor("issues", own, plan, replaced(1, 4))).toEqual([4, ...place.slice(1)]);
    const wrong: [number, unknown][] = [
      [0, "another digest"],
      [1, "4"],
      [1, {}],
      [2, 1],
      [2, ["x"]],
      [3, 0],
      [4, "2024-01-01"],
      [4, true],
      [5, null],
      [5, 1],
      [5, ["key"]],
    ];
    for (const [at, value] of wrong) expect(readCursor("issues", own, plan, replaced(at, value))).toBeUndefined();
    expect(
      readCursor(
        "issues",
        own,
        plan,
        rewritten((parts) => [...parts, "key"]),
      ),
    ).toBeUndefined();
    expect(
      readCursor(
        "issues",
        own,
        plan,
        rewritten((parts) => parts.slice(0, -1)),
      ),
    ).toBeUndefined();
    expect(
      readCursor(
        "issues",
        own,
        plan,
        rewritten((parts) => ({ ...parts })),
      ),
    ).toBeUndefined();
  });
});
