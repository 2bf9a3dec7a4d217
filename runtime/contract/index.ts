// The only door between generated code, the generator and the runtime.
export * from "./action.ts";
export * from "./code-points.ts";
export * from "./connector.ts";
export * from "./edit-distance.ts";
export * from "./names.ts";
export * from "./nearest.ts";
export * from "./operators.ts";
export * from "./record.ts";
export * from "./selection.ts";
export * from "./store.ts";
export * from "./warnings.ts";
