import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Mutant } from "./mutants.ts";
import type { Reach } from "./reach.ts";

export interface Verdict {
  /** What has caught the mutant. Undefined when nothing has. */
  readonly by: string | undefined;
}

/** The test files that reach a mutant: the one named after its file, then those of its module, of single parts, of whole processes. */
export function nearestFirst({ file }: Mutant, { tests, files, seconds }: Reach, number: number): string[] {
  const reaching = (tests[number] ?? []).map((place) => files[place] ?? "");
  const name = basename(file, ".ts");
  const distance = (test: string) => {
    if (basename(test, ".test.ts") === name) return 0;
    if (dirname(test) === `test/${dirname(file)}`) return 1;
    if (/^test\/(runtime|generator|semantic|simulator)\//.test(test)) return 2;
    return /^test\/(property|conformance)\//.test(test) ? 3 : 4;
  };
  return reaching.sort((a, b) => distance(a) - distance(b) || (seconds[a] ?? 0) - (seconds[b] ?? 0));
}

/**
 * Runs test files on the mutant that is switched on, until one fails.
 * @param expected Seconds that the tests take without a mutant. A mutant that keeps them busy much longer is caught too.
 * @param deadline Milliseconds since 1970 after which the answer no longer matters.
 * @returns What has caught it; `{ by: undefined }` never, but undefined when all tests pass or the deadline is over.
 */
export async function catchMutant(
  folder: string,
  tests: readonly string[],
  expected: number,
  deadline: number,
): Promise<Verdict | undefined> {
  const own = mkdtempSync(join(tmpdir(), "tenon-mutant-"));
  const order = join(own, "order.json");
  writeFileSync(order, JSON.stringify(tests));
  const child = spawn("npx", ["vitest", "run", "--config", "test/mutants.config.ts"], {
    cwd: folder,
    env: { ...process.env, MUTANT_ORDER: order, TMPDIR: own },
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  let out = "";
  child.stdout.on("data", (bytes: Buffer) => {
    out = (out + bytes.toString()).slice(-20_000);
  });
  const longest = (3 * expected + 60) * 1000;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stop(child.pid);
  }, longest);
  const code = await new Promise<number | null>((resolve) => child.on("exit", resolve));
  clearTimeout(timer);
  stop(child.pid);
  rmSync(own, { recursive: true, force: true, maxRetries: 3 });
  if (isLate)
    return Date.now() > deadline
      ? undefined
      : { by: `caught by time: the tests still ran after ${Math.round(longest / 1000)} s` };
  if (code === 0) return undefined;
  return { by: /^caught by .*/m.exec(out)?.[0] ?? `caught: vitest ended with ${code}` };
}

/** Ends a process and all that it has started. */
function stop(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
