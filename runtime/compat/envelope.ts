import { invalidRequest } from "../base/errors.ts";
import { Faults } from "../base/faults.ts";
import { isObject } from "../base/is-object.ts";
import { requestLimits } from "../base/request-limits.ts";
import { codePointLength } from "../base/text.ts";
import type { RequestedAction } from "./translate.ts";

/** How the records of an answer are cut. */
export interface Shape {
  /** Only these fields; empty for all. It wins over `exclude`. */
  readonly select: readonly string[];
  readonly exclude: readonly string[];
  /** Long texts are cut in lists. */
  readonly truncate: boolean;
}

/** A request of the client: what is to be run, and how its answer is to be shaped. */
export interface Envelope extends RequestedAction {
  /** Why the caller asks, for the audit log. */
  readonly intent: string | undefined;
  readonly shape: Shape;
}

const members = ["entity", "action", "params", "skip_truncation", "select_fields", "exclude_fields", "intent"];
/** Characters of an intent, names in a list of fields, keys of a name, and characters of a key. */
const { intent: longestIntent, fields: mostNames, fieldKeys: deepest, fieldKey: longestKey } = requestLimits;

/**
 * Reads the members that this client sends. One that is null counts as absent.
 *
 * @throws TenonError `invalid_request`
 */
export function readEnvelope(body: unknown): Envelope {
  const faults = new Faults();
  if (!isObject(body)) {
    faults.add([], "wrong_type", "The request must be an object with entity, action and params.");
    throw invalidRequest(faults.list);
  }
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
  faults.unknownNames([], "unknown_member", given, members, () => `A request may have only ${members.join(", ")}.`);
  const { skip_truncation: whole = true, intent } = given;
  if (typeof whole !== "boolean") faults.add(["skip_truncation"], "wrong_type", "skip_truncation must be true or false.");
  if (intent !== undefined && !(typeof intent === "string" && codePointLength(intent) <= longestIntent))
    faults.add(["intent"], "wrong_type", `intent must be a text of at most ${longestIntent} characters.`);
  const shape = { select: names("select_fields"), exclude: names("exclude_fields"), truncate: whole === false };
  if (faults.any) throw invalidRequest(faults.list);
  return {
    entity: given["entity"],
    action: given["action"],
    params: given["params"],
    intent: typeof intent === "string" ? intent : undefined,
    shape,
  };

  function names(member: string): readonly string[] {
    const value = given[member] ?? [];
    const isList = Array.isArray(value) && value.length <= mostNames && value.every((name) => typeof name === "string");
    if (!isList) faults.add([member], "wrong_type", `${member} must be a list of at most ${mostNames} names of fields.`);
    else {
      const at = value.findIndex((name) => !isPath(name));
      if (at === -1) return value;
      const most = `at most ${deepest} keys of at most ${longestKey} characters`;
      faults.add([member, at], "wrong_type", `A field must be a name or a dotted path, with ${most}.`);
    }
    return [];
  }
}

/** Whether a name is short enough to be looked up in every record. */
function isPath(name: string): boolean {
  // A longer name is too long however it is split.
  if (name.length >= deepest * (longestKey + 1)) return false;
  const keys = name.split(".");
  return keys.length <= deepest && keys.every((key) => key.length <= longestKey);
}
