import { TenonError } from "../base/errors.ts";

/** Failures of one address in one window, and the window in milliseconds. */
const most = 20;
const window = 60_000;
/** Addresses that are remembered. When there are more, all are forgotten, which only makes the limit later. */
const mostAddresses = 10_000;

interface Count {
  readonly since: number;
  failures: number;
}

/**
 * Bounds how often an address may try wrong secrets. Right ones are accepted all the same: secrets are too long to be guessed, and nobody
 * can lock out others behind the same address.
 */
export class FailureLimit {
  readonly #counts = new Map<string, Count>();
  readonly #now: () => number;

  /** @param now milliseconds, never going back */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Counts a failure. @throws TenonError `too_many_requests` when the address has had too many */
  count(address: string): void {
    const now = this.#now();
    const known = this.#counts.get(address);
    if (known === undefined || now - known.since >= window) {
      if (this.#counts.size >= mostAddresses) this.#counts.clear();
      this.#counts.set(address, { since: now, failures: 1 });
      return;
    }
    known.failures++;
    if (known.failures <= most) return;
    const retryAfter = Math.max(1, Math.ceil((known.since + window - now) / 1000));
    throw new TenonError("too_many_requests", "There were too many wrong credentials from this address.", { retryAfter });
  }
}
