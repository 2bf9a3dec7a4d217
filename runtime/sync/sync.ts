import { randomUUID } from "node:crypto";
import { type Connector, nearest } from "../contract/index.ts";
import { asTenonError, type ErrorCode, invalidRequest, TenonError } from "../errors.ts";
import type { ConnectorInstance, ExecuteContext } from "../execute/index.ts";
import type { Logger } from "../log.ts";
import { newLeaseOwner } from "../store/lease.ts";
import type { SyncState, SyncStore } from "../store/store.ts";
import { syncOrder, withParents } from "./order.ts";
import { Pass, type PassOptions, type PassResult } from "./pass.ts";
import { knownScope, type Scope } from "./scope.ts";

export interface SyncOptions {
  readonly scopes: readonly Scope[];
  /** Only these entities; default all that the scopes fill. */
  readonly entities?: readonly string[];
  readonly full: boolean;
  readonly massDelete: boolean;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** It is the schedule's: the next one is counted from its beginning. */
  readonly scheduled?: true;
  readonly onProgress?: (progress: Progress) => void;
}

/** What has just happened, for whoever watches. */
export interface Progress {
  readonly kind: "page" | "end";
  readonly scope: string;
  readonly entity: string;
  /** Records read in this pass so far, and how many there were after the last one, as an estimate of what is to come. */
  readonly records: number;
  readonly expected: number | undefined;
  /** Calls that the platform allows until its budget is full again. */
  readonly quotaLeft: number | undefined;
  readonly result?: EntityResult;
}

export interface EntityResult extends Omit<PassResult, "outcome"> {
  readonly scope: string;
  readonly entity: string;
  readonly outcome: PassResult["outcome"] | "failed" | "skipped";
  /** Why it failed. */
  readonly problem?: { readonly code: ErrorCode; readonly message: string };
}

export interface SyncResult {
  /** `complete`: everything is as on the platform. `refused`: some removal was refused, all else is complete. */
  readonly outcome: "complete" | "partial" | "refused";
  readonly entities: readonly EntityResult[];
}

/** One call waits for the platform's budget at the longest: it is full again after an hour. In milliseconds. */
const longestCall = 70 * 60_000;
/** Scopes that are read at the same time. Their calls go out one by one where the platform asks for that. */
const scopesAtOnce = 4;
/** How long the right to sync holds after a crash, in seconds. */
const leaseTime = 60;
/** Failures that are not about one entity: going on would fail the same way. */
const hopeless: readonly ErrorCode[] = ["platform_unauthorized", "rate_limited", "store_unusable", "shutting_down", "internal"];

/**
 * Reads scopes of a platform into the store. Every entity of every scope has a pass of its own, which goes on where it was cut off.
 *
 * @throws TenonError `sync_running` when another process syncs the same instance
 */
export async function sync(instance: ConnectorInstance, store: SyncStore, given: SyncOptions): Promise<SyncResult> {
  const { connector } = instance;
  const place = { connector: connector.name, instance: instance.storeName };
  const owner = newLeaseOwner();
  if (!(await store.lease(place, owner, leaseTime)))
    throw new TenonError("sync_running", "This connector instance is being synced already.", { retryAfter: leaseTime });
  const lost = new AbortController();
  const renew = async () => {
    // A store that cannot be reached is told of by the next page.
    if (!(await store.lease(place, owner, leaseTime).catch(() => true))) lost.abort();
  };
  const renewal = setInterval(() => void renew(), (leaseTime * 1000) / 3);
  renewal.unref();
  const signal = AbortSignal.any([given.signal, lost.signal]);
  const options = { ...given, signal };
  try {
    if (given.scheduled) await store.started(place);
    const states = await store.states(place);
    const wanted = options.entities === undefined ? undefined : withParents(connector, options.entities);
    const results: EntityResult[] = [];
    const known = [...new Set(states.map(({ scope }) => scope))];
    const waiting = options.scopes.map((scope) => knownScope(connector, scope, known));
    const work = async () => {
      for (let scope = waiting.shift(); scope !== undefined; scope = waiting.shift())
        results.push(...(await syncScope(instance, store, scope, states, wanted, options)));
    };
    await Promise.all(Array.from({ length: scopesAtOnce }, work));
    return { outcome: outcomeOf(results), entities: results };
  } finally {
    clearInterval(renewal);
    await store.lease(place, owner, 0).catch(() => undefined);
  }
}

/**
 * Checks names of entities: that there are such, and that the scopes fill them.
 *
 * @throws TenonError `invalid_request`
 */
export function checkEntities(connector: Connector, entities: readonly string[], scopes: readonly Scope[]): void {
  const allowed = Object.keys(connector.entities);
  const faults = entities.flatMap((name, index) => {
    const kinds = Object.hasOwn(connector.entities, name)
      ? (connector.entities[name]?.sync.map(({ scope }) => scope) ?? [])
      : undefined;
    if (kinds?.some((kind) => scopes.some((scope) => scope.kind === kind)) === true) return [];
    if (kinds !== undefined) {
      const message = `${name} is filled by other scopes than those given.`;
      return [{ pointer: `/entities/${index}`, code: "no_scope", message, allowed: [...new Set(kinds)] }];
    }
    const suggestion = nearest(name, allowed);
    const message = `${connector.title} has no entity "${name.slice(0, 64)}".`;
    return [
      {
        pointer: `/entities/${index}`,
        code: "unknown_entity",
        message,
        allowed,
        ...(suggestion === undefined ? {} : { suggestion }),
      },
    ];
  });
  if (faults.length > 0) throw invalidRequest(faults);
}

async function syncScope(
  instance: ConnectorInstance,
  store: SyncStore,
  scope: Scope,
  states: readonly SyncState[],
  wanted: ReadonlySet<string> | undefined,
  options: SyncOptions,
): Promise<EntityResult[]> {
  const results: EntityResult[] = [];
  const without = new Set<string>();
  for (const entity of syncOrder(instance.connector, scope.kind)) {
    if (wanted !== undefined && !wanted.has(entity)) continue;
    const missing = options.signal.aborted || parentsOf(instance.connector, scope, entity).some((parent) => without.has(parent));
    const result = missing
      ? { ...nothing, scope: scope.name, entity, outcome: "skipped" as const }
      : await syncEntity(instance, store, scope, entity, states, options);
    results.push(result);
    if (result.outcome === "failed" || result.outcome === "skipped") without.add(entity);
    if (result.problem !== undefined && hopeless.includes(result.problem.code))
      for (const other of Object.keys(instance.connector.entities)) without.add(other);
  }
  return results;
}

const nothing = { full: false, inserted: 0, changed: 0, unchanged: 0, removed: 0, calls: 0 };

async function syncEntity(
  instance: ConnectorInstance,
  store: SyncStore,
  scope: Scope,
  entity: string,
  states: readonly SyncState[],
  { full, massDelete, signal, log, onProgress }: SyncOptions,
): Promise<EntityResult> {
  const name = { scope: scope.name, entity };
  const state = stateOf(states, scope, entity);
  const requestId = randomUUID();
  let records = 0;
  const progress = (kind: Progress["kind"], result?: EntityResult) =>
    onProgress?.({
      kind,
      ...name,
      records,
      expected: state?.records,
      quotaLeft: instance.client.quotaLeft("graphql"),
      ...(result === undefined ? {} : { result }),
    });
  const context = (): ExecuteContext => ({ timeout: longestCall, signal, log, requestId, background: true });
  let result: EntityResult;
  try {
    const passOptions: PassOptions = {
      full,
      massDelete,
      context,
      onPage: (page) => {
        records += page.records;
        if (signal.aborted) throw new TenonError("shutting_down", "The sync was asked to stop; it goes on from here next time.");
        progress("page");
      },
    };
    const pass = new Pass(instance, store, scope, entity, state, passOptions);
    let done = await pass.run();
    if (pass.wentOn && done.outcome === "complete") {
      // What was read before it was cut off may have changed since.
      const states = await store.states({ connector: instance.connector.name, instance: instance.storeName });
      const next = new Pass(instance, store, scope, entity, stateOf(states, scope, entity), { ...passOptions, full: false });
      done = together(done, await next.run());
    }
    result = { ...name, ...done };
  } catch (thrown) {
    const error = signal.aborted
      ? new TenonError("shutting_down", "The sync was asked to stop; it goes on from here next time.")
      : asTenonError(thrown);
    if (error.code === "internal") log.error({ err: error.cause, requestId, ...name }, "unexpected error in a sync");
    await store
      .fail({ connector: instance.connector.name, instance: instance.storeName, ...name }, error.code)
      .catch(() => undefined);
    result = { ...nothing, ...name, outcome: "failed", problem: { code: error.code, message: error.message } };
  }
  log.info({ requestId, ...result }, "synced");
  progress("end", result);
  return result;
}

function stateOf(states: readonly SyncState[], scope: Scope, entity: string): SyncState | undefined {
  return states.find((one) => one.scope === scope.name && one.entity === entity);
}

/** What two passes did, one after the other. */
function together(first: PassResult, second: PassResult): PassResult {
  const sum = (of: "inserted" | "changed" | "unchanged" | "removed" | "calls") => ({ [of]: first[of] + second[of] });
  return {
    ...second,
    full: first.full || second.full,
    ...sum("inserted"),
    ...sum("changed"),
    ...sum("unchanged"),
    ...sum("removed"),
    ...sum("calls"),
  };
}

function parentsOf(connector: Connector, scope: Scope, entity: string): string[] {
  const plans = connector.entities[entity]?.sync ?? [];
  return plans.flatMap(({ scope: kind, each }) => (kind === scope.kind && each !== undefined ? [each.entity] : []));
}

function outcomeOf(results: readonly EntityResult[]): SyncResult["outcome"] {
  if (results.some(({ outcome }) => ["partial", "failed", "skipped"].includes(outcome))) return "partial";
  return results.some(({ outcome }) => outcome === "refused") ? "refused" : "complete";
}

/** Exit statuses of a sync: nothing to do, try again, a person has to decide. */
export const syncExit = { complete: 0, partial: 75, refused: 73 } as const satisfies Record<SyncResult["outcome"], number>;
