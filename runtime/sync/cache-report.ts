import { withDeadline } from "../base/deadline.ts";
import { TenonError } from "../base/errors.ts";
import { sharedRead } from "../base/shared-read.ts";
import { type ConnectorInstance, storedAs } from "../execute/index.ts";
import type { SemanticState } from "../store/semantic.ts";
import type { Schedule, StoreInstance, SyncState } from "../store/store.ts";

/** What the store has noted about an instance. */
export interface CacheReport {
  readonly states: readonly SyncState[];
  readonly schedule: Schedule | null;
  /** Whether a process syncs the instance now. */
  readonly running: boolean;
}

type Reads<Result> = WeakMap<ConnectorInstance, () => Promise<Result>>;

const reports: Reads<CacheReport> = new WeakMap();
const indexes: Reads<readonly SemanticState[]> = new WeakMap();

/**
 * Reads what the store has noted about an instance. Requests that come at the same time share one read, so that many of them cost searches
 * nothing.
 *
 * @param timeout milliseconds to wait for the store, which may be making tables anew
 * @returns undefined where there is no store
 * @throws TenonError `overloaded` when the store takes longer
 */
export async function cacheReport(instance: ConnectorInstance, timeout: number): Promise<CacheReport | undefined> {
  const { store } = instance;
  if (store === undefined) return undefined;
  return shared(reports, instance, timeout, async (stored) => {
    const [states, schedule, running] = await Promise.all([store.states(stored), store.schedule(stored), store.leased(stored)]);
    return { states, schedule, running };
  });
}

/** Reads the state of the indexes for search by meaning, in the same way. @throws TenonError `overloaded` */
export async function indexReport(instance: ConnectorInstance, timeout: number): Promise<readonly SemanticState[]> {
  const { semantic } = instance;
  return semantic === undefined ? [] : shared(indexes, instance, timeout, (stored) => semantic.store.semanticStates(stored));
}

function shared<Result>(
  reads: Reads<Result>,
  instance: ConnectorInstance,
  timeout: number,
  read: (stored: StoreInstance) => Promise<Result>,
): Promise<Result> {
  const { connector, storeName } = instance;
  const known = reads.get(instance) ?? sharedRead(() => read(storedAs({ connector, storeName })));
  reads.set(instance, known);
  return withDeadline(timeout, known(), () => {
    throw new TenonError("overloaded", "The context store is busy. Try again shortly.", { retryAfter: 5 });
  });
}
