import { pause } from "../base/pause.ts";
import type { Connector } from "../contract/index.ts";
import { ReaderLease, type ReadScope, readConcurrently, type ScopesToRead } from "./concurrent-scopes.ts";
import { takeLease } from "./leased.ts";
import { syncGroupsOf } from "./order.ts";
import type { Scope } from "./scope.ts";

/** A scheduled sync, whose scopes all processes share among them. */
export interface ScheduledSync {
  /** When it began (ISO 8601). What any process has synced in it is left out. */
  readonly startedAt: string;
  /** Called when no other process can sync what is read next any longer. When it says false, nothing more is done. */
  readonly isCurrent: () => Promise<boolean>;
}

export interface SharedScopes extends ScopesToRead {
  readonly scheduled: ScheduledSync;
}

/**
 * Milliseconds after which a scheduled sync takes one more scope to be read at the same time. Other processes begin in the same
 * moment, and find something to do too. It is also how long a process waits before it helps another one with a scope: one in which nothing
 * has changed is read by then, and whoever helps asks the platform what has changed once more.
 */
const shareTime = 500;

/**
 * Reads the part of a process in a scheduled sync: scopes of which no other process reads anything, one sync group after the
 * other, and when none of these is left, the free sync groups of scopes that others read.
 *
 * @param read reads a sync group. When it was cut off, the rest of the scope is left to others, and to the next scheduled sync
 * @returns the scopes of which other processes still read something
 * @throws whatever `read` throws
 */
export async function readShared(connector: Connector, given: SharedScopes, read: ReadScope): Promise<string[]> {
  const part = new ProcessPart(connector, given, read);
  await readConcurrently(
    (reader) => part.work(reader),
    () => part.end(),
  );
  return part.elsewhere;
}

/** The part of one process in a scheduled sync. */
class ProcessPart {
  /** Scopes of which other processes had something when there was nothing left for this one. */
  readonly elsewhere: string[] = [];
  readonly #connector: Connector;
  readonly #given: SharedScopes;
  readonly #read: ReadScope;
  /** Scopes that this process has not looked at yet. */
  readonly #unseen: Scope[];
  /** Scopes of which another process had something when this one looked. */
  readonly #begun: Scope[] = [];
  /** Aborted when no scope is unseen. */
  readonly #allSeen = new AbortController();
  #hasEnded = false;

  constructor(connector: Connector, given: SharedScopes, read: ReadScope) {
    this.#connector = connector;
    this.#given = given;
    this.#read = read;
    this.#unseen = [...given.scopes];
  }

  /** Reads one scope after the other. @param reader how many readers were begun before this one */
  async work(reader: number): Promise<void> {
    const { signal } = this.#given;
    const own = new ReaderLease();
    try {
      if (reader > 0) await pause(reader * shareTime, AbortSignal.any([this.#allSeen.signal, signal]), "idle");
      for (let scope = this.#next(); scope !== undefined; scope = this.#next()) await this.#readScope(scope, own, false);
      for (let scope = this.#begun.shift(); scope !== undefined; scope = this.#begun.shift())
        await this.#readScope(scope, own, true);
    } finally {
      await own.giveBack();
    }
  }

  /** Begins to read nothing more. */
  end(): void {
    this.#hasEnded = true;
    this.#allSeen.abort();
  }

  #next(): Scope | undefined {
    const scope = this.#unseen.shift();
    if (this.#unseen.length === 0) this.#allSeen.abort();
    return scope;
  }

  /**
   * Reads the sync groups of a scope that are free.
   *
   * @param helps whether to do so although others read some of them; otherwise such a scope is kept for later
   */
  async #readScope(scope: Scope, own: ReaderLease, helps: boolean): Promise<void> {
    const { store, stored, scheduled, signal } = this.#given;
    const mine = new Set<string>();
    for (let hasWaited = false; !this.#isOver; ) {
      const taken = await store.taken({ ...stored, scope: scope.name }, scheduled.startedAt);
      const isElsewhere = taken.some(({ syncGroup, held }) => held && !mine.has(syncGroup));
      if (isElsewhere && !helps && mine.size === 0) {
        this.#begun.push(scope);
        return;
      }
      if (isElsewhere && !hasWaited && mine.size === 0) {
        await own.giveBack();
        await pause(shareTime, signal, "idle");
        hasWaited = true;
        continue;
      }
      const isTaken = (name: string) => mine.has(name) || taken.some(({ syncGroup }) => syncGroup === "" || syncGroup === name);
      const free = syncGroupsOf(this.#connector, scope.kind).filter(([name = ""]) => !isTaken(name));
      const before = mine.size;
      for (const syncGroup of free) if (!(await this.#readSyncGroup(scope, syncGroup, mine, own))) return;
      // What others had may be free again, because they were cut off.
      if (mine.size > before) continue;
      if (isElsewhere || free.length > 0) this.elsewhere.push(scope.name);
      return;
    }
  }

  /**
   * Reads a sync group if nobody else has taken it meanwhile.
   *
   * @param mine is given its name
   * @returns false when the rest of the scope is not to be read
   */
  async #readSyncGroup(scope: Scope, entities: readonly string[], mine: Set<string>, own: ReaderLease): Promise<boolean> {
    if (this.#isOver) return false;
    const { store, stored, signal, scheduled } = this.#given;
    const [syncGroup = ""] = entities;
    const held = await takeLease(store, { ...stored, scope: scope.name, syncGroup }, signal, scheduled.startedAt);
    if (held === undefined) return true;
    mine.add(syncGroup);
    return own.during(held, scheduled.startedAt, async () => {
      if (await scheduled.isCurrent()) return this.#read(scope, held, entities);
      this.end();
      return false;
    });
  }

  get #isOver(): boolean {
    return this.#hasEnded || this.#given.signal.aborted;
  }
}
