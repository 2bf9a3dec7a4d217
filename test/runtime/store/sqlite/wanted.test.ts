import { expect, it } from "vitest";
import { type Wanted, withoutFixed } from "../../../../runtime/store/sqlite/search/wanted.ts";

const sort = (...fields: string[]) => fields.map((field) => ({ field, direction: "asc" as const }));
const state: Wanted["conditions"] = [{ kind: "test", field: "state", operator: "eq", operand: "open" }];

it("a sort leaves out fields with one value and those named twice, and so does a position in it, which keeps the record's key", () => {
  const wanted: Wanted = { conditions: state, sort: sort("state", "number", "number", "title"), after: undefined, need: 1 };
  expect(withoutFixed(wanted)).toEqual({ ...wanted, sort: sort("number", "title") });
  const after: Wanted["after"] = ["open", 5, 5, "t", "key"];
  expect(withoutFixed({ ...wanted, after })).toEqual({ ...wanted, sort: sort("number", "title"), after: [5, "t", "key"] });
});

it("a sort of which every field counts stays as it is", () => {
  const wanted: Wanted = { conditions: state, sort: sort("number"), after: [5, "key"], need: 1 };
  expect(withoutFixed(wanted)).toBe(wanted);
});
