import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";

/** All cores, as `taskset` names them. */
export const allCores = `0-${availableParallelism() - 1}`;

/**
 * Keeps a process, with all threads that it has and will have, on some cores.
 *
 * @returns whether that was possible: the machine has several cores and the program `taskset` of Linux
 */
export function pin(pid: number | undefined, cores: string): boolean {
  if (pid === undefined || availableParallelism() < 2) return false;
  try {
    execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", cores, String(pid)], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
