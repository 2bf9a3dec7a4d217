import { TenonError } from "../../base/errors.ts";
import type { Connection } from "./connection.ts";
import type { Tests } from "./operators.ts";
import { requests } from "./requests.ts";

/** Raised when a walk has looked at more records than the planner allowed. */
export class TooLong extends Error {}

/** Raised when a search was asked to give way and has done more than a little work. */
export class GaveWay extends Error {}

/** Work is counted in looks: a look at a record is one, and a text takes one more for each so many characters. */
const charactersPerLook = 64;
/** Looks between two looks at the clock. */
const stride = 256;
/** Looks that a search may take before it gives way when it is asked to. They take some five milliseconds. */
const quickWork = 5_000;

/**
 * Watches one search at a time from inside the engine. SQL calls `hit()` or `miss()` for every record that was tested, `pass()` for
 * every row that only an index was asked for, and `holds()` for every test that only JavaScript knows. An error that is thrown there
 * stops the statement; nothing else could. So every statement that may look at many rows has to call one of them for each.
 */
export class Watch {
  tests: Tests = [];
  /** Since the last `allow`: records that passed all tests, and for each test how many records failed it. */
  hits = 0;
  missed: number[] = [];
  #deadline = 0;
  #budget = 0;
  #work = 0;
  #unchecked = 0;
  readonly #request: Int32Array;

  /** @param request its first number is what is asked of the search that runs: one of `requests` */
  constructor(db: Connection, request: Int32Array = new Int32Array(1)) {
    this.#request = request;
    db.function("holds", { deterministic: true }, (test: unknown, value: unknown) => {
      this.did(typeof value === "string" ? 1 + value.length / charactersPerLook : 1);
      return this.tests[Number(test)]?.(value as string | number | null) === true ? 1 : 0;
    });
    db.function("hit", () => {
      this.hits++;
      this.#look();
      return 1;
    });
    db.function("miss", (test: unknown) => {
      const index = Number(test);
      this.missed[index] = (this.missed[index] ?? 0) + 1;
      this.#look();
      return 0;
    });
    db.function("pass", () => {
      this.did(1);
      return 1;
    });
  }

  /** @param deadline as of `Date.now()` */
  start(deadline: number): void {
    this.tests = [];
    this.#deadline = deadline;
    this.#budget = Number.POSITIVE_INFINITY;
    this.#work = 0;
    this.check();
  }

  /** Sets how many records the next statements may look at. */
  allow(records: number): void {
    this.#budget = records;
    this.hits = 0;
    this.missed = [];
  }

  /** Counts work, and checks now and then whether to go on. */
  did(looks: number): void {
    this.#unchecked += looks;
    if (this.#unchecked >= stride) this.check();
  }

  /** @throws TenonError `search_timeout` after the deadline, or when nobody wants the answer; GaveWay */
  check(): void {
    this.#work += this.#unchecked;
    this.#unchecked = 0;
    const request = Atomics.load(this.#request, 0);
    if (request === requests.stop || Date.now() >= this.#deadline) throw searchTooSlow();
    if (request === requests.giveWay && this.#work > quickWork) throw new GaveWay();
  }

  #look(): void {
    this.did(1);
    if (--this.#budget < 0) throw new TooLong();
  }
}

export function searchTooSlow(): TenonError {
  return new TenonError("search_timeout", "The search took too long. Narrow its filter, or sort by another field.");
}
