import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editDistance } from "../../runtime/base/text.ts";
import { fuzzyMatches, fuzzyWord, nearTest, operators } from "../../runtime/search/index.ts";
import { WordList } from "../../runtime/store/words/word-list.ts";

describe("the edit distance", () => {
  const letters = fc.array(fc.constantFrom(..."abcd", "\ud801\udc28", "\ud801\udc29"), { maxLength: 10 });
  const edits = fc.array(fc.tuple(fc.nat(4), fc.nat(10), fc.constantFrom("a", "z")), { maxLength: 4 });
  const pair = fc
    .tuple(letters, letters, edits, fc.boolean())
    .map(([one, other, some, near]): [string[], string[]] => [
      one,
      near ? some.reduce((points, [kind, at, letter]) => edited(points, kind, at, letter), one) : other,
    ]);

  function edited(points: string[], kind: number, at: number, letter: string): string[] {
    if (kind === 0) return points.toSpliced(at, 1);
    if (kind === 1) return points.toSpliced(at, 0, letter);
    if (kind === 2) return points.toSpliced(at, 1, letter);
    return points.toSpliced(at, 2, ...points.slice(at, at + 2).reverse());
  }

  /** As it is defined, without a bound. */
  function naive(a: readonly string[], b: readonly string[]): number {
    const known = new Map<string, number>();
    const distance = (i: number, j: number): number => {
      if (i === 0 || j === 0) return i + j;
      const at = `${i} ${j}`;
      const before = known.get(at);
      if (before !== undefined) return before;
      const ways = [distance(i - 1, j) + 1, distance(i, j - 1) + 1, distance(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)];
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) ways.push(distance(i - 2, j - 2) + 1);
      const least = Math.min(...ways);
      known.set(at, least);
      return least;
    };
    return distance(a.length, b.length);
  }

  it("is exact up to its bound, and larger than the bound beyond", () => {
    fc.assert(
      fc.property(pair, fc.constantFrom(0, 1, 2, 3, Number.POSITIVE_INFINITY), ([a, b], most) => {
        const [exact, bounded] = [naive(a, b), editDistance(a, b, most)];
        if (exact <= most) expect(bounded).toBe(exact);
        else expect(bounded).toBeGreaterThan(most);
      }),
      { numRuns: 5000 },
    );
  });

  it("agrees with the test of near words, of any length", () => {
    const longer = fc.array(fc.constantFrom(..."abcd"), { minLength: 20, maxLength: 30 });
    fc.assert(
      fc.property(pair, fc.option(longer, { nil: [] }), fc.nat(3), ([a, b], both, most) => {
        const [one, other] = [
          [...both, ...a],
          [...both, ...b],
        ];
        expect(nearTest(one.join(""), most)(other.join(""))).toBe(editDistance(one, other, most) <= most);
      }),
      { numRuns: 5000 },
    );
  });

  it("finds the words of a list that are near, and no others, whatever their letters and how often they come", () => {
    const letter = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz", "é", "ß", "я", "文", "1", "7", "\ud801\udc28");
    const word = fc.array(letter, { minLength: 1, maxLength: 12 });
    const changed = (given: string[]) =>
      edits.map((some) => some.reduce((points, [kind, at, to]) => edited(points, kind, at, to), given));
    const words = word.chain((given) =>
      fc.tuple(fc.constant(given), fc.array(fc.oneof(changed(given), word), { maxLength: 30 })),
    );
    fc.assert(
      fc.property(words, ([given, others]) => {
        const all = [...new Set(others.map((one) => one.join("")))].filter((one) => one !== "");
        const list = new WordList(() => undefined);
        list.add(all.slice(0, 5));
        list.add(all.slice(5));
        const wanted = fuzzyWord(given.join(""));
        const found = list.near(wanted, 1_000, () => []) ?? [];
        const near = all.filter((one) => editDistance(given, [...one], 2) <= wanted.distance);
        expect(found.filter((one) => all.includes(one)).toSorted()).toEqual(near.toSorted());
      }),
      { numRuns: 2_000 },
    );
  });

  it("compares few words of a list, because their letters rule out most, and counts what it looks at", () => {
    let looks = 0;
    const list = new WordList((more) => {
      looks += more;
    });
    const letters = [..."abcdefghijklmnopqrstuvwxyz"];
    const words = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => `x${a}${b}${c}`)));
    list.add(words);
    expect(list.near(fuzzyWord("xabz"), 1_000, () => [])?.length).toBeGreaterThan(70);
    expect(looks * 100).toBeGreaterThan(70);
    expect(looks * 100).toBeLessThan(words.length / 3);
  });

  it("decides with the length whether a word is found", () => {
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const most = a.length >= 8 ? 2 : a.length >= 4 ? 1 : 0;
        const begins = a.length >= 3 && a.every((letter, index) => b[index] === letter);
        expect(fuzzyMatches(fuzzyWord(a.join("")), b.join(""))).toBe(begins || naive(a, b) <= most);
      }),
      { numRuns: 5000 },
    );
  });

  it("decides for every word of a text, in their order, whatever the alphabet and what stands between", () => {
    const letter = fc.constantFrom(..."aabbcdAB9", "é", "\ud801\udc28");
    const plain = fc.constantFrom(..."aabbcdAB9");
    const words = (of: fc.Arbitrary<string>) =>
      fc.array(fc.array(of, { minLength: 1, maxLength: 10 }), { minLength: 1, maxLength: 4 });
    const texts = fc.tuple(
      words(letter),
      fc.oneof(words(letter), words(plain)),
      edits,
      fc.constantFrom("other", "edited", "only ASCII"),
    );
    fc.assert(
      fc.property(texts, fc.constantFrom(" ", ", ", "_-", "\n"), ([operand, others, some, near], gap) => {
        const wanted = operand.slice(0, 2);
        const edit = (one: string[]) => some.reduce((points, [kind, at, added]) => edited(points, kind, at, added), one);
        const changed = wanted.map((one) => (near === "edited" ? edit(one) : one.filter((point) => point < "\x7f")));
        const given = near === "other" ? others : [...others, ...changed].filter((one) => one.length > 0);
        const lower = (one: readonly string[]) => one.map((point) => point.toLowerCase());
        let next = 0;
        for (const one of given.map(lower)) {
          const word = lower(wanted[next] ?? []);
          if (next === wanted.length) break;
          const most = word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0;
          const begins = word.length >= 3 && word.every((point, index) => one[index] === point);
          if (begins || naive(word, one) <= most) next++;
        }
        const text = given.map((one) => one.join("")).join(gap);
        expect(operators.fuzzy(wanted.map((one) => one.join("")).join(gap))(text)).toBe(next === wanted.length);
      }),
      { numRuns: 10_000 },
    );
  });
});
