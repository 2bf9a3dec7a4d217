import { describe, expect, it } from "vitest";
import { Faults } from "../../../runtime/base/faults.ts";
import { type Action, actionTraits } from "../../../runtime/contract/index.ts";
import { checkParams } from "../../../runtime/execute/params-check.ts";

const action: Action = {
  name: "things.get",
  traits: actionTraits.get,
  params: ["id"],
  validate: () => true,
  operation: { kind: "rest", method: "GET", path: "/things/{id}", query: [], body: [], record: { name: "Thing", fields: {} } },
};

function faultsOf(id: unknown) {
  const faults = new Faults();
  checkParams(action, { id }, faults);
  return faults.list;
}

describe("a parameter with a whole number that JSON.parse has rounded", () => {
  it.each(["9007199254740993", "-9007199254740993", "[1, 9007199254740993]", '{"id": 12345678901234567890}'])(
    "is refused, because it would name another record: %s",
    (id) => {
      const message = "id has a whole number beyond 9007199254740991, which is not exact.";
      expect(faultsOf(JSON.parse(id))).toMatchObject([{ pointer: "/params/id", code: "out_of_range", message }]);
    },
  );

  it.each([9007199254740991, -7, 0.5, "9007199254740993"])("is taken where it is exact: %s", (id) => {
    expect(faultsOf(id)).toEqual([]);
  });
});
