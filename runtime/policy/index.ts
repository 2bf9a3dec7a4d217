// The functions and types of this room that other rooms use.

export { webhookNotifier } from "./notify.ts";
export { type Decided, mayDecide, type Policy, type WriteNames } from "./policy.ts";
export { PolicyFile } from "./policy-file.ts";
export { type Decider, Proposals, proposalMemory } from "./proposals.ts";
export { PolicyError, readPolicy } from "./read-policy.ts";
export { PolicyGuard } from "./write-guard.ts";
export { type KeyedResult, writeOnce } from "./write-once.ts";
