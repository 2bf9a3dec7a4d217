import { expect, it } from "vitest";
import { alternatives } from "../../generator/model/json-schema.ts";
import { type Json, OpenApi } from "../../generator/model/open-api.ts";

it("reads a schema that has others again and again once", () => {
  const schemas: Record<string, Json> = { L30: { type: "object", properties: { id: { type: "integer" } } } };
  const both = (name: string) => ({ allOf: [{ $ref: name }, { $ref: name }] });
  for (let at = 0; at < 30; at++) schemas[`L${at}`] = both(`#/components/schemas/L${at + 1}`);
  schemas["self"] = both("#/components/schemas/self");
  const platform = new OpenApi({ components: { schemas } });
  expect(alternatives({ $ref: "#/components/schemas/L12" }, platform)).toHaveLength(19);
  expect(alternatives({ $ref: "#/components/schemas/self" }, platform)).toHaveLength(1);
});
