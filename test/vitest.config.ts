import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: fileURLToPath(new URL("..", import.meta.url)),
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    // For what hangs: a machine that is ten times slower must not make a test fail that is right.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Most of the time goes into waiting for processes, threads and the disk: three files at a time use two cores better than two.
    maxWorkers: 3,
  },
});
