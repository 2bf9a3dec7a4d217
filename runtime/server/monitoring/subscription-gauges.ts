import { Counter, Gauge, type Registry } from "prom-client";
import type { DeliveryTotals, InstanceSubscriptions } from "../../subscriptions/index.ts";

/** Where the metrics of subscriptions come from. */
export interface SubscriptionSource {
  /** Deliveries of this process. */
  readonly deliveries: DeliveryTotals;
  readonly states: () => Promise<readonly InstanceSubscriptions[]>;
}

/** Instances that have series of their own. */
const mostInstances = 500;

/** The metrics of webhooks to receivers of callers. */
export class SubscriptionGauges {
  readonly #source: SubscriptionSource;
  readonly #counts: Gauge;
  readonly #behind: Gauge;

  constructor(registry: Registry, source: SubscriptionSource) {
    this.#source = source;
    const registers = [registry];
    new Counter({
      name: "tenon_subscription_deliveries_total",
      help: "Deliveries to receivers of subscriptions, by what became of them.",
      labelNames: ["connector", "result"],
      registers,
      collect() {
        this.reset();
        for (const [connector, results] of source.deliveries)
          for (const [result, count] of results) this.inc({ connector, result }, count);
      },
    });
    this.#counts = new Gauge({
      name: "tenon_subscriptions",
      help: "Subscriptions to changes.",
      labelNames: ["instance", "state"],
      registers,
    });
    this.#behind = new Gauge({
      name: "tenon_subscription_lag",
      help: "Changes behind the place of the active subscription that is furthest behind.",
      labelNames: ["instance"],
      registers,
    });
  }

  /** Looks up the states. The last ones stay while the accounts cannot be read. */
  async refresh(): Promise<void> {
    const states = await this.#source.states().catch(() => undefined);
    if (states === undefined) return;
    this.#counts.reset();
    this.#behind.reset();
    for (const { instance, counts, behind } of states.slice(0, mostInstances)) {
      for (const [state, count] of counts) this.#counts.set({ instance, state }, count);
      this.#behind.set({ instance }, behind);
    }
  }
}
