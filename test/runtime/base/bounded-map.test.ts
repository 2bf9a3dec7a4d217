import { expect, it } from "vitest";
import { BoundedMap } from "../../../runtime/base/bounded-map.ts";

it("a bounded map forgets the entry that was used longest ago", () => {
  const map = new BoundedMap<string, number>(2);
  map.set("a", 1);
  map.set("b", 2);
  expect(map.get("a")).toBe(1);
  map.set("c", 3);
  expect([map.get("a"), map.get("b"), map.get("c"), map.size]).toEqual([1, undefined, 3, 2]);
  map.set("a", 4);
  map.delete("c");
  expect([map.get("a"), map.get("c"), map.size]).toEqual([4, undefined, 1]);
});

it("a bounded map makes a value once while it has it, and tells which value gives way", () => {
  const dropped: number[] = [];
  const map = new BoundedMap<string, number>(3, (value) => dropped.push(value));
  for (const [index, key] of ["a", "b", "a", "c", "a", "d"].entries()) map.getOrMake(key, () => index);
  expect(dropped).toEqual([1]);
  expect(["a", "b", "c", "d"].map((key) => map.get(key))).toEqual([0, undefined, 3, 5]);
  map.clear();
  expect([map.size, map.get("a"), dropped]).toEqual([0, undefined, [1]]);
});
