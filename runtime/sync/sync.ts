import { errorCodes } from "../base/error-codes.ts";
import { type ConnectorInstance, storedAs } from "../execute/index.ts";
import { cutOffProblems } from "../store/problem.ts";
import type { Spent, SyncStore } from "../store/store.ts";
import type { ReadScope } from "./concurrent-scopes.ts";
import type { EntityOptions, EntityResult } from "./entity-sync.ts";
import { syncRunning } from "./leased.ts";
import { readNamed } from "./named-scopes.ts";
import { syncOrder, withParents } from "./order.ts";
import { knownScopes, type Scope } from "./scope.ts";
import { ScopeReading } from "./scope-reading.ts";
import { readShared, type ScheduledSync } from "./shared-scopes.ts";

export interface SyncOptions extends EntityOptions {
  readonly scopes: readonly Scope[];
  /** Only these entities and those of their parents; all that the scopes fill where it is absent. */
  readonly entities?: readonly string[];
  /** It is a part of a scheduled sync, whose scopes all processes share among them. */
  readonly scheduled?: ScheduledSync;
  /** Is called when the leases of the scopes that it names are taken. A scheduled sync names none. */
  readonly onLeased?: () => void;
}

export interface SyncResult {
  /**
   * `partial`: not everything was read. `missing`: everything was read but scopes that the platform does not have, or does not show.
   * `refused`: everything was read, but too much would have been removed.
   */
  readonly outcome: "complete" | "partial" | "missing" | "refused";
  readonly entities: readonly EntityResult[];
  /** Scopes that were left out because another process syncs them now. */
  readonly elsewhere: readonly string[];
  /** Calls that asked whole scopes what has changed. They belong to no entity. */
  readonly changeChecks: Spent;
}

/**
 * Reads scopes of a platform into the store. Every entity of every scope has a sync run of its own. A failure of one sync run is part of
 * the result; the entities that do not depend on it are read all the same. A scheduled sync is shared with other processes as
 * {@link readShared} says. Any other sync takes the scopes that it names; those that are part of every sync are left to a process that
 * reads them already.
 *
 * @throws TenonError `sync_running` when another process syncs one of the scopes that were named
 */
export async function sync(instance: ConnectorInstance, store: SyncStore, given: SyncOptions): Promise<SyncResult> {
  const { connector } = instance;
  const { scheduled, signal } = given;
  const stored = storedAs(instance);
  const known = [...new Set((await store.states(stored)).map(({ scope }) => scope))];
  const scopes = given.scopes.map(knownScopes(connector, known));
  const wanted = given.entities === undefined ? undefined : withParents(connector, given.entities);
  const results: EntityResult[] = [];
  let changeChecks: Spent = { calls: 0, points: 0 };
  const isWanted = (entity: string) => wanted?.has(entity) !== false;
  const spend = (points: number) => {
    changeChecks = { calls: changeChecks.calls + 1, points: changeChecks.points + points };
  };
  const readings = new Map<string, ScopeReading>();
  const readingOf = (scope: Scope) => {
    const reading = readings.get(scope.name) ?? new ScopeReading(instance, scope, { isWanted, spend });
    readings.set(scope.name, reading);
    return reading;
  };
  const read: ReadScope = async (scope, held, entities = syncOrder(connector, scope.kind)) => {
    // Another process may have synced it until a moment ago.
    const states = await held.store.states({ ...stored, scope: scope.name });
    const done = await readingOf(scope).read(entities, held.store, states, { ...given, signal: held.signal });
    results.push(...done);
    return !held.signal.aborted && !done.some(({ problem }) => cutOffProblems.some((code) => code === problem?.code));
  };
  const toRead = { store, stored, scopes, signal };
  const elsewhere =
    scheduled === undefined
      ? await readNamed(toRead, read, given.onLeased)
      : await readShared(connector, { ...toRead, scheduled }, read);
  if (scheduled === undefined && results.length === 0 && elsewhere.length > 0) throw syncRunning(undefined);
  if (elsewhere.length > 0)
    given.log.info({ connector: instance.id, scopes: elsewhere }, "other processes sync some of the scopes");
  const isMissing = (scope: string) => readings.get(scope)?.isMissing === true;
  return { outcome: outcomeOf(results, isMissing), entities: results, elsewhere, changeChecks };
}

/** @param isMissing whether the platform has no such scope */
function outcomeOf(results: readonly EntityResult[], isMissing: (scope: string) => boolean): SyncResult["outcome"] {
  const unread = results.filter(({ outcome }) => ["partial", "failed", "skipped"].includes(outcome));
  if (unread.length > 0) return unread.every(({ scope }) => isMissing(scope)) ? "missing" : "partial";
  return results.some(({ outcome }) => outcome === "refused") ? "refused" : "complete";
}

/** Exit statuses of `tenon sync` (sysexits.h): all is well, try again, correct the scope, a person has to decide. */
export const syncExit = { complete: 0, partial: 75, missing: errorCodes.not_found.exit, refused: 73 } as const satisfies Record<
  SyncResult["outcome"],
  number
>;
