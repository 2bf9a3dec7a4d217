import { describe, expect, it } from "vitest";
import { interpretQuery, keyText, operatorNames } from "../../../runtime/search/index.ts";
import { conformance, conformanceFiles } from "../../conformance/search.ts";

conformance("the interpreter", async (plan, records, query) => {
  const { records: found, more } = interpretQuery(records, query, plan);
  return { keys: found.map((record) => keyText(plan, record)), more };
});

describe("conformance", () => {
  it("has cases for every operator", () => {
    expect(conformanceFiles).toEqual([...operatorNames, "cursor", "lists", "sort"].sort());
  });
});
