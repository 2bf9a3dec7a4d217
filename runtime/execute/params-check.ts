import { maxFaults, shown, TenonError } from "../base/errors.ts";
import { Faults } from "../base/faults.ts";
import { isObject } from "../base/is-object.ts";
import { typeTexts } from "../base/type-texts.ts";
import { type Action, dryRunParam, type FieldTree, sentParam, type ValidatorError } from "../contract/index.ts";
import { checkTransitions, checkUpdate } from "./change-check.ts";
import { chooseFields } from "./field-choice.ts";
import type { PlatformRequest } from "./request.ts";
import { checkSendable } from "./sendable-check.ts";
import { sentParamsOf } from "./sent-params.ts";

/** A longer list is refused before its elements are looked at, so that the check of a request stays cheap. */
const longestList = 1000;
/** Objects and lists within each other; deeper ones are refused unread. */
const deepest = 50;
/** More members than this are refused unread. Every action has far fewer parameters. */
const mostMembers = 100;

/**
 * Checks the parameters of an action, fills in defaults and looks up the fields.
 *
 * @param given the parameters as the caller sent them; the object is not changed
 * @returns the request; it may be used only when no fault was added
 */
export function checkParams(action: Action, given: unknown, faults: Faults): PlatformRequest {
  const nothing: PlatformRequest = { kind: "platform", action, params: {}, given: {}, choice: null };
  if (!isObject(given)) {
    faults.add(["params"], "wrong_type", "params must be an object.");
    return nothing;
  }
  if (Object.keys(given).length > mostMembers) {
    faults.add(["params"], "out_of_range", `params has more than ${mostMembers} members; at most ${mostMembers} are allowed.`);
    return nothing;
  }
  // The validator writes defaults into the object that it checks.
  const { [dryRunParam]: dryRun, ...params }: Record<string, unknown> = given;
  // A write has no such parameter. It must not be left out in silence, because then the write would be done.
  if (action.traits.writes && dryRun !== undefined) params[dryRunParam] = dryRun;
  else if (dryRun !== undefined && typeof dryRun !== "boolean")
    faults.add(["params", dryRunParam], "wrong_type", `${dryRunParam} must be true or false.`);
  if (!checkLengths(params, faults)) return nothing;
  const refused = new Set<string>();
  if (!action.validate(params))
    for (const error of (action.validate.errors ?? []).slice(0, maxFaults)) refused.add(addFault(error, params, action, faults));
  checkTexts(params, faults);
  checkNumbers(params, refused, faults);
  checkSendable(action, params, faults);
  const choice: FieldTree | null = chooseFields(action.operation.record, params["fields"], faults);
  checkTransitions(action, params, refused, faults);
  if (!faults.any) checkUpdate(action, params, faults);
  return { kind: "platform", action, params, given, choice, ...(dryRun === true && !action.traits.writes ? { dryRun } : {}) };
}

/**
 * Makes a request of parameters that this program chose, and fills in defaults.
 *
 * @throws TenonError `unexpected_response` for wrong parameters: they come from records, whose values may have another type than declared
 */
export function prepareRequest(action: Action, given: Readonly<Record<string, unknown>>): PlatformRequest {
  const faults = new Faults();
  const request = checkParams(action, given, faults);
  const [first] = faults.list;
  if (first !== undefined)
    throw new TenonError(
      "unexpected_response",
      `${action.name} cannot be called with what the platform has given: ${first.message}`,
    );
  return request;
}

/** Whether every list is short enough, and every object flat enough, for what is in it to be checked. Adds a fault for each that is not. */
function checkLengths(params: Readonly<Record<string, unknown>>, faults: Faults): boolean {
  const before = faults.list.length;
  for (const [name, value] of Object.entries(params))
    if (Array.isArray(value) && value.length > longestList)
      faults.add(["params", name], "out_of_range", `${shown(name)} must have at most ${longestList} elements.`);
    else if (isDeeper(value, deepest))
      faults.add(
        ["params", name],
        "out_of_range",
        `${shown(name)} must have at most ${deepest} objects and lists within each other.`,
      );
  return faults.list.length === before;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1));
}

/** Refuses texts that are not Unicode, which the validator does not check. Names of fields need no check: they are looked up. */
function checkTexts(params: Readonly<Record<string, unknown>>, faults: Faults): void {
  for (const name in params)
    if (name !== "fields" && isBrokenText(params[name]))
      faults.add(
        ["params", name],
        "invalid_text",
        `${shown(name)} contains half of a surrogate pair, which is not a valid character.`,
      );
}

/**
 * Refuses whole numbers that are not exact. Such a number was rounded when it was read, so it may name another record than the caller
 * means.
 */
function checkNumbers(params: Readonly<Record<string, unknown>>, refused: ReadonlySet<string>, faults: Faults): void {
  for (const name in params)
    if (!refused.has(name) && hasInexact(params[name]))
      faults.add(
        ["params", name],
        "out_of_range",
        `${shown(name)} has a whole number beyond ${Number.MAX_SAFE_INTEGER}, which is not exact.`,
      );
}

function hasInexact(value: unknown): boolean {
  // What is too large for any number was read as Infinity, and JSON would have null in its place.
  if (typeof value === "number") return Math.abs(value) > Number.MAX_SAFE_INTEGER;
  return typeof value === "object" && value !== null && Object.values(value).some(hasInexact);
}

/** Whether a text, or one in a list or an object, is not Unicode. Such a text would change when it is sent as UTF-8. */
function isBrokenText(value: unknown): boolean {
  if (typeof value === "string") return !value.isWellFormed();
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, one]) => !key.isWellFormed() || isBrokenText(one));
}

/**
 * Adds the fault for an error of the validator.
 *
 * @returns the name of the parameter that has the fault
 */
function addFault(error: ValidatorError, given: Readonly<Record<string, unknown>>, action: Action, faults: Faults): string {
  const path = error.instancePath
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const { params } = error;
  const at = ["params", ...path];
  const name = path.length === 0 ? "params" : path.join(".");
  const limit = String(params["limit"]);
  const outOfRange = (message: string) => faults.add(at, "out_of_range", `${name} must ${message}.`);
  switch (error.keyword) {
    case "required": {
      const missing = String(params["missingProperty"]);
      faults.add([...at, missing], "missing_param", `${missing} is required.`);
      return path[0] ?? missing;
    }
    case "additionalProperties": {
      const unknown = String(params["additionalProperty"]);
      if (path.length > 0) {
        faults.unknown(
          [...at, unknown],
          "unknown_param",
          `${name} has no member "${shown(unknown)}".`,
          unknown,
          memberNames(action, path),
        );
        return path[0] ?? unknown;
      }
      const message = `${action.name} has no parameter "${shown(unknown)}".`;
      const own = action.traits.writes ? ["fields"] : ["fields", dryRunParam];
      faults.unknown([...at, unknown], "unknown_param", message, unknown, [...action.params, ...own]);
      return path[0] ?? unknown;
    }
    case "type":
      faults.form(at, `${name} must be ${typeNames(params["type"])}.`, meantNumber(valueAt(given, path), params["type"]));
      break;
    case "enum": {
      const allowed = params["allowedValues"] as (string | null)[];
      faults.notAllowed(
        at,
        `${name} must be one of ${allowed.map((one) => (one === "" ? '""' : String(one))).join(", ")}.`,
        valueAt(given, path),
        allowed,
      );
      break;
    }
    case "pattern": {
      const pattern = String(params["pattern"]);
      if (pattern.startsWith("^[^")) {
        const excluded = pattern.slice("^[^".length, -"]*$".length).replace(/\\(.)/g, "$1");
        faults.form(at, `${name} must not contain ${shown(excluded)}.`, meantPart(valueAt(given, path), excluded, given));
        break;
      }
      const form = pattern.includes("T") ? "a time such as 2026-05-20T09:30:00Z" : "a date such as 2026-05-20";
      faults.add(at, "wrong_type", `${name} must be ${form}.`);
      break;
    }
    case "minimum":
      outOfRange(`be at least ${limit}`);
      break;
    case "maximum":
      outOfRange(`be at most ${limit}`);
      break;
    case "minLength":
      outOfRange(params["limit"] === 1 ? "not be empty" : `have at least ${limit} characters`);
      break;
    case "maxLength":
      outOfRange(`have at most ${limit} characters`);
      break;
    case "minItems":
      outOfRange(`have at least ${limit} elements`);
      break;
    case "maxItems":
      outOfRange(`have at most ${limit} elements`);
      break;
    default:
      faults.add(at, "invalid", `${name} is not valid.`);
  }
  return path[0] ?? "";
}

function valueAt(given: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((here, key) => (here as Readonly<Record<string, unknown>>)[key], given);
}

/** The number that a text such as `#12`, or the address of an issue, names where a whole number belongs. */
function meantNumber(value: unknown, type: unknown): number | undefined {
  const isWhole = [type].flat().includes("integer");
  const digits = isWhole && typeof value === "string" ? /^(?:.{0,500}[#/])?(\d{1,15})$/.exec(value)?.[1] : undefined;
  return digits === undefined ? undefined : Number(digits);
}

/** The part of `owner/name` that is not the value of another parameter. */
function meantPart(value: unknown, separators: string, given: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof value !== "string") return undefined;
  const others = Object.values(given);
  const parts = [...separators].reduce((all, one) => all.flatMap((part) => part.split(one)), [value]);
  const [meant, ...more] = parts.filter((part) => part !== "" && !others.includes(part));
  return more.length === 0 ? meant : undefined;
}

/** Names of the members that the object at a path of the parameters may have. */
function memberNames({ operation }: Action, path: readonly string[]): string[] {
  let sent = sentParamsOf(operation);
  for (const key of path.filter((one) => !/^\d+$/.test(one)))
    sent = sent.map(sentParam).find(({ param }) => param === key)?.members ?? [];
  return sent.map((one) => sentParam(one).param);
}

function typeNames(type: unknown): string {
  return (Array.isArray(type) ? type : [type]).map((one) => typeTexts[String(one)] ?? String(one)).join(" or ");
}
