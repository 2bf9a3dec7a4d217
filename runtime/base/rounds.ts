export interface RoundsOptions {
  /** Turns of one caller in a round. Default: one. */
  readonly each?: number;
  /** The most turns in a round, over all callers. Default: no limit. */
  readonly most?: number;
  /** Milliseconds between two rounds, in which the event loop is free for other work. Default: rounds follow each other. */
  readonly pause?: number;
}

/**
 * Lets callers have a few turns each in a round of the event loop. Further work of the same caller waits for the next rounds, so that what
 * many of its requests cost is spread, and requests of others come in between.
 */
export class Rounds {
  readonly #each: number;
  readonly #most: number;
  readonly #pause: number;
  /** Who waits, and for what. Who has had a turn and waits again is behind the others. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** How many turns callers have had in this round. */
  readonly #had = new Map<string, number>();
  #taken = 0;
  #isPlanned = false;

  constructor({ each = 1, most = Number.POSITIVE_INFINITY, pause = 0 }: RoundsOptions = {}) {
    this.#each = each;
    this.#most = most;
    this.#pause = pause;
  }

  /** How many turns of a caller wait. */
  waiting(caller: string): number {
    return this.#waiting.get(caller)?.length ?? 0;
  }

  /** Takes a turn of the caller. @returns undefined where it is now, otherwise a promise for it */
  turn(caller: string): Promise<void> | undefined {
    this.#plan();
    if (this.#has(caller)) {
      this.#count(caller);
      return undefined;
    }
    return new Promise((resolve) => {
      const line = this.#waiting.get(caller);
      if (line === undefined) this.#waiting.set(caller, [resolve]);
      else line.push(resolve);
    });
  }

  /** Does work in a turn of the caller. */
  async take<Result>(caller: string, work: () => Result): Promise<Result> {
    const turn = this.turn(caller);
    if (turn !== undefined) await turn;
    return work();
  }

  #has(caller: string): boolean {
    // Nobody overtakes who waits.
    return this.#taken < this.#most && !this.#waiting.has(caller) && (this.#had.get(caller) ?? 0) < this.#each;
  }

  #count(caller: string): void {
    this.#taken++;
    this.#had.set(caller, (this.#had.get(caller) ?? 0) + 1);
  }

  /** Those who wait: first who had no turn in the round that has ended. */
  #inTurn(): (readonly [caller: string, line: (() => void)[]])[] {
    const all = [...this.#waiting];
    if (this.#most === Number.POSITIVE_INFINITY) return all;
    const had = ([caller]: readonly [string, unknown]) => this.#had.has(caller);
    return [...all.filter((one) => !had(one)), ...all.filter(had)];
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    if (this.#pause > 0) setTimeout(() => this.#next(), this.#pause).unref();
    else setImmediate(() => this.#next());
  }

  /** Begins the next round with the turns of those who wait. */
  #next(): void {
    this.#isPlanned = false;
    const waiting = this.#inTurn();
    this.#had.clear();
    this.#taken = 0;
    for (const [caller, line] of waiting) {
      this.#waiting.delete(caller);
      for (let had = 0; had < this.#each && line.length > 0 && this.#taken < this.#most; had++) {
        this.#count(caller);
        line.shift()?.();
      }
      if (line.length > 0) this.#waiting.set(caller, line);
      if (this.#taken >= this.#most) break;
    }
    if (this.#taken > 0 || this.#waiting.size > 0) this.#plan();
  }
}
