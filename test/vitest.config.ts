import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const units = ["test/{generator,histories,property,runtime,simulator}/**/*.test.ts"];
/** Looks at all threads of its process. */
const alone = "test/runtime/main/access-threads.test.ts";

export default defineConfig({
  test: {
    root: fileURLToPath(new URL("..", import.meta.url)),
    globalSetup: ["test/support/global-setup.ts"],
    // For what hangs: a machine that is ten times slower must not make a test fail that is right.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A test that waits for something fails when it does not come, and not when it is slow: the default is a second.
    expect: { poll: { timeout: 30_000 } },
    // Most of the time goes into waiting for processes, threads and the disk: three files at a time use two cores better than two.
    maxWorkers: 3,
    projects: [
      // Modules are loaded once for all files of a worker, which takes a third of the processor time away. These files start with a clean
      // state themselves.
      { extends: true, test: { name: "units", include: units, exclude: [alone], isolate: false } },
      {
        extends: true,
        test: {
          name: "processes",
          include: ["test/*.test.ts", "test/{docs,e2e,mutate,package,semantic,simulate,support}/**/*.test.ts", alone],
        },
      },
    ],
  },
});
