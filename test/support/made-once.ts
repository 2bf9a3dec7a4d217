import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/**
 * Makes something that all test files of a run share: the first file that needs it makes it, and the others wait until it is there.
 *
 * @param folder where it is, and where what is known of it is kept
 * @param make says what the test files have to know of it
 */
export async function madeOnce(folder: string, make: () => Promise<string>): Promise<string> {
  const made = join(folder, "made");
  const making = join(folder, "making");
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  for (;;) {
    if (existsSync(made)) return readFileSync(made, "utf8");
    try {
      mkdirSync(making);
    } catch {
      await pause(100);
      continue;
    }
    try {
      if (existsSync(made)) continue;
      const written = `${made}.new`;
      writeFileSync(written, await make(), { mode: 0o600 });
      renameSync(written, made);
    } finally {
      rmSync(making, { recursive: true, force: true });
    }
  }
}
