import type { Connector } from "../contract/index.ts";
import { cutOffProblems, readProblem, type SyncProblem } from "./problem.ts";

/** How many values do not fit the spec, by field and code of the warning: `number unexpected_type`. */
export type Misfits = Readonly<Record<string, number>>;

/** How far the scopes of a collection are synced, as a search saw it in the same state of the store as the records. */
export interface CollectionSync {
  /** How many scopes there are of which a sync has tried the entity. */
  readonly scopes: number;
  /**
   * The scopes that the search names, as far as a sync has tried them. Where it names none: those in trouble, which were never read to
   * their end, whose last sync had a problem, or which are on the schedule and older than it allows; at most {@link mostTroubled}, those
   * that failed first.
   */
  readonly reported: readonly ScopeSync[];
  readonly schedule: ScopeSchedule | null;
  /** Those in the scopes that the search names, or in all. */
  readonly misfits: Misfits;
}

/** What is synced how often. */
export interface ScopeSchedule {
  readonly scopes: readonly string[];
  readonly minutes: number;
  /**
   * Those that are synced in each interval, where webhooks keep others up to date; a scope without parameters is among them only by its
   * name. Null where all are.
   */
  readonly due: readonly string[] | null;
}

export interface ScopeSync {
  readonly scope: string;
  readonly completedAt: string | null;
  readonly problem: SyncProblem | null;
}

/** What a search reports of the syncs of its collection. */
export interface SyncedCollection {
  /** When the scope was synced that was synced longest ago; null while one was never read to its end, so that the age is unknown. */
  readonly syncedAt: string | null;
  readonly sync: CollectionSync;
}

/** What a store has noted of a collection as a whole. */
export interface CollectionSums {
  readonly scopes: number;
  /** Scopes that were read to their end, and when the oldest of these was. */
  readonly done: number;
  readonly oldest: string | null;
  readonly failed: number;
}

/** A row of a table of states. */
export interface ScopeSyncRow {
  readonly scope: string;
  readonly completed_at: string | null;
  readonly problem: string | null;
}

/** A collection of which nothing was ever stored. */
export const neverSynced: CollectionSync = { scopes: 0, reported: [], schedule: null, misfits: {} };

/** The most scopes in trouble that a search reports. */
export const mostTroubled = 20;

/** The order of the states `t` of scopes `s` in trouble: first those that failed, then those that were never read to their end. */
export const worstFirstOrder = `t.problem IS NULL OR t.problem IN (${cutOffProblems.map((one) => `'${one}'`).join(", ")}), t.completed_at IS NOT NULL, s.name`;

/** Records that are older than so many intervals of their schedule are stale. */
export const staleIntervals = 2;

/** What was synced before this time (ISO 8601) is stale; undefined where nothing is on a schedule. */
export function staleBefore(schedule: Pick<ScopeSchedule, "minutes"> | null, now = Date.now()): string | undefined {
  return schedule === null ? undefined : new Date(now - staleIntervals * schedule.minutes * 60_000).toISOString();
}

/**
 * Whether a scope is in trouble, so that the states of the single scopes have to be read.
 *
 * @param scheduled when the oldest of the scopes on the schedule was read to its end; the others may be as old as they like
 */
export function isTroubled(
  { scopes, done, failed }: CollectionSums,
  scheduled: string | null,
  stale: string | undefined,
): boolean {
  return done < scopes || failed > 0 || isOlder(scheduled, stale);
}

export function isOlder(time: string | null, stale: string | undefined): boolean {
  return time !== null && stale !== undefined && time < stale;
}

/**
 * The name of a scope as it is compared with others, whose case does not matter. Only the letters of ASCII are lowered, as by `lower()` of
 * SQLite and of PostgreSQL's collation "C".
 */
function loweredName(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The names of scopes as they are looked up in the index of lowered names, each once. */
export function loweredNames(names: readonly string[]): string[] {
  return [...new Set(names.map(loweredName))];
}

/** A schedule as it is stored. */
export interface ScheduleRow {
  /** JSON of the names. */
  readonly scopes: string;
  readonly minutes: number;
  readonly started_at: string | null;
  /** JSON of the names that are due, or null. */
  readonly due: string | null;
}

/** Reads a schedule. While no process syncs, nothing is known of webhooks either: then all scopes on it are due. */
export function readSchedule(row: ScheduleRow | undefined, now = Date.now()): ScopeSchedule | null {
  if (row === undefined) return null;
  const isSynced = row.started_at !== null && !isOlder(row.started_at, staleBefore(row, now));
  return {
    scopes: JSON.parse(row.scopes) as string[],
    minutes: row.minutes,
    due: row.due === null || !isSynced ? null : (JSON.parse(row.due) as string[]),
  };
}

/** Tells which scopes a schedule syncs in each interval. @param hasParams whether scopes of this kind have parameters */
export function dueTest({ scopes, due }: ScopeSchedule): (scope: string, hasParams: boolean) => boolean {
  const names = new Set(loweredNames(due ?? scopes));
  // One without parameters is part of every sync.
  return (scope, hasParams) => names.has(loweredName(scope)) || (due === null && !hasParams);
}

/** The most scopes of which a search reports the misfits: their fields are mostly the same. */
export const mostMisfitScopes = 100;
/** Whether the notes of a state have misfits. Both engines have an index of the states that have some. */
export const hasMisfits = { sqlite: `instr(notes, '"misfits"') > 0`, postgres: `strpos(notes, '"misfits"') > 0` } as const;

/**
 * The misfits of several scopes together.
 *
 * @param named scopes that the search names; undefined for all
 */
export function misfitsOf(
  rows: readonly { readonly scope: string; readonly notes: string }[],
  named: readonly string[] | undefined,
): Misfits {
  const wanted = named === undefined ? undefined : new Set(named.map(loweredName));
  const sums = new Map<string, number>();
  for (const { scope, notes } of rows) {
    if (wanted?.has(loweredName(scope)) === false) continue;
    const { misfits = {} } = JSON.parse(notes) as { readonly misfits?: Misfits };
    for (const [field, count] of Object.entries(misfits)) sums.set(field, (sums.get(field) ?? 0) + count);
  }
  return Object.fromEntries(sums);
}

export function scopeSyncOf({ scope, completed_at, problem }: ScopeSyncRow): ScopeSync {
  return { scope, completedAt: completed_at, problem: problem === null ? null : readProblem(problem) };
}

/** A text that is equal for all spellings of a scope. @param scope its name, such as `repository=octocat/hello-world` */
export function spellingOf({ scopes }: Pick<Connector, "scopes">, scope: string): string {
  return scopes[scope.split("=")[0] ?? ""]?.ignoreCase === true ? loweredName(scope) : scope;
}
