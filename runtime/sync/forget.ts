import { invalidRequest } from "../base/errors.ts";
import { Faults } from "../base/faults.ts";
import type { Connector } from "../contract/index.ts";
import type { StoreInstance, SyncStore } from "../store/store.ts";
import { whileLeased, whileRemoving } from "./leased.ts";
import { knownScopes, readScopes } from "./scope.ts";

export interface Forgotten {
  /** The scope in the spelling in which it was stored. */
  readonly scope: string;
  /** How many records were removed. Records that another scope has too stay. */
  readonly removed: number;
}

/**
 * Removes a scope from the store, with its records and everything that is noted of its syncs.
 *
 * @param given the scope as callers write it, such as `repository=octocat/hello-world`
 * @throws TenonError `invalid_request` when nothing of the scope is stored; `sync_running` while the scope is synced
 */
export async function forgetScope(
  connector: Connector,
  instance: StoreInstance,
  store: SyncStore,
  given: string,
  signal: AbortSignal,
): Promise<Forgotten> {
  const requested = readScopes(connector, [given]).find(({ name }) => name === given);
  const known = [...new Set((await store.states(instance)).map(({ scope }) => scope))];
  const scope = requested === undefined ? given : knownScopes(connector, known)(requested).name;
  return whileLeased(store, { ...instance, scope }, signal, async (_signal, leased) => {
    const removed = await leased.forget(instance, scope);
    if (removed !== null) return { scope, removed };
    const faults = new Faults();
    faults.unknown(["scope"], "unknown_scope", `Nothing of the scope ${scope} is stored.`, scope, known);
    throw invalidRequest(faults.list);
  });
}

/**
 * Removes everything that is stored of an instance for ever: all scopes with their records, and its schedule. A sync that is under way in
 * any process writes nothing more and ends; none can begin.
 *
 * @param remove removes the instance itself, once nothing more of it is stored
 */
export async function forgetInstance(
  instance: StoreInstance,
  store: SyncStore,
  signal: AbortSignal,
  remove: () => Promise<void>,
): Promise<void> {
  await whileRemoving(store, instance, signal, async (_signal, leased) => {
    const scopes = new Set((await leased.states(instance)).map(({ scope }) => scope));
    for (const scope of scopes) await leased.forget(instance, scope);
    await leased.setSchedule(instance, null);
    await remove();
  });
}
