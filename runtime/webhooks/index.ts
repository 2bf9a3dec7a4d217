export * from "./added-webhooks.ts";
export * from "./hint-worker.ts";
export * from "./inbox.ts";
export * from "./manage.ts";
export * from "./read-delivery.ts";
export * from "./redelivery.ts";
export * from "./verify.ts";
