import nodeModule from "node:module";
import { fileURLToPath } from "node:url";

// Plain JavaScript: used before TypeScript can be read.

/** Modules are compiled, and stripped of their types, once for all starts. Without effect where the folder cannot be written. */
export function useCompileCache() {
  nodeModule.enableCompileCache?.(fileURLToPath(new URL("../../.cache/compile", import.meta.url)));
}

/** Others may use from now on what was compiled this far. */
export function shareCompiled() {
  nodeModule.flushCompileCache?.();
}
