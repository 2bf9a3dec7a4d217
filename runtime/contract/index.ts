// Generated code and the generator import from the runtime only through this module.

// Generated validators count the characters of texts with this function.
export { codePointLength } from "../base/code-points.ts";
export * from "./action.ts";
export * from "./batch.ts";
export * from "./connector.ts";
export * from "./error-key.ts";
export * from "./operators.ts";
export * from "./path.ts";
export * from "./problem-schema.ts";
export * from "./record.ts";
export * from "./search-limits.ts";
export * from "./selection.ts";
export * from "./store.ts";
export * from "./warnings.ts";
