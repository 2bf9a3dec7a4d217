import { hash } from "node:crypto";
import { mayBeSecret } from "../../accounts/index.ts";
import { BoundedMap } from "../../base/bounded-map.ts";
import type { TenonError } from "../../base/errors.ts";
import { attemptLimits } from "../../base/request-limits.ts";
import { AttemptLimit, failureLimit } from "./attempt-limit.ts";

/** Tokens that were accepted lately and are remembered. */
const mostKnown = 10_000;

/**
 * Limits what an address may do with bearer tokens that are not accepted. Beyond the limit such a token is refused before anything is
 * looked up. A token that is accepted works all the same: one that was accepted before is always looked up, and a new one is, unless the
 * same address tries a great many tokens that could be real.
 */
export class Strangers {
  readonly #failures: AttemptLimit;
  readonly #lookups: AttemptLimit;
  /** Hashes of tokens that were accepted. */
  readonly #known = new BoundedMap<string, true>(mostKnown);

  /** @param now milliseconds, never going back */
  constructor(now: () => number = () => performance.now()) {
    this.#failures = failureLimit(now);
    const message = "There were too many unknown tokens from this address.";
    this.#lookups = new AttemptLimit({ most: attemptLimits.lookups, message, now });
  }

  /** Why a token is refused without a look at it; undefined for one that has to be looked up. */
  refusal(network: () => string, token: string): TenonError | undefined {
    if (this.#failures.isIdle) return undefined;
    const refusal = this.#failures.refusal(network());
    if (refusal === undefined || this.#known.get(nameOf(token)) === true) return undefined;
    return mayBeSecret(token) ? this.#lookups.refusal(network()) : refusal;
  }

  /**
   * As {@link refusal}, for a secret that may be known without a look into the store: only the look is limited.
   *
   * @throws TenonError `too_many_requests`
   */
  requireLookup(network: () => string, secret: string): void {
    const refusal = mayBeSecret(secret) ? this.refusal(network, secret) : undefined;
    if (refusal !== undefined) throw refusal;
  }

  accepted(token: string): void {
    this.#known.set(nameOf(token), true);
  }

  /** Counts a token that was not accepted. @throws TenonError `too_many_requests` when the address has had too many */
  failed(network: string): void {
    this.#lookups.count(network);
    this.#failures.count(network);
  }
}

/** The tokens themselves are not kept. */
function nameOf(token: string): string {
  return hash("sha256", token, "base64url");
}
