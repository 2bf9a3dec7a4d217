import { describe, expect, it } from "vitest";
import { parseExact } from "../../../runtime/base/exact-json.ts";

describe("JSON with numbers that JavaScript does not have", () => {
  it.each([
    ["a number as the whole text", "9007199254740993", "9007199254740993"],
    ["a negative number", "[-9007199254740993]", ["-9007199254740993"]],
    ["an id", '{"id":12345678901234567890,"n":1}', { id: "12345678901234567890", n: 1 }],
    ["an id behind a line break", '{"id":\n 9007199254740993}', { id: "9007199254740993" }],
    ["a number that is too large for any", "[1e400, -2.5E+999, 1]", ["1e400", "-2.5E+999", 1]],
  ])("keeps the digits of %s as a text", (_what, text, value) => {
    expect(parseExact(text)).toEqual(value);
  });

  it.each([
    '{"a":[9007199254740991,9007199254740992,1e20,0.1234567890123456789,1e-400,-0]}',
    '{"a":"9007199254740993, 9007199254740993","b":": 1e400"}',
    '{"__proto__":{"a":1},"b":null}',
  ])("has the values of JSON.parse otherwise: %s", (text) => {
    expect(parseExact(text)).toEqual(JSON.parse(text));
  });

  it("is refused where it is no JSON", () => {
    expect(() => parseExact("[9007199254740993")).toThrow(SyntaxError);
  });
});
