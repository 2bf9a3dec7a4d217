import { hostname } from "node:os";

/**
 * Whether a process has ended, as far as this machine can tell.
 *
 * @param host name of the machine on which it ran
 * @returns false for a process of another machine, of which nothing is known
 */
export function processHasEnded(host: string, pid: number): boolean {
  if (host !== hostname() || !Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (thrown) {
    return thrown instanceof Error && "code" in thrown && thrown.code === "ESRCH";
  }
}
