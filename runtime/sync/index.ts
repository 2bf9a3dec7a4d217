export * from "./entity-check.ts";
export * from "./forget.ts";
export { type Problem, storedProblem } from "./problem.ts";
export * from "./runs.ts";
export * from "./schedule.ts";
export * from "./scope.ts";
export * from "./status.ts";
export * from "./sync.ts";
