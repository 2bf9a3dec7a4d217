import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { recordReached } from "./switch.ts";

it("what a test reaches is recorded while the test has a clock of its own, too", () => {
  const dir = mkdtempSync(join(tmpdir(), "tenon-switch-"));
  const log = join(dir, "reached");
  writeFileSync(join(dir, "switch.mjs"), recordReached(log));
  // What is not written by then is lost, as when a process is ended.
  const script = `
    import { $mutant } from "./switch.mjs";
    const real = setImmediate;
    globalThis.setImmediate = () => ({ unref: () => undefined });
    $mutant(3);
    real(() => process.reallyExit(0));`;
  writeFileSync(join(dir, "main.mjs"), script);
  execFileSync(process.execPath, [join(dir, "main.mjs")], { env: { MUTANT_TEST: "a.test.ts" } });
  expect(readFileSync(log, "utf8")).toBe("3\ta.test.ts\n");
  rmSync(dir, { recursive: true });
});
