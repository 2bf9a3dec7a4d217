import { TenonError } from "../../errors.ts";
import type { Connection } from "./connection.ts";
import type { Tests } from "./expression.ts";

/** Raised when a walk has looked at more records than it was worth. */
export class TooLong extends Error {}

/** How many records are looked at between two looks at the clock. */
const stride = 256;

/**
 * Watches one search at a time from inside the engine: SQL calls `tick()` for every record that is looked at and `holds()` for every
 * test that only JavaScript knows. Throwing there is what stops a statement that has run for too long.
 */
export class Watch {
  tests: Tests = [];
  #deadline = 0;
  #budget = 0;
  #calls = 0;

  constructor(db: Connection) {
    db.function("holds", { deterministic: true }, (test: unknown, value: unknown) => {
      this.#look();
      return this.tests[Number(test)]?.(value as string | number | null) === true ? 1 : 0;
    });
    db.function("tick", () => {
      this.#look();
      if (--this.#budget < 0) throw new TooLong();
      return 1;
    });
  }

  /** @param deadline as of `Date.now()` */
  start(deadline: number): void {
    this.tests = [];
    this.#deadline = deadline;
    this.#budget = Number.POSITIVE_INFINITY;
    this.check();
  }

  /** How many records the next statements may look at. */
  allow(records: number): void {
    this.#budget = records;
  }

  check(): void {
    if (Date.now() >= this.#deadline) throw searchTooSlow();
  }

  #look(): void {
    if (++this.#calls % stride === 0) this.check();
  }
}

export function searchTooSlow(): TenonError {
  return new TenonError("search_timeout", "The search took too long. Narrow its filter, or sort by another field.");
}
