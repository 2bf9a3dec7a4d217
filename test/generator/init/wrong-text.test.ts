import { expect, it } from "vitest";
import { parsed } from "../../../generator/init/wrong-text.ts";

// Short texts: there the message of the engine has no position.
it.each([
  ["x", "1:1"],
  ['{"a": x}', "1:7"],
  ['{"a": [1, 2],\n "b": x}', "2:7"],
  ['{"a": 1,\n}', "2:1"],
  ["[1, 2, 3, 4, 5, 6,\n7 8]", "2:3"],
  ["[-x]", "1:3"],
  ['["\\u12x"]', "1:7"],
  ["[1.5e+x]", "1:7"],
  ["[tru, 1]", "1:5"],
  ['{"a"; 1}', "1:5"],
  ["{x}", "1:2"],
])("says where JSON is wrong: %j", (text, place) => {
  expect(() => parsed(text, "openapi.json", JSON.parse)).toThrow(`openapi.json:${place}: the description cannot be read: `);
});
