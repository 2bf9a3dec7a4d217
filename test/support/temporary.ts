import { accessSync, constants, readFileSync, statfsSync } from "node:fs";
import { join } from "node:path";

/** Where Linux keeps files in memory. */
const shared = "/dev/shm";
const room = 4 * 1024 ** 3;

/**
 * The folder in memory where tests have their temporary files, which are removed at the end: tests commit to thousands of SQLite files, and
 * on a disk each commit waits for it. Undefined where `TMPDIR` says another place, or memory has not enough room for files of programs.
 */
export const memoryFolder = hasRoom() ? join(shared, `tenon-tests-${process.pid}`) : undefined;

function hasRoom(): boolean {
  if (process.env["TMPDIR"] !== undefined || process.platform !== "linux") return false;
  try {
    accessSync(shared, constants.W_OK);
    const { bavail, bsize } = statfsSync(shared);
    const runsPrograms = !/^\S+ \/dev\/shm \S+ \S*\bnoexec\b/m.test(readFileSync("/proc/mounts", "utf8"));
    return runsPrograms && bavail * bsize > room && process.availableMemory() > room;
  } catch {
    return false;
  }
}
