export * from "./schedule.ts";
export * from "./scope.ts";
export * from "./sync.ts";
