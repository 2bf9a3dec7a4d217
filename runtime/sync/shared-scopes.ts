import { pause } from "../base/pause.ts";
import type { Connector } from "../contract/index.ts";
import { ReaderLease, type ReadScope, readConcurrently, type ScopesToRead } from "./concurrent-scopes.ts";
import { takeLease } from "./leased.ts";
import { familiesOf } from "./order.ts";
import type { Scope } from "./scope.ts";

/** A run of the schedule, whose scopes all processes share among them. */
export interface ScheduledRun {
  /** When the run began. What any process has synced in this run is left out. */
  readonly run: string;
  /** Called when no other process can sync what is read next any longer. When it says false, nothing more is done. */
  readonly isCurrent: () => Promise<boolean>;
}

export interface SharedScopes extends ScopesToRead {
  readonly scheduled: ScheduledRun;
}

/**
 * Milliseconds after which a run of the schedule takes one more scope to be read at the same time. Other processes begin in the same
 * moment, and find something to do too. It is also how long a process waits before it helps another one with a scope: one in which nothing
 * has changed is read by then, and whoever helps asks the platform what has changed once more.
 */
const shareTime = 500;

/**
 * Reads the part of a process in a run of the schedule: scopes of which no other process reads anything, one family of entities after the
 * other, and when none of these is left, the free families of scopes that others read.
 *
 * @param read reads a family. When it was cut off, the rest of the scope is left to others, and to the next run
 * @returns the scopes of which other processes still read something
 * @throws whatever `read` throws
 */
export async function readShared(connector: Connector, given: SharedScopes, read: ReadScope): Promise<string[]> {
  const share = new Share(connector, given, read);
  await readConcurrently(
    (reader) => share.work(reader),
    () => share.end(),
  );
  return share.elsewhere;
}

/** What one process does in a run. */
class Share {
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
   * Reads the families of a scope that are free.
   *
   * @param helps whether to do so although others read some of them; otherwise such a scope is kept for later
   */
  async #readScope(scope: Scope, own: ReaderLease, helps: boolean): Promise<void> {
    const { store, place, scheduled, signal } = this.#given;
    const mine = new Set<string>();
    for (let hasWaited = false; !this.#isOver; ) {
      const taken = await store.taken({ ...place, scope: scope.name }, scheduled.run);
      const isElsewhere = taken.some(({ family, held }) => held && !mine.has(family));
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
      const isTaken = (name: string) => mine.has(name) || taken.some(({ family }) => family === "" || family === name);
      const free = familiesOf(this.#connector, scope.kind).filter(([name = ""]) => !isTaken(name));
      const before = mine.size;
      for (const family of free) if (!(await this.#readFamily(scope, family, mine, own))) return;
      // What others had may be free again, because they were cut off.
      if (mine.size > before) continue;
      if (isElsewhere || free.length > 0) this.elsewhere.push(scope.name);
      return;
    }
  }

  /**
   * Reads a family if nobody else has taken it meanwhile.
   *
   * @param mine is given its name
   * @returns false when the rest of the scope is not to be read
   */
  async #readFamily(scope: Scope, entities: readonly string[], mine: Set<string>, own: ReaderLease): Promise<boolean> {
    if (this.#isOver) return false;
    const { store, place, signal, scheduled } = this.#given;
    const [family = ""] = entities;
    const held = await takeLease(store, { ...place, scope: scope.name, family }, signal, scheduled.run);
    if (held === undefined) return true;
    mine.add(family);
    return own.during(held, scheduled.run, async () => {
      if (await scheduled.isCurrent()) return this.#read(scope, held, entities);
      this.end();
      return false;
    });
  }

  get #isOver(): boolean {
    return this.#hasEnded || this.#given.signal.aborted;
  }
}
