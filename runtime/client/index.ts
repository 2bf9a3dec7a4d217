// What generated clients and users of the library import as `tenon`.

export type { ErrorCode } from "../base/error-codes.ts";
export { type Fault, TenonError } from "../base/errors.ts";
export type { Proposal, WholeProposal } from "../contract/proposal.ts";
export type { WebhookSubscription } from "../contract/subscription.ts";
export type { Change, ChangesOptions, Truncated } from "./changes.ts";
export { type ConnectorClass, connectorClass } from "./connector-client.ts";
export type { Client, DryRun, EntityClient } from "./entity.ts";
export type { ConnectorTypes, EntityTypes } from "./entity-types.ts";
export { CallError, errors, NotImplementedError } from "./errors.ts";
export type {
  AnyCredential,
  CallOptions,
  ClientOptions,
  HostedOptions,
  LocalCallOptions,
  LocalOptions,
  NewTokens,
  WalkOptions,
} from "./options.ts";
export { Proposals } from "./proposals.ts";
export type { Filter, SemanticHit, Sort, StoreMeta, StorePage, StoreQuery } from "./search.ts";
export type { RunSql, SqlOptions, SqlResult, SqlRow } from "./sql.ts";
export {
  type NewWebhookSubscription,
  type WebhookSubscriptionContent,
  WebhookSubscriptions,
} from "./subscriptions.ts";
export type { ClientPlan, LocalMode } from "./transport.ts";
