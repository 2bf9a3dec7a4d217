import { setTimeout } from "node:timers/promises";
import type { StoreInstance, SyncStore } from "../store/store.ts";
import { type HeldLease, syncRunning, takeLease } from "./leased.ts";
import type { Scope } from "./scope.ts";

/** A run of the schedule, whose scopes all processes share among them. */
export interface ScheduledRun {
  /** When the run began. A scope that any process has synced in this run is left out. */
  readonly run: string;
  /** Called when no other process can sync the next scope any longer. When it says false, nothing more is done. */
  readonly isCurrent: () => Promise<boolean>;
}

export interface SharedScopes {
  readonly store: SyncStore;
  readonly place: StoreInstance;
  readonly scopes: readonly Scope[];
  /** Absent for a sync that is not of the schedule. */
  readonly scheduled: ScheduledRun | undefined;
  readonly signal: AbortSignal;
}

/** Scopes that are read at the same time. The scheduler of the platform client may still send their calls one by one. */
const scopesAtOnce = 4;
/**
 * Milliseconds after which a run of the schedule takes one more scope to be read at the same time. Other processes begin in the same moment,
 * and find something to do too.
 */
const shareTime = 500;

/**
 * Reads scopes, each of which one process reads at a time. A run of the schedule takes the scopes that no process has yet, one after the
 * other. Any other sync takes all that were named before it begins.
 *
 * @param read reads a scope, and says whether the run of the schedule is done with it
 * @returns the scopes that were left out because other processes read them now
 * @throws TenonError `sync_running` when another process has a scope that was named; whatever `read` throws
 */
export async function readShared(
  { store, place, scopes, scheduled, signal }: SharedScopes,
  read: (scope: Scope, held: HeldLease) => Promise<boolean>,
): Promise<string[]> {
  const taken = scheduled === undefined ? await takeNamed(store, place, scopes, signal) : new Map<string, HeldLease>();
  const waiting = [...scopes];
  const elsewhere: string[] = [];
  const isEmpty = new AbortController();
  const next = () => {
    const scope = waiting.shift();
    if (waiting.length === 0) isEmpty.abort();
    return scope;
  };
  const end = () => {
    waiting.length = 0;
    isEmpty.abort();
  };
  const take = async (scope: Scope) => {
    const own = { ...place, scope: scope.name };
    const held = taken.get(scope.name) ?? (await takeLease(store, own, signal, scheduled?.run));
    if (held === undefined && (scheduled === undefined || (await store.leased(own)))) elsewhere.push(scope.name);
    return held;
  };
  const readHeld = async (scope: Scope, held: HeldLease) => {
    if ((await scheduled?.isCurrent()) !== false) return held.during(() => read(scope, held));
    end();
    return false;
  };
  const work = async (turn: number) => {
    if (scheduled !== undefined) await pause(turn * shareTime, AbortSignal.any([isEmpty.signal, signal]));
    let last: { readonly held: HeldLease; isDone: boolean } | undefined;
    const giveBack = () => last?.held.giveBack(last.isDone ? scheduled?.run : undefined);
    try {
      for (let scope = next(); scope !== undefined; scope = next()) {
        if (scheduled !== undefined && signal.aborted) return;
        const held = await take(scope);
        if (held === undefined) continue;
        // Whoever asks whether the instance is synced is not told "no" between two scopes.
        await giveBack();
        last = { held, isDone: false };
        last.isDone = await readHeld(scope, held);
      }
    } finally {
      await giveBack();
    }
  };
  const works = await Promise.allSettled(
    Array.from({ length: scopesAtOnce }, (_, turn) =>
      // What makes one fail, such as a store that cannot be used, makes all fail.
      work(turn).catch((thrown: unknown) => {
        end();
        throw thrown;
      }),
    ),
  );
  // What a failure has left is given back.
  await Promise.all([...taken.values()].map((held) => held.giveBack()));
  for (const one of works) if (one.status === "rejected") throw one.reason;
  return elsewhere;
}

/**
 * Takes the leases of all scopes that were named. Those without a value are part of every sync, so they need not be this one's.
 *
 * @throws TenonError `sync_running` when another process has one of them; none is taken then
 */
async function takeNamed(
  store: SyncStore,
  place: StoreInstance,
  scopes: readonly Scope[],
  signal: AbortSignal,
): Promise<Map<string, HeldLease>> {
  const taken = new Map<string, HeldLease>();
  try {
    for (const scope of namedScopes(scopes).sort()) {
      const held = await takeLease(store, { ...place, scope }, signal);
      if (held === undefined) throw syncRunning(scope);
      taken.set(scope, held);
    }
    return taken;
  } catch (thrown) {
    await Promise.all([...taken.values()].map((held) => held.giveBack()));
    throw thrown;
  }
}

/** The names of scopes without those that are part of every sync. */
export function namedScopes(scopes: readonly Scope[]): string[] {
  return scopes.filter(({ kind, name }) => name !== kind).map(({ name }) => name);
}

/** Waits so many milliseconds, or until a signal ends the wait. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await setTimeout(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
