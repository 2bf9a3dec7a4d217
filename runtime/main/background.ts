import { RunningSyncs } from "../sync/index.ts";
import { HintWorker } from "../webhooks/index.ts";
import type { Accounts } from "./accounts.ts";
import type { Assembly } from "./assembly.ts";
import type { StoredInstances } from "./instances/stored-instances.ts";
import { redeliveryOf } from "./redelivery.ts";
import { Schedules } from "./schedules/schedules.ts";
import type { Settings } from "./settings/settings.ts";
import { subscriptionsOf } from "./subscriptions.ts";
import { toldScopes } from "./webhooks.ts";

interface BackgroundOptions {
  readonly settings: Settings;
  readonly accounts: Accounts;
  readonly assembly: Assembly;
  readonly stored: StoredInstances | undefined;
  /** The scopes that the settings put on a schedule, by the ids of instances. */
  readonly scopes: ReadonlyMap<string, readonly string[]>;
}

/** What a process does beside requests: syncs, reading what webhooks name, and webhooks to receivers. */
export class Background {
  readonly runningSyncs: RunningSyncs;
  readonly subscriptions: ReturnType<typeof subscriptionsOf>["subscriptions"];
  readonly #worker: ReturnType<typeof subscriptionsOf>["worker"];
  readonly #hintWorker: HintWorker;
  readonly #redelivery: ReturnType<typeof redeliveryOf>;
  readonly #schedules: Schedules;
  readonly #takesWebhooks: boolean;

  constructor({ settings, accounts, assembly, stored, scopes }: BackgroundOptions) {
    const { instances, store, log } = assembly;
    const find = async (id: string) => instances.get(id) ?? stored?.find(id);
    this.runningSyncs = new RunningSyncs(store, log);
    const { subscriptions, worker } = subscriptionsOf(settings, accounts, { ...assembly, stored }, log);
    this.subscriptions = subscriptions;
    this.#worker = worker;
    this.#hintWorker = new HintWorker({ hints: accounts.store, store, find, log, onFollowed: () => worker?.wake() });
    this.#redelivery = redeliveryOf(accounts, { instances, stored, find, onHints: this.onHints, log });
    // Without a secret key, nobody can add a webhook while the service runs.
    this.#takesWebhooks = settings.webhookSecrets.length > 0 || accounts.secured !== undefined;
    const told = this.#takesWebhooks ? toldScopes(accounts.store, settings.webhookSyncMinutes) : undefined;
    this.#schedules = new Schedules({
      ...assembly,
      stored,
      scopes,
      minutes: settings.syncMinutes,
      syncs: this.runningSyncs,
      told,
    });
  }

  /** Called when webhooks have named something to read. */
  readonly onHints = (): void => this.#hintWorker.wake();

  /** What became of deliveries to receivers, by connector. */
  get deliveries() {
    return this.#worker?.totals ?? new Map();
  }

  /** Resolves when every schedule is stored. */
  async start(): Promise<void> {
    if (this.#takesWebhooks) this.#hintWorker.start();
    this.#redelivery?.start();
    this.#worker?.start();
    await this.#schedules.start();
  }

  /** Resolves when the scheduled syncs that were due at the start have ended. */
  caughtUp(): Promise<void> {
    return this.#schedules.caughtUp();
  }

  /** Ends what is under way. It may be called before `start`, which then starts no schedule. */
  async stop(): Promise<void> {
    await Promise.all([
      this.#schedules.stop(),
      this.#hintWorker.stop(),
      this.#redelivery?.stop(),
      this.#worker?.stop(),
      this.runningSyncs.close(),
    ]);
  }
}
