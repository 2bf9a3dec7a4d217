// The functions and types of this room that other rooms use.
export { type Audience, accessTokenPattern, readToken, signToken } from "./access-token.ts";
export type { AccountStore } from "./account-store.ts";
export {
  checkCallerName,
  checkFreeName,
  createCaller,
  type MadeCaller,
  nameOfNew,
  refusedSecrets,
  revokeCaller,
  rotateSecret,
  secretKeyUse,
} from "./administration.ts";
export { AuditLog } from "./audit-log.ts";
export type { AuditEntry, AuditPosition, AuditStore, StoredAuditEntry } from "./audit-store.ts";
export { openState, sealState } from "./authorization-state.ts";
export type { CallerKind, StoredCaller, StoredSecret } from "./caller-store.ts";
export { type Caller, Callers, mayBeSecret, type ProvedClient } from "./callers.ts";
export {
  type Credential,
  lostCredentials,
  openCredential,
  openSecrets,
  openTokens,
  sealAgain,
  sealCredential,
  sealSecrets,
  sealTokens,
} from "./credential.ts";
export {
  type CallerLimits,
  fullGrant,
  type Grant,
  hasRight,
  type InstanceIdentity,
  limitNames,
  mayUseEntity,
  type Right,
  rights,
  seesEveryInstance,
  seesInstance,
} from "./grant.ts";
export type { Hint, HintStore, StoredHint, VerifiedDelivery } from "./hint-store.ts";
export {
  canonical,
  type IdempotentRequest,
  idempotentWrite,
  isAbandoned,
  memory,
  newOwner,
  ownerHasEnded,
} from "./idempotent-write.ts";
export type { InstanceChange, InstanceStore, StoredInstance } from "./instance-store.ts";
export type {
  ListedProposal,
  NewProposal,
  ProposalEnd,
  ProposalStore,
  StoredProposal,
} from "./proposal-store.ts";
export { deriveKeys, keyedHash, type SecretKeys } from "./secret-keys.ts";
export { newSecretText, secretTextPattern } from "./secret-text.ts";
export type {
  DueSubscription,
  ListedSubscription,
  NewSubscription,
  StoredSubscription,
  SubscriptionChange,
  SubscriptionStore,
  TurnEnd,
} from "./subscription-store.ts";
export { type TokenLease, type TokenStore, webhooksOf } from "./token-store.ts";
export { TrustedIssuer } from "./trusted-issuer.ts";
export type { StoredWrite, WriteId, WriteStore } from "./write-store.ts";
