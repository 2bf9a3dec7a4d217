import { type ErrorCode, errorCodes } from "../base/error-codes.ts";
import { type Fault, TenonError } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { type PascalCase, pascalCase } from "./names.ts";

/** An error of a call. Each code has a class of its own in {@link errors}. */
export class CallError extends TenonError {
  /** The class of the error, such as `NotFoundError`. */
  override readonly name: string = this.constructor.name;
  /** Names the call in the service's log. */
  readonly requestId: string | undefined;

  constructor(code: ErrorCode, message: string, details: CallErrorDetails = {}) {
    const { faults, retryAfter, requestId, cause, proposal } = details;
    super(code, message, { faults: faults ?? [], ...(retryAfter === undefined ? {} : { retryAfter }), cause, proposal });
    this.requestId = requestId;
  }
}

export interface CallErrorDetails {
  readonly faults?: readonly Fault[];
  /** Seconds after which a retry may succeed. */
  readonly retryAfter?: number | undefined;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
  /** Only for a write that a person has to approve. */
  readonly proposal?: object | undefined;
}

type ErrorClass<Code extends ErrorCode> = new (
  message: string,
  details?: CallErrorDetails,
) => CallError & { readonly code: Code };

type ErrorClasses = { readonly [Code in ErrorCode as `${PascalCase<Code>}Error`]: ErrorClass<Code> };

function errorClass<Code extends ErrorCode>(code: Code): ErrorClass<Code> {
  const name = `${pascalCase(code)}Error`;
  // The computed key gives the class its name.
  const named = {
    [name]: class extends CallError {
      declare readonly code: Code;
      constructor(message: string, details?: CallErrorDetails) {
        super(code, message, details);
      }
    },
  };
  return named[name] as ErrorClass<Code>;
}

const classes = new Map(Object.keys(errorCodes).map((code) => [code, errorClass(code as ErrorCode)]));

/** The class of each code, made from the table of codes: `not_found` has `errors.NotFoundError`. */
export const errors = Object.fromEntries([...classes].map(([code, made]) => [`${pascalCase(code)}Error`, made])) as ErrorClasses;

/** What a client in local mode throws for a cached search: records are stored by a service only. */
export class NotImplementedError extends errors.ContextStoreUnavailableError {}

/** An error of the class that its code has. */
export function callError(code: ErrorCode, message: string, details?: CallErrorDetails): CallError {
  const made = classes.get(code);
  return made === undefined ? new CallError(code, message, details) : new made(message, details);
}

/** The error of a call that ran in this process. Anything else that was thrown stays as it is. */
export function fromLocal(thrown: unknown, requestId: string): unknown {
  if (!(thrown instanceof TenonError)) return thrown;
  const { code, message, faults, retryAfter, cause, proposal } = thrown;
  return callError(code, message, { faults, retryAfter, requestId, cause, proposal });
}

/**
 * The error of an answer that is not 2xx. An answer without a known code, such as that of a proxy, gets the code that fits its status
 * best.
 *
 * @param retryAfter the header `Retry-After`
 */
export function fromAnswer(status: number, body: unknown, retryAfter: string | null, requestId: string): CallError {
  const problem = isObject(body) ? body : {};
  const { code, message, errors: faults, instance, proposal } = problem;
  const known = typeof code === "string" && Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : codeOf(status);
  return callError(known, typeof message === "string" ? message : `The service responded with HTTP status ${status}.`, {
    faults: Array.isArray(faults) ? faults.filter(isFault) : [],
    retryAfter: secondsOf(retryAfter),
    proposal: isObject(proposal) ? proposal : undefined,
    requestId: typeof instance === "string" ? instance : requestId,
  });
}

/** What a text of JSON says; undefined for a text that is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A text without a secret, for errors. */
export function without(text: string, secret: string): string {
  return secret === ""
    ? text
    : text.replaceAll(JSON.stringify(secret).slice(1, -1), "[redacted]").replaceAll(secret, "[redacted]");
}

function codeOf(status: number): ErrorCode {
  switch (status) {
    case 401:
      return "unauthorized";
    case 403:
      return "platform_forbidden";
    case 404:
      return "unknown_route";
    case 413:
      return "body_too_large";
    case 429:
      return "rate_limited";
    case 503:
      return "overloaded";
    case 504:
      return "deadline_exceeded";
    default:
      return status >= 500 ? "service_unreachable" : "invalid_request";
  }
}

/** Seconds or a date (RFC 9110, 10.2.3). */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

function isFault(value: unknown): value is Fault {
  return isObject(value) && ["pointer", "code", "message"].every((key) => typeof value[key] === "string");
}
