import type { Dialect } from "../../sql/index.ts";
import { auditChanges, auditReads } from "./audit.ts";
import { callerChanges, callerReads } from "./callers.ts";
import { hintChanges, hintReads } from "./hints.ts";
import { instanceChanges, instanceReads } from "./instances.ts";
import { proposalChanges, proposalReads } from "./proposals.ts";
import { subscriptionChanges, subscriptionReads } from "./subscriptions.ts";
import { tokenChanges, tokenReads } from "./tokens.ts";
import { writeChanges, writeReads } from "./writes.ts";

/** All units of work of `AccountStore` that read. Each is one statement. */
export function accountReads(dialect: Dialect) {
  return {
    ...callerReads(dialect),
    ...instanceReads,
    ...tokenReads,
    ...writeReads,
    ...proposalReads,
    ...auditReads,
    ...hintReads,
    ...subscriptionReads(dialect),
  };
}

/** All units of work of `AccountStore` that change something. Each runs in one transaction. */
export function accountChanges(dialect: Dialect) {
  return {
    ...callerChanges(dialect),
    ...instanceChanges(dialect),
    ...tokenChanges(dialect),
    ...writeChanges(dialect),
    ...proposalChanges(dialect),
    ...auditChanges(dialect),
    ...hintChanges(dialect),
    ...subscriptionChanges(dialect),
  };
}
