import { maxFaults, type RefusedField } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { type FailureSign, type PlatformPlan, pathKeys, usualCodes, usualMessages } from "../contract/index.ts";

type Places = NonNullable<PlatformPlan["errors"]["places"]>;

/** The parts of an answer that may say that the call failed. */
export interface Judged {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly data: unknown;
}

/** What the body of a refusal says. A text that the body does not have is empty. */
export interface Said {
  readonly message: string;
  readonly code: string;
  /** The platform's name of what is wrong in the request. */
  readonly field: string;
  /** What is wrong with each of several fields: the platform's name of it, and a text. */
  readonly fields: readonly RefusedField[];
  /** Seconds after which a retry may succeed. */
  readonly retry: number | undefined;
}

/** Reads what the body of a refusal says, at the places that the spec names or else at the usual ones. */
export function saidIn(body: unknown, places: Places = {}): Said {
  const { message, code, field, fields = [], retry = [] } = places;
  const seconds = Number.parseFloat(first(body, retry));
  return {
    message: message === undefined ? usualMessage(body) : first(body, message),
    code: first(body, code ?? usualCodes),
    field: first(body, field ?? []),
    fields: fields.flatMap((path) => keyed(valueAt(body, pathKeys(path)))).slice(0, maxFaults),
    retry: seconds >= 0 ? seconds : undefined,
  };
}

/** Places of the text where a field has an object. Its `error` is a code on some platforms, beside the text. */
const ofFields = ["message", "description", "detail", "title", ...usualMessages];

/** What an object says of each wrong field: a text, an object with one at a usual place, or a list of these. */
function keyed(value: unknown): readonly RefusedField[] {
  if (!isObject(value)) return [];
  return Object.keys(value)
    .slice(0, maxFaults)
    .map((name) => {
      const said = [value[name]].flat().slice(0, 5);
      const texts = said.map((one) => (isObject(one) ? first(one, ofFields) : wordsIn(one)));
      return { name, message: texts.filter((text) => text !== "").join("; ") };
    })
    .filter(({ message }) => message !== "");
}

/** Whether a success says that the call failed: whether all signs of one of the spec's conditions are there. */
export function saysFailure({ status, headers, data }: Judged, when: PlatformPlan["errors"]["when"] = []): boolean {
  const isThere = ([place, sign]: readonly [string, FailureSign]) => {
    const [, header] = /^header (\S+)$/.exec(place) ?? [];
    if (header !== undefined) return isSign(sign, headers.get(header) ?? undefined, String);
    return isSign(sign, place === "HTTP status" ? status : valueAt(data, pathKeys(place)));
  };
  return when.some((condition) => Object.entries(condition).every(isThere));
}

/** Whether a value means an error. What an answer does not have means none. @param as how values of the spec are written there */
function isSign(sign: FailureSign, value: unknown, as: (value: unknown) => unknown = (one) => one): boolean {
  if (value === undefined) return false;
  if (isObject(sign) && "not" in sign) return as(sign["not"]) !== value;
  return [sign].flat().some((one) => as(one) === value);
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
