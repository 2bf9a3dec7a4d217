import { badCursor, type ErrorCode, errorCodes, TenonError } from "../base/errors.ts";
import type { Redact } from "../base/redact.ts";
import type { PlatformPlan } from "../contract/index.ts";

/** An error in a GraphQL answer, as far as it can be trusted: the platform may send anything. */
export interface GraphqlFault {
  readonly type: string | undefined;
  readonly message: string;
  readonly path: readonly (string | number)[];
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** What to do about a call that did not go well. */
export type Verdict =
  /**
   * The platform says that it did nothing because of its limits; `wait` in milliseconds if it said so. The primary limit is the
   * hourly budget of one bucket, the secondary ones are about all calls together.
   */
  | { readonly kind: "limited"; readonly primary: boolean; readonly wait: number | undefined }
  /** It may go better after a pause; nothing is known about what it did. */
  | { readonly kind: "transient"; readonly message: string }
  /** It may go better with a smaller page. */
  | { readonly kind: "heavy"; readonly error: TenonError }
  | { readonly kind: "final"; readonly error: TenonError };

/** A refusal, as far as it is judged. */
export interface Refused {
  readonly status: number;
  readonly data: unknown;
  readonly faults: readonly GraphqlFault[];
  readonly headers: Headers;
}

/** Headers of an answer; names in lower case. */
export type Headers = Pick<globalThis.Headers, "get">;

const longestMessage = 500;
/** Characters of a platform's message that are looked at: the patterns below would hold up the event loop for a message of megabytes. */
const lookedAt = 16 * 1024;

/** Judges answers by the rules of the connector's spec. */
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
   * An answer whose status is not a success, from either API. Where its body has GraphQL errors that the spec has a rule for, these
   * tell more than the status: some platforms answer 400 to a call that only came too soon.
   */
  refusal(answer: Refused, now: number): Verdict {
    const { status, faults, headers, data } = answer;
    return status !== 401 && faults.some((fault) => this.rule(fault) !== undefined)
      ? this.faults(faults, headers, now)
      : this.status(status, headers, data, now);
  }

  /** An HTTP status that is not a success, from either API. */
  status(status: number, headers: Headers, body: unknown, now: number): Verdict {
    const message = this.text(messageOf(body));
    const told = message === "" ? "" : ` It says: ${sentence(message)}`;
    const saysLimit = (status === 403 || status === 200) && this.#isLimit(headers, message);
    if (status === 429 || saysLimit) return this.#limited(headers, message, now);
    if (status < 300) return { kind: "transient", message: `${this.#plan.title} sent neither data nor errors.` };
    if (status === 401)
      return final(
        "platform_unauthorized",
        `${this.#plan.title} refused the credential of this connector. It may be wrong, expired or revoked.`,
      );
    // 408 and 421 say that the request did not arrive where it should, not what became of it.
    if (status >= 500 || status === 408 || status === 421)
      return { kind: "transient", message: `${this.#plan.title} answered ${status}.${told}` };
    const link = this.#ssoLink(headers);
    if (link !== undefined) return final("platform_forbidden", this.#ssoMessage(link));
    const rule = Object.hasOwn(this.#plan.errors.rest, String(status)) ? this.#plan.errors.rest[String(status)] : undefined;
    // A refusal that the spec has no rule for is about this request: the same one would be refused again.
    return final(
      rule === undefined && status >= 400 ? "platform_rejected" : codeOf(rule?.code),
      `${this.#plan.title} answered ${status}.${told}`,
    );
  }

  /** Errors of a GraphQL answer that leave no usable data. */
  faults(faults: readonly GraphqlFault[], headers: Headers, now: number): Verdict {
    const [first] = faults;
    if (first === undefined) return { kind: "transient", message: `${this.#plan.title} sent an answer without data.` };
    // A message counts only where the platform gave no type: others quote the caller, who could then stop everybody's calls.
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

  /** One error of a GraphQL answer, for the caller. */
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

  /** What the platform wrote, fit for a caller: short, on one line, without tokens. */
  text(message: string): string {
    const line = message
      .slice(0, lookedAt)
      .replace(/[\p{Cc}\s]+/gu, " ")
      .trim();
    return this.#redact(line).slice(0, longestMessage);
  }

  /** `retry-after` first; else the reset of an empty budget; else unknown. In milliseconds. */
  wait(headers: Headers, now: number): number | undefined {
    const after = headers.get("retry-after");
    if (after !== null && Number.isFinite(Number(after))) return Math.max(0, Number(after) * 1000);
    const { remaining, reset } = this.#plan.rateLimit.headers;
    if (headers.get(remaining) !== "0") return undefined;
    const at = Number(headers.get(reset) ?? Number.NaN) * 1000;
    // The platform's clock and ours may differ by a little: a second more is cheaper than another refusal.
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
    return `The organization wants single sign-on: authorize the token${where}.`;
  }
}

/** Others may follow. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function final(code: ErrorCode, message: string): Verdict {
  return { kind: "final", error: new TenonError(code, message) };
}

/** An error that the spec has no rule for is the platform's failure, not the caller's. */
function codeOf(code: string | undefined): ErrorCode {
  return code !== undefined && isErrorCode(code) ? code : "platform_failed";
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code);
}

/** Most REST APIs tell of an error by a message, and by the places that were wrong. Anything but text is left out. */
function messageOf(body: unknown): string {
  if (typeof body !== "object" || body === null) return "";
  const errors = "errors" in body && Array.isArray(body.errors) ? (body.errors as unknown[]).slice(0, 5).map(errorText) : [];
  return [textOf(body, "message"), ...errors].filter((text) => text !== "").join("; ");
}

function errorText(error: unknown): string {
  if (typeof error !== "object" || error === null) return typeof error === "string" ? error : "";
  const message = textOf(error, "message");
  return message === ""
    ? ["resource", "field", "code"]
        .map((name) => textOf(error, name))
        .filter((text) => text !== "")
        .join(" ")
    : message;
}

function textOf(holder: object, name: string): string {
  const value: unknown = Object.hasOwn(holder, name) ? (holder as Readonly<Record<string, unknown>>)[name] : undefined;
  return typeof value === "string" ? value : "";
}
