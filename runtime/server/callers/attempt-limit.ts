import { BoundedMap } from "../../base/bounded-map.ts";
import { TenonError } from "../../base/errors.ts";
import { attemptLimits } from "../../base/request-limits.ts";

/** The window in milliseconds. */
const window = 60_000;
/** Keys that are remembered. When there are more, the one is forgotten that was counted longest ago, which only makes its limit later. */
const mostKeys = 10_000;

interface Count {
  readonly since: number;
  attempts: number;
}

export interface AttemptLimitOptions {
  /** Attempts of one key in a minute. */
  readonly most: number;
  /** What there were too many of, in words for whoever is refused. */
  readonly message: string;
  /** Milliseconds, never going back. */
  readonly now?: () => number;
}

/** Limits how often something may happen in a minute for one key, such as the address of an unknown caller. */
export class AttemptLimit {
  readonly #counts = new BoundedMap<string, Count>(mostKeys);
  readonly #options: AttemptLimitOptions;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(options: AttemptLimitOptions) {
    this.#options = options;
  }

  /** Whether nothing was counted within the window, so that no key can have had too many. */
  get isIdle(): boolean {
    return this.#now() - this.#lastAt >= window;
  }

  /** Counts an attempt. @throws TenonError `too_many_requests` when the key has had too many */
  count(key: string): void {
    this.#lastAt = this.#now();
    const known = this.#current(key);
    if (known === undefined) this.#counts.set(key, { since: this.#now(), attempts: 1 });
    else if (known.attempts < this.#options.most) known.attempts++;
    else throw this.#tooMany(known);
  }

  /** The error for a key that has no attempt left; undefined for any other. It counts nothing. */
  refusal(key: string): TenonError | undefined {
    const known = this.#current(key);
    return known !== undefined && known.attempts >= this.#options.most ? this.#tooMany(known) : undefined;
  }

  /** The count of a key in its window. */
  #current(key: string): Count | undefined {
    // The usual case costs nothing: nobody has failed.
    if (this.isIdle) return undefined;
    const known = this.#counts.get(key);
    if (known === undefined || this.#now() - known.since < window) return known;
    this.#counts.delete(key);
    return undefined;
  }

  #tooMany({ since }: Count): TenonError {
    const retryAfter = Math.max(1, Math.ceil((since + window - this.#now()) / 1000));
    return new TenonError("too_many_requests", this.#options.message, { retryAfter });
  }

  #now(): number {
    return this.#options.now?.() ?? performance.now();
  }
}

/**
 * A limit of wrong secrets from one address. Right ones are accepted all the same: secrets are too long to be guessed, and nobody can lock
 * out others behind the same address.
 */
export function failureLimit(now?: () => number): AttemptLimit {
  const message = "There were too many wrong credentials from this address.";
  return new AttemptLimit({ most: attemptLimits.failures, message, ...(now === undefined ? {} : { now }) });
}
