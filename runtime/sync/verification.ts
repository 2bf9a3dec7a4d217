import type { Connector, SyncPlan } from "../contract/index.ts";

// Some changes cannot be seen from outside: a comment that was edited or deleted where its issue did not change, an issue that was
// deleted. Therefore the spec gives a number of days, and the parents are divided into as many partitions. Each day one partition is read
// again, with all that belongs to its parents.

const hour = 60 * 60_000;
const day = 24 * hour;
/** Milliseconds after which the next partition is due. They are less than a day, so that a sync once a day is never too early. */
const pause = 22 * hour;

/** How many partitions the records of an entity are divided into; undefined where nothing of it is read again. */
export function partitionCount(connector: Connector, plans: readonly SyncPlan[]): number | undefined {
  for (const { scope, verification, each } of plans) {
    if (verification !== undefined) return verification.days;
    const parents = connector.entities[each?.entity ?? ""]?.sync ?? [];
    const ofParent = parents.find((one) => one.scope === scope && one.verification !== undefined)?.verification;
    if (ofParent !== undefined) return ofParent.days;
  }
  return undefined;
}

/**
 * The partitions that are due: each day the one that was read longest ago, and any that would otherwise become older than the spec says.
 *
 * @param verified when each partition was last read, in milliseconds since 1970
 * @param now in milliseconds since 1970
 */
export function duePartitions(verified: readonly number[], now: number): number[] {
  const oldestFirst = verified
    .map((at, partition) => ({ at, partition }))
    .sort((a, b) => a.at - b.at || a.partition - b.partition);
  const inTurn = Math.floor((now - Math.max(...verified)) / pause);
  return oldestFirst
    .filter(({ at }, rank) => rank < inTurn || now - at >= (verified.length - 1) * day)
    .map(({ partition }) => partition)
    .sort((a, b) => a - b);
}

/** The partition to which a record belongs. It depends on the key alone, so that it stays the same. */
export function partitionOf(key: string, partitions: number): number {
  // FNV-1a, which spreads keys well that differ in a few characters.
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % partitions;
}
