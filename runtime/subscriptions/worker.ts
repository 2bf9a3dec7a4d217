import type { DueSubscription, StoredSubscription, TurnEnd } from "../accounts/index.ts";
import { fullGrant } from "../accounts/index.ts";
import type { Logger } from "../base/logger.ts";
import { SharedRoom } from "../base/shared-room.ts";
import { type FeedPosition, lastPosition } from "../changes/index.ts";
import type { ConnectorInstance } from "../execute/index.ts";
import type { DeliveryResult } from "./deliveries.ts";
import { subscriptionLimits } from "./limits.ts";
import { type TurnOptions, takeTurn, turnLease } from "./turn.ts";

/** Milliseconds between two looks for changes, and where no subscription is due. */
const period = 200;
const idle = 500;
/** Subscriptions that one look considers. */
const mostDue = 10_000;

/** A turn, of whose subscription it is, and whether its receiver has failed before. */
interface Turn {
  readonly caller: string;
  readonly isFailing: boolean;
  readonly ended: Promise<void>;
}

/** What is counted: deliveries, and looks at an instance whose changes could not be read. */
type Counted = DeliveryResult | "unread";

/** How many deliveries have ended how, by connector. */
export type DeliveryTotals = ReadonlyMap<string, ReadonlyMap<Counted, number>>;

export interface SubscriptionWorkerOptions extends Omit<TurnOptions, "signal" | "count"> {
  readonly log: Logger;
  /** Milliseconds for which a turn holds its subscription, for a test. */
  readonly lease?: number;
  /** Milliseconds between two looks for changes, for a simulation. */
  readonly period?: number;
  /** Whether the audit log has an entry for each subscription that stops. */
  readonly audits: boolean;
}

/**
 * Delivers what subscriptions want. Several processes may do so: each turn begins in one of them. A receiver that is slow or away delays no
 * other one, because each has turns of its own, and those that failed share a few places.
 */
export class SubscriptionWorker {
  readonly #options: SubscriptionWorkerOptions;
  readonly #end = new AbortController();
  /** Turns under way, by the ids of the subscriptions. */
  readonly #turns = new Map<string, Turn>();
  readonly #totals = new Map<string, Map<Counted, number>>();
  /** Ids of instances whose changes could not be read at the last look. */
  readonly #unread = new Set<string>();
  #ends: TurnEnd[] = [];
  #storing = Promise.resolve();
  #looking: Promise<void> | undefined;
  #isWoken = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SubscriptionWorkerOptions) {
    this.#options = options;
  }

  /** It grows while deliveries end. */
  get totals(): DeliveryTotals {
    return this.#totals;
  }

  start(): void {
    this.#wait(0);
  }

  /** Looks for changes now, because there are some. */
  wake(): void {
    if (this.#timer === undefined) return;
    if (this.#looking === undefined) this.#wait(0);
    else this.#isWoken = true;
  }

  /** Ends the deliveries under way; what they have not delivered is delivered again. */
  async stop(): Promise<void> {
    this.#end.abort();
    clearTimeout(this.#timer);
    await this.#looking;
    await Promise.all([...this.#turns.values()].map(({ ended }) => ended));
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#end.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().then((isAnyDue) => {
        this.#looking = undefined;
        this.#wait(this.#isWoken ? 0 : (this.#options.period ?? (isAnyDue ? period : idle)));
        this.#isWoken = false;
      });
    }, ms).unref();
  }

  /** Begins turns of the subscriptions that have something to deliver. @returns whether any is due */
  async #look(): Promise<boolean> {
    const { store, log, lease = turnLease } = this.#options;
    try {
      const due = (await store.dueSubscriptions(mostDue)).filter(({ id }) => !this.#turns.has(id));
      const chosen = this.#choose(await this.#withChanges(due));
      if (chosen.length > 0) for (const stored of await store.beginTurns(chosen, lease)) this.#begin(stored);
      return due.length > 0 || this.#turns.size > 0;
    } catch (thrown) {
      log.warn({ err: thrown }, "subscriptions could not be read");
      return false;
    }
  }

  /** Those behind whose position the log of their instance has something. */
  async #withChanges(due: readonly DueSubscription[]): Promise<DueSubscription[]> {
    const found = [...Map.groupBy(due, ({ instance }) => instance)].map(async ([id, own]) => {
      const instance = await this.#options.find(id, fullGrant).catch(() => undefined);
      // A turn finds out why there is none.
      const last = instance === undefined ? undefined : await this.#lastPosition(id, instance);
      if (last === "unread") return [];
      return own.filter(
        ({ replayFrom, log, position }) =>
          replayFrom !== null || last === undefined || last.log !== log || last.from !== position,
      );
    });
    return (await Promise.all(found)).flat();
  }

  /** The position behind the last change of an instance. Where it cannot be read, the subscriptions of other instances go on. */
  async #lastPosition(id: string, instance: ConnectorInstance): Promise<FeedPosition | "unread"> {
    try {
      const last = await lastPosition(instance);
      this.#unread.delete(id);
      return last;
    } catch (thrown) {
      this.#count(instance.connector.name, "unread");
      // There is a look several times a second.
      if (!this.#unread.has(id))
        this.#options.log.warn({ err: thrown, instance: id }, "changes for subscriptions could not be read");
      this.#unread.add(id);
      return "unread";
    }
  }

  #count(connector: string, result: Counted): void {
    const own = this.#totals.get(connector) ?? new Map<Counted, number>();
    this.#totals.set(connector, own.set(result, (own.get(result) ?? 0) + 1));
  }

  /** Ids of those for which there is a place. One caller cannot take all: its receivers may respond as late as they may. */
  #choose(wanted: readonly DueSubscription[]): string[] {
    const pick = (isFailing: boolean, most: number) => {
      const places = new SharedRoom(most);
      for (const turn of this.#turns.values()) if (turn.isFailing === isFailing) places.take(turn.caller, 1);
      return wanted.filter(({ caller, failures }) => {
        const has = failures > 0 === isFailing && places.has(caller, 1);
        if (has) places.take(caller, 1);
        return has;
      });
    };
    return [...pick(false, subscriptionLimits.turns), ...pick(true, subscriptionLimits.failingTurns)].map(({ id }) => id);
  }

  #begin(stored: StoredSubscription): void {
    const { log } = this.#options;
    const count = (connector: string, result: DeliveryResult) => this.#count(connector, result);
    const ended = takeTurn({ ...this.#options, count, signal: this.#end.signal }, stored)
      .then(({ end, hasMore }) => this.#store(end, stored, hasMore))
      .catch((thrown: unknown) => {
        // Its lease ends by itself.
        log.warn({ err: thrown, subscription: stored.id }, "a subscription could not be delivered");
      })
      .finally(() => this.#turns.delete(stored.id));
    this.#turns.set(stored.id, { caller: stored.caller, isFailing: stored.failures > 0, ended });
  }

  /** Stores the end of a turn, together with those of other turns that end meanwhile. */
  async #store(end: TurnEnd, stored: StoredSubscription, hasMore: boolean): Promise<void> {
    this.#ends.push(end);
    this.#storing = this.#storing.then(() => this.#storeAll());
    await this.#storing;
    if (end.state !== "active") await this.#report(end, stored);
    // The next turn need not wait for the next look.
    if (hasMore && this.#looking === undefined) this.#wait(0);
  }

  async #storeAll(): Promise<void> {
    const { store, log } = this.#options;
    const ends = this.#ends;
    this.#ends = [];
    if (ends.length === 0) return;
    await store.endTurns(ends).catch((thrown: unknown) => {
      // Their leases end by themselves, and what they have delivered is delivered again.
      log.warn({ err: thrown }, "how far subscriptions are could not be stored");
    });
  }

  async #report({ id, state, reason }: TurnEnd, { caller }: StoredSubscription): Promise<void> {
    const { store, log, audits } = this.#options;
    log.warn({ subscription: id, state, reason }, "a subscription delivers nothing any longer");
    if (!audits) return;
    const entry = { at: Date.now(), caller, action: "subscription.stop", target: id, outcome: reason ?? state };
    await store.audit([{ ...entry, requestId: null, intent: null, times: 1 }]);
  }
}
