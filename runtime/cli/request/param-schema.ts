/** A schema of JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** The flag of a param, without its dashes: `per_page` → `per-page`. */
export function flagOf(param: string): string {
  return param.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-");
}

/** The values that a schema, or the items of its list, allow; undefined where they are not listed. */
export function enumOf(schema: Schema): readonly unknown[] | undefined {
  const items = schema["items"];
  const here = typeof items === "object" && items !== null ? (items as Schema) : schema;
  return Array.isArray(here["enum"]) ? here["enum"] : undefined;
}
