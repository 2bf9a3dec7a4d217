import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { createRandom } from "../../runtime/simulated/github/seed/random.ts";
import { endsWithTests } from "../support/ends-with-tests.ts";
import { semanticContent } from "../support/semantic-content.ts";
import type { EmbedTask } from "./support/embed-child.ts";

// The index for search by meaning after its process was killed at random moments. `make chaos` kills many times.

const kills = Number(process.env["TENON_TEST_KILLS"] ?? 4);
const seed = Number(process.env["TENON_TEST_SEED"] ?? 1);
/** How often the process of one store is killed before one may run to its end. */
const mostPerStore = 6;

const root = mkdtempSync(join(tmpdir(), "tenon-semantic-kill-"));
const children = new Set<ChildProcess>();
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(root, { recursive: true, force: true });
});
let folders = 0;
const newFolder = () => join(root, String(folders++));
const contentOf = (dataDir: string) => semanticContent(join(dataDir, "context-store.sqlite"), "test_things");

/** @returns whether the process came to its end, and after how many milliseconds it ended */
async function run(task: EmbedTask, killAfter?: number): Promise<{ complete: boolean; ms: number }> {
  const script = fileURLToPath(new URL("./support/embed-child.ts", import.meta.url));
  const child = endsWithTests(spawn(process.execPath, [script, JSON.stringify(task)], { stdio: ["ignore", "pipe", "inherit"] }));
  children.add(child);
  const ended = once(child, "exit");
  let begun = 0;
  let complete = false;
  let timer: NodeJS.Timeout | undefined;
  for await (const line of createInterface(child.stdout)) {
    if (line === "complete") complete = true;
    else {
      begun = performance.now();
      if (killAfter !== undefined) timer = setTimeout(() => child.kill("SIGKILL"), killAfter);
    }
  }
  clearTimeout(timer);
  const [code, signal] = await ended;
  children.delete(child);
  if (signal !== "SIGKILL" && code !== 0) throw new Error(`the process ended with ${String(code)}`);
  return { complete, ms: performance.now() - begun };
}

describe("embedding that is killed", () => {
  it(
    `${kills} times at random moments leaves the index of having embedded once`,
    async () => {
      const random = createRandom(seed);
      const steps = [11, 12, 13];
      const onceDir = newFolder();
      await run({ dataDir: onceDir, steps: steps.slice(-1) });
      const once = contentOf(onceDir);
      expect(once.passages.length).toBeGreaterThan(100);
      expect(once.counts).toMatchObject({ waiting: 0, passages: once.passages.length, codes: once.passages.length });
      const { ms } = await run({ dataDir: newFolder(), steps });
      let killed = 0;
      while (killed < kills) {
        const task = { dataDir: newFolder(), steps };
        for (let here = 0; here < mostPerStore && killed < kills; here++) {
          if ((await run(task, random.below(Math.ceil(ms)))).complete) break;
          killed++;
        }
        expect((await run(task)).complete).toBe(true);
        expect(contentOf(task.dataDir), `seed ${seed}, after ${killed} kills`).toEqual(once);
      }
    },
    60_000 + kills * 15_000,
  );
});
