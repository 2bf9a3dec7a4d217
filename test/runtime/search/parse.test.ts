import { describe, expect, it } from "vitest";
import { maxFaults } from "../../../runtime/base/errors.ts";
import { operatorNames, QueryParser } from "../../../runtime/search/index.ts";
import { brief, filterFaults, json, leaf, names, plan, query, some, sortFaults } from "./parsing.ts";

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
