import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visibleText } from "../../runtime/base/visible-text.ts";

// The rule once more, character by character, so that the regular expressions are held to it.

const isEmoji = (one = "") => /^\p{Extended_Pictographic}$/u.test(one);
const isHidden = (one: string) =>
  /^[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\p{Co}\u2028\u2029]$/u.test(one) ||
  (/^[\p{Cc}\p{Cf}]$/u.test(one) && !/^[\t\n\r\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]$/u.test(one));

function ruled(text: string): string {
  const all = [...text.toWellFormed()];
  const before = (at: number): number => {
    let index = at - 1;
    if (/^\p{Emoji_Modifier}$/u.test(all[index] ?? "")) index--;
    if (all[index] === "\uFE0F") index--;
    return index;
  };
  return all
    .filter((one, at) => {
      if (!isHidden(one)) return true;
      const [last = "", next = ""] = [all[at - 1], all[at + 1]];
      if (one === "\uFE0F") return /^[0-9#*]$/.test(last) ? next === "\u20E3" : /^\p{Emoji}$/u.test(last);
      return one === "\u200D" && isEmoji(next) && isEmoji(all[before(at)]);
    })
    .join("");
}

const pieces = fc.oneof(
  fc.constantFrom(..."ab19#*\n\t é日❤👩👧🌈🏳🏽🏻🇫\u20E3\u0600"),
  fc.constantFrom(
    "\uFE0F",
    "\uFE0E",
    "\u200D",
    "\u200B",
    "\u202E",
    "\u034F",
    "\u{E0041}",
    "\uFDD0",
    "\uE000",
    "\ud800",
    "\u2065",
  ),
  fc.string({ unit: "binary", maxLength: 2 }),
);
const texts = fc.array(pieces, { maxLength: 12 }).map((all) => all.join(""));

describe("the visible characters of any text", () => {
  it("are those that the rule keeps", () => {
    fc.assert(
      fc.property(texts, (text) => visibleText(text) === ruled(text)),
      { numRuns: 2000 },
    );
  });

  it("stay as they are the second time", () => {
    fc.assert(
      fc.property(texts, (text) => visibleText(visibleText(text)) === visibleText(text)),
      { numRuns: 2000 },
    );
  });

  it("are the same for a text in two parts that meet at a letter", () => {
    fc.assert(
      fc.property(texts, texts, (one, two) => visibleText(`${one}x${two}`) === `${visibleText(one)}x${visibleText(two)}`),
    );
  });

  it("of every code point alone are none or the code point", () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      const one = String.fromCodePoint(code);
      const expected = isHidden(one) ? "" : one.toWellFormed();
      if (visibleText(one) !== expected) expect.fail(`U+${code.toString(16)}`);
    }
  });
});
