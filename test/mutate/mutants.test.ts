import { stripTypeScriptTypes } from "node:module";
import { expect, test } from "vitest";
import { findMutants, type Mutant, plant } from "./mutants.ts";

const source = `
import { type Other, other } from "./other.ts";
type Small = 1 | 2;
/** A function. */
export function sum(a: number, b: Small, isLong = true): unknown {
  other(a);
  if (isLong && a >= b) return { sum: a + b, 0: 1 };
  const { 0: first } = [a ?? b];
  return !first ? \`\${a}\` + "x" : first;
}`;

const mutants = findMutants("sum.ts", source);
const changes = mutants.map(({ line, from, to }) => `${line}: ${from} -> ${to}`);

test("mutants are operators, conditions, literals, calls and members, and nothing of types, names and joined texts", () => {
  expect(changes).toEqual([
    "5: true -> false",
    "6: other(a); -> ;",
    "7: isLong && a >= b -> isLong || a >= b",
    "7: a >= b -> a > b",
    "7: sum: a + b -> ",
    "7: a + b -> a - b",
    "7: 0: 1 -> ",
    "7: 1 -> 2",
    "8: a ?? b -> a",
    "9: !first -> first",
  ]);
});

/** Runs the function with one mutant on. */
function run(on: Mutant | undefined, ...args: unknown[]): { readonly result: unknown; readonly called: unknown[] } {
  const planted = plant("sum.ts", source, new Map(mutants.entries()), "./mutant.ts");
  const script = stripTypeScriptTypes(planted)
    .replaceAll(/^import .*$|import \{ .other .*;$/gm, "")
    .replace("export function", "return function");
  const called: unknown[] = [];
  const make = new Function("$mutant", "other", script) as (...given: unknown[]) => (...given: unknown[]) => unknown;
  const sum = make(
    (number: number) => mutants[number] === on,
    (value: unknown) => called.push(value),
  );
  return { result: sum(...args), called };
}

const named = (change: string) => mutants[changes.indexOf(change)];

test("a planted file does what it did while no mutant is on", () => {
  expect(run(undefined, 2, 1)).toEqual({ result: { sum: 3, 0: 1 }, called: [2] });
  expect(run(undefined, 2, 3)).toEqual({ result: 2, called: [2] });
});

test.each([
  ["5: true -> false", [2, 1], 2],
  ["7: isLong && a >= b -> isLong || a >= b", [1, 2], { sum: 3, 0: 1 }],
  ["7: a >= b -> a > b", [2, 2], 2],
  ["7: sum: a + b -> ", [2, 1], { 0: 1 }],
  ["7: a + b -> a - b", [2, 1], { sum: 1, 0: 1 }],
  ["7: 1 -> 2", [2, 1], { sum: 3, 0: 2 }],
  ["8: a ?? b -> a", [null, 5, false], "nullx"],
  ["9: !first -> first", [0, 1], 0],
] as const)("the mutant %s takes effect when it is on, and no other", (change, args, result) => {
  expect(run(named(change), ...args).result).toEqual(result);
});

test("a call that is taken away is not made", () => {
  expect(run(named("6: other(a); -> ;"), 2, 1).called).toEqual([]);
});
