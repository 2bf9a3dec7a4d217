// The only door between generated code, the generator and the runtime.
// Generated validators count the characters of texts with it.
export { codePointLength } from "../base/code-points.ts";
export * from "./action.ts";
export * from "./connector.ts";
export * from "./operators.ts";
export * from "./record.ts";
export * from "./selection.ts";
export * from "./store.ts";
export * from "./warnings.ts";
