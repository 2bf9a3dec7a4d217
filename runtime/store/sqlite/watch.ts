import { TenonError } from "../../errors.ts";
import type { Connection } from "./connection.ts";
import type { Tests } from "./expression.ts";

/** Raised when a walk has looked at more records than it was worth. */
export class TooLong extends Error {}

/** How much is looked at between two looks at the clock: a record counts one, a text one more for each so many characters. */
const stride = 256;
const charactersPerLook = 64;

/**
 * Watches one search at a time from inside the engine: SQL calls `hit()` or `miss()` for every record that is looked at and
 * `holds()` for every test that only JavaScript knows. Throwing there is what stops a statement that has run for too long.
 */
export class Watch {
  tests: Tests = [];
  /** Since the last `allow`: records that passed all tests, and those that failed one of them, by its place. */
  hits = 0;
  missed: number[] = [];
  #deadline = 0;
  #budget = 0;
  #calls = 0;
  readonly #stop: Int32Array;

  /** @param stop 1 in its first place when whoever asked has gone */
  constructor(db: Connection, stop: Int32Array = new Int32Array(1)) {
    this.#stop = stop;
    db.function("holds", { deterministic: true }, (test: unknown, value: unknown) => {
      this.#look(typeof value === "string" ? 1 + value.length / charactersPerLook : 1);
      return this.tests[Number(test)]?.(value as string | number | null) === true ? 1 : 0;
    });
    db.function("hit", () => {
      this.hits++;
      this.#pass();
      return 1;
    });
    db.function("miss", (test: unknown) => {
      const index = Number(test);
      this.missed[index] = (this.missed[index] ?? 0) + 1;
      this.#pass();
      return 0;
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
    this.hits = 0;
    this.missed = [];
  }

  check(): void {
    if (Date.now() >= this.#deadline || Atomics.load(this.#stop, 0) === 1) throw searchTooSlow();
  }

  #pass(): void {
    this.#look(1);
    if (--this.#budget < 0) throw new TooLong();
  }

  #look(weight: number): void {
    this.#calls += weight;
    if (this.#calls < stride) return;
    this.#calls = 0;
    this.check();
  }
}

export function searchTooSlow(): TenonError {
  return new TenonError("search_timeout", "The search took too long. Narrow its filter, or sort by another field.");
}
