import { isObject } from "../base/is-object.ts";
import { AnswerTooLarge } from "./answer-budget.ts";
import type { Exchanged } from "./exchange.ts";
import type { GraphqlFault, Headers } from "./failure.ts";

let empty: globalThis.Headers | undefined;

/** The headers of what came without any. They are made when they are needed: the first ones load `fetch`, which a start can do without. */
export function noHeaders(): globalThis.Headers {
  empty ??= new globalThis.Headers();
  return empty;
}

/** The outcome of a call, which the caller judges. */
export type Received =
  | ({ readonly kind: "graphql"; readonly faults: readonly GraphqlFault[] } & Omit<Exchanged, "status">)
  | ({ readonly kind: "rest" } & Exchanged)
  /** `faults`: the GraphQL errors in the body, which say more than the status. */
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly data: unknown;
      readonly faults: readonly GraphqlFault[];
      readonly headers: Headers;
    }
  /** The answer had more than `limit`, such as 16 MiB, and was not read or parsed to its end. */
  | { readonly kind: "too-large"; readonly status: number; readonly headers: Headers; readonly limit: string }
  /** `unsent`: no connection was made, so the platform did nothing. */
  | { readonly kind: "lost"; readonly cause: unknown; readonly unsent: boolean };

/** A response that is not a success: by its status, or because its body is not what was requested. */
export class Refusal extends Error {
  readonly answer: Exchanged;
  constructor(answer: Exchanged) {
    super(`status ${answer.status}`);
    this.answer = answer;
  }
}

/** Whether a body is a GraphQL answer, with data or errors. A body with only a message is a refusal, whatever its status. */
export function isAnswer(body: unknown): boolean {
  return typeof body === "object" && body !== null && ("data" in body || "errors" in body);
}

/** Turns whatever a call threw into its outcome. @param faultsIn reads the GraphQL errors of a refusal's body */
export function failed(thrown: unknown, faultsIn: (body: unknown) => GraphqlFault[]): Received {
  if (thrown instanceof AnswerTooLarge)
    return { kind: "too-large", status: thrown.status, headers: thrown.headers, limit: thrown.limit };
  if (!(thrown instanceof Refusal)) return { kind: "lost", cause: thrown, unsent: hasCode(thrown, unsentCodes) };
  const { status, headers, data } = thrown.answer;
  // A success whose body is not JSON was cut off, or does not come from the platform but from a proxy.
  return status < 300 && typeof data !== "object"
    ? { kind: "lost", cause: thrown, unsent: false }
    : { kind: "refused", status, data, faults: faultsIn(data), headers };
}

/** Errors of one answer that are looked at. There may be one for each record, and reading each of 100,000 holds up the event loop. */
const mostFaults = 1_000;

/** Reads `errors` of a GraphQL answer. */
export function faultsOf(body: unknown): GraphqlFault[] {
  const errors: unknown = typeof body === "object" && body !== null && "errors" in body ? body.errors : undefined;
  return Array.isArray(errors) ? errors.slice(0, mostFaults).map(readFault) : [];
}

/** Error codes of Node and undici for a connection that was never made. */
const unsentCodes = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"];

/** Whether an error, or one of its causes, has one of these codes. */
function hasCode(thrown: unknown, codes: readonly string[]): boolean {
  for (let cause: unknown = thrown, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++)
    if ("code" in cause && codes.includes(String(cause.code))) return true;
  return false;
}

/** Why a call has no usable response, as far as its callers may know: without addresses, and without what a stranger's page says. */
export function lostBecause(cause: unknown, title: string): string {
  if (hasCode(cause, ["ECONNREFUSED"]))
    return `The connection to ${title} was refused: nothing accepts connections at its address.`;
  const cutOff = `The connection to ${title} failed or its response was cut off.`;
  if (!(cause instanceof Refusal)) return cutOff;
  const { status, headers } = cause.answer;
  const type = headers.get("content-type") ?? "";
  // JSON that cannot be read has no end.
  if (type.includes("json")) return cutOff;
  const [known] = /^[\w.+-]{1,50}\/[\w.+-]{1,50}(?=\s*(?:;|$))/.exec(type) ?? [];
  return `${title} responded with ${status} and content that is not JSON${known === undefined ? "" : ` (${known})`}.`;
}

function isLocation(value: unknown): value is { readonly line: number; readonly column: number } {
  return isObject(value) && Number.isSafeInteger(value["line"]) && Number.isSafeInteger(value["column"]);
}

function readFault(error: unknown): GraphqlFault {
  const source = (typeof error === "object" && error !== null ? error : {}) as Readonly<Record<string, unknown>>;
  const path = Array.isArray(source["path"])
    ? source["path"].filter((key) => typeof key === "string" || typeof key === "number")
    : [];
  const extensions = source["extensions"];
  return {
    type: typeof source["type"] === "string" ? source["type"] : undefined,
    message: typeof source["message"] === "string" ? source["message"] : "",
    path,
    locations: Array.isArray(source["locations"]) ? source["locations"].filter(isLocation) : [],
    extensions: typeof extensions === "object" && extensions !== null ? (extensions as Readonly<Record<string, unknown>>) : {},
  };
}
