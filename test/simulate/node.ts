import type { Logger } from "pino";
import { type AccountStore, deriveKeys } from "../../runtime/accounts/index.ts";
import { type ConnectorInstance, connect } from "../../runtime/execute/index.ts";
import { toldScopes } from "../../runtime/main/webhooks.ts";
import { graphqlPath, ownerToken } from "../../runtime/simulated/github/tokens.ts";
import type { HookEvent } from "../../runtime/simulated/github/webhook-events.ts";
import type { Store } from "../../runtime/store/store.ts";
import { SubscriptionWorker } from "../../runtime/subscriptions/index.ts";
import { RunningSyncs, SyncSchedule } from "../../runtime/sync/index.ts";
import { HintWorker, readDelivery, WebhookInbox } from "../../runtime/webhooks/index.ts";
import { plansOf } from "../e2e/support/cache.ts";
import { tokenCredential } from "../support/credential.ts";
import type { Clock, Owner } from "./clock.ts";
import { address, connector, type Platform, scope } from "./platform.ts";
import type { Engine, Stores } from "./stores.ts";

export const id = "github";
export const keys = deriveKeys(["secret-key-of-the-simulation-of-everything"]);

/**
 * Minutes between two scheduled syncs, and where webhooks come in; milliseconds between two looks for what subscriptions want. A service
 * looks five times a second; here nearly all of the processor time would go into looks that find nothing.
 */
const every = { sync: 10, told: 360, look: 2_000 } as const;

export interface NodeOptions {
  readonly clock: Clock;
  readonly engine: Engine;
  readonly platform: Platform;
  readonly log: Logger;
  /** Takes what is delivered to receivers. */
  readonly send: typeof globalThis.fetch;
  readonly changeEntries: number;
  readonly webhooks: boolean;
}

/** A simulated process, put together as the service does. */
export interface Node extends Owner {
  readonly store: Store;
  readonly accounts: AccountStore;
  readonly instance: ConnectorInstance;
  readonly syncs: RunningSyncs;
  /** Takes a webhook, as the route does once its signature is verified. */
  take(event: HookEvent, delivery: string): Promise<void>;
  /** What the operating system does after the process has ended. */
  bury(): Promise<void>;
}

export async function startNode(name: string, options: NodeOptions): Promise<Node> {
  const owner: Owner = { name, isDead: false, suspendedUntil: 0 };
  const { clock, engine, changeEntries } = options;
  const stores = await engine.open(plansOf(connector), { time: 7 * 86_400_000, entries: changeEntries });
  return clock.as(owner, () => assemble(owner, stores, options));
}

function assemble(owner: Owner, stores: Stores, { platform, log: all, send, webhooks }: NodeOptions): Node {
  const log = all.child({ node: owner.name });
  const { store, accounts, limits } = stores;
  const instance = connect({
    id,
    workspace: "default",
    connector,
    endpoints: { rest: address, graphql: address + graphqlPath },
    credential: async () => tokenCredential(ownerToken),
    userAgent: "tenon/simulation",
    redact: (text) => text,
    store,
    fetch: platform.fetch,
    shared: { limits, key: "credential" },
  });
  const find = async () => instance;
  const syncs = new RunningSyncs(store, log);
  const told = webhooks ? toldScopes(accounts, every.told) : undefined;
  const hints = new HintWorker({ hints: accounts, store, find, log });
  const inbox = new WebhookInbox(accounts, () => hints.wake());
  hints.start();
  new SubscriptionWorker({ store: accounts, keys, find, send, log, audits: false, period: every.look }).start();
  const start = async (): Promise<void> => {
    const schedule = new SyncSchedule(instance, store, { scopes: [scope], minutes: every.sync, told }, log, syncs);
    await schedule.start().catch(() => new Promise((resolve) => setTimeout(resolve, 5_000)).then(start));
  };
  void start();
  return Object.assign(owner, {
    store,
    accounts,
    instance,
    syncs,
    take: async ({ name, payload }: HookEvent, delivery: string) => {
      const content = readDelivery(connector, name, payload);
      await inbox.receive({ instance: id, id: delivery, hints: content.hints.map((hint) => ({ ...hint, instance: id })) });
    },
    bury: () => stores.end(),
  });
}
