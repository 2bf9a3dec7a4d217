// What the generator and the rooms of the runtime share. Generated code imports `public.ts` only.

export * from "./action.ts";
export * from "./aliases.ts";
export * from "./batch.ts";
export * from "./change.ts";
export * from "./condition.ts";
export * from "./connector.ts";
export * from "./error-key.ts";
export * from "./operators.ts";
export * from "./path.ts";
export * from "./problem-schema.ts";
export * from "./proposal.ts";
export * from "./record.ts";
export * from "./search-limits.ts";
export * from "./selection.ts";
export * from "./store.ts";
export * from "./subscription.ts";
export * from "./tables.ts";
export * from "./warnings.ts";
export * from "./webhook.ts";
