import type { Logger } from "../../base/logger.ts";
import { storedAs } from "../../execute/index.ts";
import { type RunningSyncs, SyncSchedule, type ToldScopes } from "../../sync/index.ts";
import type { Assembly } from "../assembly.ts";
import type { StoredInstances } from "../instances/stored-instances.ts";
import { StoredSchedules } from "./stored-schedules.ts";

interface SchedulesOptions extends Pick<Assembly, "instances" | "store" | "embedder"> {
  readonly stored: StoredInstances | undefined;
  /** The scopes that the settings put on a schedule, by the ids of instances. */
  readonly scopes: ReadonlyMap<string, readonly string[]>;
  /** Minutes between the beginnings of two syncs. */
  readonly minutes: number;
  readonly log: Logger;
  readonly syncs: RunningSyncs;
  readonly told: ToldScopes | undefined;
}

/** What a process does that no caller asks for: it syncs on schedules, and embeds texts for the search by meaning. */
export class Schedules {
  readonly #options: SchedulesOptions;
  readonly #running: (SyncSchedule | StoredSchedules)[] = [];
  #stopped = false;

  constructor(options: SchedulesOptions) {
    this.#options = options;
  }

  /** Resolves when every schedule is stored. Does nothing when `stop` was called before. */
  async start(): Promise<void> {
    if (this.#stopped) return;
    const { instances, stored, store, embedder, scopes: scheduled, minutes, log, syncs, told } = this.#options;
    embedder.start();
    const starts = [...instances].map(([id, instance]) => {
      const scopes = scheduled.get(id) ?? [];
      if (scopes.length === 0) return store.setSchedule(storedAs(instance), null);
      return this.#add(new SyncSchedule(instance, store, { scopes, minutes, told }, log, syncs));
    });
    if (stored !== undefined) starts.push(this.#add(new StoredSchedules(stored, store, log, syncs, told)));
    await Promise.all(starts);
  }

  /** Resolves when the syncs of the settings that were due at the start have ended. */
  async caughtUp(): Promise<void> {
    await Promise.all(this.#running.map((schedule) => (schedule instanceof SyncSchedule ? schedule.caughtUp : undefined)));
  }

  /** Ends syncs under way after their present page. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running.map((schedule) => schedule.stop()));
  }

  #add(schedule: SyncSchedule | StoredSchedules): Promise<void> {
    this.#running.push(schedule);
    return schedule.start();
  }
}
