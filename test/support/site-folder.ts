import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { madeOnce } from "./made-once.ts";

const root = join(import.meta.dirname, "../..");
const folder = inject("siteFolder");

/** The folder with the built documentation. All test files of a run share it. */
export function siteFolder(): Promise<string> {
  return madeOnce(folder, async () => {
    const out = join(folder, "docs");
    await promisify(execFile)(process.execPath, ["runtime/site/main.ts", "--out", out], { cwd: root });
    return out;
  });
}
