import { join } from "node:path";
import { inject } from "vitest";
import { madeOnce } from "./made-once.ts";

const root = join(import.meta.dirname, "../..");
const folder = inject("commandFolder");

/** The command `tenon` as users run it, with its modules joined. All test files of a run share it. */
export const command = await madeOnce(folder, async () => {
  const { bundle } = await import("../../generator/bundle.ts");
  const out = join(folder, "bundle");
  await bundle(root, out);
  return join(out, "main.js");
});
