import { TenonError } from "../base/errors.ts";
import { pause } from "../base/pause.ts";
import { answerBudget } from "./answer-budget.ts";
import { type Exchanged, exchange } from "./exchange.ts";

/** What every request for a token needs. */
export interface GrantContext {
  /** Title of the platform, for messages. */
  readonly title: string;
  /** The values of the credential, by the names that the spec has for them. */
  readonly values: Readonly<Record<string, string>>;
  readonly userAgent: string;
  readonly fetch: typeof globalThis.fetch;
  /** Removes secrets from what the platform says. */
  readonly redact: (text: string) => string;
}

/** The platform refuses to give a token. */
export class GrantRefused extends Error {
  /** Whether the user has to authorize again before the platform gives a token. */
  readonly again: boolean;

  /** @param message a sentence that may be shown to anybody */
  constructor(message: string, again: boolean) {
    super(message);
    this.name = "GrantRefused";
    this.again = again;
  }
}

/** Milliseconds of the pauses between tries. */
const pauses = [250, 1000];

/**
 * Posts a request for a token. It is sent again when the platform fails or does not answer, because without its answer the refresh token
 * in it may be lost anyway.
 *
 * @throws TenonError `platform_failed` when there is no answer of the platform itself
 */
export async function postForToken(
  { title, fetch, userAgent }: GrantContext,
  address: string,
  sent: { readonly headers: Readonly<Record<string, string>>; readonly body?: string },
  signal: AbortSignal,
): Promise<Exchanged> {
  const headers = { accept: "application/json", "user-agent": userAgent, ...sent.headers };
  for (let tries = 0; ; tries++) {
    const answer = await exchange(fetch, address, { method: "POST", ...sent, headers, signal }, answerBudget.of("")).catch(
      () => undefined,
    );
    if (answer !== undefined && answer.status < 500 && answer.status !== 429 && typeof answer.data === "object") return answer;
    const wait = pauses[tries];
    if (wait === undefined || signal.aborted) {
      const what = answer === undefined ? "did not respond" : `responded with ${answer.status}`;
      throw new TenonError("platform_failed", `${title} ${what} when a token was requested.`, { retryAfter: 5 });
    }
    await pause(wait, signal);
  }
}

/** A member of an answer, where it is a text that a header may contain; otherwise undefined. */
export function tokenIn(data: unknown, member: string): string | undefined {
  const value = memberOf(data, member);
  return typeof value === "string" && /^[\x21-\x7e]{1,8192}$/.test(value) ? value : undefined;
}

export function memberOf(data: unknown, member: string): unknown {
  return typeof data === "object" && data !== null && Object.hasOwn(data, member)
    ? (data as Readonly<Record<string, unknown>>)[member]
    : undefined;
}
