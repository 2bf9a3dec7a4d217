import { describe, expect, it } from "vitest";
import { isVisibleLine, markedJson, markedText, visibleLine, visibleText } from "../../../runtime/base/visible-text.ts";

describe("the visible characters of a text", () => {
  it.each([
    ["bidirectional controls", "ignore\u202Eprevious\u2066!\u061C", "ignoreprevious!"],
    ["zero-width characters", "a\u200Bb\u2060c\uFEFFd\u00ADe", "abcde"],
    ["tags", "hidden\u{E0041}\u{E0042}\u{E007F}", "hidden"],
    ["variation selectors", "b\u{E0100}\uFE00\uFE0E\uFE0F", "b"],
    ["control characters", "a\u0000b\u001b[31mc\u007f\u0085\u009b", "ab[31mc"],
    ["joiners outside of emoji", "x\u200Dy\u200C", "xy"],
    ["the grapheme joiner", "a\u034Fb", "ab"],
    ["unassigned characters that are ignored by default", "a\u2065b\u{E0FFF}\uFFF0c", "abc"],
    ["noncharacters", "a\uFDD0b\uFFFE\u{1FFFF}\u{10FFFF}c", "abc"],
    ["private use", "a\uE000b\u{F0000}\u{10FFFD}c", "abc"],
    ["blank letters", "a\u3164\u115F\uFFA0b", "ab"],
    ["all selectors after an emoji but the first", "❤\uFE0F\uFE0F\uFE0E\u{E0101}", "❤\uFE0F"],
    ["selectors after digits that are no keycaps", "1\uFE0F2\uFE0F", "12"],
    ["joiners that an emoji has on one side only", "👩\u200Dx 👩\u200D\u200D👧", "👩x 👩👧"],
  ])("are without %s", (_what, given, expected) => {
    expect(visibleText(given)).toBe(expected);
  });

  it("have U+FFFD for half of a surrogate pair", () => expect(visibleText("half \ud800")).toBe("half \ufffd"));

  it.each([
    "line\none\ttab\r\n",
    "👩‍👩‍👧 🏳️‍🌈 👍🏽 👩🏽‍🚒 👁️‍🗨️ ❤️‍🔥 1️⃣ ©️ 🇫🇷",
    "Grüße, 日本語, العربية, हिन्दी, ไทย",
    "\u0600\u06DD",
    "❤️",
  ])("%j are all of it", (text) => {
    expect(visibleText(text)).toBe(text);
  });

  it("may be asked for on one line", () => {
    expect(visibleLine("a\r\n\tb\u2028c\u200B ")).toBe("a b c ");
    expect(["one line 👍🏽", "two\nlines", "a\u200Bb", "\ud800"].map(isVisibleLine)).toEqual([true, false, false, false]);
  });
});

it("a text for a person who has to see all of it has a mark for each invisible character", () => {
  expect(markedText("a\u202eb\u{e0041}c\u0007 ❤\uFE0F Grüße\n")).toBe("a\\u{202e}b\\u{e0041}c\\u{7} ❤\uFE0F Grüße\n");
  // What looks like a mark is told from one by the backslash, which JSON has twice.
  expect(markedJson({ a: "\u2066\\u{2066}" })).toBe('{"a":"\\u{2066}\\\\u{2066}"}');
});
