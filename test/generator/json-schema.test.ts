import { expect, it } from "vitest";
import { alternatives } from "../../generator/model/json-schema.ts";
import { literalFaults } from "../../generator/model/literal.ts";
import { type Json, OpenApi } from "../../generator/model/open-api.ts";
import { describePlatform } from "../../generator/model/platform-description.ts";

it("reads a schema that has others again and again once", () => {
  const schemas: Record<string, Json> = { L30: { type: "object", properties: { id: { type: "integer" } } } };
  const both = (name: string) => ({ allOf: [{ $ref: name }, { $ref: name }] });
  for (let at = 0; at < 30; at++) schemas[`L${at}`] = both(`#/components/schemas/L${at + 1}`);
  schemas["self"] = both("#/components/schemas/self");
  const platform = new OpenApi({ components: { schemas } });
  expect(alternatives({ $ref: "#/components/schemas/L12" }, platform)).toHaveLength(19);
  expect(alternatives({ $ref: "#/components/schemas/self" }, platform)).toHaveLength(1);
});

it("finds a member that is missing inside of one, beside one that the schema does not have", () => {
  const properties = { name: { type: "string" }, kind: { type: "string" } };
  const owner = { type: "object", required: ["name"], properties, additionalProperties: false };
  const schema = { type: "object", properties: { owner }, additionalProperties: false };
  const platform = describePlatform({ key: "", graphql: undefined, scalars: {}, rest: new OpenApi({}) });
  const found = literalFaults({ owner: { kind: "user" }, ownr: 1 }, schema, platform);
  expect(found.map(({ keys, message }) => [keys.join("."), message])).toEqual([
    ["owner.kind", 'the call requires "name" here'],
    ["ownr", 'the call takes no "ownr" here'],
  ]);
});
