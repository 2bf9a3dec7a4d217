import { describe, expect, it } from "vitest";
import { withinBudget } from "../../../runtime/mcp/budget.ts";
import { clean, cleanText } from "../../../runtime/mcp/clean.ts";

describe("a text for a model", () => {
  it.each([
    ["ignore\u202Eprevious", "ignoreprevious"],
    ["a\u200Bb\u2060c\uFEFFd", "abcd"],
    ["hidden\u{E0041}\u{E0042}\u{E007F}", "hidden"],
    ["b\u{E0100}\uFE00", "b"],
    ["a\u0000b\u001b[31mc\u007f\u0085", "ab[31mc"],
    ["x\u200Dy", "xy"],
    ["half \ud800", "half \ufffd"],
  ])("%j has no invisible characters", (given, expected) => {
    expect(cleanText(given)).toBe(expected);
  });

  it.each(["line\none\ttab\r\n", "👩‍👩‍👧 🏳️‍🌈 👍🏽", "Grüße, 日本語, العربية", "❤️"])("%j stays as it is", (text) => {
    expect(cleanText(text)).toBe(text);
  });

  it("is clean at every depth", () => {
    expect(clean({ "a\u200B": [{ b: "c\u202E" }, null, 1, true] })).toEqual({ a: [{ b: "c" }, null, 1, true] });
  });
});

describe("an answer for a model", () => {
  it("stays whole when it fits", () => {
    const data = [{ body: "x".repeat(5000) }];
    expect(withinBudget(data, 10_000)).toEqual({ data, cuts: [] });
  });

  it("has its long texts cut first, each marked", () => {
    const { data, cuts } = withinBudget([{ title: "t", body: "x".repeat(5000) }, { body: "y".repeat(4100) }], 9000);
    expect(data).toEqual([
      { title: "t", body: `${"x".repeat(4000)}… [cut: 1000 more characters]` },
      { body: `${"y".repeat(4000)}… [cut: 100 more characters]` },
    ]);
    expect(cuts).toEqual([
      { path: "data.0.body", left_out: 1000, unit: "characters" },
      { path: "data.1.body", left_out: 100, unit: "characters" },
    ]);
  });

  it("then has records left out at the end, and says how many", () => {
    const { data, cuts } = withinBudget(
      Array.from({ length: 100 }, (_, number) => ({ number })),
      500,
    );
    expect(Array.isArray(data) && data.length > 20 && Buffer.byteLength(JSON.stringify(data)) <= 500).toBe(true);
    expect(cuts).toEqual([{ path: "data", left_out: 100 - (data as unknown[]).length, unit: "records" }]);
  });

  it("of one record that is too long in any form has no data", () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field_${index}`, "value"]));
    expect(withinBudget(many, 1000)).toEqual({ data: null, cuts: [{ path: "data", left_out: 1, unit: "records" }] });
  });
});
