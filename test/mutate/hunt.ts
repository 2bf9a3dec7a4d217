import { basename, dirname } from "node:path";

// Finds out which test file catches which mutant with few runs: different test files run at the same time, each with its own mutants on.

/** A test file to run, and the mutants that are on meanwhile. */
export interface Trial {
  readonly test: string;
  readonly on: readonly number[];
}

export interface Hunt {
  /** Runs trials of different test files. @returns what failed, by the test file */
  attempt(trials: readonly Trial[]): Promise<ReadonlyMap<string, string>>;
  caught(number: number, by: string): void;
  /** Whether the time is up. */
  isOver(): boolean;
}

/** How far a test file is from the code in a file: named after it, of its module, of single parts, of random cases, of whole processes. */
export function distance(file: string, test: string): number {
  if (basename(test, ".test.ts") === basename(file, ".ts")) return 0;
  if (dirname(test) === `test/${dirname(file)}`) return 1;
  if (/^test\/(runtime|generator|semantic|simulator)\//.test(test)) return 2;
  return /^test\/(property|conformance)\//.test(test) ? 3 : 4;
}

/** Tries each mutant alone. @param order the test files to try it with, by its number, the nearest first */
export async function huntNear(order: ReadonlyMap<number, readonly string[]>, hunt: Hunt): Promise<void> {
  const left = new Map([...order].map(([number, tests]) => [number, [...tests]]));
  while (!hunt.isOver()) {
    const trials = new Map<string, number>();
    for (const [number, tests] of left) {
      const place = tests.findIndex((test) => !trials.has(test));
      for (const test of place === -1 ? [] : tests.splice(place, 1)) trials.set(test, number);
    }
    if (trials.size === 0) return;
    const failed = await hunt.attempt([...trials].map(([test, number]) => ({ test, on: [number] })));
    for (const [test, number] of trials) {
      const by = failed.get(test);
      if (by === undefined) continue;
      left.delete(number);
      hunt.caught(number, by);
    }
  }
}

/**
 * Tries many mutants at once: a test file that passes misses them all, and one that fails runs again with each half of them.
 *
 * @param reaching the mutants that each test file reaches; the first ones run first
 * @param left those that nothing has caught so far
 */
export async function huntFar(
  reaching: ReadonlyMap<string, readonly number[]>,
  left: Pick<ReadonlySet<number>, "has">,
  hunt: Hunt,
): Promise<void> {
  const tests = [...reaching.keys()];
  // What breaks everything is found with one test file, so that the others need not be halved because of it.
  let atOnce = 1;
  for (let place = 0; place < tests.length; ) {
    const some = tests.slice(place, place + atOnce);
    place += some.length;
    const fails = await halve(
      some.map((test) => ({ test, on: reaching.get(test) ?? [] })),
      left,
      hunt,
    );
    if (hunt.isOver()) return;
    atOnce = fails ? 1 : Math.min(16, atOnce * 2);
  }
}

/** @returns whether a trial failed */
async function halve(trials: readonly Trial[], left: Pick<ReadonlySet<number>, "has">, hunt: Hunt): Promise<boolean> {
  let queue = trials;
  let fails = false;
  while (queue.length > 0 && !hunt.isOver()) {
    const now = new Map<string, Trial>();
    const later: Trial[] = [];
    for (const { test, on } of queue) {
      const still = on.filter((number) => left.has(number));
      if (now.has(test)) later.push({ test, on: still });
      else if (still.length > 0) now.set(test, { test, on: still });
    }
    if (now.size === 0) return fails;
    const failed = await hunt.attempt([...now.values()]);
    for (const { test, on } of now.values()) {
      const by = failed.get(test);
      if (by === undefined) continue;
      fails = true;
      const [first = -1] = on;
      const half = Math.ceil(on.length / 2);
      if (on.length === 1) hunt.caught(first, by);
      else later.push({ test, on: on.slice(0, half) }, { test, on: on.slice(half) });
    }
    queue = later;
  }
  return fails;
}
