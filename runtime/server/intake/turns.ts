import { FairQueue } from "../../base/fair-queue.ts";

/**
 * Lets so much work be done at once, and the next when some has ended. However much one caller has waiting, the next turn is another
 * caller's.
 */
export class Turns {
  readonly #atOnce: number;
  readonly #waiting = new FairQueue<() => void>(Number.POSITIVE_INFINITY);
  #taken = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Does work in a turn of the caller. */
  async take<Result>(caller: string, work: () => Result | Promise<Result>): Promise<Result> {
    if (this.#taken < this.#atOnce) this.#taken++;
    else await new Promise<void>((resolve) => this.#waiting.add(caller, resolve));
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  /** Gives a turn that has ended to the next who waits. */
  #pass(): void {
    const next = this.#waiting.next();
    if (next === undefined) this.#taken--;
    else next();
  }
}
