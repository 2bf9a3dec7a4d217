import type { Logger } from "../base/log.ts";

/** Lines in one window, and the window in milliseconds. */
const most = 10;
const window = 10_000;

/** Logs what anybody on the network can cause. In each window some lines are written, and then only the number of the others. */
export class BoundedLog {
  readonly #log: Logger;
  #since = Number.NEGATIVE_INFINITY;
  #written = 0;
  #left = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  warn(fields: Readonly<Record<string, unknown>>, message: string): void {
    const now = performance.now();
    if (now - this.#since >= window) {
      if (this.#left > 0) this.#log.warn({ lines: this.#left }, "more lines about connections were left out");
      this.#since = now;
      this.#written = 0;
      this.#left = 0;
    }
    if (this.#written++ < most) this.#log.warn(fields, message);
    else this.#left++;
  }
}
