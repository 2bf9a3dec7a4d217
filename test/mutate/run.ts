import { type ChildProcess, fork } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endsWithTests } from "../support/ends-with-tests.ts";
import type { Order, Told } from "./runner.ts";

/** How a test file ended. */
export interface Ended {
  readonly test: string;
  readonly seconds: number;
  /** The first test that failed. */
  readonly failed?: string;
}

/** What came of an order. */
export interface Outcome {
  readonly ended: readonly Ended[];
  /** The test files that took too long, or that ran when their process ended. */
  readonly late: readonly string[];
  /** A failure that belongs to no test file. */
  readonly blamed?: string;
}

/** Milliseconds between two looks at how long the test files run. */
const lookTime = 500;

/** Runs test files of a copy in one process after the other: a new one only where the last one ended or hung. */
export class Tests {
  readonly #folder: string;
  /** For what the tests leave behind when they are ended. */
  readonly #own = mkdtempSync(join(tmpdir(), "tenon-mutate-"));
  #child: Promise<ChildProcess> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    // Where tests run as root, their PostgreSQL servers run as another user, who has a folder of its own in this one.
    chmodSync(this.#own, 0o711);
  }

  /**
   * Runs all test files of an order. Where one hangs, its process is ended, and the others go on in a new one.
   *
   * @param longest Seconds that a test file may take.
   * @param onEnded Is called for each test file that ends.
   */
  async run(order: Order, longest: (test: string) => number, onEnded: (one: Ended) => void = () => undefined): Promise<Outcome> {
    const ended: Ended[] = [];
    const late: string[] = [];
    const faults: string[] = [];
    const take = (one: Ended) => {
      ended.push(one);
      onEnded(one);
    };
    const isLeft = (test: string) => !late.includes(test) && !ended.some((one) => one.test === test);
    for (let tests = order.tests; tests.length > 0; tests = tests.filter(isLeft)) {
      const { isWhole, running, blamed = [] } = await this.#once({ ...order, tests }, longest, take);
      late.push(...running.filter(isLeft));
      faults.push(...blamed);
      // A process that ends before it has run anything would do so again.
      if (isWhole || tests.every(isLeft)) break;
    }
    const [blamed] = faults;
    return { ended, late, ...(blamed === undefined ? {} : { blamed }) };
  }

  /** @returns which test files still ran when a process ended that has not run all of them */
  async #once(
    order: Order,
    longest: (test: string) => number,
    onEnded: (one: Ended) => void,
  ): Promise<{ readonly isWhole: boolean; readonly running: readonly string[]; readonly blamed?: readonly string[] }> {
    this.#child ??= this.#start();
    const child = await this.#child;
    const { promise, resolve } = Promise.withResolvers<{ readonly isWhole: boolean; readonly isLate: boolean }>();
    const begun = new Map<string, number>();
    const blamed: string[] = [];
    const isLate = ([test, from]: readonly [string, number]) => performance.now() - from > longest(test) * 1000;
    const take = (told: Told) => {
      if (told.kind === "begun") begun.set(told.test, performance.now());
      else if (told.kind === "ended") {
        const { kind: _, ...one } = told;
        begun.delete(one.test);
        onEnded(one);
      } else if (told.kind === "all") {
        if (told.failed === undefined) resolve({ isWhole: true, isLate: false });
        else blamed.push(told.failed);
      }
    };
    const leave = () => resolve({ isWhole: false, isLate: false });
    child.on("message", take);
    child.once("exit", leave);
    const look = setInterval(() => {
      if ([...begun].some(isLate)) resolve({ isWhole: false, isLate: true });
    }, lookTime);
    child.send(order);
    const end = await promise;
    clearInterval(look);
    child.off("message", take);
    child.off("exit", leave);
    if (end.isWhole) return { isWhole: true, running: [], blamed };
    this.#child = undefined;
    stop(child);
    const running = [...begun].filter((one) => !end.isLate || isLate(one)).map(([test]) => test);
    return { isWhole: false, running, blamed: end.isLate ? blamed : [...blamed, "vitest ended"] };
  }

  async close(): Promise<void> {
    const child = await this.#child;
    if (child !== undefined) stop(child);
    rmSync(this.#own, { recursive: true, force: true, maxRetries: 3 });
  }

  #start(): Promise<ChildProcess> {
    const child = fork("test/mutate/runner.ts", {
      cwd: this.#folder,
      env: { ...process.env, TMPDIR: this.#own, CI: "1" },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      detached: true,
    });
    return new Promise((resolve, reject) => {
      child.once("message", () => resolve(endsWithTests(child)));
      child.once("exit", (code) => reject(new Error(`The tests could not be started: vitest ended with ${code}.`)));
    });
  }
}

/** Ends a process and all that it has started. */
function stop({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
