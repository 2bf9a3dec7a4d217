import { staleBefore } from "../store/collection-sync.ts";
import { cutOffProblems } from "../store/problem.ts";
import type { ProblemReport } from "../store/problem-text.ts";
import type { Schedule } from "../store/store.ts";
import type { EntityStatus } from "./status.ts";

/** What is wrong with a scope as a whole: the worst of what is wrong with its entities. */
export type ScopeState = "failed" | "gone" | "stale" | "never" | "ok";

/** How one scope is, in short. */
export interface ScopeHealth {
  readonly scope: string;
  readonly state: ScopeState;
  /** Entities that a sync has tried, and those of them of which the same is wrong as of the scope. */
  readonly entities: number;
  readonly troubled: number;
  /** When the troubled entities were complete for the last time, in the one where that is longest ago; null where one never was. */
  readonly since: string | null;
  /** When the entity was synced that was synced longest ago; null where one was never read to its end. */
  readonly syncedAt: string | null;
  readonly records: number;
  /** Values that do not fit the spec. */
  readonly misfits: number;
  /** What most of the troubled entities report. */
  readonly problem: ProblemReport | null;
}

/** From the worst to the best. */
const order: readonly ScopeState[] = ["failed", "gone", "stale", "never", "ok"];

/** How each scope is, the worst first. @param now milliseconds since 1970 */
export function scopeHealth(all: readonly EntityStatus[], schedule: Schedule | null, now: number): ScopeHealth[] {
  const stale = staleBefore(schedule, now);
  const scopes = [...Map.groupBy(all, ({ scope }) => scope)].map(([scope, entities]) => healthOf(scope, entities, stale));
  return scopes.sort((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
}

function healthOf(scope: string, entities: readonly EntityStatus[], stale: string | undefined): ScopeHealth {
  const states = entities.map((one) => ({ one, state: stateOf(one, stale) }));
  const state = order.find((worst) => states.some((entry) => entry.state === worst)) ?? "ok";
  const troubled = state === "ok" ? [] : states.filter((entry) => entry.state === state).map(({ one }) => one);
  return {
    scope,
    state,
    entities: entities.length,
    troubled: troubled.length,
    since: oldest(troubled),
    syncedAt: oldest(entities),
    records: entities.reduce((sum, { records }) => sum + records, 0),
    misfits: entities.flatMap((one) => Object.values(one.misfits)).reduce((sum, count) => sum + count, 0),
    problem: mostFrequent(troubled.flatMap(({ problem }) => problem ?? [])),
  };
}

function stateOf({ problem, synced_at, next_sync_at, state }: EntityStatus, stale: string | undefined): ScopeState {
  if (problem?.code === "not_found") return "gone";
  if (problem !== null && !cutOffProblems.some((code) => code === problem.code)) return "failed";
  // Only what is on the schedule has a next sync.
  if (synced_at !== null && stale !== undefined && next_sync_at !== null && synced_at < stale) return "stale";
  return synced_at === null && state !== "running" ? "never" : "ok";
}

function oldest(entities: readonly EntityStatus[]): string | null {
  const times = entities.map(({ synced_at }) => synced_at);
  return times.includes(null) ? null : (times.toSorted()[0] ?? null);
}

function mostFrequent(problems: readonly ProblemReport[]): ProblemReport | null {
  const groups = [...Map.groupBy(problems, ({ code }) => code).values()];
  return groups.sort((one, other) => other.length - one.length)[0]?.[0] ?? null;
}
