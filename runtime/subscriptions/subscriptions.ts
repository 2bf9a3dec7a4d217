import { randomBytes } from "node:crypto";
import {
  type AccountStore,
  type Caller,
  hasRight,
  mayUseEntity,
  type NewSubscription,
  type SecretKeys,
  type StoredSubscription,
  type SubscriptionChange,
  seesEveryInstance,
} from "../accounts/index.ts";
import { asTenonError, invalidRequest, shown, TenonError } from "../base/errors.ts";
import { Faults } from "../base/faults.ts";
import { Rounds } from "../base/rounds.ts";
import { Turns } from "../base/turns.ts";
import { continued, cursorOf, type FeedRequest, lastPosition } from "../changes/index.ts";
import type { WebhookSubscription } from "../contract/index.ts";
import type { ConnectorInstance } from "../execute/index.ts";
import { type CheckedContent, checkContent, contentOf, requestOf } from "./content.ts";
import { errorCategory, eventSubscriptionId, lifetimeOf, refusalOf } from "./event.ts";
import { subscriptionLimits } from "./limits.ts";
import { eventOf } from "./message.ts";
import { isSecret, newSecret, openSigning, rotated, sealSigning } from "./signature.ts";
import { subscriptionOf } from "./view.ts";

export interface SubscriptionsOptions {
  readonly store: AccountStore;
  /** Absent where there is no secret key. */
  readonly keys: SecretKeys | undefined;
  readonly allowPrivate: boolean;
  /** Connects to the addresses that are allowed for receivers. */
  readonly send: typeof globalThis.fetch;
}

/** What a client of MCP wants to hear of. */
export interface EventSubscription {
  readonly connectorId: string;
  /** Name of the event, which is about one entity. */
  readonly event: string;
  readonly entity: string;
  readonly args: { readonly filter?: unknown; readonly fields?: unknown };
  readonly url: unknown;
}

/** A subscription of a client of MCP after it was made or renewed, or why its address does not want it. */
export type EventGrant =
  | {
      readonly kind: "granted";
      readonly subscription: WebhookSubscription;
      /** Before which everything was taken. */
      readonly cursor: string;
      /** What the last delivery failed with, in the words of MCP; undefined for a new subscription. */
      readonly lastError?: string | null;
    }
  | { readonly kind: "refused"; readonly reason: string };

/** Who manages subscriptions. */
export interface Manager {
  readonly caller: Caller;
  /** Finds an instance that the caller sees. @throws TenonError */
  readonly find: (id: string) => Promise<ConnectorInstance>;
}

export interface InstanceSubscriptions {
  readonly instance: string;
  readonly counts: ReadonlyMap<string, number>;
  /** Changes in the log behind the position of the active subscription that is furthest behind. */
  readonly behind: number;
}

type Given = Readonly<Record<string, unknown>>;

/** A subscription with its new secret, which is shown once. */
export type WithSecret = WebhookSubscription & { readonly secret: string };

/** Subscriptions that one list has. */
const mostListed = 1_000;
/** Subscriptions whose contents are read at once, and milliseconds between two readings: those of one caller may have megabytes. */
const readAtOnce = 20;
const readPause = 10;
/** Lists that are made at once: each is in memory. */
const listsAtOnce = 2;
const hour = 3_600_000;
const states = ["active", "paused"] as const;

/**
 * The subscriptions of callers. Each caller sees its own; those with the right `admin` see all. All methods throw TenonError,
 * `unknown_subscription` for one that the caller does not see too.
 */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #lists = new Turns(listsAtOnce);
  readonly #readings = new Rounds({ most: 1, pause: readPause });

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  async list(manager: Manager): Promise<WebhookSubscription[]> {
    const { grant, id } = manager.caller;
    return this.#lists.run(id, async () => {
      const found: WebhookSubscription[] = [];
      for await (const stored of this.#stored(hasRight(grant, "admin") ? null : id, mostListed, id))
        if (await sees(manager, stored)) found.push(subscriptionOf(stored));
      return found;
    });
  }

  /** Reads subscriptions, the oldest first, some at a time. @param whose those of this caller; null for all @param reader for whom */
  async *#stored(whose: string | null, most: number, reader: string): AsyncGenerator<StoredSubscription> {
    const { store } = this.#options;
    const ids = (await store.listedSubscriptions(whose, most)).map(({ id }) => id);
    for (let at = 0; at < ids.length; at += readAtOnce)
      yield* await this.#readings.take(reader, () => store.subscriptions(ids.slice(at, at + readAtOnce)));
  }

  /** What the metrics show of each instance that has subscriptions. @param find throws where the instance cannot be used */
  async states(find: Manager["find"]): Promise<readonly InstanceSubscriptions[]> {
    if (this.#options.keys === undefined) return [];
    const all = await this.#options.store.listedSubscriptions(null, mostListed);
    const found = [...Map.groupBy(all, ({ instance }) => instance)].map(async ([instance, own]) => {
      const last = await find(instance).then(lastPosition, () => undefined);
      const active = own.filter(({ state }) => state === "active");
      const behind = active.map(({ position }) => Math.max(0, (last?.from ?? position) - position));
      const counts = new Map(
        Map.groupBy(own, ({ state }) => state)
          .entries()
          .map(([state, some]) => [state, some.length]),
      );
      return { instance, counts, behind: Math.max(0, ...behind) };
    });
    return Promise.all(found);
  }

  async get(id: string, manager: Manager): Promise<WebhookSubscription> {
    return subscriptionOf(await this.#find(id, manager));
  }

  /** @param given `connector_id`, `url`, and what checkContent takes; `cursor` where delivery begins, usually behind the last change */
  async create(given: Given, { caller, find }: Manager): Promise<WithSecret> {
    const { instance, content, request } = await this.check(given, { caller, find });
    const keys = this.#keys();
    const id = `sub_${randomBytes(9).toString("base64url").replaceAll(/[-_]/g, "0")}`;
    const secret = newSecret();
    await this.#add({
      id,
      caller: caller.id,
      instance: instance.id,
      content: JSON.stringify(content),
      secrets: sealSigning(keys, id, [{ secret, until: null }]),
      ...(await startOf(instance, request)),
      createdAt: Date.now(),
      expiresAt: null,
    });
    return { ...(await this.get(id, { caller, find })), secret };
  }

  /** Checks what `create` would make. */
  async check(given: Given, { caller, find }: Manager): Promise<CheckedContent & { readonly instance: ConnectorInstance }> {
    const { connector_id: connectorId, cursor = "latest", ...rest } = given;
    if (typeof connectorId !== "string") {
      const faults = new Faults();
      faults.add(["connector_id"], "wrong_type", "connector_id must be the id of a connector.");
      throw invalidRequest(faults.list);
    }
    requireStored(caller);
    const instance = await find(connectorId);
    return { instance, ...this.#check(instance, { ...rest, cursor }, ["cursor"], caller) };
  }

  /**
   * Makes or renews a subscription of a client of MCP, which brings its own secret. It ends unless it is renewed in time.
   *
   * @param more `secret`, `cursor` where delivery begins, and `ttlMs`, milliseconds that it should last (null: as long as possible)
   */
  async subscribeEvent(
    wanted: EventSubscription,
    more: { readonly secret: string; readonly cursor: string | undefined; readonly ttlMs: number | null | undefined },
    { caller, find }: Manager,
  ): Promise<EventGrant> {
    requireStored(caller);
    const { connectorId, entity, args, event, url } = wanted;
    const { secret, cursor = "latest" } = more;
    const faults = new Faults();
    if (!isSecret(secret))
      faults.add(["delivery", "secret"], "wrong_form", "secret must be whsec_ and base64 of 24 to 64 bytes.");
    if (faults.any) throw invalidRequest(faults.list);
    const instance = await find(connectorId);
    const { content, request } = this.#check(instance, { ...args, entity: [entity], url, cursor }, ["cursor"], caller);
    const { store, send } = this.#options;
    const keys = this.#keys();
    const id = eventSubscriptionId(caller.id, content.url, event, args);
    const now = Date.now();
    const expiresAt = now + lifetimeOf(more.ttlMs);
    const granted = async (lastError?: string | null): Promise<EventGrant> => {
      const stored = await this.#find(id, { caller, find });
      const cursor = cursorOf(request, { log: stored.log, from: stored.position });
      const known = lastError === undefined ? {} : { lastError };
      return { kind: "granted", subscription: subscriptionOf(stored), cursor, ...known };
    };
    const known = await store.subscription(id);
    if (known !== undefined) {
      const secrets = rotated(secret, openSigning(keys, id, known.secrets) ?? [], hour, now);
      await this.#change(known, { secrets: sealSigning(keys, id, secrets), expiresAt, ...stateOf(true) });
      return granted(errorCategory(known.lastOutcome));
    }
    const isKnown = await this.#sendsEventsTo(content.url, caller);
    const reason = isKnown ? undefined : await refusalOf(send, { url: content.url, secret, id });
    if (reason !== undefined) return { kind: "refused", reason };
    const secrets = sealSigning(keys, id, [{ secret, until: null }]);
    await this.#add({
      ...{ id, caller: caller.id, instance: instance.id, content: JSON.stringify({ ...content, event }), secrets },
      ...(await startOf(instance, request)),
      ...{ createdAt: now, expiresAt },
    });
    return granted();
  }

  /** Whether a client of MCP has a subscription to this address already. */
  async #sendsEventsTo(url: string, { id }: Caller): Promise<boolean> {
    for await (const stored of this.#stored(id, subscriptionLimits.ofCaller, id)) {
      const content = contentOf(stored);
      if (content.event !== undefined && content.url === url) return true;
    }
    return false;
  }

  /** Ends a subscription of a client of MCP. @returns its id */
  async unsubscribeEvent({ url, event, args }: EventSubscription, manager: Manager): Promise<string> {
    const id = eventSubscriptionId(manager.caller.id, String(url), event, args);
    await this.remove(id, manager);
    return id;
  }

  /** Changes what is sent where, or pauses and resumes. Its position in the log stays. */
  async update(id: string, given: Given, manager: Manager): Promise<WebhookSubscription> {
    const stored = await this.#find(id, manager);
    requireOwner(stored, manager.caller);
    const { state, ...rest } = given;
    const faults = new Faults();
    if (state !== undefined && !states.some((one) => one === state))
      faults.notAllowed(["state"], "A subscription can be active or paused.", state, states);
    if (faults.any) throw invalidRequest(faults.list);
    const before = contentOf(stored);
    const merged = Object.entries({ ...before, ...rest }).filter(([name]) => name !== "event");
    const instance = await manager.find(stored.instance);
    const { content } = this.#check(instance, Object.fromEntries(merged), ["state"], manager.caller);
    const text = JSON.stringify(before.event === undefined ? content : { ...content, event: before.event });
    const change: SubscriptionChange = { content: text };
    return this.#change(stored, { ...change, ...(state === undefined ? {} : stateOf(state === "active")) });
  }

  async remove(id: string, manager: Manager): Promise<void> {
    await this.#options.store.removeSubscription((await this.#find(id, manager)).id);
  }

  /** @param given `overlap_hours` for which the former secret signs too */
  async rotate(id: string, given: Given, manager: Manager): Promise<WithSecret> {
    const stored = await this.#find(id, manager);
    requireOwner(stored, manager.caller);
    const { default: usual, most } = subscriptionLimits.overlap;
    const { overlap_hours: hours = usual } = given;
    const faults = new Faults();
    faults.unknownNames([], "unknown_member", given, ["overlap_hours"], () => "A rotation takes only overlap_hours.");
    if (typeof hours !== "number" || !Number.isInteger(hours) || hours < 0 || hours > most)
      faults.add(["overlap_hours"], "out_of_range", `overlap_hours must be a whole number from 0 to ${most}.`);
    if (faults.any) throw invalidRequest(faults.list);
    const keys = this.#keys();
    const secret = newSecret();
    const former = openSigning(keys, stored.id, stored.secrets) ?? [];
    const secrets = rotated(secret, former, Number(hours) * hour, Date.now());
    return { ...(await this.#change(stored, { secrets: sealSigning(keys, stored.id, secrets) })), secret };
  }

  /**
   * Delivers changes once more.
   *
   * @param given `from`: the `webhook-id` of the first one, its sequence number, or the cursor of the change before it; `to`: the
   *   `webhook-id` or sequence number of the last one, absent for all up to now
   */
  async redeliver(id: string, given: Given, manager: Manager): Promise<WebhookSubscription> {
    const stored = await this.#find(id, manager);
    const faults = new Faults();
    faults.unknownNames([], "unknown_member", given, ["from", "to"], () => "A redelivery takes from and to.");
    const start = given["from"];
    const isCursor = typeof start === "string" && !start.startsWith("evt_");
    const behind = isCursor ? positionBehind(await manager.find(stored.instance), stored, start) : undefined;
    const from = behind ?? sequenceOf(stored, start, "from", faults);
    const to = given["to"] === undefined ? undefined : sequenceOf(stored, given["to"], "to", faults);
    if (from !== undefined && to !== undefined && to < from) faults.add(["to"], "out_of_range", "to must not be before from.");
    // A cursor may stand for the end of what was delivered, after which a receiver has nothing to repair.
    if (from !== undefined && behind === undefined && from >= stored.position)
      faults.add(["from"], "out_of_range", nothingBehind(stored));
    if (faults.any || from === undefined) throw invalidRequest(faults.list);
    if (from >= stored.position) return subscriptionOf(stored);
    const end = Math.min(stored.position, to === undefined ? stored.position : to + 1);
    return this.#change(stored, { replayFrom: from, replayTo: end, dueAt: 0, ...stateOf(true) });
  }

  async #add(subscription: NewSubscription): Promise<void> {
    const { ofCaller } = subscriptionLimits;
    if (await this.#options.store.addSubscription(subscription, ofCaller)) return;
    throw new TenonError("too_many_subscriptions", `This caller has ${ofCaller} subscriptions already.`);
  }

  async #change(stored: StoredSubscription, change: SubscriptionChange): Promise<WebhookSubscription> {
    const { store } = this.#options;
    await store.changeSubscription(stored.id, change);
    const changed = await store.subscription(stored.id);
    if (changed === undefined) throw unknown(stored.id);
    return subscriptionOf(changed);
  }

  async #find(id: string, manager: Manager): Promise<StoredSubscription> {
    const stored = await this.#options.store.subscription(id);
    if (stored === undefined || !(await sees(manager, stored))) throw unknown(id);
    return stored;
  }

  #check(instance: ConnectorInstance, given: Given, more: readonly string[], { grant }: Caller): CheckedContent {
    const checked = checkContent(instance, given, more, this.#options.allowPrivate);
    const foreign = checked.content.entity?.find((one) => !mayUseEntity(grant, one));
    if (foreign !== undefined) throw new TenonError("forbidden", `This token does not allow the entity "${shown(foreign)}".`);
    if (!hasRight(grant, "read")) throw new TenonError("forbidden", 'This token does not have the right "read".');
    return checked;
  }

  #keys(): SecretKeys {
    const { keys } = this.#options;
    if (keys === undefined)
      throw new TenonError("invalid_request", "Subscriptions need a secret key: the operator sets TENON_SECRET_KEY.");
    return keys;
  }
}

/** Whether a subscription exists for a caller: its owner, and whoever has the right `admin` for all of which it sends changes. */
async function sees({ caller: { id, grant }, find }: Manager, stored: StoredSubscription): Promise<boolean> {
  if (stored.caller === id) return true;
  if (!hasRight(grant, "admin")) return false;
  const { entity } = contentOf(stored);
  if (grant.entities !== null && (entity === null || !entity.every((one) => mayUseEntity(grant, one)))) return false;
  // Its connector may be gone, but then only somebody who sees all connectors learns of it.
  if (seesEveryInstance(grant)) return true;
  return find(stored.instance).then(
    () => true,
    (thrown) => asTenonError(thrown).code !== "unknown_connector",
  );
}

/** A subscription acts for its owner later, so the owner must be known then. */
function requireStored({ issued }: Caller): void {
  if (issued === true)
    throw new TenonError(
      "forbidden",
      "A token of another issuer cannot own a subscription: use a key or a client of this service.",
    );
}

/** Whoever may see a subscription of others may not send their changes elsewhere, nor learn their secrets. */
function requireOwner({ caller }: StoredSubscription, { id }: Caller): void {
  if (caller !== id) throw new TenonError("forbidden", "Only its owner changes a subscription, or rotates its secret.");
}

function stateOf(isActive: boolean): SubscriptionChange {
  if (!isActive) return { state: "paused", reason: "by_owner" };
  return { state: "active", reason: null, failures: 0, failingSince: null, dueAt: 0 };
}

/** Where delivery begins. */
async function startOf(instance: ConnectorInstance, { after }: FeedRequest): Promise<{ log: string; position: number }> {
  if (after !== undefined && after !== "latest") return { log: after.log, position: after.from };
  const { log, from } = await lastPosition(instance);
  return after === undefined ? { log: "", position: 0 } : { log, position: from };
}

/** The sequence number behind a cursor; undefined for one that is not of the changes that a subscription sends. */
function positionBehind(instance: ConnectorInstance, stored: StoredSubscription, cursor: string): number | undefined {
  const found = continued(requestOf(instance, contentOf(stored)), { meta: { cursor } }).after;
  return found !== undefined && ["", stored.log].includes(found.log) ? found.from : undefined;
}

function sequenceOf(stored: StoredSubscription, given: unknown, name: string, faults: Faults): number | undefined {
  if (typeof given === "number" && Number.isSafeInteger(given) && given >= 0) return given;
  const named = typeof given === "string" ? eventOf(stored.id, given) : undefined;
  if (named !== undefined && named.log === stored.log) return named.sequence;
  return faults.add(
    [name],
    "wrong_form",
    `${name} must be the webhook-id of a delivery of this subscription, or its sequence number${name === "from" ? ", or the cursor of the change before it" : ""}.`,
  );
}

/** Why nothing can be delivered once more. */
function nothingBehind({ position }: StoredSubscription): string {
  return position === 0
    ? "Nothing was delivered yet that could be delivered once more."
    : `from must be before ${position}, the first change that is not delivered yet.`;
}

function unknown(id: string): TenonError {
  return new TenonError("unknown_subscription", `There is no subscription "${shown(id)}".`);
}
