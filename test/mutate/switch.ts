// The text of the module that planted mutants ask. A copy of the project gets it as runtime/base/mutant.ts.
// It reads a file, not the environment, because some tests start processes with an environment of their own.

/** The path of the module, from the root of the copy. */
export const switchModule = "runtime/base/mutant.ts";

/** Which mutants are on, by the test file that runs; those under `*` are on whatever runs. */
export type SwitchedOn = Readonly<Record<string, readonly number[]>>;

/** Gives the name of the test file to every process that a process starts, also where that gets an environment of its own. */
const passOnTestFile = `
const starter = globalThis.process?.getBuiltinModule?.("node:child_process")?.ChildProcess.prototype;
const begin = starter?.spawn;
if (begin !== undefined && !begin.passesOn) {
  starter.spawn = function (options) {
    const name = process.env.MUTANT_TEST;
    if (name !== undefined) options.envPairs?.push("MUTANT_TEST=" + name);
    return begin.call(this, options);
  };
  starter.spawn.passesOn = true;
}
`;

/** A module in which the mutants are on that the file has (see `SwitchedOn`). */
export function someMutants(onFile: string): string {
  return `// @ts-nocheck
${passOnTestFile}
const fs = globalThis.process?.getBuiltinModule?.("node:fs");
const on = fs === undefined ? {} : JSON.parse(fs.readFileSync(${JSON.stringify(onFile)}, "utf8"));
const mine = new Set([...(on["*"] ?? []), ...(on[globalThis.process?.env.MUTANT_TEST ?? ""] ?? [])]);
export const $mutant = (number) => mine.has(number);
`;
}

/** A module in which no mutant is on, and which appends to the log which ones each test file reaches: `number<tab>test file`. */
export function recordReached(logFile: string): string {
  return `// @ts-nocheck
${passOnTestFile}
// As it is now: a test may put its own clock in its place.
const { process, setImmediate } = globalThis;
const fs = process?.getBuiltinModule?.("node:fs");
const seen = new Uint8Array(1 << 20);
let waiting = "";
const write = () => {
  if (waiting !== "") fs.appendFileSync(${JSON.stringify(logFile)}, waiting);
  waiting = "";
};
process?.on?.("exit", write);
export const $mutant = (number) => {
  if (fs === undefined || seen[number] === 1) return false;
  seen[number] = 1;
  if (waiting === "") setImmediate(write).unref();
  waiting += number + "\\t" + (process.env.MUTANT_TEST ?? "") + "\\n";
  return false;
};
`;
}

/** The settings of vitest in the copy. Each file runs in a process of its own, so that it is known which mutants it reaches. */
export const copyConfig = `
import { defineConfig, mergeConfig } from "vitest/config";
import config from "./vitest.config.ts";

export default mergeConfig({ ...config, test: { ...config.test, projects: undefined } }, defineConfig({
  test: { include: ["test/**/*.test.ts"], setupFiles: ["test/mutant-setup.ts"] },
}));
`;

/** Runs before each test file, in its process. After the first failure nothing else of the file can tell more. */
export const copySetup = `
import { afterEach, beforeEach, expect } from "vitest";
let hasFailed = false;
beforeEach(({ skip }) => skip(hasFailed));
afterEach(({ task }) => {
  hasFailed ||= task.result?.state === "fail";
});
process.env.MUTANT_TEST = (expect.getState().testPath ?? "").replace(process.cwd() + "/", "");
${passOnTestFile}
`;
