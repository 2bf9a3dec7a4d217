import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { TenonError } from "../base/errors.ts";
import { processHasEnded } from "../base/process-end.ts";

// Only one owner at a time may sync an instance. The name of an owner contains machine and process, so that the lease of a process that
// has crashed can be taken over before it runs out.

/** The right to sync an instance. */
export interface Lease {
  readonly owner: string;
  /** When the lease runs out, in milliseconds since 1970. */
  readonly until: number;
}

/** Makes a name for an owner in this process: `host:process:random`. */
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

/** The owner of the lease of an instance that was removed. Nobody gets that lease again, because an id is used for one instance only. */
export const removedOwner = "removed";

/** The error for whoever syncs an instance that was removed. */
export function instanceRemoved(): TenonError {
  return new TenonError("unknown_connector", "This connector was removed.");
}

/**
 * The error for whoever writes under a lease that is no longer the owner's.
 *
 * @param owner who has it now
 */
export function leaseLost(owner: string | undefined): TenonError {
  return owner === removedOwner ? instanceRemoved() : takenOver();
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
