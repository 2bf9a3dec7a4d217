import { type ErrorCode, errorCodes } from "./error-codes.ts";

/** One fault of a request: where it is (JSON Pointer, RFC 6901, into the request body), what is wrong, what is allowed. */
export interface Fault {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
  readonly allowed?: readonly (string | number | boolean | null)[];
  /** What is probably meant in its place: a number where the text of one was sent. */
  readonly suggestion?: string | number;
}

export interface ErrorDetails {
  /** Faults of the request, at most {@link maxFaults}. */
  readonly faults?: readonly Fault[];
  /** Seconds after which a retry may succeed. */
  readonly retryAfter?: number;
  /** Only for `not_found`: the keys of the platform's answer down to the one that is null. A sync uses it; callers do not see it. */
  readonly missingAt?: readonly string[];
  readonly cause?: unknown;
  readonly fields?: readonly RefusedField[];
  /** The proposal that waits for an approval. */
  readonly proposal?: object | undefined;
}

/** What the platform says is wrong in a request: its own name of the parameter, and why. */
export interface RefusedField {
  readonly name: string;
  readonly message: string;
}

/** JSON Pointer (RFC 6901). */
export function pointer(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).slice(0, 100).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** A text of the caller, cut to 64 characters for use in a message. */
export function shown(text: string): string {
  return text.length > 64 ? `${text.slice(0, 64).toWellFormed()}…` : text.toWellFormed();
}

/** The most faults of one request that are reported together. A longer list would not help the caller. */
export const maxFaults = 20;

/** The only error that a caller sees. `message` is safe to show: it never holds stacks, paths, tokens or upstream headers. */
export class TenonError extends Error {
  override readonly name: string = "TenonError";
  readonly code: ErrorCode;
  readonly faults: readonly Fault[];
  readonly retryAfter: number | undefined;
  /** Only for `not_found`: the keys of the platform's answer down to the one that is null; undefined where the platform does not say. */
  readonly missingAt: readonly string[] | undefined;
  /** Only for a refusal of the platform: what is wrong in the request, where it tells that. */
  readonly fields: readonly RefusedField[];
  /** Only for a write that a person has to approve: the proposal, as callers see it. */
  readonly proposal: object | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.code = code;
    this.faults = (details.faults ?? []).slice(0, maxFaults);
    this.retryAfter = details.retryAfter;
    this.missingAt = details.missingAt;
    this.fields = (details.fields ?? []).slice(0, maxFaults);
    this.proposal = details.proposal;
  }

  get status(): number {
    return errorCodes[this.code].status;
  }

  /** Exit status of the command line. */
  get exit(): number {
    return errorCodes[this.code].exit;
  }

  get retryable(): boolean {
    return errorCodes[this.code].retryable;
  }
}

/** Part of every message about a write of which it is unknown whether it was done. */
export const doubtAdvice = "It is unknown whether the write was done: read the record before you repeat the write.";

/** A 422 error for a request with faults. Its message is that of the first fault, followed by the number of further faults. */
export function invalidRequest(faults: readonly Fault[], code: ErrorCode = "invalid_request"): TenonError {
  const [first] = faults;
  const more = Math.min(faults.length, maxFaults) - 1;
  // Faults beyond the bound are not counted.
  const least = faults.length >= maxFaults ? "at least " : "";
  const message =
    first === undefined
      ? "The request is not valid."
      : `${first.pointer === "" ? "" : `${first.pointer}: `}${first.message}${didYouMean(first)}`;
  return new TenonError(code, more > 0 ? `${message} (and ${least}${more} more)` : message, { faults });
}

/** A hint for people, after the message of a fault; empty where there is no suggestion. */
export function didYouMean({ suggestion }: Pick<Fault, "suggestion">): string {
  return suggestion === undefined ? "" : ` Did you mean ${suggested(suggestion)}?`;
}

/** A suggestion in a sentence. A number must not be taken for the text that was sent in its place. */
export function suggested(suggestion: NonNullable<Fault["suggestion"]>): string {
  return typeof suggestion === "number" ? `the number ${suggestion}` : JSON.stringify(suggestion);
}

/** The error for a cursor that a list did not give out. The caller adds the parameter's name, which this function does not know. */
export function badCursor(): TenonError {
  return new TenonError("bad_cursor", "This cursor does not come from this list, or comes from a request with other parameters.");
}

/**
 * Turns whatever was thrown into an error that callers may see. Anything but a {@link TenonError} becomes `internal`; its own text is
 * kept only as the cause, for the log.
 */
export function asTenonError(thrown: unknown): TenonError {
  if (thrown instanceof TenonError) return thrown;
  return new TenonError("internal", "Something went wrong inside the service. The request id names it in the log.", {
    cause: thrown,
  });
}
