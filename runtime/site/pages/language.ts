import { readFileSync } from "node:fs";
import { markdownTable } from "../../../generator/print/markdown.ts";

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const files = {
  connector: new URL("../../../spec/connector.schema.json", import.meta.url),
  simulator: new URL("../../../spec/simulator.schema.json", import.meta.url),
};

/**
 * The page of a whole language: every key, from the schema that editors and the generator use.
 *
 * @param language name of the schema
 */
export function languagePage(intro: string, language: keyof typeof files): string {
  const schema = JSON.parse(readFileSync(files[language], "utf8")) as Schema;
  const definitions = Object.entries(schema.$defs ?? {});
  const order = ["connector", "entity", "simulator", "route"];
  const sorted = [
    ...order.flatMap((name) => definitions.filter(([key]) => key === name)),
    ...definitions.filter(([key]) => !order.includes(key)).sort(([a], [b]) => (a < b ? -1 : 1)),
  ];
  return `${intro.trim()}\n\n${sorted.map(([name, definition]) => definitionText(name, definition)).join("\n\n")}\n`;
}

function definitionText(name: string, schema: Schema): string {
  const parts = [`## ${name}`, schema.description ?? "", valuesText(schema)];
  const tables = objectsOf(name, schema).map(([path, object]) => {
    const rows = Object.entries(object.properties ?? {}).map(([key, value]) => [
      `\`${key}\``,
      typeText(value),
      object.required?.includes(key) ? "yes" : "",
      [value.description ?? "", valuesText(value)].filter((one) => one !== "").join(" "),
    ]);
    const title = path === name ? "" : `### ${path}\n\n`;
    return `${title}${markdownTable(["field", "type", "required", "what it is"], rows)}`;
  });
  return [...parts, ...tables].filter((part) => part !== "").join("\n\n");
}

/** The object that a schema describes and the objects inside it, by their paths. Definitions of their own are not entered. */
function objectsOf(path: string, schema: Schema): (readonly [path: string, object: Schema])[] {
  if (schema.$ref !== undefined) return [];
  const inside = Object.entries(schema.properties ?? {}).flatMap(([key, value]) => objectsOf(`${path}.${key}`, value));
  const each = typeof schema.additionalProperties === "object" ? objectsOf(`${path}.<name>`, schema.additionalProperties) : [];
  const items = schema.items === undefined ? [] : objectsOf(`${path}[]`, schema.items);
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((one) => objectsOf(path, one));
  return [...(schema.properties === undefined ? [] : [[path, schema] as const]), ...inside, ...each, ...items, ...choices];
}

function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    return `[\`${name}\`](#${name.toLowerCase()})`;
  }
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (choices.length > 0) return [...new Set(choices.map(typeText))].filter((one) => one !== "").join(" or ");
  if (schema.type === "array") return `list of ${schema.items === undefined ? "values" : typeText(schema.items)}`;
  if (typeof schema.additionalProperties === "object") return `names with ${typeText(schema.additionalProperties)}`;
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  return types.map((type) => `\`${type}\``).join(" or ");
}

function valuesText(schema: Schema): string {
  if (schema.const !== undefined) return `Always \`${JSON.stringify(schema.const)}\`.`;
  return schema.enum === undefined ? "" : `One of ${schema.enum.map((value) => `\`${String(value)}\``).join(", ")}.`;
}
