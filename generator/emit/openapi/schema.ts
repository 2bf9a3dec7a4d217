/** A JSON Schema (2020-12), as OpenAPI 3.1 uses it. */
export type Schema = Readonly<Record<string, unknown>>;

/** Refers to a schema of the same document. */
export function reference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object with these members and no others. Members without a value are left out. */
export function object(properties: Readonly<Record<string, Schema>>, required: readonly string[], more: Schema = {}): Schema {
  return { type: "object", ...more, properties, ...(required.length === 0 ? {} : { required }), additionalProperties: false };
}

export function orNull(schema: Schema): Schema {
  return typeof schema["type"] === "string"
    ? { ...schema, type: [schema["type"], "null"] }
    : { anyOf: [schema, { type: "null" }] };
}

/** Members that `meta` of every answer may have. */
export const commonMeta: Readonly<Record<string, Schema>> = {
  warnings: { type: "array", items: reference("tenon.warning") },
  simulated: {
    type: "boolean",
    enum: [true],
    description: "The platform is simulated, so the data is invented. Absent for real data.",
  },
};
