import type { EntityManual } from "../manual/manual.ts";

type Schema = Readonly<Record<string, unknown>>;

/** A schema without what a model does not need: lengths, examples, and the switch for dry runs. */
export function compact(schema: Schema): Schema {
  const properties = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, Schema>>).filter(
    ([name]) => name !== "dryRun",
  );
  const kept = ["type", "description", "enum", "const", "items", "default", "minimum", "maximum", "anyOf"];
  const short = (one: Schema) => Object.fromEntries(Object.entries(one).filter(([key]) => kept.includes(key)));
  return {
    type: "object",
    properties: Object.fromEntries(properties.map(([name, one]) => [name, short(one)])),
    required: schema["required"] ?? [],
  };
}

/** Each field with what it is, on one line. */
export function fieldDocs({ record }: EntityManual): Readonly<Record<string, string>> {
  const properties = Object.entries((record["properties"] ?? {}) as Readonly<Record<string, Schema>>);
  return Object.fromEntries(properties.map(([name, { description }]) => [name, String(description ?? "")]));
}
