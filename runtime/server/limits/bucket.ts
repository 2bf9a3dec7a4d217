/** A minute in milliseconds. */
const minute = 60_000;

/**
 * A budget of so much a minute, which fills again evenly. What something costs may be known only afterwards, so that the budget may become
 * negative; nothing is then left until it has filled again.
 */
export class Bucket {
  readonly limit: number;
  /** The most that may be left. */
  readonly #burst: number;
  #left: number;
  #at: number;

  /**
   * @param now milliseconds, never going back
   * @param burst how much may be used at once. Default: as much as in a minute
   */
  constructor(limit: number, now: number, burst = limit) {
    this.limit = limit;
    this.#burst = burst;
    this.#left = burst;
    this.#at = now;
  }

  /** What is left, not less than nothing. */
  left(now: number): number {
    return Math.max(0, Math.floor(this.#fill(now)));
  }

  take(amount: number, now: number): void {
    this.#left = this.#fill(now) - amount;
    this.#at = now;
  }

  /** Milliseconds until so much is left; 0 when it is. */
  wait(amount: number, now: number): number {
    const missing = Math.min(amount, this.#burst) - this.#fill(now);
    // Rounded up to whole milliseconds, but not because of the last bits of a fraction.
    return missing <= 1e-9 ? 0 : Math.ceil((missing / this.limit) * minute - 1e-6);
  }

  /** Milliseconds until it is full. */
  reset(now: number): number {
    return this.wait(this.#burst, now);
  }

  #fill(now: number): number {
    return Math.min(this.#burst, this.#left + ((now - this.#at) / minute) * this.limit);
  }
}
