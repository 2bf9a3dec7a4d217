import type { Counter, Registry } from "./series.ts";

/** What webhooks of the platform do for an instance. */
export interface InstanceWebhooks {
  readonly instance: string;
  /** Cached scopes that webhooks keep up to date now, and those of which none come in any longer. */
  readonly webhooks: number;
  readonly schedule: number;
  /** Hints that wait to be followed. */
  readonly waiting: number;
}

/** Instances that have series of their own. */
const mostInstances = 500;

/** The metrics of webhooks of platforms that are read, and not counted. */
export class WebhookGauges {
  readonly #states: () => Promise<readonly InstanceWebhooks[]>;
  readonly #scopes: Counter;
  readonly #waiting: Counter;

  constructor(registry: Registry, states: () => Promise<readonly InstanceWebhooks[]>) {
    this.#states = states;
    this.#scopes = registry.gauge({
      name: "tenon_webhook_scopes",
      help: "Cached scopes of which webhooks have come in: kept up to date by webhooks, or by the schedule since they have stopped.",
      labels: ["instance", "kept_by"],
    });
    this.#waiting = registry.gauge({
      name: "tenon_webhook_hints_waiting",
      help: "What webhooks have named and nobody has read yet.",
      labels: ["instance"],
    });
  }

  /** Looks up the states. The last ones stay while they cannot be read. */
  async refresh(): Promise<void> {
    const states = await this.#states().catch(() => undefined);
    if (states === undefined) return;
    this.#scopes.reset();
    this.#waiting.reset();
    for (const { instance, webhooks, schedule, waiting } of states.slice(0, mostInstances)) {
      this.#scopes.set({ instance, kept_by: "webhooks" }, webhooks);
      this.#scopes.set({ instance, kept_by: "schedule" }, schedule);
      this.#waiting.set({ instance }, waiting);
    }
  }
}
