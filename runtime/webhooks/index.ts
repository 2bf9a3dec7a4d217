export * from "./hint-worker.ts";
export * from "./inbox.ts";
export * from "./read-delivery.ts";
export * from "./verify.ts";
