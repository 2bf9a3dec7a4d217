import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./support/longest-first.ts";
import { memoryFolder } from "./support/temporary.ts";

const units = ["test/{generator,histories,property,runtime,simulator}/**/*.test.ts"];
/** These look at all threads of their process or at its memory, or set what is one for the whole process. */
const alone = [
  "test/e2e/canary.test.ts",
  "test/e2e/failure-values.test.ts",
  "test/e2e/fuzz.test.ts",
  "test/e2e/spans.test.ts",
  "test/runtime/main/access-threads.test.ts",
];

/**
 * Node loads TypeScript itself and has a cache of compiled modules; Vite would transform and compile each for each worker. Threads load a
 * bundle.
 */
const loading = {
  experimental: { viteModuleRunner: false, nodeLoader: false },
  setupFiles: "test/support/bundled-threads.ts",
} as const;
/**
 * Modules are loaded once for all files of a worker, which takes a third of the processor time away. These files start with a clean state
 * themselves.
 */
const sharing = { ...loading, isolate: false } as const;

export default defineConfig({
  test: {
    root: fileURLToPath(new URL("..", import.meta.url)),
    globalSetup: ["test/support/global-setup.ts"],
    env: memoryFolder === undefined ? {} : { TMPDIR: memoryFolder },
    // For what hangs: a machine that is ten times slower must not make a test fail that is right.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A test that waits for something fails when it does not come, and not when it is slow: the default is a second.
    expect: { poll: { timeout: 30_000 } },
    // Most of the time goes into waiting for processes, threads and the disk: three files at a time use two cores better than two.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { ...sharing, name: "units", include: units, exclude: alone } },
      { extends: true, test: { ...sharing, name: "services", include: ["test/{e2e,recipes}/**/*.test.ts"], exclude: alone } },
      {
        extends: true,
        test: {
          ...loading,
          name: "processes",
          include: ["test/*.test.ts", "test/{docs,mutate,package,semantic,simulate,support}/**/*.test.ts", ...alone],
        },
      },
    ],
  },
});
