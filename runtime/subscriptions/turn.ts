import type { AccountStore, SecretKeys, StoredSubscription, TurnEnd } from "../accounts/index.ts";
import { continued, cursorOf, type FeedRequest, readFeed } from "../changes/index.ts";
import type { StopReason } from "../contract/index.ts";
import type { ConnectorInstance } from "../execute/index.ts";
import { contentOf, requestOf, type SubscriptionContent } from "./content.ts";
import { type Delivered, type Delivery, type DeliveryResult, deliver } from "./deliveries.ts";
import { retryDelays } from "./limits.ts";
import { changeMessage, truncatedMessage } from "./message.ts";
import { allowedNow, type FindInstance } from "./owner.ts";
import type { Sent } from "./send.ts";
import { openSigning } from "./signature.ts";

export interface TurnOptions {
  readonly store: AccountStore;
  readonly keys: SecretKeys;
  readonly find: FindInstance;
  /** Connects to the addresses that are allowed for receivers. */
  readonly send: typeof globalThis.fetch;
  /** Counts deliveries. @param connector name of the connector */
  readonly count: (connector: string, result: DeliveryResult) => void;
  readonly signal: AbortSignal;
}

/** Milliseconds for which a turn holds its subscription: more than it takes. */
export const turnLease = 60_000;
/** Milliseconds until the next turn where this service lacks something. */
const later = 5_000;

type Progress = Partial<Omit<TurnEnd, "id" | "token" | "version">>;

/** How a turn has ended, and whether there may be more to deliver at once. */
export interface Turned {
  readonly end: TurnEnd;
  readonly hasMore: boolean;
}

/**
 * Delivers the next changes of a subscription: those of one record one after the other, those of different records at the same time. While
 * its receiver fails, it sends one change only.
 *
 * @throws TenonError when the accounts or the context store cannot be read
 */
export async function takeTurn(options: TurnOptions, stored: StoredSubscription): Promise<Turned> {
  const { store, keys, find, signal } = options;
  const content = contentOf(stored);
  const ended = (progress: Progress, hasMore = false): Turned => ({ end: endOf(stored, progress), hasMore });
  const paused = (reason: StopReason) => ended({ state: "paused", reason });
  const look = () => allowedNow(store, find, stored, content);
  const allowed = await look();
  if (allowed.kind === "pause") return paused(allowed.reason);
  if (allowed.kind === "wait") return ended({ wait: later });
  const { instance, entities } = allowed;
  const secrets = openSigning(keys, stored.id, stored.secrets);
  if (secrets === undefined) return paused("secret_lost");
  const request = requestIn(instance, content);
  if (request === undefined) return paused("unknown_names");

  const { replayFrom, replayTo } = stored;
  const isReplay = replayFrom !== null;
  const after = { log: stored.log, from: replayFrom ?? stored.position };
  const { data, meta } = await readFeed(instance, { ...request, after }, { entities, caller: stored.caller, signal });
  const next = continued(request, { meta }).after ?? after;
  const origin = { subscription: stored.id, log: next.log, watermark: cursorOf(request, after) };
  const count = (result: DeliveryResult) => options.count(instance.connector.name, result);
  const entries = data.filter(({ sequence }) => replayTo === null || sequence < replayTo);
  const changes = entries.map(
    (entry): Delivery => ({
      sequence: entry.sequence,
      record: JSON.stringify([entry.entity, entry.key]),
      message: () => changeMessage(content, origin, entry),
    }),
  );
  const gap: Delivery = {
    sequence: after.from,
    record: "",
    message: () => truncatedMessage(content, origin, next.from, meta.cursor),
  };
  const wanted = meta.truncated ? [gap] : changes;
  const given = stored.failures > 0 ? wanted.slice(0, 1) : wanted;
  const done = await deliver({ ...options, content, secrets, count, look }, given);
  const reached = done.firstLeft ?? wanted[given.length]?.sequence ?? next.from;
  const isReplayed = reached >= (replayTo ?? 0) || (reached === next.from && !meta.has_more);
  const moved: Progress = isReplay
    ? isReplayed
      ? { replayFrom: null, replayTo: null }
      : { replayFrom: reached }
    : { log: next.log, position: reached };
  const hasMore = isReplay || meta.has_more || reached < next.from;
  return ended({ ...moved, ...outcomeOf(stored, done, reached > after.from) }, hasMore && done.failed === undefined);
}

/** @returns undefined when the connector does not have the names of the subscription any longer */
function requestIn(instance: ConnectorInstance, content: SubscriptionContent): FeedRequest | undefined {
  try {
    return requestOf(instance, content);
  } catch {
    return undefined;
  }
}

function outcomeOf(stored: StoredSubscription, { failed, paused, last }: Delivered, hasMoved: boolean): Progress {
  const tried = last === undefined ? {} : { lastAt: last.at, lastOutcome: last.outcome };
  if (failed !== undefined) return { ...tried, ...failure(hasMoved ? 0 : stored.failures, stored.failingSince, failed) };
  const well = last === undefined ? {} : { failures: 0, failingSince: null };
  return { ...tried, ...well, ...(paused === undefined ? {} : { state: "paused" as const, reason: paused }) };
}

/** When a receiver that failed is tried again. @param failures those before */
function failure(failures: number, since: number | null, { kind, outcome }: Sent): Progress {
  const failed = { failures: failures + 1, failingSince: failures === 0 ? Date.now() : since, lastOutcome: outcome };
  if (kind === "refused") return { ...failed, state: "disabled", reason: "receiver_gone" satisfies StopReason };
  const wait = retryDelays[failures];
  if (wait !== undefined) return { ...failed, wait };
  return { ...failed, state: "disabled", reason: "receiver_failed" satisfies StopReason };
}

function endOf(stored: StoredSubscription, progress: Progress): TurnEnd {
  const { id, token, version, state, reason, log, position, replayFrom, replayTo, failures, failingSince } = stored;
  const { lastAt, lastOutcome } = stored;
  const before = { id, token, version, state, reason, log, position, replayFrom, replayTo, failures, failingSince };
  return { ...before, lastAt, lastOutcome, wait: 0, ...progress };
}
