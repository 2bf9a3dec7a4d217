import type { Connection } from "../../../sqlite/index.ts";
import { searchTooSlow } from "../../ending.ts";
import { requests } from "../tables/requests.ts";
import type { Tests } from "./operators.ts";

/** Thrown when a walk has looked at more records than the planner allowed. */
export class TooLong extends Error {}

/** Thrown when a search has to give way and has done more than a little work. */
export class GaveWay extends Error {}

/** Work is counted in looks. Looking at a record is one look, and testing a text is one more for each this many characters. */
export const charactersPerLook = 64;
/** How many looks pass between two checks of the deadline. */
const stride = 256;
/** How many looks a search may take before it gives way when it has to. They take about five milliseconds. */
const quickWork = 5_000;

/**
 * Stops a search from inside the engine when its time is up. SQL calls `hit()` or `miss()` for every record that was tested, `pass()` for
 * every row that is read without a test, and `holds()` for every test that only JavaScript can decide. Only an error that these functions
 * throw can stop a statement, so every statement that may read many rows must call one of them for each row.
 */
export class Watch {
  tests: Tests = [];
  /** Counted since the last `allow`: how many records passed all tests, and for each test how many records failed it. */
  hits = 0;
  missed: number[] = [];
  #deadline = 0;
  #budget = 0;
  #work = 0;
  #unchecked = 0;
  readonly #request: Int32Array;

  /** @param request its first number is the request to the running search, one of `requests` */
  constructor(db: Connection, request: Int32Array = new Int32Array(1)) {
    this.#request = request;
    db.function("holds", { deterministic: true }, (test: unknown, value: unknown) => {
      this.did(typeof value === "string" ? 1 + value.length / charactersPerLook : 1);
      return this.tests[Number(test)]?.(value as string | number | null) === true ? 1 : 0;
    });
    db.function("hit", () => {
      this.hits++;
      this.#look(1);
      return 1;
    });
    db.function("miss", (test: unknown, records: unknown) => {
      const index = Number(test);
      const count = Number(records);
      this.missed[index] = (this.missed[index] ?? 0) + count;
      this.#look(count);
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

  /** Counts work, and checks from time to time whether the search may continue. */
  did(looks: number): void {
    this.#unchecked += looks;
    if (this.#unchecked >= stride) this.check();
  }

  /** @throws TenonError `search_timeout` after the deadline, or when the answer is not needed any longer; GaveWay */
  check(): void {
    this.#work += this.#unchecked;
    this.#unchecked = 0;
    const request = Atomics.load(this.#request, 0);
    if (request === requests.stop || Date.now() >= this.#deadline) throw searchTooSlow();
    if (request === requests.giveWay && this.#work > quickWork) throw new GaveWay();
  }

  #look(records: number): void {
    this.did(records);
    this.#budget -= records;
    if (this.#budget < 0) throw new TooLong();
  }
}
