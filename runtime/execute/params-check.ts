import { type Action, nearest, type ValidatorError } from "../contract/index.ts";
import { type Fault, maxFaults, pointer, shown } from "../errors.ts";
import { emptyUpdateFaults, transitionFaults } from "./change-check.ts";
import { chooseFields } from "./field-choice.ts";

/** A list longer than this is refused before its elements are looked at, so that a check never costs more than the body is worth. */
const longestList = 1000;
/** No action has nearly so many parameters. */
const mostMembers = 100;

/**
 * Checks the parameters of an action and fills in defaults.
 *
 * @returns a copy with defaults, and all faults found; the copy is usable only without faults.
 */
export function checkParams(action: Action, given: unknown): { params: Record<string, unknown>; faults: Fault[] } {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return { params: {}, faults: [{ pointer: "/params", code: "wrong_type", message: "params must be an object." }] };
  if (Object.keys(given).length > mostMembers)
    return {
      params: {},
      faults: [{ pointer: "/params", code: "out_of_range", message: `params has more than ${mostMembers} members.` }],
    };
  // The validator writes defaults into what it checks; the caller's object stays as it is.
  const params: Record<string, unknown> = { ...given };
  const texts = textFaults(params);
  if (texts.some((fault) => fault.code === "out_of_range")) return { params, faults: texts };
  const faults = action.validate(params)
    ? []
    : (action.validate.errors ?? []).slice(0, maxFaults).map((error) => faultOf(error, action));
  faults.push(...texts);
  const { record } = action.operation;
  faults.push(...chooseFields(record, params["fields"]).faults);
  const refused = new Set(faults.map((fault) => fault.pointer));
  faults.push(...transitionFaults(action, params).filter((fault) => !refused.has(fault.pointer)));
  if (faults.length === 0) faults.push(...emptyUpdateFaults(action, params));
  return { params, faults };
}

/** Parameters that were made here, with defaults filled in; faults in them are ours. */
export function prepareParams(action: Action, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { params, faults } = checkParams(action, given);
  const [first] = faults;
  if (first !== undefined) throw new Error(`${action.name} was called with wrong parameters: ${first.pointer} ${first.message}`);
  return params;
}

/** Faults that the validator does not look for, or that would cost it too much. */
function textFaults(params: Readonly<Record<string, unknown>>): Fault[] {
  const faults: Fault[] = [];
  for (const name in params) {
    const value = params[name];
    if (typeof value === "number" || typeof value === "boolean") continue;
    if (Array.isArray(value) && value.length > longestList)
      faults.push({
        pointer: pointer(["params", name]),
        code: "out_of_range",
        message: `${shown(name)} has more than ${longestList} elements.`,
      });
    else if (name !== "fields" && brokenText(value))
      faults.push({
        pointer: pointer(["params", name]),
        code: "invalid_text",
        message: `${shown(name)} has half a surrogate pair, which is no character.`,
      });
  }
  return faults;
}

/** Text that is not Unicode cannot be sent as UTF-8 without becoming another text. */
function brokenText(value: unknown): boolean {
  if (typeof value === "string") return !value.isWellFormed();
  return Array.isArray(value) && value.some((text) => typeof text === "string" && !text.isWellFormed());
}

function faultOf(error: ValidatorError, action: Action): Fault {
  const path = error.instancePath
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const here = ["params", ...path];
  const name = path.length === 0 ? "params" : path.join(".");
  const at = (code: string, message: string, more: Partial<Fault> = {}): Fault => ({
    pointer: pointer(here),
    code,
    message,
    ...more,
  });
  const { params } = error;
  switch (error.keyword) {
    case "required": {
      const missing = String(params["missingProperty"]);
      return { pointer: pointer([...here, missing]), code: "missing_param", message: `${missing} is required.` };
    }
    case "additionalProperties": {
      const unknown = String(params["additionalProperty"]);
      const allowed = [...action.params, "fields"];
      const suggestion = nearest(unknown, allowed);
      return {
        pointer: pointer([...here, unknown]),
        code: "unknown_param",
        message: `${action.name} has no parameter "${shown(unknown)}".`,
        allowed,
        ...(suggestion === undefined ? {} : { suggestion }),
      };
    }
    case "type":
      return at("wrong_type", `${name} must be ${typeNames(params["type"])}.`);
    case "enum": {
      const allowed = params["allowedValues"] as (string | null)[];
      return at("not_allowed", `${name} must be one of ${allowed.map(String).join(", ")}.`, { allowed });
    }
    case "minimum":
      return at("out_of_range", `${name} must be at least ${String(params["limit"])}.`);
    case "maximum":
      return at("out_of_range", `${name} must be at most ${String(params["limit"])}.`);
    case "minLength":
      return at(
        "out_of_range",
        params["limit"] === 1
          ? `${name} must not be empty.`
          : `${name} must have at least ${String(params["limit"])} characters.`,
      );
    case "maxLength":
      return at("out_of_range", `${name} must have at most ${String(params["limit"])} characters.`);
    case "minItems":
      return at("out_of_range", `${name} must have at least ${String(params["limit"])} elements.`);
    case "maxItems":
      return at("out_of_range", `${name} must have at most ${String(params["limit"])} elements.`);
    default:
      return at("invalid", `${name} is not valid.`);
  }
}

function typeNames(type: unknown): string {
  const names: Readonly<Record<string, string>> = {
    string: "a string",
    integer: "a whole number",
    number: "a number",
    boolean: "true or false",
    array: "a list",
    object: "an object",
    null: "null",
  };
  return (Array.isArray(type) ? type : [type]).map((one) => names[String(one)] ?? String(one)).join(" or ");
}
