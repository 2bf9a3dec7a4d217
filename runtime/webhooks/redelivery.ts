import { randomUUID } from "node:crypto";
import type { HintStore } from "../accounts/index.ts";
import { asTenonError } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import { actionOf, pagingOf, type WebhookCalls } from "../contract/index.ts";
import type { ConnectorInstance, ExecuteContext } from "../execute/index.ts";
import type { AddedWebhook, AddedWebhooks } from "./added-webhooks.ts";
import type { WebhookInbox } from "./inbox.ts";
import { call, deliveriesOf, isGood, type SentDelivery, setupOf } from "./manage.ts";

/** Milliseconds between two looks at what a platform could not deliver, and after a start, when another process may have looked. */
const period = 10 * 60_000;
const afterStart = 2_000;
/** Milliseconds that one call may take. */
const patience = 30_000;
/** Pages of a webhook's list that one look reads. */
const mostPages = 5;
/** Deliveries of a webhook that one look requests again. Where more are missing, its scope is synced as a whole. */
export const mostAgain = 50;
/** After so many tries, a delivery is left alone: the scheduled sync reads what it named. */
const mostTries = 3;

export interface RedeliveryOptions {
  readonly added: AddedWebhooks;
  readonly hints: HintStore;
  readonly inbox: WebhookInbox;
  /** Ids of all instances. */
  readonly instances: () => Promise<readonly string[]>;
  readonly find: (id: string) => Promise<ConnectorInstance | undefined>;
  readonly log: Logger;
}

/** Has platforms send again what they could not deliver, as after an outage of this service. One process at a time looks. */
export class Redelivery {
  readonly #options: RedeliveryOptions;
  readonly #end = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: RedeliveryOptions) {
    this.#options = options;
  }

  start(): void {
    this.#wait(0, afterStart);
  }

  async stop(): Promise<void> {
    this.#end.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  #wait(ms: number, age: number): void {
    if (this.#end.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#look(age).finally(() => this.#wait(period, period / 2));
    }, ms).unref();
  }

  /** @param age milliseconds since the last look at a webhook */
  async #look(age: number): Promise<void> {
    const { added, instances, find, log } = this.#options;
    try {
      for (const id of await instances()) {
        if (this.#end.signal.aborted || (await added.of(id)).every((one) => one.id === null)) continue;
        const instance = await find(id);
        if (instance === undefined) continue;
        for (const webhook of await added.claim(id, Date.now() - age)) await this.#ofWebhook(instance, webhook);
      }
    } catch (thrown) {
      log.warn({ err: asTenonError(thrown) }, "what platforms could not deliver could not be looked up");
    }
  }

  async #ofWebhook(instance: ConnectorInstance, webhook: AddedWebhook): Promise<void> {
    const { log } = this.#options;
    const about = { connector: instance.id, scope: webhook.scope };
    try {
      const { setup, scope } = setupOf(instance, webhook.scope);
      const { deliveries, redeliver } = setup.scopes?.[scope.kind] ?? {};
      if (deliveries === undefined || redeliver === undefined) return;
      const context = (): ExecuteContext => ({
        timeout: patience,
        signal: this.#end.signal,
        log,
        requestId: randomUUID(),
        background: true,
      });
      const place = { instance, context };
      const failed = await this.#failed(place, webhook, { deliveries, redeliver });
      const missing = await this.#missing(instance.id, failed);
      if (missing.length === 0) return;
      if (missing.length > mostAgain) {
        const hint = { instance: instance.id, scope: scope.name, entity: "", kind: "scope", key: "", params: "{}" } as const;
        await this.#options.inbox.receive({ instance: instance.id, id: `redelivery ${randomUUID()}`, hints: [hint] });
        log.warn({ ...about, missing: missing.length }, "many webhooks were not delivered; all of the scope is synced");
        return;
      }
      for (const { id } of missing) {
        if (this.#end.signal.aborted) return;
        await call(place, scope, redeliver, { id: webhook.id, delivery: id });
      }
      log.info({ ...about, requested: missing.length }, "webhooks that were not delivered are requested again");
    } catch (thrown) {
      if (!this.#end.signal.aborted)
        log.warn({ err: asTenonError(thrown), ...about }, "webhooks that were not delivered could not be requested again");
    }
  }

  /** What the platform could not deliver lately. */
  async #failed(
    place: { readonly instance: ConnectorInstance; readonly context: () => ExecuteContext },
    { scope: name, id }: AddedWebhook,
    { deliveries, redeliver }: Required<Pick<WebhookCalls, "deliveries" | "redeliver">>,
  ): Promise<SentDelivery[]> {
    const { scope } = setupOf(place.instance, name);
    const [entity, action] = deliveries.call.split(".", 2);
    const operation = actionOf(place.instance.connector, entity, action)?.operation;
    const cursor = operation && pagingOf(operation)?.cursor;
    const found: SentDelivery[] = [];
    for (let page = 0, after: unknown; page < mostPages; page++) {
      const more = cursor === undefined || after === undefined ? {} : { [cursor]: after };
      const params = { ...deliveries.params, ...redeliver.among, ...(more as Readonly<Record<string, string>>) };
      const result = await call(place, scope, { ...deliveries, params }, { id });
      found.push(...deliveriesOf(result, deliveries).filter(({ status }) => !isGood(status)));
      after = result.meta["end_cursor"];
      if (result.meta["has_next_page"] !== true || cursor === undefined) break;
    }
    return found;
  }

  /** Those that did not come in the end, each once. */
  async #missing(instance: string, failed: readonly SentDelivery[]): Promise<SentDelivery[]> {
    const tries = [...Map.groupBy(failed, ({ name }) => name).values()].filter((same) => same.length <= mostTries);
    const latest = tries.flatMap(([one]) => (one === undefined ? [] : [one]));
    if (latest.length === 0) return [];
    const names = latest.map(({ name }) => name);
    const known = new Set(await this.#options.hints.knownDeliveries(instance, names));
    return latest.filter(({ name }) => !known.has(name));
  }
}
