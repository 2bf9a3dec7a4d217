import { describe, expect, it } from "vitest";
import type { FieldPlan, Warning } from "../../../runtime/contract/index.ts";
import { compileReader } from "../../../runtime/execute/record-reader.ts";

function read(fields: Readonly<Record<string, FieldPlan>>, source: object) {
  const warnings: Warning[] = [];
  const state = {
    params: {},
    restUrl: "https://api.example.test",
    warn: (warning: Warning) => warnings.push(warning),
    count: () => undefined,
  };
  return { record: compileReader({ name: "Thing", fields }, null)(source, "data.3", state), warnings };
}

const colour: FieldPlan = { read: "colour", values: ["red", "green"] };

describe("a field of an enumeration", () => {
  it("gives a value that the enumeration lists, and null, without a warning", () => {
    expect(read({ colour }, { colour: "red" })).toEqual({ record: { colour: "red" }, warnings: [] });
    expect(read({ colour }, { colour: null })).toEqual({ record: { colour: null }, warnings: [] });
  });

  it("passes any other value through with a warning that names the field", () => {
    const { record, warnings } = read({ colour }, { colour: "blue" });
    expect(record).toEqual({ colour: "blue" });
    expect(warnings).toEqual([
      { path: "data.3.colour", code: "unlisted_value", message: 'colour has the value "blue", which is not one of red, green.' },
    ]);
  });

  it("compares the value after its conversion", () => {
    expect(read({ colour: { ...colour, as: { kind: "lower" } } }, { colour: "RED" }).warnings).toEqual([]);
    const mapped: FieldPlan = { ...colour, as: { kind: "map", values: { ROUGE: "red" } } };
    expect(read({ colour: mapped }, { colour: "ROUGE" }).warnings).toEqual([]);
    expect(read({ colour: mapped }, { colour: "VERT" }).warnings).toHaveLength(1);
  });

  it("looks at each element of a list", () => {
    const { record, warnings } = read({ colour: { ...colour, list: "empty" } }, { colour: ["red", "blue", null, "green"] });
    expect(record).toEqual({ colour: ["red", "blue", "green"] });
    expect(warnings.map(({ path }) => path)).toEqual(["data.3.colour.1"]);
  });
});
