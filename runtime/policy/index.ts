// The functions and types of this room that other rooms use.

export { webhookNotifier } from "./notify.ts";
export { changedFields, type Decided, looksAtUnknown, mayDecide, type Policy } from "./policy.ts";
export { PolicyFile } from "./policy-file.ts";
export { type Decider, Proposals, proposalMemory } from "./proposals.ts";
export { PolicyError, readPolicy } from "./read-policy.ts";
export { PolicyGuard } from "./write-guard.ts";
export { type KeyedResult, writeOnce } from "./write-once.ts";
