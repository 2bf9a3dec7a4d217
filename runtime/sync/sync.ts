import { randomUUID } from "node:crypto";
import type { ErrorCode } from "../base/error-codes.ts";
import { asTenonError, TenonError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import type { Connector } from "../contract/index.ts";
import type { ConnectorInstance, ExecuteContext } from "../execute/index.ts";
import type { Spent, SyncState, SyncStore } from "../store/store.ts";
import { nothingDone, runPasses } from "./entity-passes.ts";
import { syncRunning } from "./leased.ts";
import { syncOrder, withParents } from "./order.ts";
import type { PassOptions, PassResult } from "./pass.ts";
import { probeScope } from "./probe.ts";
import { failure, type Problem, storedProblem } from "./problem.ts";
import { knownScope, type Scope } from "./scope.ts";
import { readShared, type ScheduledRun } from "./shared-scopes.ts";

export interface SyncOptions {
  readonly scopes: readonly Scope[];
  /** Only these entities and those of their parents; all that the scopes fill where it is absent. */
  readonly entities?: readonly string[];
  /** Reads everything, not only what has changed. */
  readonly full: boolean;
  /** Allows to remove more than half of the records of an entity. */
  readonly massDelete: boolean;
  /** Ends the sync after the page that is being read. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** It is a part of a run of the schedule, whose scopes all processes share among them. */
  readonly scheduled?: ScheduledRun;
  readonly onProgress?: (progress: Progress) => void;
}

/** What has just happened: a page was read, or the pass over an entity has ended. */
export interface Progress {
  readonly kind: "page" | "end";
  readonly scope: string;
  readonly entity: string;
  /** Records read in this pass so far. */
  readonly records: number;
  /** Records after the last sync, as an estimate of how many there will be; undefined in the first one. */
  readonly expected: number | undefined;
  /** Calls to the platform in this pass so far, and what they took from its hourly budget. */
  readonly spent: Spent;
  /** Points that the platform still allows in this hour; undefined before its first answer. */
  readonly quotaLeft: number | undefined;
  readonly result?: EntityResult;
}

export interface EntityResult extends Omit<PassResult, "outcome"> {
  readonly scope: string;
  readonly entity: string;
  readonly outcome: PassResult["outcome"] | "failed" | "skipped";
  /** What reading a part of the records again did, beside the counts of the result; absent where none was due. */
  readonly reread?: PassResult;
  /** Why it is not complete; absent where it is, and where the entity was skipped. */
  readonly problem?: Problem;
}

export interface SyncResult {
  /** `partial`: not everything was read. `refused`: everything was read, but too much would have been removed. */
  readonly outcome: "complete" | "partial" | "refused";
  readonly entities: readonly EntityResult[];
  /** Scopes that were left out because another process syncs them now. */
  readonly elsewhere: readonly string[];
  /** Calls that asked whole scopes what has changed. They belong to no entity. */
  readonly probes: Spent;
}

/** The longest time for one call, in milliseconds. A call may have to wait for the platform's budget, which is full again after an hour. */
const longestCall = 70 * 60_000;
/** Failures that have nothing to do with one entity: the other entities of a scope would fail in the same way. */
const generalFailures: readonly ErrorCode[] = [
  "platform_unauthorized",
  "rate_limited",
  "store_unusable",
  "database_unavailable",
  "shutting_down",
  "internal",
];

/** Problems after which a run of the schedule syncs the scope again: nothing was wrong with the scope itself. */
const cutOff: readonly ErrorCode[] = ["shutting_down", "store_unusable", "database_unavailable"];

/**
 * Reads scopes of a platform into the store. Every entity of every scope has a pass of its own. A failure of one pass is part of the
 * result; the entities that do not depend on it are read all the same. Processes share scopes as {@link readShared} says; those that are part
 * of every sync are left to a process that reads them already.
 *
 * @throws TenonError `sync_running` when another process syncs one of the scopes that were named
 */
export async function sync(instance: ConnectorInstance, store: SyncStore, given: SyncOptions): Promise<SyncResult> {
  const { connector } = instance;
  const { scheduled, signal } = given;
  const place = { connector: connector.name, instance: instance.storeName };
  const known = [...new Set((await store.states(place)).map(({ scope }) => scope))];
  const scopes = given.scopes.map((scope) => knownScope(connector, scope, known));
  const wanted = given.entities === undefined ? undefined : withParents(connector, given.entities);
  const results: EntityResult[] = [];
  let probes: Spent = { calls: 0, points: 0 };
  const spend = (points: number) => {
    probes = { calls: probes.calls + 1, points: probes.points + points };
  };
  const elsewhere = await readShared({ store, place, scopes, scheduled, signal }, async (scope, held) => {
    const options = { ...given, signal: held.signal, spend };
    // Another process may have synced it until a moment ago.
    const states = await held.store.states({ ...place, scope: scope.name });
    const read = await syncScope(instance, held.store, scope, states, wanted, options);
    results.push(...read);
    return !held.signal.aborted && !read.some(({ problem }) => cutOff.some((code) => code === problem?.code));
  });
  if (scheduled === undefined && results.length === 0 && elsewhere.length > 0) throw syncRunning(undefined);
  if (elsewhere.length > 0)
    given.log.info({ connector: instance.id, scopes: elsewhere }, "other processes sync some of the scopes");
  return { outcome: outcomeOf(results), entities: results, elsewhere, probes };
}

async function syncScope(
  instance: ConnectorInstance,
  store: SyncStore,
  scope: Scope,
  states: readonly SyncState[],
  wanted: ReadonlySet<string> | undefined,
  options: SyncOptions & { readonly spend: (points: number) => void },
): Promise<EntityResult[]> {
  const results: EntityResult[] = [];
  const asked = Date.now();
  const probes = await probeScope(instance, scope, (entity) => wanted?.has(entity) !== false, {
    ...contextOf(options, randomUUID()),
    spend: options.spend,
  });
  const unread = new Set<string>();
  for (const entity of syncOrder(instance.connector, scope.kind)) {
    if (wanted !== undefined && !wanted.has(entity)) continue;
    const needed = [entity, ...parentsOf(instance.connector, scope, entity)];
    const result =
      options.signal.aborted || needed.some((one) => unread.has(one))
        ? { ...nothingDone, scope: scope.name, entity, outcome: "skipped" as const }
        : await syncEntity(instance, store, scope, entity, states, {
            ...options,
            probe: probes.texts.get(entity),
            asked,
            // When neither the probe nor a list finds the scope, the other lists need not be read to find that out.
            ...(probes.missing ? { missing: results.find(({ problem }) => problem?.code === "not_found")?.problem } : {}),
          });
    results.push(result);
    if (result.outcome === "failed" || result.outcome === "skipped") unread.add(entity);
    if (generalFailures.some((code) => code === result.problem?.code))
      for (const other of Object.keys(instance.connector.entities)) unread.add(other);
  }
  return results;
}

async function syncEntity(
  instance: ConnectorInstance,
  store: SyncStore,
  scope: Scope,
  entity: string,
  states: readonly SyncState[],
  options: SyncOptions & { readonly probe: string | undefined; readonly asked: number; readonly missing?: Problem | undefined },
): Promise<EntityResult> {
  const { full, massDelete, signal, log, onProgress, probe, asked, missing } = options;
  const shelf = { connector: instance.connector.name, instance: instance.storeName, scope: scope.name, entity };
  const name = { scope: scope.name, entity };
  const state = stateOf(states, scope, entity);
  const requestId = randomUUID();
  let records = 0;
  let spent: Spent = { calls: 0, points: 0 };
  const progress = (kind: Progress["kind"], result?: EntityResult) =>
    onProgress?.({
      kind,
      ...name,
      records,
      expected: state?.records,
      spent,
      quotaLeft: instance.client.quotaLeft("graphql"),
      ...(result === undefined ? {} : { result }),
    });
  const context = () => contextOf(options, requestId);
  let result: EntityResult;
  try {
    if (missing !== undefined) throw new TenonError("not_found", missing.message);
    const passOptions: PassOptions = {
      full,
      massDelete,
      context,
      onPage: (page) => {
        records += page.records;
        if (signal.aborted) throw stopped();
        progress("page");
      },
      onCall: (points) => {
        spent = { calls: spent.calls + 1, points: spent.points + points };
      },
    };
    const run = { instance, store, scope, entity, state, options: passOptions, probe, asked };
    const { done, reread } = await runPasses(run);
    const last = reread ?? done;
    result = {
      ...name,
      ...done,
      outcome: last.outcome,
      ...problemOf(last),
      ...(reread === undefined ? {} : { reread }),
    };
  } catch (thrown) {
    const error = signal.aborted ? stopped() : asTenonError(thrown);
    if (error.code === "internal") log.error({ err: error.cause, requestId, ...name }, "unexpected error in a sync");
    await store.fail(shelf, error.code).catch(() => undefined);
    result = { ...nothingDone, ...spent, ...name, outcome: "failed", problem: missing ?? failure(error) };
  }
  // What reading again took is noted apart.
  const { calls, points } = result;
  await store.note(shelf, { spent: { calls, points } }).catch(() => undefined);
  log.info({ requestId, ...result }, "synced");
  progress("end", result);
  return result;
}

function contextOf({ signal, log }: SyncOptions, requestId: string): ExecuteContext {
  return { timeout: longestCall, signal, log, requestId, background: true };
}

function stopped(): TenonError {
  return new TenonError("shutting_down", "The sync was asked to stop.");
}

/** Why a pass that was read to its end is not complete. */
function problemOf({ outcome, reason = "partial_results" }: PassResult): { readonly problem?: Problem } {
  switch (outcome) {
    case "complete":
      return {};
    case "partial":
      return { problem: storedProblem(reason) };
    case "refused":
      return { problem: storedProblem("mass_delete_refused") };
  }
}

function stateOf(states: readonly SyncState[], scope: Scope, entity: string): SyncState | undefined {
  return states.find((one) => one.scope === scope.name && one.entity === entity);
}

function parentsOf(connector: Connector, scope: Scope, entity: string): string[] {
  const plans = connector.entities[entity]?.sync ?? [];
  return plans.flatMap(({ scope: kind, each }) => (kind === scope.kind && each !== undefined ? [each.entity] : []));
}

function outcomeOf(results: readonly EntityResult[]): SyncResult["outcome"] {
  if (results.some(({ outcome }) => ["partial", "failed", "skipped"].includes(outcome))) return "partial";
  return results.some(({ outcome }) => outcome === "refused") ? "refused" : "complete";
}

/** Exit statuses of `tenon sync` (sysexits.h): all is well, try again, a person has to decide. */
export const syncExit = { complete: 0, partial: 75, refused: 73 } as const satisfies Record<SyncResult["outcome"], number>;
