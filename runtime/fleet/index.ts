export { memoryLimits } from "./memory-limits.ts";
export { type Part, partName } from "./parts.ts";
export { type ProcessLimits, processLimits } from "./process-limits.ts";
export * from "./share.ts";
export * from "./shared-limits.ts";
