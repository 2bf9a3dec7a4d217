import type { StoredCaller, StoredSecret } from "../../../runtime/accounts/caller-store.ts";
import type { Hint } from "../../../runtime/accounts/hint-store.ts";
import {
  type AccountStore,
  fullGrant,
  type NewSubscription,
  type StoredSubscription,
  type TurnEnd,
} from "../../../runtime/accounts/index.ts";
import type { StoredInstance } from "../../../runtime/accounts/instance-store.ts";
import type { NewProposal } from "../../../runtime/accounts/proposal-store.ts";

// A case of the contract of a store of callers, and what the cases store.

/** @param another opens a further store on the same data */
export type Case = readonly [title: string, check: (store: AccountStore, another: () => Promise<AccountStore>) => Promise<void>];

export function caller(id: string, more: Partial<StoredCaller> = {}): StoredCaller {
  const grant = { ...fullGrant, entities: ["issues"], organization: "o" };
  const times = { createdAt: 1_000, expiresAt: null, revokedAt: null, lastUsedAt: null };
  return { id, kind: "key", name: `name of ${id}`, grant, ...times, ...more };
}

export function secret(id: string, of: string, more: Partial<StoredSecret> = {}): StoredSecret {
  return { id, caller: of, hash: `hash of ${id}`, keyId: "first", createdAt: 1_000, expiresAt: null, ...more };
}

export function instance(id: string, more: Partial<StoredInstance> = {}): StoredInstance {
  const place = { connector: "test", workspace: "w", organization: null, rest: null, graphql: null, variables: {} };
  return { id, ...place, credential: "sealed", scopes: ["a=b"], minutes: 60, createdAt: 1_000, version: 1, ...more };
}

export function hint(key: string, more: Partial<Hint> = {}): Hint {
  return { instance: "github", scope: "a=b", entity: "issues", kind: "key", key, params: "{}", ...more };
}

export function proposal(id: string, more: Partial<NewProposal> = {}): NewProposal {
  const times = { createdAt: 1_000, expiresAt: 2_000 };
  return { id, caller: "a", request: `request of ${id}`, head: "{}", content: "[]", hash: "h", ...times, ...more };
}

export function subscription(id: string, more: Partial<NewSubscription> = {}): NewSubscription {
  const place = { log: "l", position: 5, createdAt: 1_000, expiresAt: null };
  return { id, caller: "a", instance: "github", content: "{}", secrets: "sealed", ...place, ...more };
}

/** The end of a turn in which nothing has happened. */
export function turnEnd(begun: StoredSubscription | undefined, more: Partial<TurnEnd> = {}): TurnEnd {
  if (begun === undefined) throw new Error("no turn has begun");
  return { ...begun, wait: 0, ...more };
}
