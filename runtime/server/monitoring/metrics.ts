import { madeOnce } from "../../base/made-once.ts";
import type { EndedCall } from "../../base/platform-use.ts";
import { sharedRead } from "../../base/shared-read.ts";
import type { Gate } from "../gate.ts";
import { HealthGauges, type HealthSource } from "./health-gauges.ts";
import { type Counter, type Histogram, Registry, textType } from "./series.ts";
import { SubscriptionGauges, type SubscriptionSource } from "./subscription-gauges.ts";
import type { Trace } from "./trace.ts";
import { type InstanceWebhooks, WebhookGauges } from "./webhook-gauges.ts";

/** What is known of a request when it has ended. */
export interface EndedRequest {
  /** The pattern of its address; undefined where there is nothing at the address. */
  readonly route: string | undefined;
  readonly method: string;
  /** Undefined where its caller went away before an answer began. */
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly seconds: number;
}

const methods = ["GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"];
const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Instances that have a gauge of their own. The number of time series stays bounded when there are more. */
const mostInstances = 500;

/** Where the metrics of webhooks come from, in both directions. */
interface WebhookSources {
  readonly subscriptions: SubscriptionSource;
  readonly webhooks: () => Promise<readonly InstanceWebhooks[]>;
}

const noWebhooks: WebhookSources = {
  subscriptions: { deliveries: new Map(), states: async () => [] },
  webhooks: async () => [],
};

/** What is measured of the process itself, once for the process and from the first time that somebody reads the metrics. */
const ofProcess = madeOnce(async () => {
  const { collectDefaultMetrics, Registry: PromRegistry } = await import("prom-client");
  const register = new PromRegistry();
  collectDefaultMetrics({ register });
  return register;
});

/**
 * Counts what happens, for Prometheus. Every label has a bounded number of values: patterns of addresses, names of the specs, codes of
 * errors and ids of instances, never a text of a request.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #instances = new Set<string>();
  readonly #requests: Histogram;
  readonly #errors: Counter;
  readonly #actions: Histogram;
  readonly #searches: Histogram;
  readonly #calls: Histogram;
  readonly #queue: Histogram;
  readonly #warnings: Counter;
  readonly #deliveries: Counter;
  readonly #quota: Counter;
  readonly #health: HealthGauges;
  readonly #subscriptions: SubscriptionGauges;
  readonly #webhooks: WebhookGauges;

  constructor(gate: Pick<Gate, "working">, health: HealthSource, { subscriptions, webhooks } = noWebhooks) {
    this.#health = new HealthGauges(this.#registry, health);
    this.#subscriptions = new SubscriptionGauges(this.#registry, subscriptions);
    this.#webhooks = new WebhookGauges(this.#registry, webhooks);
    const histogram = (name: string, help: string, labels: readonly string[]) =>
      this.#registry.histogram({ name, help, labels }, seconds);
    this.#requests = histogram("tenon_request_seconds", "Time of requests.", ["route", "method", "status"]);
    this.#errors = this.#registry.counter({ name: "tenon_errors_total", help: "Errors that were returned.", labels: ["code"] });
    this.#actions = histogram("tenon_action_seconds", "Time of actions.", ["connector", "entity", "action", "outcome"]);
    this.#searches = histogram("tenon_search_seconds", "Time of cached searches.", ["connector"]);
    this.#calls = histogram("tenon_platform_call_seconds", "Time that the platform took for a call.", [
      "connector",
      "api",
      "outcome",
    ]);
    this.#queue = histogram("tenon_platform_queue_seconds", "Time that a call waited for its turn.", ["connector", "api"]);
    this.#warnings = this.#registry.counter({
      name: "tenon_warnings_total",
      help: "Warnings in responses, such as values of another type than the spec declares.",
      labels: ["connector", "entity", "code"],
    });
    this.#deliveries = this.#registry.counter({
      name: "tenon_webhook_deliveries_total",
      help: "Webhooks of platforms that came in, by what became of them.",
      labels: ["connector", "outcome"],
    });
    this.#quota = this.#registry.gauge({
      name: "tenon_platform_quota_left",
      help: "Calls that the platform still allows in this hour.",
      labels: ["instance", "api"],
    });
    const underWay = this.#registry.gauge({
      name: "tenon_requests_under_way",
      help: "Requests that are worked on now.",
      collect: () => underWay.set({}, gate.working),
    });
  }

  /** Counts a call to a platform. */
  called(connector: string, { bucket, waited, took, good }: EndedCall): void {
    this.#calls.of({ connector, api: bucket, outcome: good ? "good" : "refused" }).observe(took / 1000);
    this.#queue.of({ connector, api: bucket }).observe(waited / 1000);
  }

  /** Counts a delivery of a webhook. @param connector undefined for one to no connector */
  delivered(connector: string | undefined, outcome: string): void {
    this.#deliveries.add({ connector: connector ?? "none", outcome });
  }

  /** Counts a request, and the action that it ran. */
  ended(request: EndedRequest, trace: Trace | undefined): void {
    const { route, method, status, seconds: took } = request;
    const labels = { route: route ?? "none", method: methods.includes(method) ? method : "other", status: status ?? "none" };
    this.#requests.of(labels).observe(took);
    this.acted(request, trace);
  }

  /** Counts an action, also one of several in a request. */
  acted({ status, code, seconds: took }: Pick<EndedRequest, "status" | "code" | "seconds">, trace: Trace | undefined): void {
    if (code !== undefined) this.#errors.add({ code });
    const { instance, entity, action } = trace ?? {};
    if (trace === undefined || instance === undefined) return;
    const connector = instance.connector.name;
    if (entity !== undefined && action !== undefined)
      this.#actions.of({ connector, entity, action, outcome: code ?? (status === undefined ? "gone" : "done") }).observe(took);
    if (entity !== undefined) for (const [code, count] of trace.warnings) this.#warnings.add({ connector, entity, code }, count);
    if (trace.store !== undefined) this.#searches.of({ connector }).observe(trace.store / 1000);
    if (trace.calls === 0 || (!this.#instances.has(instance.id) && this.#instances.size >= mostInstances)) return;
    this.#instances.add(instance.id);
    for (const [api, left] of Object.entries(trace.quota ?? {}))
      if (left !== undefined) this.#quota.set({ instance: instance.id, api }, left);
  }

  /**
   * Everything that was counted, in the text format of Prometheus, and its media type. Those who ask at the same time share one reading,
   * because it asks the databases.
   */
  readonly text = sharedRead(() => this.#read());

  async #read(): Promise<{ readonly type: string; readonly text: string }> {
    await Promise.all([this.#health.refresh(), this.#subscriptions.refresh(), this.#webhooks.refresh()]);
    return { type: textType, text: `${this.#registry.text()}\n${await (await ofProcess()).metrics()}` };
  }
}
