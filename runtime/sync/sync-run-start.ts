import type { Connector, SyncPlan } from "../contract/index.ts";
import type { Checkpoint } from "../store/checkpoint.ts";
import type { SyncState } from "../store/store.ts";
import { partitionCount } from "./verification.ts";

// Where a sync run begins, and whether it has to read everything.

/** What is known before a sync run over one entity of one scope. */
export interface Known {
  readonly connector: Connector;
  /** How the spec reads the entity in the scope. */
  readonly plans: readonly SyncPlan[];
  /** A digest of how the spec reads the entity. */
  readonly source: string;
  /** What the sync runs before it have left; undefined before the first. */
  readonly state: SyncState | undefined;
}

/** Only a full sync run notices what was deleted on the platform, so there is one at least this often, in milliseconds. */
const longestWithoutFull = 7 * 24 * 60 * 60_000;

/**
 * The checkpoint at which a sync run begins. It goes on where the last sync run was cut off, unless everything is to be read and that one
 * did not.
 *
 * @param full whether a caller asks to read everything
 * @param partitions the partitions of the records that are to be read again; absent where the sync run reads what has changed, or
 *   everything
 */
export function startOf(known: Known, full: boolean, partitions: readonly number[] | undefined): Checkpoint {
  const { source, state } = known;
  const whole = !canReadChanges(known.plans) || isFullDue(known, full);
  const left = state?.checkpoint;
  if (left !== undefined && left !== null && left.source === source && (left.full || !whole)) return left;
  const fresh = { run: (state?.run ?? 0) + 1, source, step: 0, began: Date.now() };
  return partitions === undefined ? { ...fresh, full: whole } : { ...fresh, full: false, partitions };
}

/**
 * Whether everything has to be read: a caller asks for it, the last full sync run is too long ago, or the spec has changed since the stored
 * records were read.
 */
export function isFullDue({ connector, plans, source, state }: Known, wanted: boolean): boolean {
  if (wanted || state?.source !== source || state.fullAt === null) return true;
  const since = (time: number) => Date.now() - time;
  // Where all records are read again part by part, reading all at once is due only when that has failed for long.
  if (state.notes.verified !== undefined && partitionCount(connector, plans) !== undefined)
    return since(Math.min(...state.notes.verified)) > 2 * longestWithoutFull;
  return since(Date.parse(state.fullAt)) > longestWithoutFull;
}

/** Whether a sync run can read only what has changed. */
export function canReadChanges(plans: readonly SyncPlan[]): boolean {
  return plans.some(
    ({ cursor, newestKnown, each }) => cursor !== undefined || newestKnown !== undefined || each?.changed !== undefined,
  );
}
