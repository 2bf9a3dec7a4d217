import { TenonError } from "../base/errors.ts";

const hour = 3_600_000;

/** How many passages may still be sent to an endpoint that costs money: at most so many within any hour, counted by this process. */
export class HourlyBudget {
  readonly #most: number;
  readonly #now: () => number;
  /** What was sent in the last hour, the earliest first. */
  readonly #sent: { readonly at: number; readonly count: number }[] = [];

  /** @param most 0 for no bound @param now milliseconds of a clock that never goes back */
  constructor(most: number, now: () => number = () => performance.now()) {
    this.#most = most;
    this.#now = now;
  }

  /** Takes a part of the budget. @throws TenonError `embedding_failed` when it does not suffice */
  take(count: number): void {
    if (this.#most === 0) return;
    const now = this.#now();
    while ((this.#sent[0]?.at ?? now) <= now - hour) this.#sent.shift();
    const used = this.#sent.reduce((sum, one) => sum + one.count, 0);
    if (used + count > this.#most) {
      const minutes = Math.max(1, Math.ceil(((this.#sent[0]?.at ?? now) + hour - now) / 60_000));
      const often = `the ${this.#most} text chunks of this hour (TENON_EMBEDDINGS_PER_HOUR)`;
      throw new TenonError("embedding_failed", `The endpoint for embeddings has had ${often}. It continues in ${minutes} min.`);
    }
    this.#sent.push({ at: now, count });
  }
}
