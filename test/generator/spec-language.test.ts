import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";

type Schema = { readonly [key: string]: unknown };
const schemaOf = (language: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../spec/${language}.schema.json`), "utf8")) as Schema;

/** Every key that an author may write, with the schema behind it. */
function keys(node: unknown, path: string): [string, Schema][] {
  if (typeof node !== "object" || node === null) return [];
  const { properties } = node as Schema;
  const own = typeof properties === "object" && properties !== null ? (Object.entries(properties) as [string, Schema][]) : [];
  return [
    ...own.map(([name, one]): [string, Schema] => [`${path}.${name}`, one]),
    ...Object.entries(node).flatMap(([name, one]) => keys(one, `${path}.${name}`)),
  ];
}

function describes(node: Schema, schema: Schema): boolean {
  if (typeof node["description"] === "string") return true;
  const reference = node["$ref"];
  if (typeof reference !== "string") return false;
  const target = (schema["$defs"] as Record<string, Schema>)[reference.replace("#/$defs/", "")];
  return (
    target !== undefined &&
    (describes(target, schema) ||
      (Array.isArray(target["anyOf"]) && (target["anyOf"] as Schema[]).some((one) => describes(one, schema))))
  );
}

describe.each([
  ["connector", 80],
  ["simulator", 60],
])("%s.schema.json", (language, least) => {
  const schema = schemaOf(language);

  it("is a valid schema of JSON Schema 2020-12", () => {
    expect(new Ajv2020({ strict: false }).validateSchema(schema)).toBe(true);
  });

  it("describes every key, so that an editor can explain it", () => {
    const all = keys(schema, "");
    expect(all.length).toBeGreaterThan(least);
    expect(all.filter(([, one]) => !describes(one, schema)).map(([path]) => path)).toEqual([]);
  });
});
