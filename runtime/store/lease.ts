import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

// The right to sync an instance belongs to one owner at a time. An owner is named by machine and process, so that the lease of a
// process that has crashed need not run out.

/** The right to sync an instance. */
export interface Lease {
  readonly owner: string;
  /** When it runs out, in milliseconds since 1970. */
  readonly until: number;
}

/** A name for an owner within this process: `host:process:random`. */
export function newLeaseOwner(): string {
  return `${hostname()}:${process.pid}:${randomUUID()}`;
}

/**
 * Whether an owner may take or extend a lease.
 *
 * @param held the lease as it is now
 * @param now milliseconds since 1970
 */
export function mayTakeLease(held: Lease | undefined, owner: string, now: number): boolean {
  return held === undefined || held.owner === owner || held.until <= now || hasDied(held.owner);
}

/** Whether an owner was a process of this machine that has ended without giving back its lease. */
function hasDied(owner: string): boolean {
  const [host, pid] = owner.split(":");
  if (host !== hostname() || !/^\d+$/.test(pid ?? "")) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (thrown) {
    return thrown instanceof Error && "code" in thrown && thrown.code === "ESRCH";
  }
}
