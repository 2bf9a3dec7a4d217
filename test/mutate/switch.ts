// The text of the module that planted mutants ask. A copy of the project gets it as runtime/base/mutant.ts.
// It reads a file, not the environment, because some tests start processes with an environment of their own.

/** The path of the module, from the root of the copy. */
export const switchModule = "runtime/base/mutant.ts";

/** A module in which the mutant is on whose number stands in the file. */
export function oneMutant(numberFile: string): string {
  return `// @ts-nocheck
const fs = globalThis.process?.getBuiltinModule?.("node:fs");
const on = fs === undefined ? -1 : Number(fs.readFileSync(${JSON.stringify(numberFile)}, "utf8"));
export const $mutant = (number) => number === on;
`;
}

/** A module in which no mutant is on, and which appends to the log which ones each test file reaches: `number<tab>test file`. */
export function recordReached(logFile: string): string {
  return `// @ts-nocheck
const { process } = globalThis;
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

/** The settings of vitest in the copy: tests run in the given order until one fails, and each knows the name of its file. */
export const copyConfig = `
import { readFileSync } from "node:fs";
import { defineConfig, mergeConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import config from "./vitest.config.ts";

const order = process.env.MUTANT_ORDER === undefined ? undefined : JSON.parse(readFileSync(process.env.MUTANT_ORDER, "utf8"));

class InOrder extends BaseSequencer {
  async sort(files) {
    const place = (file) => order.findIndex((name) => file.moduleId.endsWith(name));
    return order === undefined ? super.sort(files) : [...files].sort((a, b) => place(a) - place(b));
  }
}

const endAtFailure = (name) => {
  console.log("caught by " + name);
  process.exit(1);
};

const ends = {
  onTestCaseResult: (test) => test.result().state === "failed" && endAtFailure(test.module.relativeModuleId + ": " + test.fullName),
  onTestModuleEnd: (module) => module.state() === "failed" && endAtFailure(module.relativeModuleId),
};

// Each file runs in a process of its own, so that it is known which mutants it reaches.
const merged = mergeConfig({ ...config, test: { ...config.test, projects: undefined } }, defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/mutant-setup.ts"],
    sequence: { sequencer: InOrder },
    ...(order === undefined ? {} : { reporters: [ends] }),
  },
}));
if (order !== undefined) merged.test.include = order;
export default merged;
`;

/** Runs before each test file, in its process. */
export const copySetup = `
import { expect } from "vitest";
process.env.MUTANT_TEST = (expect.getState().testPath ?? "").replace(process.cwd() + "/", "");
`;
