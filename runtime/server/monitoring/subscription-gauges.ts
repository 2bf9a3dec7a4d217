import type { DeliveryTotals, InstanceSubscriptions } from "../../subscriptions/index.ts";
import type { Counter, Registry } from "./series.ts";

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
  readonly #counts: Counter;
  readonly #behind: Counter;

  constructor(registry: Registry, source: SubscriptionSource) {
    this.#source = source;
    const deliveries = registry.counter({
      name: "tenon_subscription_deliveries_total",
      help: "Deliveries to receivers of subscriptions, by what became of them; unread: looks for changes that failed.",
      labels: ["connector", "result"],
      collect: () => {
        for (const [connector, results] of source.deliveries)
          for (const [result, count] of results) deliveries.set({ connector, result }, count);
      },
    });
    this.#counts = registry.gauge({
      name: "tenon_subscriptions",
      help: "Subscriptions to changes.",
      labels: ["instance", "state"],
    });
    this.#behind = registry.gauge({
      name: "tenon_subscription_lag",
      help: "Changes behind the place of the active subscription that is furthest behind.",
      labels: ["instance"],
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
