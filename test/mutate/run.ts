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
  /** A failure that belongs to no test file. */
  readonly blamed?: string;
  /** Whether the tests were ended because they took too long. */
  readonly isLate: boolean;
}

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
   * @param longest Seconds that a test file may take: the tests are ended when for so long none ended.
   * @param onEnded Is called for each test file that ends.
   */
  async run(order: Order, longest: (test: string) => number, onEnded: (one: Ended) => void = () => undefined): Promise<Outcome> {
    this.#child ??= this.#start();
    const child = await this.#child;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const ended: Ended[] = [];
    let blamed: string | undefined;
    let isLate = false;
    const end = () => resolve({ ended, isLate, ...(blamed === undefined ? {} : { blamed }) });
    const take = (told: Told) => {
      if (told.kind === "ended") {
        const { kind: _, ...one } = told;
        ended.push(one);
        timer.refresh();
        onEnded(one);
      } else if (told.kind === "all") {
        blamed ??= told.failed;
        if (told.failed === undefined) end();
      }
    };
    const leave = () => {
      this.#child = undefined;
      if (!isLate) blamed ??= "vitest ended";
      end();
    };
    child.on("message", take);
    child.once("exit", leave);
    const patience = Math.max(0, ...order.tests.map(longest)) * 1000;
    const timer = setTimeout(
      () => {
        isLate = true;
        stop(child);
      },
      Math.min(patience, 2 ** 31 - 1),
    );
    child.send(order);
    const outcome = await promise;
    clearTimeout(timer);
    child.off("message", take);
    child.off("exit", leave);
    return outcome;
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
