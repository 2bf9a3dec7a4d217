import { type PlatformPlan, pathKeys } from "../contract/index.ts";

type Places = NonNullable<PlatformPlan["errors"]["places"]>;

/** What the body of a refusal says. A text that the body does not have is empty. */
export interface Said {
  readonly message: string;
  readonly code: string;
  /** The platform's name of what is wrong in the request. */
  readonly field: string;
}

/** Places where most REST APIs have the text of a refusal, for a spec that does not name its own. */
const usualMessages = ["message", "error.message", "error_description", "error", "err", "detail", "title", "description"];
const usualCodes = ["code", "error.code", "error.type", "type"];

/** Reads what the body of a refusal says, at the places that the spec names or else at the usual ones. */
export function saidIn(body: unknown, places: Places = {}): Said {
  const { message, code, field } = places;
  return {
    message: message === undefined ? usualMessage(body) : first(body, message),
    code: first(body, code ?? usualCodes),
    field: first(body, field ?? []),
  };
}

/** Whether the body of a success says that the call failed, by the values that the spec names. */
export function saysFailure(body: unknown, when: PlatformPlan["errors"]["when"] = {}): boolean {
  return Object.entries(when).some(([path, value]) => valueAt(body, pathKeys(path)) === value);
}

/** The first text at one of the paths. A list of texts is one text. */
function first(body: unknown, paths: readonly string[]): string {
  for (const path of paths) {
    const found = textOf(valueAt(body, pathKeys(path)));
    if (found !== "") return found;
  }
  return "";
}

function textOf(value: unknown): string {
  if (!Array.isArray(value)) return wordsIn(value);
  return value
    .slice(0, 5)
    .map(wordsIn)
    .filter((text) => text !== "")
    .join("; ");
}

/** A list within a list says nothing: it may be nested as deep as the stack. */
function wordsIn(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function valueAt(body: unknown, keys: readonly string[]): unknown {
  let here = body;
  for (const key of keys) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Readonly<Record<string, unknown>>)[key];
  }
  return here;
}

/** The message, followed by the list of errors, as most REST APIs have them. */
function usualMessage(body: unknown): string {
  const listed = valueAt(body, ["errors"]) ?? valueAt(body, ["error", "errors"]);
  const errors = Array.isArray(listed) ? listed.slice(0, 5).map(errorText) : [];
  return [first(body, usualMessages), ...errors].filter((text) => text !== "").join("; ");
}

function errorText(error: unknown): string {
  if (typeof error === "string") return error;
  const message = first(error, ["message", "detail", "title"]);
  if (message !== "") return message;
  return ["resource", "field", "code"]
    .map((name) => first(error, [name]))
    .filter((text) => text !== "")
    .join(" ");
}
