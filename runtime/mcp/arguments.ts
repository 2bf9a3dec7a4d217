import { invalidRequest } from "../base/errors.ts";
import { Faults } from "../base/faults.ts";
import { typeTexts } from "../base/type-texts.ts";

type Schema = Readonly<Record<string, unknown>>;

/**
 * Checks the names of a tool's arguments and their types, so that none is ignored. The tool itself checks whether required
 * ones are there, because its message can say more.
 *
 * @param input JSON Schema of the arguments
 * @throws TenonError `invalid_request`
 */
export function checkArguments(input: Schema, args: Readonly<Record<string, unknown>>): void {
  const properties = (input["properties"] ?? {}) as Readonly<Record<string, Schema>>;
  const faults = new Faults();
  faults.unknownNames([], "unknown_param", args, Object.keys(properties), (name) => `This tool has no argument "${name}".`);
  for (const [name, value] of Object.entries(args)) {
    const { type, enum: values } = Object.hasOwn(properties, name) ? (properties[name] ?? {}) : {};
    // The tool itself refuses a text that is not among the values, because it can name the nearest one.
    if (Array.isArray(values) && typeof value !== "string" && value !== undefined)
      faults.add([name], "wrong_type", `${name} must be a string: ${values.join(", ")}.`);
    if (typeof type === "string" && value !== undefined && !isOf(type, value))
      faults.add([name], "wrong_type", `${name} must be ${typeTexts[type] ?? type}.`);
  }
  if (faults.any) throw invalidRequest(faults.list);
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
