import { shown } from "../base/errors.ts";
import type { Faults } from "../base/faults.ts";
import { typeTexts } from "../base/type-texts.ts";

type Schema = Readonly<Record<string, unknown>>;

/**
 * Checks that the required arguments of a tool are there, and the names, types and ranges of all, so that none is ignored.
 *
 * @param input JSON Schema of the arguments
 */
export function checkArguments(input: Schema, args: Readonly<Record<string, unknown>>, faults: Faults): void {
  const properties = (input["properties"] ?? {}) as Readonly<Record<string, Schema>>;
  const required = Array.isArray(input["required"]) ? input["required"].map(String) : [];
  for (const name of required)
    if (args[name] === undefined) faults.add([name], "missing_param", `${name} is required: ${docOf(properties[name])}`);
  faults.unknownNames(
    [],
    "unknown_param",
    args,
    Object.keys(properties),
    (name) => `This tool has no argument "${shown(name)}".`,
  );
  for (const [name, value] of Object.entries(args)) {
    if (faults.full) break;
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema !== undefined && value !== undefined) checkValue(name, value, schema, faults);
  }
}

function checkValue(name: string, value: unknown, { type, enum: values, minimum, maximum }: Schema, faults: Faults): undefined {
  if (Array.isArray(values) && !values.includes(value))
    return faults.notAllowed([name], `${name} must be one of ${values.join(", ")}.`, value, values);
  if (typeof type === "string" && !isOf(type, value))
    return faults.add([name], "wrong_type", `${name} must be ${typeTexts[type] ?? type}.`);
  const isOutside = typeof value === "number" && (value < Number(minimum ?? value) || value > Number(maximum ?? value));
  return isOutside ? faults.add([name], "out_of_range", `${name} must be from ${minimum} to ${maximum}.`) : undefined;
}

function docOf(schema: Schema | undefined): string {
  return String(schema?.["description"] ?? "");
}

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}
