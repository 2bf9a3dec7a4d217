import { availableParallelism, cpus } from "node:os";
import { setTimeout as wait } from "node:timers/promises";

/** Milliseconds for which the machine is watched, and how many of its cores other programs may use meanwhile. */
const watched = 2_000;
const mostUsed = 0.25;

/** Milliseconds that all cores together have worked, and have been idle. */
export interface Times {
  readonly busy: number;
  readonly idle: number;
}

function times(): Times {
  const all = cpus().map(({ times: { idle, ...busy } }) => ({
    idle,
    busy: Object.values(busy).reduce((sum, one) => sum + one, 0),
  }));
  return { busy: all.reduce((sum, one) => sum + one.busy, 0), idle: all.reduce((sum, one) => sum + one.idle, 0) };
}

/**
 * Watches the machine before a measurement: figures taken on a busy one have hidden that requests got slower.
 *
 * @returns why nothing should be measured now: other programs use more than a quarter of a core; undefined on a quiet machine
 */
export async function busyMachine(): Promise<string | undefined> {
  const before = times();
  await wait(watched);
  return busyText(before, times(), availableParallelism());
}

/** Why nothing should be measured when a machine with so many cores has worked from one time to another. */
export function busyText(before: Times, after: Times, cores: number): string | undefined {
  const busy = after.busy - before.busy;
  const used = (busy / (busy + after.idle - before.idle)) * cores;
  return used > mostUsed
    ? `The machine is busy: other programs use ${used.toFixed(1)} cores. Measure when it is quiet.`
    : undefined;
}
