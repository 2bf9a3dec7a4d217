import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fuzzyMatches, fuzzyWord, wordsOf } from "../../../../runtime/search/index.ts";
import { patternsNear } from "../../../../runtime/store/postgres/words/near-patterns.ts";

/** Letters of which many are near each other, with and without a form that NFD takes apart, marks, a syllable of Hangul, and a pair. */
const letter = fc.constantFrom(..."abcab1\u00e9e\u1e69\u0301\u0323\uac01\u{10428}");
const edits = fc.array(fc.tuple(fc.nat(3), fc.nat(40), letter), { minLength: 1, maxLength: 2 });

function edited(text: string, kind: number, where: number, added: string): string {
  const points = [...text];
  const at = where % (points.length + 1);
  if (kind === 0) points.splice(at, 1);
  else if (kind === 1) points.splice(at, 0, added);
  else if (kind === 2) points.splice(at, 1, added);
  else points.splice(at, 2, ...points.slice(at, at + 2).reverse());
  return points.join("");
}

/** As LIKE, without an escape. */
function fits(pattern: string, text: string): boolean {
  return new RegExp(`^${pattern.replaceAll("%", ".*")}$`, "su").test(text);
}

/** What the patterns of a word find, among texts in NFC. */
function isFound(word: string, near: string): boolean {
  const { distance } = fuzzyWord(word);
  if (distance === 0) throw new Error(`${word} is too short`);
  return patternsNear(word, distance).some((pattern) => fits(pattern, near.normalize("NFD")));
}

describe("the patterns of words that are near a word", () => {
  it("fit every word that a fuzzy search finds, but for those that begin with it", () => {
    const given = fc.array(letter, { minLength: 4, maxLength: 14 }).map((letters) => letters.join("").normalize("NFC"));
    let near = 0;
    fc.assert(
      fc.property(given, edits, (text, changes) => {
        const [word = ""] = wordsOf(text);
        const wanted = fuzzyWord(word);
        fc.pre(wanted.distance > 0);
        const changed = changes.slice(0, wanted.distance).reduce((now, change) => edited(now, ...change), word);
        for (const other of wordsOf(changed)) {
          if (other.startsWith(word) || !fuzzyMatches(wanted, other)) continue;
          near++;
          expect(isFound(word, other), `${word} ${other}`).toBe(true);
        }
      }),
      { numRuns: 5_000, seed: 5 },
    );
    expect(near).toBeGreaterThan(1_000);
  });

  it("leave most other words out", () => {
    expect(patternsNear("network", 1)).toEqual(["net%", "%work", "%tork"]);
    expect(["document", "documant", "odcument"].map((other) => isFound("document", other))).toEqual([true, true, true]);
    expect(["dominant", "doctor", "parsers"].map((other) => isFound("document", other))).toEqual([false, false, false]);
  });
});
