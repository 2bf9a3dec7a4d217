import type { StoredInstance } from "../../accounts/index.ts";
import type { Logger } from "../../base/logger.ts";
import { storedAs } from "../../execute/index.ts";
import type { StoreInstance, SyncStore } from "../../store/store.ts";
import { type RunningSyncs, SyncSchedule, type ToldScopes } from "../../sync/index.ts";
import type { StoredInstances } from "../instances/stored-instances.ts";

/** Milliseconds between two looks at what is stored. */
const period = 10_000;

/** What is kept of an instance: the version for which it was made. */
interface Followed {
  readonly version: number;
  /** Absent for an instance that cannot be used. */
  readonly stored?: StoreInstance;
  /** Absent where nothing is on a schedule. */
  readonly schedule?: SyncSchedule;
}

/** What schedules need of the stored instances. */
type ListedInstances = Pick<StoredInstances, "list" | "find" | "versionOf">;

/** Keeps a schedule for every stored instance that has scopes, and follows what other processes change about them. */
export class StoredSchedules {
  readonly #instances: ListedInstances;
  readonly #store: SyncStore;
  readonly #log: Logger;
  readonly #syncs: RunningSyncs;
  readonly #told: ToldScopes | undefined;
  /** By the ids of the instances. */
  readonly #running = new Map<string, Followed>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(instances: ListedInstances, store: SyncStore, log: Logger, syncs: RunningSyncs, told: ToldScopes | undefined) {
    this.#instances = instances;
    this.#store = store;
    this.#log = log;
    this.#syncs = syncs;
    this.#told = told;
  }

  async start(): Promise<void> {
    this.#looking = this.#look();
    await this.#looking;
    if (!this.#stopped)
      this.#timer = setInterval(() => {
        this.#looking = this.#looking.then(() => this.#look());
      }, period).unref();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#looking;
    await Promise.all([...this.#running.values()].map(({ schedule }) => schedule?.stop()));
  }

  async #look(): Promise<void> {
    try {
      const all = await this.#instances.list();
      for (const [id, { schedule, stored }] of this.#running)
        if (!all.some((one) => one.id === id)) {
          this.#running.delete(id);
          await schedule?.stop();
          // It may have been stored after the instance was removed.
          if (stored !== undefined) await this.#store.setSchedule(stored, null);
        }
      for (const one of all) if (!this.#stopped) await this.#follow(one);
    } catch (thrown) {
      this.#log.warn({ err: thrown }, "the schedules of stored connectors could not be read");
    }
  }

  async #follow({ id, version, scopes, minutes }: StoredInstance): Promise<void> {
    const known = this.#running.get(id);
    if (known?.version === version) return;
    await known?.schedule?.stop();
    // One that cannot be used is looked at again when it has changed.
    this.#running.set(id, { version });
    const instance = await this.#instances.find(id).catch((thrown: unknown) => {
      this.#log.warn({ err: thrown, connector: id }, "a stored connector cannot be used");
      return undefined;
    });
    if (instance === undefined) return;
    const stored = storedAs(instance);
    if (scopes.length === 0) {
      this.#running.set(id, { version, stored });
      await this.#store.setSchedule(stored, null);
      return;
    }
    const isCurrent = async () => (await this.#instances.versionOf(id)) === version;
    const schedule = new SyncSchedule(
      instance,
      this.#store,
      { scopes, minutes, isCurrent, told: this.#told },
      this.#log,
      this.#syncs,
    );
    this.#running.set(id, { version, stored, schedule });
    await schedule.start();
  }
}
