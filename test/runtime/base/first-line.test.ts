import { expect, it } from "vitest";
import { firstLine } from "../../../runtime/base/first-line.ts";

it.each([
  [new Error("a place\nits quote\nmore"), "a place"],
  [new Error("one line"), "one line"],
  [new Error(""), ""],
  ["thrown text\nmore", "thrown text"],
  [undefined, "undefined"],
])("the first line of %o is %j", (thrown, line) => {
  expect(firstLine(thrown)).toBe(line);
});
