import type { StoreInstance, SyncStore } from "../store/store.ts";
import type { HeldLease } from "./leased.ts";
import type { Scope } from "./scope.ts";

/** Scopes of an instance that one process reads into a store. */
export interface ScopesToRead {
  readonly store: SyncStore;
  readonly stored: StoreInstance;
  readonly scopes: readonly Scope[];
  readonly signal: AbortSignal;
}

/**
 * Reads a scope, or some of its entities, under a lease.
 *
 * @param entities all that the scope fills where it is absent
 * @returns whether it was read as far as it can be; false where it was cut off
 */
export type ReadScope = (scope: Scope, held: HeldLease, entities?: readonly string[]) => Promise<boolean>;

/** Scopes that are read at the same time. The scheduler of the platform client may still send their calls one by one. */
const scopesAtOnce = 4;

/**
 * Runs several readers at the same time, each of which reads one scope after the other.
 *
 * @param work one reader, which is given its number
 * @param end is called when one fails. What makes one fail, such as a store that cannot be used, makes all fail
 */
export async function readConcurrently(work: (reader: number) => Promise<void>, end: () => void): Promise<void> {
  const works = await Promise.allSettled(
    Array.from({ length: scopesAtOnce }, (_, reader) =>
      work(reader).catch((thrown: unknown) => {
        end();
        throw thrown;
      }),
    ),
  );
  for (const one of works) if (one.status === "rejected") throw one.reason;
}

/**
 * The lease that one of these readers has. It is given back only when the next one is taken, so that whoever asks whether the instance is
 * synced is not told "no" in between.
 */
export class ReaderLease {
  #last: { readonly held: HeldLease; readonly scheduledAt: string | undefined } | undefined;

  /**
   * Reads under a lease, and keeps it.
   *
   * @param scheduledAt when the scheduled sync began; what the lease is of counts as synced in it, unless the reading was cut off
   * @returns what the reading says
   */
  async during(held: HeldLease, scheduledAt: string | undefined, read: () => Promise<boolean>): Promise<boolean> {
    const before = this.#last;
    this.#last = { held, scheduledAt: undefined };
    await before?.held.giveBack(before.scheduledAt);
    const isRead = await held.during(read);
    if (isRead) this.#last = { held, scheduledAt };
    return isRead;
  }

  async giveBack(): Promise<void> {
    const last = this.#last;
    this.#last = undefined;
    await last?.held.giveBack(last.scheduledAt);
  }
}
