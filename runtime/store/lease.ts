import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { TenonError } from "../base/errors.ts";
import { processHasEnded } from "../base/process-liveness.ts";
import type { TakenSyncGroup } from "./store.ts";

// Decision 7 in runtime/site/text/decisions.md says why: a lease has a fencing token.

// Only one owner at a time may sync an entity of a scope, and what is read for its records, or have a whole scope or instance, because the
// sync runs of two would remove each other's records. The name of an owner contains machine and process, so that the lease of a process
// that has crashed can be taken over before it runs out.

/** The right to sync something. */
export interface Lease {
  readonly owner: string;
  /** When the lease runs out, in milliseconds since 1970. */
  readonly until: number;
}

/** What a lease is of. The sync group is empty where it is of the whole scope, and the scope too where it is of the whole instance. */
export interface LeaseOf {
  readonly scope: string;
  readonly syncGroup: string;
}

/** A lease as it is stored. */
export interface StoredLease extends Lease, LeaseOf {
  /** When the scheduled sync began in which this was synced last (ISO 8601); null before the first one. */
  readonly scheduledAt: string | null;
}

/** Who wants which lease. */
export interface LeaseRequest extends LeaseOf {
  readonly owner: string;
  /** When the scheduled sync began for which the lease is (ISO 8601). It is not needed where this was synced in it already. */
  readonly scheduledAt: string | undefined;
}

/**
 * Whether an owner may take a lease.
 *
 * @param held all stored leases that it would overlap, and itself
 * @param now milliseconds since 1970
 * @throws TenonError `unknown_connector` when the instance was removed
 */
export function mayTakeOver(
  held: readonly StoredLease[],
  { scope, syncGroup, owner, scheduledAt }: LeaseRequest,
  now: number,
): boolean {
  if (held.some((one) => one.owner === removedOwner)) throw instanceRemoved();
  // A scope that was synced as a whole needs none of its sync groups.
  const covers = (one: LeaseOf) => one.scope === scope && (one.syncGroup === "" || one.syncGroup === syncGroup);
  if (scheduledAt !== undefined && held.some((one) => one.scheduledAt === scheduledAt && covers(one))) return false;
  return held.every((one) => mayTakeLease(one, owner, now));
}

/**
 * What of a scope nobody could take for a scheduled sync.
 *
 * @param stored the leases of the instance, of the scope and of its sync groups
 * @param now milliseconds since 1970
 */
export function takenSyncGroups(stored: readonly StoredLease[], scheduledAt: string, now: number): TakenSyncGroup[] {
  return stored.flatMap((one) => {
    const held = isHeld(one, now);
    return held || one.scheduledAt === scheduledAt ? [{ syncGroup: one.syncGroup, held }] : [];
  });
}

/** Makes a name for an owner in this process: `host:process:random`. That of a removal has one more part. */
export function newLeaseOwner(): string {
  return `${hostname()}:${process.pid}:${randomUUID()}`;
}

/**
 * Whether an owner may take or extend a lease.
 *
 * @param held the stored lease, if there is one
 * @param now milliseconds since 1970
 */
export function mayTakeLease(held: Lease | undefined, owner: string, now: number): boolean {
  return held === undefined || held.owner === owner || held.until <= now || hasDied(held.owner);
}

/** Whether somebody has a lease, which nobody else could take now. @param now milliseconds since 1970 */
export function isHeld(lease: Lease, now: number): boolean {
  return !mayTakeLease(lease, "", now);
}

/** The owner of the lease of an instance that was removed. Nobody gets that lease again, because an id is used for one instance only. */
export const removedOwner = "removed";

/** The error for whoever syncs an instance that was removed. */
function instanceRemoved(): TenonError {
  return new TenonError("unknown_connector", "This connector was removed.");
}

/** Makes a name for an owner in this process that removes an instance. */
export function newRemovalOwner(): string {
  return newLeaseOwner() + removal;
}

const removal = ":removal";

/**
 * The error for whoever writes under a lease that is no longer the owner's.
 *
 * @param owner who has it now
 */
export function leaseLost(owner: string | undefined): TenonError {
  return owner === removedOwner || owner?.endsWith(removal) === true ? instanceRemoved() : takenOver();
}

/** The error for whoever writes although another owner has taken the lease: its process was suspended for longer than the lease holds. */
export function takenOver(): TenonError {
  return new TenonError("sync_running", "Another process has taken over this sync.", { retryAfter: 60 });
}

/** Whether an owner was a process of this machine that has ended. */
function hasDied(owner: string): boolean {
  const [host = "", pid = ""] = owner.split(":");
  return /^\d+$/.test(pid) && processHasEnded(host, Number(pid));
}
