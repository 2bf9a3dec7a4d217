import type { InstanceHealth } from "./instance-health.ts";
import type { Counter, Registry } from "./series.ts";

/** The most scopes that have a gauge of their own: those that were synced longest ago. The number of time series stays bounded. */
const mostScopes = 500;

/** What is measured when the metrics are read, and not when it happens. */
export interface HealthSource {
  /** Whether the store can be used. */
  readonly storeUp: () => boolean;
  readonly report: () => Promise<readonly InstanceHealth[]>;
}

/** Gauges of syncs, caches and connectors. */
export class HealthGauges {
  readonly #source: HealthSource;
  readonly #storeUp: Counter;
  readonly #accountsUp: Counter;
  readonly #state: Counter;
  readonly #scopes: Counter;
  readonly #age: Counter;
  readonly #records: Counter;
  readonly #misfits: Counter;
  readonly #waiting: Counter;

  constructor(registry: Registry, source: HealthSource) {
    this.#source = source;
    const gauge = (name: string, help: string, labels: readonly string[]) => registry.gauge({ name, help, labels });
    this.#storeUp = gauge("tenon_store_up", "1 while the context store can be used, and its database reached.", []);
    this.#accountsUp = gauge("tenon_accounts_up", "1 while the stored connectors can be read, and their database reached.", []);
    this.#state = gauge("tenon_connector_state", "1 for the state that a connector instance is in.", ["instance", "state"]);
    this.#scopes = gauge("tenon_sync_scopes", "Scopes in each state: failed, gone, stale, never, ok.", ["instance", "state"]);
    this.#age = gauge(
      "tenon_sync_age_seconds",
      "Seconds since a scope was last complete, of the scopes where that is longest ago. One that never was has no series.",
      ["instance", "scope"],
    );
    this.#records = gauge("tenon_cached_records", "Records in the cache, counted in each scope that has them.", ["instance"]);
    this.#misfits = gauge(
      "tenon_cached_misfits",
      "Values that do not fit the spec, since everything was last read. They are cached as they are.",
      ["instance"],
    );
    this.#waiting = gauge("tenon_embeddings_waiting", "Texts that wait to be embedded for search by meaning.", ["instance"]);
  }

  /**
   * Sets the gauges. They keep nothing of instances and scopes that are gone, or of which nothing is known: no series is better than an old
   * number. What else was counted is reported also while the instances cannot be listed; the report has noted in the log why.
   */
  async refresh(): Promise<void> {
    this.#storeUp.set({}, this.#source.storeUp() ? 1 : 0);
    const report = await this.#source.report().catch(() => undefined);
    this.#accountsUp.set({}, report === undefined ? 0 : 1);
    const all = report ?? [];
    for (const gauge of [this.#state, this.#scopes, this.#age, this.#records, this.#misfits, this.#waiting]) gauge.reset();
    for (const { id: instance, status, problem, isDetailed, scopes, waiting } of all) {
      this.#state.set({ instance, state: problem === null ? status : "unusable" }, 1);
      if (!isDetailed) continue;
      for (const state of ["failed", "gone", "stale", "never", "ok"] as const)
        this.#scopes.set({ instance, state }, scopes.filter((one) => one.state === state).length);
      this.#records.set(
        { instance },
        scopes.reduce((sum, { records }) => sum + records, 0),
      );
      this.#misfits.set(
        { instance },
        scopes.reduce((sum, { misfits }) => sum + misfits, 0),
      );
      this.#waiting.set({ instance }, waiting);
    }
    const synced = all.flatMap(({ id, scopes }) =>
      scopes.flatMap(({ scope, syncedAt }) => (syncedAt === null ? [] : [{ instance: id, scope, syncedAt }])),
    );
    synced.sort((one, other) => (one.syncedAt < other.syncedAt ? -1 : 1));
    for (const { instance, scope, syncedAt } of synced.slice(0, mostScopes))
      this.#age.set({ instance, scope }, (Date.now() - Date.parse(syncedAt)) / 1000);
  }
}
