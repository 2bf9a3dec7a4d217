import type { AuditStore } from "./audit-store.ts";
import type { CallerStore } from "./caller-store.ts";
import type { HintStore } from "./hint-store.ts";
import type { InstanceStore } from "./instance-store.ts";
import type { ProposalStore } from "./proposal-store.ts";
import type { SubscriptionStore } from "./subscription-store.ts";
import type { TokenStore } from "./token-store.ts";
import type { WriteStore } from "./write-store.ts";

/**
 * Everything that the service knows about its callers and its connector instances. All methods are asynchronous, because a store may be a
 * server on another machine. When a method fails, it has changed nothing; when it succeeds, its changes survive a crash.
 */
export interface AccountStore
  extends CallerStore,
    InstanceStore,
    TokenStore,
    WriteStore,
    ProposalStore,
    AuditStore,
    HintStore,
    SubscriptionStore {
  /** Opens the store, which otherwise the first call does. @throws TenonError `accounts_unusable` */
  open(): Promise<void>;
  /** Ends what was begun and closes the store. */
  close(): Promise<void>;
}
