import type { StoreInstance, SyncStore } from "../store/store.ts";
import { ReaderLease, type ReadScope, readConcurrently, type ScopesToRead } from "./concurrent-scopes.ts";
import { type HeldLease, syncRunning, takeLease } from "./leased.ts";
import type { Scope } from "./scope.ts";

/**
 * Reads whole scopes. The leases of all that were named are taken before the first one is read.
 *
 * @param onLeased Is called when they are taken.
 * @returns the scopes that were left out because other processes read them now: only such as are part of every sync
 * @throws TenonError `sync_running` when another process has a scope that was named, or a part of it; whatever `read` throws
 */
export async function readNamed(
  { store, stored, scopes, signal }: ScopesToRead,
  read: ReadScope,
  onLeased: () => void = () => undefined,
): Promise<string[]> {
  const taken = await takeNamed(store, stored, scopes, signal);
  onLeased();
  const waiting = [...scopes];
  const elsewhere: string[] = [];
  const work = async () => {
    const own = new ReaderLease();
    try {
      for (let scope = waiting.shift(); scope !== undefined; scope = waiting.shift()) {
        const one = scope;
        const held = taken.get(one.name) ?? (await takeLease(store, { ...stored, scope: one.name }, signal));
        if (held === undefined) elsewhere.push(one.name);
        else await own.during(held, undefined, () => read(one, held));
      }
    } finally {
      await own.giveBack();
    }
  };
  try {
    await readConcurrently(work, () => waiting.splice(0));
  } finally {
    // What a failure has left is given back.
    await giveBackAll(taken);
  }
  return elsewhere;
}

/**
 * Takes the leases of all scopes that were named. Those without a value are part of every sync, so they need not be this one's.
 *
 * @throws TenonError `sync_running` when another process has one of them; none is taken then
 */
async function takeNamed(
  store: SyncStore,
  stored: StoreInstance,
  scopes: readonly Scope[],
  signal: AbortSignal,
): Promise<Map<string, HeldLease>> {
  const taken = new Map<string, HeldLease>();
  try {
    for (const scope of scopeNames(scopes).sort()) {
      const held = await takeLease(store, { ...stored, scope }, signal);
      if (held === undefined) throw syncRunning(scope);
      taken.set(scope, held);
    }
    return taken;
  } catch (thrown) {
    await giveBackAll(taken);
    throw thrown;
  }
}

async function giveBackAll(taken: ReadonlyMap<string, HeldLease>): Promise<void> {
  await Promise.all([...taken.values()].map((held) => held.giveBack()));
}

/** The names of scopes without those that are part of every sync. */
export function scopeNames(scopes: readonly Scope[]): string[] {
  return scopes.filter(({ kind, name }) => name !== kind).map(({ name }) => name);
}
