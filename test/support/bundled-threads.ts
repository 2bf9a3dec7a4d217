import { existsSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import workerThreads, { type WorkerOptions } from "node:worker_threads";
import { nameInBundle } from "../../generator/bundle-name.ts";
import { command } from "./command.ts";

// Lets the threads that tests start load the command's bundle, which takes a quarter of their processor time away: test files start
// thousands. What is in the bundle is made of the same sources.

const root = join(import.meta.dirname, "../..");
const { Worker } = workerThreads;

class BundledWorker extends Worker {
  constructor(file: string | URL, options: WorkerOptions = {}) {
    const { module } = (options.workerData ?? {}) as { readonly module?: unknown };
    const bundled = typeof module === "string" ? inBundle(module) : undefined;
    super(file, bundled === undefined ? options : { ...options, workerData: { ...options.workerData, module: bundled } });
  }
}

/** The address in the bundle; undefined for a module that is not of the service, such as one of a test. */
function inBundle(module: string): string | undefined {
  if (!module.startsWith(pathToFileURL(join(root, "runtime/")).href)) return undefined;
  const file = fileURLToPath(module);
  const bundled = join(dirname(command), nameInBundle(root, file));
  if (!existsSync(bundled)) throw new Error(`the bundle has no ${bundled} for ${file}`);
  return pathToFileURL(bundled).href;
}

// This module runs before each test file, and test files of a worker share its threads' class.
if (Worker.name !== BundledWorker.name) {
  Object.assign(workerThreads, { Worker: BundledWorker });
  syncBuiltinESMExports();
}
