import { pause } from "../base/pause.ts";

import type { ChangeLog, StoreInstance } from "../store/store.ts";

/** Milliseconds between two looks at the log of an instance while somebody waits for a change. */
const interval = 200;

/** Larger than any sequence number. */
export const afterAll = 2 ** 52;

const looks = new WeakMap<ChangeLog, Map<string, Promise<number>>>();

/**
 * Waits until the log of an instance has other changes than those before a sequence number, or a signal ends the wait. All who wait share
 * one look at the log, which sees what other processes write too.
 */
export async function changed(store: ChangeLog, of: StoreInstance, next: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await look(store, of)) === next);
}

/** @returns the sequence number of the next change */
function look(store: ChangeLog, of: StoreInstance): Promise<number> {
  const own = looks.get(store) ?? new Map<string, Promise<number>>();
  looks.set(store, own);
  const name = JSON.stringify([of.connector, of.instance]);
  const known = own.get(name);
  if (known !== undefined) return known;
  const started = pause(interval, new AbortController().signal)
    .then(() => store.changes(of, { from: afterAll, limit: 1, entities: [] }))
    .then(({ next }) => next)
    .finally(() => own.delete(name));
  own.set(name, started);
  return started;
}
