import { describe, expect, it } from "vitest";
import { distance, type Hunt, huntFar, huntNear, type Trial } from "./hunt.ts";

/** A hunt in which each test file fails on the mutants that it is said to catch. */
function huntOf(catches: Readonly<Record<string, readonly number[]>>, most = Number.POSITIVE_INFINITY) {
  const caught = new Map<number, string>();
  const runs: (readonly Trial[])[] = [];
  const hunt: Hunt = {
    attempt: async (trials) => {
      runs.push(trials);
      const failed = trials.filter(({ test, on }) => on.some((number) => catches[test]?.includes(number)));
      return new Map(failed.map(({ test }) => [test, test]));
    },
    caught: (number, by) => void caught.set(number, by),
    isOver: () => runs.length >= most,
  };
  const left = { has: (number: number) => !caught.has(number) };
  return { hunt, caught, runs, left };
}

describe("the hunt for mutants", () => {
  it("tries a mutant with one test file after the other, and others at the same time", async () => {
    const { hunt, caught, runs } = huntOf({ "a.test.ts": [1], "b.test.ts": [2], "c.test.ts": [3] });
    const order = new Map([
      [1, ["a.test.ts", "b.test.ts"]],
      [2, ["a.test.ts", "b.test.ts"]],
      [3, ["a.test.ts"]],
    ]);
    await huntNear(order, hunt);
    expect([...caught]).toEqual([
      [1, "a.test.ts"],
      [2, "b.test.ts"],
    ]);
    for (const trials of runs) expect(new Set(trials.map(({ test }) => test)).size).toBe(trials.length);
    expect(runs.flat().map(({ test, on: [number] }) => `${number} ${test}`)).toEqual([
      "1 a.test.ts",
      "2 b.test.ts",
      "3 a.test.ts",
    ]);
  });

  it("finds with halves which of many mutants a test file catches, and runs no test file with what is caught", async () => {
    const all = Array.from({ length: 32 }, (_, number) => number);
    const { hunt, caught, runs, left } = huntOf({ "a.test.ts": [3, 17], "b.test.ts": [3, 30], "c.test.ts": [] });
    await huntFar(new Map(["a.test.ts", "b.test.ts", "c.test.ts"].map((test) => [test, all])), left, hunt);
    expect(caught).toEqual(new Map([...[3, 17].map((n) => [n, "a.test.ts"] as const), [30, "b.test.ts"]]));
    // Each of three mutants takes two runs a halving, and each test file one run at first.
    expect(runs.length).toBeLessThan(3 * 2 * 5 + 3);
    const last = runs.flat().filter(({ test }) => test === "c.test.ts");
    expect(last).toEqual([{ test: "c.test.ts", on: all.filter((number) => ![3, 17, 30].includes(number)) }]);
  });

  it("begins nothing once the time is up", async () => {
    const { hunt, runs, left } = huntOf({}, 1);
    await huntFar(new Map([1, 2, 3].map((number) => [`${number}.test.ts`, [number]])), left, hunt);
    await huntNear(new Map([[1, ["a.test.ts"]]]), hunt);
    expect(runs).toHaveLength(1);
  });

  it.each([
    ["test/runtime/search/query.test.ts", 0],
    ["test/runtime/search/words.test.ts", 1],
    ["test/runtime/store/lease.test.ts", 2],
    ["test/property/search.test.ts", 3],
    ["test/e2e/search.test.ts", 4],
  ])("takes %s for %i steps away from runtime/search/query.ts", (test, steps) => {
    expect(distance("runtime/search/query.ts", test)).toBe(steps);
  });
});
