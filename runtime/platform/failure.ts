import { badCursor, type ErrorCode, errorCodes, TenonError } from "../base/errors.ts";
import type { Redact } from "../base/redact.ts";
import type { PlatformPlan } from "../contract/index.ts";

/** An error of a GraphQL answer. Members of a wrong type have been left out, because the platform may send anything. */
export interface GraphqlFault {
  readonly type: string | undefined;
  readonly message: string;
  readonly path: readonly (string | number)[];
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** What to do about a call that failed. */
export type Verdict =
  /**
   * The platform says that it did nothing because of its limits. `wait` is how long to wait in milliseconds, if the platform says so.
   * The primary limit is the hourly budget of one bucket; secondary limits count all calls together.
   */
  | { readonly kind: "limited"; readonly primary: boolean; readonly wait: number | undefined }
  /** The call may succeed after a pause. It is unknown whether the platform did anything. */
  | { readonly kind: "transient"; readonly message: string }
  /** The call may succeed with a smaller page. */
  | { readonly kind: "heavy"; readonly error: TenonError }
  /** The same call would fail again. */
  | { readonly kind: "final"; readonly error: TenonError };

/** The parts of a refusal that are judged. */
export interface Refused {
  readonly status: number;
  readonly data: unknown;
  readonly faults: readonly GraphqlFault[];
  readonly headers: Headers;
}

/** Headers of an answer; names in lower case. */
export type Headers = Pick<globalThis.Headers, "get">;

/** Characters of a platform's message that a caller sees. */
const longestMessage = 500;
/** Characters of a platform's message that are looked at: the patterns below would hold up the event loop for a message of megabytes. */
const lookedAt = 16 * 1024;

/** Decides by the rules of the connector's spec what an error of the platform means. */
export class FailureJudge {
  readonly #plan: PlatformPlan;
  readonly #redact: Redact;
  readonly #secondary: RegExp | undefined;

  constructor(plan: PlatformPlan, redact: Redact) {
    this.#plan = plan;
    this.#redact = redact;
    const { secondary } = plan.rateLimit;
    this.#secondary = secondary === undefined ? undefined : new RegExp(secondary);
  }

  /**
   * Judges an answer whose status is not a success, from either API. GraphQL errors in its body for which the spec has a rule decide
   * before the status: some platforms answer 400 to a call that only came too soon.
   */
  refusal(answer: Refused, now: number): Verdict {
    const { status, faults, headers, data } = answer;
    return status !== 401 && faults.some((fault) => this.rule(fault) !== undefined)
      ? this.faults(faults, headers, now)
      : this.status(status, headers, data, now);
  }

  /** Judges an HTTP status that is not a success, from either API. @param now milliseconds since 1970 */
  status(status: number, headers: Headers, body: unknown, now: number): Verdict {
    const message = this.text(messageOf(body));
    const quote = message === "" ? "" : ` It says: ${sentence(message)}`;
    const saysLimit = (status === 403 || status === 200) && this.#isLimit(headers, message);
    if (status === 429 || saysLimit) return this.#limited(headers, message, now);
    if (status < 300) return { kind: "transient", message: `${this.#plan.title} sent neither data nor errors.` };
    if (status === 401)
      return final(
        "platform_unauthorized",
        `${this.#plan.title} refused the credential of this connector. It may be wrong, expired or revoked.`,
      );
    // 408 and 421 say that the request did not arrive as it should, but not whether anything was done.
    if (status >= 500 || status === 408 || status === 421)
      return { kind: "transient", message: `${this.#plan.title} answered ${status}.${quote}` };
    const link = this.#ssoLink(headers);
    if (link !== undefined) return final("platform_forbidden", this.#ssoMessage(link));
    const rule = Object.hasOwn(this.#plan.errors.rest, String(status)) ? this.#plan.errors.rest[String(status)] : undefined;
    // A refusal without a rule in the spec is about this request: the same request would be refused again.
    return final(
      rule === undefined && status >= 400 ? "platform_rejected" : codeOf(rule?.code),
      `${this.#plan.title} answered ${status}.${quote}`,
    );
  }

  /** Judges the errors of a GraphQL answer without usable data. */
  faults(faults: readonly GraphqlFault[], headers: Headers, now: number): Verdict {
    const [first] = faults;
    if (first === undefined) return { kind: "transient", message: `${this.#plan.title} sent an answer without data.` };
    // The message counts only where the error has no type. Errors with a type may quote the caller, who could stop all calls with a text.
    const limit = faults.find(
      (fault) => this.rule(fault)?.code === "rate_limited" || (fault.type === undefined && this.#isSecondary(fault.message)),
    );
    if (limit !== undefined) return this.#limited(headers, limit.message, now);
    const heavy = faults.find((fault) => this.rule(fault)?.shrink);
    if (heavy !== undefined) return { kind: "heavy", error: this.error(heavy, headers) };
    if (faults.some((fault) => this.rule(fault)?.retry))
      return { kind: "transient", message: `${this.#plan.title} failed: ${this.text(first.message)}` };
    return { kind: "final", error: this.error(first, headers) };
  }

  /** Makes the error for the caller from one error of a GraphQL answer. */
  error(fault: GraphqlFault, headers: Headers): TenonError {
    const extension = this.#plan.sso === undefined ? undefined : fault.extensions[this.#plan.sso.extension];
    if (extension) {
      return new TenonError("platform_forbidden", this.#ssoMessage(this.#ssoLink(headers)));
    }
    const rule = this.rule(fault);
    const code = codeOf(rule?.code);
    const message = this.text(fault.message);
    if (code === "not_found") return new TenonError(code, message, { missingAt: fault.path.map(String) });
    return code === "bad_cursor" ? badCursor() : new TenonError(code, message);
  }

  rule(fault: GraphqlFault) {
    const { graphql } = this.#plan.errors;
    for (const name of [fault.type, fault.extensions["code"]])
      if (typeof name === "string" && Object.hasOwn(graphql, name)) return graphql[name];
    return undefined;
  }

  /** Makes a message of the platform safe for a caller: short, on one line, without tokens. */
  text(message: string): string {
    const line = message
      .slice(0, lookedAt)
      .replace(/[\p{Cc}\s]+/gu, " ")
      .trim();
    return this.#redact(line).slice(0, longestMessage);
  }

  /** Milliseconds to wait: by `retry-after`, otherwise until an empty budget is reset, otherwise undefined. */
  wait(headers: Headers, now: number): number | undefined {
    const after = headers.get("retry-after");
    if (after !== null && Number.isFinite(Number(after))) return Math.max(0, Number(after) * 1000);
    const { remaining, reset } = this.#plan.rateLimit.headers;
    if (headers.get(remaining) !== "0") return undefined;
    const at = Number(headers.get(reset) ?? Number.NaN) * 1000;
    // The platform's clock may differ a little from ours. Waiting a second longer is cheaper than another refusal.
    return Number.isFinite(at) ? Math.max(0, at - now) + 1000 : undefined;
  }

  #limited(headers: Headers, message: string, now: number): Verdict {
    const primary = headers.get("retry-after") === null && !this.#isSecondary(message);
    return { kind: "limited", primary, wait: this.wait(headers, now) };
  }

  #ssoLink(headers: Headers): string | undefined {
    const sso = this.#plan.sso === undefined ? null : headers.get(this.#plan.sso.header);
    return sso === null ? undefined : new RegExp(this.#plan.sso?.required ?? "").exec(sso)?.[1];
  }

  #isLimit(headers: Headers, message: string): boolean {
    const empty = headers.get(this.#plan.rateLimit.headers.remaining) === "0";
    return headers.get("retry-after") !== null || empty || this.#isSecondary(message);
  }

  #isSecondary(message: string): boolean {
    return this.#secondary?.test(message) ?? false;
  }

  #ssoMessage(link: string | undefined): string {
    const where = link !== undefined && URL.canParse(link) && new URL(link).protocol === "https:" ? ` at ${this.text(link)}` : "";
    return `The organization requires single sign-on: authorize the token${where}.`;
  }
}

/** Ends a text with a full stop where it has no end, because another sentence may follow. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function final(code: ErrorCode, message: string): Verdict {
  return { kind: "final", error: new TenonError(code, message) };
}

/** The error code of a rule. An error without a rule counts as a failure of the platform, not of the caller. */
function codeOf(code: string | undefined): ErrorCode {
  return code !== undefined && isErrorCode(code) ? code : "platform_failed";
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code);
}

/** The message of an error body, followed by its list of errors, as most REST APIs have them. Anything but text is left out. */
function messageOf(body: unknown): string {
  if (typeof body !== "object" || body === null) return "";
  const errors = "errors" in body && Array.isArray(body.errors) ? (body.errors as unknown[]).slice(0, 5).map(errorText) : [];
  return [stringMember(body, "message"), ...errors].filter((text) => text !== "").join("; ");
}

function errorText(error: unknown): string {
  if (typeof error !== "object" || error === null) return typeof error === "string" ? error : "";
  const message = stringMember(error, "message");
  return message === ""
    ? ["resource", "field", "code"]
        .map((name) => stringMember(error, name))
        .filter((text) => text !== "")
        .join(" ")
    : message;
}

function stringMember(holder: object, name: string): string {
  const value: unknown = Object.hasOwn(holder, name) ? (holder as Readonly<Record<string, unknown>>)[name] : undefined;
  return typeof value === "string" ? value : "";
}
