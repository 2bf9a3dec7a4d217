import { describe, expect, it } from "vitest";
import { searchLimits } from "../../../runtime/contract/index.ts";
import { brief, deep, filterFaults, json, leaf, some } from "./parsing.ts";

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

  it("end the reading with the last fault that is reported", () => {
    let looked = 0;
    /** Counts who looks at its members. */
    const counting = (target: object) =>
      new Proxy(target, {
        ownKeys: (own) => {
          looked++;
          return Reflect.ownKeys(own);
        },
      });
    expect(filterFaults({ or: Array.from({ length: 150 }, () => counting({ wrong: 1 })) })).toHaveLength(20);
    expect(looked).toBe(20);
    looked = 0;
    const values = new Proxy(some(1000, leaf), {
      get: (own, name, receiver) => {
        if (/^\d+$/.test(String(name))) looked++;
        return Reflect.get(own, name, receiver) as unknown;
      },
    });
    expect(filterFaults({ in: { score: values } })).toHaveLength(20);
    expect(looked).toBeLessThanOrEqual(21);
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
