import { describe, expect, it } from "vitest";
import { aligned, cut, textWidth } from "../../../runtime/cli/output/terminal-text.ts";

describe("a text on a terminal", () => {
  it.each<[string, number]>([
    ["", 0],
    ["plain", 5],
    ["é", 1],
    ["e\u0301", 1],
    ["日本語", 6],
    ["한국어", 6],
    ["ﾊﾝｶｸ", 4],
    ["Ａ", 2],
    ["🙂", 2],
    ["👩‍👩‍👧", 2],
    ["🇩🇪", 2],
    ["❤️", 2],
    ["❤", 1],
    ["عربى", 4],
    ["\u200b", 0],
  ])("%j fills %i columns", (text, width) => {
    expect(textWidth(text)).toBe(width);
  });

  it.each<[string, number, string]>([
    ["short", 5, "short"],
    ["longer", 5, "long…"],
    ["日本語です", 7, "日本語…"],
    ["日本語です", 6, "日本…"],
    ["ae\u0301e\u0301e\u0301", 3, "ae\u0301…"],
    ["👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧…"],
    ["two words", 5, "two…"],
  ])("%j in %i columns is %j", (text, most, shown) => {
    expect(cut(text, most)).toBe(shown);
  });

  it("has its cells below each other, whatever they are written in", () => {
    expect(
      aligned([
        ["日本", "x"],
        ["abc", "y"],
        ["e\u0301", ""],
      ]),
    ).toEqual(["日本  x", "abc   y", "e\u0301"]);
  });
});
