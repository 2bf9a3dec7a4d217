import type { Connector } from "../contract/index.ts";
import { dueTest } from "../store/collection-sync.ts";
import { type ProblemReport, storedProblem } from "../store/problem-text.ts";
import type { Schedule, SyncState } from "../store/store.ts";
import { knownScopes, readScopes, type Scope } from "./scope.ts";

/** How far one entity of one scope is cached. */
export interface EntityStatus {
  readonly scope: string;
  readonly entity: string;
  /**
   * `never`: not yet read to its end. `running`: a sync run reads it now. `interrupted`: a sync run was cut off, and the next sync goes on
   * from there. `gone`: the platform has no such scope any longer, or the token may not see it. `failed`: the last sync run had a problem.
   */
  readonly state: "never" | "running" | "interrupted" | "complete" | "failed" | "gone";
  readonly records: number;
  /**
   * Records whose children the platform forbids to read, such as an issue whose comments are hidden. Children that are cached already stay.
   */
  readonly hidden: number;
  /**
   * Records that came more than once in the last sync, with different contents; the last one is kept. A few are normal where a list changes
   * while it is read. Many mean that different records have the same key.
   */
  readonly repeated: number;
  /**
   * How many values that the platform sent do not fit the spec, by field and by code of their warning, since everything was last read. They
   * are cached as they are; filters and sorting take those of another type for missing.
   */
  readonly misfits: Readonly<Record<string, number>>;
  /**
   * When the last complete sync ended (ISO 8601), or one began that went on and has not yet read what has changed since; null before the
   * first.
   */
  readonly synced_at: string | null;
  /** When the last sync run that read everything ended (ISO 8601). */
  readonly full_sync_at: string | null;
  /** Calls to the platform in the last sync run; null before the first. */
  readonly calls: number | null;
  /** What these calls took from the platform's hourly budget. */
  readonly points: number | null;
  /** Every record was compared with the platform at this time or later (ISO 8601); null before the first complete sync run. */
  readonly verified_at: string | null;
  /** What reading a part of the records again took, which one sync a day does; null where nothing was read again yet. */
  readonly verification: { readonly at: string; readonly calls: number; readonly points: number } | null;
  /** How far the sync run under way has read; null where there is none. */
  readonly position: { readonly full: boolean; readonly step: number; readonly parent: string | null } | null;
  readonly problem: ProblemReport | null;
  /** When the schedule begins the next sync of the scope (ISO 8601); null where it has no such scope, or webhooks keep it up to date. */
  readonly next_sync_at: string | null;
}

export interface StatusOptions {
  readonly schedule: Schedule | null;
  /** Whether a process syncs the instance now. */
  readonly running: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** How far each entity of each scope is cached. @param states those that the store has */
export function syncStatus(connector: Connector, states: readonly SyncState[], options: StatusOptions): EntityStatus[] {
  const spelled = knownScopes(
    connector,
    states.map(({ scope }) => scope),
  );
  const { schedule } = options;
  const due = schedule === null ? [] : dueScopes(readScopes(connector, schedule.scopes).map(spelled), schedule);
  const names = new Set(due.map(({ name }) => name));
  return states.map((state) => statusOf(state, names, options));
}

function dueScopes(scopes: readonly Scope[], schedule: Schedule): Scope[] {
  const isDue = dueTest(schedule);
  return scopes.filter(({ kind, name }) => isDue(name, kind !== name));
}

function statusOf(state: SyncState, scheduled: ReadonlySet<string>, { schedule, running, now }: StatusOptions): EntityStatus {
  const { scope, entity, records, hidden, checkpoint, completedAt, fullAt, problem, notes } = state;
  const ended = problem === "not_found" ? "gone" : problem !== null ? "failed" : completedAt === null ? "never" : "complete";
  return {
    scope,
    entity,
    state: checkpoint === null || (problem === "not_found" && !running) ? ended : running ? "running" : "interrupted",
    records,
    hidden,
    repeated: notes.repeated ?? 0,
    misfits: notes.misfits ?? {},
    synced_at: completedAt,
    full_sync_at: fullAt,
    calls: notes.spent?.calls ?? null,
    points: notes.spent?.points ?? null,
    verified_at: notes.verified === undefined ? fullAt : new Date(Math.min(...notes.verified)).toISOString(),
    verification: notes.verification ?? null,
    position: checkpoint === null ? null : { full: checkpoint.full, step: checkpoint.step, parent: checkpoint.parent ?? null },
    problem: problem === null ? null : storedProblem(problem),
    next_sync_at: schedule !== null && scheduled.has(scope) ? nextSync(schedule, now) : null,
  };
}

function nextSync({ startedAt, minutes }: Schedule, now: number): string {
  const last = Date.parse(startedAt ?? "");
  const next = Number.isNaN(last) ? now : Math.max(now, last + minutes * 60_000);
  return new Date(next).toISOString();
}
