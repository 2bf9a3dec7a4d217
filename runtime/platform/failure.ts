import { type ErrorCode, isErrorCode } from "../base/error-codes.ts";
import { badCursor, TenonError } from "../base/errors.ts";
import type { Redact } from "../base/redact.ts";
import { clockOf, retryAfter } from "../base/retry-after.ts";
import { visibleLine } from "../base/visible-text.ts";
import type { ErrorRule, PlatformPlan } from "../contract/index.ts";
import { saidIn, saysFailure } from "./error-places.ts";
import { ErrorRules } from "./error-rules.ts";

/** An error of a GraphQL answer. Members of a wrong type have been left out, because the platform may send anything. */
export interface GraphqlFault {
  readonly type: string | undefined;
  readonly message: string;
  readonly path: readonly (string | number)[];
  /** Places in the document, counted from 1. */
  readonly locations: readonly { readonly line: number; readonly column: number }[];
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

/** "Partial Content" (RFC 9110, 15.3.7): the answer has a part of what there is. */
export const partialContent = 206;

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
  readonly #rules: { readonly graphql: ErrorRules; readonly rest: ErrorRules };

  constructor(plan: PlatformPlan, redact: Redact) {
    this.#plan = plan;
    this.#redact = redact;
    this.#rules = { graphql: new ErrorRules(plan.errors.graphql), rest: new ErrorRules(plan.errors.rest) };
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

  /**
   * Judges an HTTP status that is not a success, or a success whose body says that the call failed, from either API.
   *
   * @param now milliseconds since 1970
   */
  status(status: number, headers: Headers, body: unknown, now: number): Verdict {
    const said = saidIn(body, this.#plan.errors.places);
    const message = this.text(said.message);
    const quote = message === "" ? "" : ` It says: ${sentence(message)}`;
    const rule = this.#rules.rest.find({ status, names: [said.code], message });
    const reported = status < 300 && saysFailure({ status, headers, data: body }, this.#plan.errors.when);
    const mayBeLimit = status === 403 || (status === 200 && !(reported && rule !== undefined));
    const saysLimit = mayBeLimit && this.#isLimit(headers, message);
    const what = `${this.#plan.title} ${reported ? "reported an error" : `responded with ${status}`}.${quote}`;
    if (status === 429 || saysLimit || rule?.code === "rate_limited") return this.#limited(headers, message, now, said.retry);
    if (status === partialContent && !reported) {
      const part = "sent only a part of what was requested (status 206, Partial Content), so that the rest is unknown.";
      return { kind: "transient", message: `${this.#plan.title} ${part}` };
    }
    if (status < 300 && !reported) return { kind: "transient", message: `${this.#plan.title} sent neither data nor errors.` };
    if (rule?.retry) return { kind: "transient", message: what };
    if (rule?.code === "platform_unauthorized" || (status === 401 && rule === undefined))
      return final(
        "platform_unauthorized",
        `${this.#plan.title} refused the credential of this connector. It may be wrong, expired or revoked.`,
      );
    // 408 and 421 say that the request did not arrive as it should, but not whether anything was done.
    if (rule === undefined && (status >= 500 || status === 408 || status === 421)) return { kind: "transient", message: what };
    const link = this.#ssoLink(headers);
    if (link !== undefined) return final("platform_forbidden", this.#ssoMessage(link));
    const code = rule === undefined ? this.#unruled(status, reported) : codeOf(rule.code);
    const named = said.fields.map(({ name, message }) => ({ name: this.text(name), message: this.text(message) }));
    const fields = said.field === "" ? named : [{ name: this.text(said.field), message: what }, ...named];
    const texts = named.map(({ name, message }) => ` ${sentence(`${name}: ${message}`)}`).join("");
    return { kind: "final", error: new TenonError(code, what + texts.slice(0, longestMessage), { fields }) };
  }

  /**
   * What a refusal means for which the spec has no rule. It is about this request: the same request would be refused again. 404 and 410
   * mean that there is nothing (RFC 9110, 15.5.5 and 15.5.11), unless the spec says itself what means so: then the address may be wrong,
   * as it may be where all calls have the one address of GraphQL.
   */
  #unruled(status: number, reported: boolean): ErrorCode {
    const { rest, errors } = this.#plan;
    const isNamed = [errors.rest, errors.graphql].some((rules) => Object.values(rules).some(({ code }) => code === "not_found"));
    if ((status === 404 || status === 410) && rest !== undefined && !isNamed) return "not_found";
    return status >= 400 || reported ? "platform_rejected" : "platform_failed";
  }

  /** Judges the errors of a GraphQL answer without usable data. */
  faults(faults: readonly GraphqlFault[], headers: Headers, now: number): Verdict {
    const [first] = faults;
    if (first === undefined) return { kind: "transient", message: `${this.#plan.title} sent a response without data.` };
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

  rule({ type, extensions, message }: GraphqlFault): ErrorRule | undefined {
    const names = [type, extensions["code"], extensions["type"]].filter((name) => typeof name === "string");
    return this.#rules.graphql.find({ names, message: message.slice(0, lookedAt) });
  }

  /** The text of a successful answer in the place where the spec expects the text of a refusal; empty where there is none. */
  said(body: unknown): string {
    const { places } = this.#plan.errors;
    return places?.message === undefined ? "" : this.text(saidIn(body, places).message);
  }

  /** Makes a message of the platform safe for a caller: short, on one line, without tokens. */
  text(message: string): string {
    const line = visibleLine(message.slice(0, lookedAt)).trim();
    return this.#redact(line).slice(0, longestMessage);
  }

  /** Milliseconds to wait: by `retry-after`, otherwise until an empty budget is reset, otherwise undefined. */
  wait(headers: Headers, now: number): number | undefined {
    const after = retryAfter(headers, now);
    if (after !== undefined) return after;
    const names = this.#plan.rateLimit.headers;
    if (names === undefined || headers.get(names.remaining) !== "0") return undefined;
    const left = untilReset(headers, names, now);
    // The platform tells times in whole seconds. Waiting a second longer is cheaper than another refusal.
    return left === undefined ? undefined : Math.max(0, left) + 1000;
  }

  /** @param seconds to wait, where the body says it */
  #limited(headers: Headers, message: string, now: number, seconds?: number): Verdict {
    const primary = headers.get("retry-after") === null && seconds === undefined && !this.#isSecondary(message);
    return { kind: "limited", primary, wait: this.wait(headers, now) ?? (seconds === undefined ? undefined : seconds * 1000) };
  }

  #ssoLink(headers: Headers): string | undefined {
    const sso = this.#plan.sso === undefined ? null : headers.get(this.#plan.sso.header);
    return sso === null ? undefined : new RegExp(this.#plan.sso?.required ?? "").exec(sso)?.[1];
  }

  #isLimit(headers: Headers, message: string): boolean {
    const names = this.#plan.rateLimit.headers;
    const empty = names !== undefined && headers.get(names.remaining) === "0";
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

/**
 * Milliseconds until the platform's budget is full again, as a header tells it; undefined where it does not. A point in time is one of the
 * platform's own clock, which may differ from ours by minutes, so it is compared with the time that the same answer tells.
 *
 * @param now milliseconds since 1970 by our clock
 */
export function untilReset(
  headers: Headers,
  { reset, as = "seconds" }: NonNullable<PlatformPlan["rateLimit"]["headers"]>,
  now: number,
): number | undefined {
  const text = headers.get(reset);
  if (text === null || text.trim() === "") return undefined;
  const clock = clockOf(headers, now);
  const left = {
    seconds: Number(text) * 1000 - clock,
    milliseconds: Number(text) - clock,
    delay: Number(text) * 1000,
    date: Date.parse(text) - clock,
  }[as];
  return Number.isFinite(left) ? left : undefined;
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
