import nodeModule from "node:module";
import { fileURLToPath } from "node:url";

// Plain JavaScript, because this module runs before TypeScript can be loaded.

/** Compiles each module and strips its types once, for all later starts. Does nothing when the cache folder cannot be written. */
export function useCompileCache() {
  nodeModule.enableCompileCache?.(fileURLToPath(new URL("../../.cache/compile", import.meta.url)));
}

/** Writes what has been compiled so far to the cache, so that other processes and threads can use it. */
export function shareCompiled() {
  nodeModule.flushCompileCache?.();
}
