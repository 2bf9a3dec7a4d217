import { expect, it } from "vitest";
import { KnownWords } from "../../../../runtime/store/postgres/words/known-words.ts";
import { TokenSet } from "../../../../runtime/store/postgres/words/token-set.ts";
import { tokensOf, wordToken } from "../../../../runtime/store/postgres/words/word-tokens.ts";

it("a set of tokens has each token that was added, and no other, until it is cleared", () => {
  const set = new TokenSet();
  // Lower halves that meet at the same places, at the end of the places too.
  const tokens = Array.from(
    { length: 3_000 },
    (_, at) => [at % 7 === 0 ? -at - 1 : at + 1, (at % 300) * 1024 - 1 - (at % 3)] as const,
  );
  for (const [upper, lower] of tokens) expect(set.add(upper, lower)).toBe(true);
  for (const [upper, lower] of tokens) expect([set.has(upper, lower), set.add(upper, lower)]).toEqual([true, false]);
  for (const [upper, lower] of tokens) expect(set.has(upper + 10_000, lower)).toBe(false);
  expect(set.size).toBe(3_000);
  set.clear();
  expect(set.size).toBe(0);
  for (const [upper, lower] of tokens) expect(set.has(upper, lower)).toBe(false);
});

it("words come once each, with the tokens that a search asks for", () => {
  const { words, tokens } = tokensOf(3, ["b", "a", "b", "ä", "a"]);
  expect(words).toEqual(["b", "a", "ä"]);
  const whole = words.map((_, index) => (BigInt(tokens[2 * index] ?? 0) << 32n) | BigInt((tokens[2 * index + 1] ?? 0) >>> 0));
  expect(whole).toEqual(words.map((word) => wordToken(3, word)));
});

it("known words are not sent again, but those of another field and those that were not committed are", () => {
  const known = new KnownWords(1);
  const rows = [{ words: new Map([[0, tokensOf(1, ["one", "two"])]]) }, { words: new Map([[4, tokensOf(1, ["two", "two"])]]) }];
  const [one, two, other] = [
    { field: 0, word: "one" },
    { field: 0, word: "two" },
    { field: 4, word: "two" },
  ];
  expect(known.unknown([...rows, ...rows])).toEqual([one, two, other]);
  known.add([two]);
  expect(known.unknown(rows)).toEqual([one, other]);
});
