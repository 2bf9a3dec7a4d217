import type { Connector, SyncPlan } from "../contract/index.ts";
import type { SyncPosition } from "../store/position.ts";
import type { SyncState } from "../store/store.ts";
import { partsOf } from "./reread.ts";

// Where a pass begins, and whether it has to read everything.

/** What is known before a pass over one entity of one scope. */
export interface Known {
  readonly connector: Connector;
  /** How the spec reads the entity in the scope. */
  readonly plans: readonly SyncPlan[];
  /** A digest of how the spec reads the entity. */
  readonly source: string;
  /** What the passes before it have left; undefined before the first. */
  readonly state: SyncState | undefined;
}

/** Only a full pass notices what was deleted on the platform, so there is one at least this often, in milliseconds. */
const longestWithoutFull = 7 * 24 * 60 * 60_000;

/**
 * The position at which a pass begins. It goes on where the last pass was cut off, unless everything is to be read and that one did not.
 *
 * @param full whether a caller asks to read everything
 * @param parts the parts of the records that are to be read again; absent where the pass reads what has changed, or everything
 */
export function startOf(known: Known, full: boolean, parts: readonly number[] | undefined): SyncPosition {
  const { source, state } = known;
  const whole = !canReadChanges(known.plans) || isFullDue(known, full);
  const left = state?.position;
  if (left !== undefined && left !== null && left.source === source && (left.full || !whole)) return left;
  const fresh = { pass: (state?.pass ?? 0) + 1, source, step: 0, began: Date.now() };
  return parts === undefined ? { ...fresh, full: whole } : { ...fresh, full: false, parts };
}

/**
 * Whether everything has to be read: a caller asks for it, the last full pass is too long ago, or the spec has changed since the stored
 * records were read.
 */
export function isFullDue({ connector, plans, source, state }: Known, wanted: boolean): boolean {
  if (wanted || state?.source !== source || state.fullAt === null) return true;
  const since = (time: number) => Date.now() - time;
  // Where all records are read again part by part, reading all at once is due only when that has failed for long.
  if (state.notes.verified !== undefined && partsOf(connector, plans) !== undefined)
    return since(Math.min(...state.notes.verified)) > 2 * longestWithoutFull;
  return since(Date.parse(state.fullAt)) > longestWithoutFull;
}

/** Whether a pass can read only what has changed. */
export function canReadChanges(plans: readonly SyncPlan[]): boolean {
  return plans.some(({ cursor, head, each }) => cursor !== undefined || head !== undefined || each?.changed !== undefined);
}
