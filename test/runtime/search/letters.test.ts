import { expect, it } from "vitest";
import { beginningWith, compareGroups, letterMask, nearTest, repeatedMask } from "../../../runtime/search/index.ts";

it("the texts with a beginning end before the next character, which is never half of one", () => {
  const ends = ["a", "a\ud7ff", "a\u{10ffff}", "\u{10ffff}"].map((begin) => beginningWith(begin).to);
  expect(ends).toEqual(["b", "a\ue000", "b", undefined]);
});

it.each([
  ["äxc", 1, false],
  ["äbc", 1, true],
  ["äbx", 1, false],
  ["äbx", 2, true],
  ["äxy", 2, false],
])("a letter that no letter of the word is counts as one error: %s, %i", (found, edits, isNear) => {
  expect(nearTest("abc", edits)(found)).toBe(isNear);
});

it("groups of one size and the same values have the same place", () => {
  const group = (...values: (string | null)[]) => ({ values, count: 2 });
  expect(compareGroups(group("a", null), group("a", null))).toBe(0);
  expect(compareGroups(group("a", null), group("a", "b"))).toBe(1);
  expect(compareGroups(group("a", "b"), group("a", null))).toBe(-1);
  expect(compareGroups(group("a"), { ...group("a"), count: 3 })).toBe(1);
});

it("masks have a bit for each letter of a word, and for each that it has more than once", () => {
  const [a, b, é] = [1, 2, 1 << (26 + (0xe9 % 6))];
  expect(["", "ab", "abé", "𝒶"].map(letterMask)).toEqual([0, a | b, a | b | é, 1 << (26 + (0x1d4b6 % 6))]);
  expect(["", "ab", "abaab", "éaé"].map(repeatedMask)).toEqual([0, 0, a | b, é]);
});
