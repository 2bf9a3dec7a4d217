import { CommandError } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";
import { type Params, parseJson } from "./params.ts";
import { requestFlags } from "./request-flags.ts";

/** A schema of JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** A param, or a member of a param that is an object. */
export interface ParamFlag {
  /** Names from the param to the member: `["address", "postalCode"]`. */
  readonly path: readonly string[];
  /** The flag without its dashes: `address.postal-code`. */
  readonly flag: string;
  readonly schema: Schema;
  /** Whether it must be given: always, or (`inside`) where its object is. */
  readonly required: boolean | "inside";
}

/** The params of an action and the members of those that are objects, each object before its members. */
export function paramsWithMembers(params: Schema, above?: ParamFlag): ParamFlag[] {
  const required: unknown = params["required"];
  return Object.entries((params["properties"] ?? {}) as Readonly<Record<string, Schema>>).flatMap(([name, schema]) => {
    const must = Array.isArray(required) && required.includes(name);
    const one: ParamFlag = {
      path: [...(above?.path ?? []), name],
      flag: above === undefined ? flagOf(name) : `${above.flag}.${flagOf(name)}`,
      schema,
      required: must && (above === undefined || above.required === true || "inside"),
    };
    return [one, ...paramsWithMembers(schema, one)];
  });
}

/** Those of them that have a flag. A param that has the name of a flag of all actions is given with `--params`. */
export function flagsOfParams(params: Schema): ParamFlag[] {
  return paramsWithMembers(params).filter(({ path: [param = ""] }) => !Object.hasOwn(requestFlags, param));
}

/** The flag of a param, without its dashes: `per_page` → `per-page`. */
function flagOf(param: string): string {
  return param.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-");
}

/** The values that a schema, or the items of its list, allow; undefined where they are not listed. */
export function enumOf(schema: Schema): readonly unknown[] | undefined {
  const here = itemsOf(schema) ?? schema;
  return Array.isArray(here["enum"]) ? here["enum"] : undefined;
}

export function itemsOf({ items }: Schema): Schema | undefined {
  return typeof items === "object" && items !== null ? (items as Schema) : undefined;
}

export function isType(schema: Schema, type: string): boolean {
  const { type: own, anyOf } = schema;
  if (own === type || (Array.isArray(own) && own.includes(type))) return true;
  return Array.isArray(anyOf) && anyOf.some((one: Schema) => isType(one, type));
}

/**
 * The params that flags have given.
 *
 * @param given each flag that was given, with its text or texts
 * @throws CommandError where an object is given as JSON and by its members, or as a text that is not JSON
 */
export function paramsOf(given: readonly (readonly [flag: ParamFlag, value: unknown])[]): Params {
  const params: Record<string, unknown> = {};
  for (const [one, value] of given) {
    const whole = given.find(([{ path }]) => path.length < one.path.length && path.every((name, at) => name === one.path[at]));
    if (whole !== undefined)
      throw new CommandError(
        `--${whole[0].flag} and --${one.flag} cannot be used together: give the object as JSON, or each member with its own flag`,
        exitStatus.usage,
      );
    let holder = params;
    for (const name of one.path.slice(0, -1)) {
      holder[name] ??= {};
      holder = holder[name] as Record<string, unknown>;
    }
    holder[one.path.at(-1) ?? ""] = paramValue(value, one.schema, one.flag);
  }
  return params;
}

/** The text of a flag as a value of the param. What does not fit stays a text, so that the action says what is wrong with it. */
function paramValue(given: unknown, schema: Schema, flag: string): unknown {
  if (Array.isArray(given)) {
    const items = itemsOf(schema) ?? {};
    const known = enumOf(items);
    // Values of an enumeration may come in one text, as names of fields do.
    const texts = given.flatMap((one: unknown) =>
      known === undefined || known.includes(one)
        ? [one]
        : String(one)
            .split(",")
            .map((part) => part.trim()),
    );
    const values = texts.map((one) => paramValue(one, items, flag));
    // Objects may come one by one, or as one list in JSON.
    return isType(items, "object") ? values.flat() : values;
  }
  if (given === "null" && isType(schema, "null")) return null;
  if (isType(schema, "boolean")) return given === true || given === "true" ? true : given === "false" ? false : given;
  if (typeof given !== "string") return given;
  if ((isType(schema, "integer") || isType(schema, "number")) && /^-?\d+(\.\d+)?$/.test(given)) return Number(given);
  if (!isType(schema, "object") || isType(schema, "string")) return given;
  return parseJson(given, `--${flag}`);
}
