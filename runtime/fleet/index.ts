export { memoryLimits } from "./memory-limits.ts";
export * from "./share.ts";
export * from "./shared-limits.ts";
export { type WatchedLimits, watchedLimits } from "./watched-limits.ts";
