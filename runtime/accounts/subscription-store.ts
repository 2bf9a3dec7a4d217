import type { SubscriptionState } from "../contract/subscription.ts";

/** Changes that are sent to a receiver. All times are milliseconds since 1970. */
export interface StoredSubscription {
  readonly id: string;
  /** Id of the caller who owns it. */
  readonly caller: string;
  /** Id of the connector instance. */
  readonly instance: string;
  /** What is sent where, as JSON. */
  readonly content: string;
  /** The secrets that sign deliveries, encrypted. */
  readonly secrets: string;
  readonly state: SubscriptionState;
  /** Why it is not active. */
  readonly reason: string | null;
  /** The change log in which `position` is a sequence number; empty before the first change. */
  readonly log: string;
  /** Sequence number of the first change that is not delivered yet. */
  readonly position: number;
  /** Changes to deliver once more: from the first sequence number to before the second. */
  readonly replayFrom: number | null;
  readonly replayTo: number | null;
  readonly createdAt: number;
  /** When it ends unless somebody renews it; null for never. */
  readonly expiresAt: number | null;
  /** Failed attempts since the last delivery, and when the first of them was. */
  readonly failures: number;
  readonly failingSince: number | null;
  /** When it is tried again. */
  readonly dueAt: number;
  readonly lastAt: number | null;
  /** What the last attempt ended with, such as `200` or `timeout`. */
  readonly lastOutcome: string | null;
  /** Grows with each change of its owner, so that a turn that is under way does not undo it. */
  readonly version: number;
  /** Fencing token: grows with each turn. */
  readonly token: number;
}

export type NewSubscription = Pick<
  StoredSubscription,
  "id" | "caller" | "instance" | "content" | "secrets" | "log" | "position" | "createdAt" | "expiresAt"
>;

/** What is changed by anything but a turn. */
export type SubscriptionChange = Partial<
  Pick<
    StoredSubscription,
    | "content"
    | "secrets"
    | "state"
    | "reason"
    | "log"
    | "position"
    | "replayFrom"
    | "replayTo"
    | "expiresAt"
    | "failures"
    | "failingSince"
    | "dueAt"
  >
>;

/** How a turn of deliveries has ended. */
export interface TurnEnd
  extends Pick<
    StoredSubscription,
    | "id"
    | "token"
    | "version"
    | "state"
    | "reason"
    | "log"
    | "position"
    | "replayFrom"
    | "replayTo"
    | "failures"
    | "failingSince"
    | "lastAt"
    | "lastOutcome"
  > {
  /** Milliseconds until the next turn. */
  readonly wait: number;
}

/** What is known of a subscription without its content, which may be large. */
export type ListedSubscription = Pick<StoredSubscription, "id" | "instance" | "state" | "position" | "failures">;

/** What is known of a subscription that may have something to deliver. */
export type DueSubscription = Pick<
  StoredSubscription,
  "id" | "caller" | "instance" | "log" | "position" | "replayFrom" | "failures"
>;

/** Stores subscriptions to changes. */
export interface SubscriptionStore {
  /** Stores a subscription, and forgets those that have ended. @param most of one caller @returns false when the caller has too many */
  addSubscription(subscription: NewSubscription, most: number): Promise<boolean>;
  /** The oldest first, at most so many. @param caller only those of this caller; null for all */
  listedSubscriptions(caller: string | null, limit: number): Promise<ListedSubscription[]>;
  /** Those of some ids that there are, the oldest first. */
  subscriptions(ids: readonly string[]): Promise<StoredSubscription[]>;
  subscription(id: string): Promise<StoredSubscription | undefined>;
  /** @param ifVersion only while it has this version @returns false when there is none */
  changeSubscription(id: string, change: SubscriptionChange, ifVersion?: number): Promise<boolean>;
  /** @returns false when there is none */
  removeSubscription(id: string): Promise<boolean>;
  /** Active subscriptions that are due and that nobody delivers for now. */
  dueSubscriptions(limit: number): Promise<DueSubscription[]>;
  /** Begins turns, which others do not begin meanwhile. @param ms how long a turn may take @returns those that were free */
  beginTurns(ids: readonly string[], ms: number): Promise<StoredSubscription[]>;
  /** Stores how turns have ended, unless somebody else has begun one since. @returns for each whether it counts */
  endTurns(ends: readonly TurnEnd[]): Promise<boolean[]>;
}
