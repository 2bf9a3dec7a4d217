import { FairQueue } from "./fair-queue.ts";

/** A caller's right to do something while few others do. */
export interface Turn {
  /** Resolves when it has come. Rejects when too many wait. */
  readonly come: Promise<void>;
  /** Whether it has come and has not ended. */
  readonly here: boolean;
  /** Gives the turn, or the place in the queue, to the others. */
  end(): void;
}

export interface TurnsOptions {
  /** Turns that may wait; beyond that, the newest one of the caller who has most of them is refused. Default: any number. */
  readonly mostWaiting?: number;
  /** Turns that one caller may have at once; a caller without an id, which is the service itself, may have all. Default: all. */
  readonly mostOfOne?: number;
  /** Makes the error of a turn that is refused. */
  readonly refused?: () => Error;
}

interface Waiting {
  readonly enter: () => void;
  readonly refuse: () => void;
}

/**
 * Lets so much be done at once, and the next when some has ended. However much one caller has waiting, the next turn is that of another who
 * waits.
 */
export class Turns {
  #free: number;
  readonly #mostOfOne: number;
  readonly #had = new Map<string, number>();
  readonly #waiting: FairQueue<Waiting>;
  readonly #refused: () => Error;

  /** @param atOnce turns that callers may have at once */
  constructor(
    atOnce: number,
    { mostWaiting = Number.POSITIVE_INFINITY, mostOfOne = atOnce, refused = () => new Error("too many wait") }: TurnsOptions = {},
  ) {
    this.#free = atOnce;
    this.#mostOfOne = mostOfOne;
    this.#refused = refused;
    this.#waiting = new FairQueue(mostWaiting);
  }

  take(caller: string): Turn {
    const { promise: come, resolve, reject } = Promise.withResolvers<void>();
    let state: "waits" | "here" | "ended" = "waits";
    const waiting: Waiting = {
      enter: () => {
        state = "here";
        this.#had.set(caller, (this.#had.get(caller) ?? 0) + 1);
        resolve();
      },
      refuse: () => {
        state = "ended";
        reject(this.#refused());
      },
    };
    if (this.#free > 0 && this.#mayHave(caller)) {
      this.#free--;
      waiting.enter();
    } else this.#waiting.add(caller, waiting)?.refuse();
    return {
      come,
      get here() {
        return state === "here";
      },
      end: () => {
        if (state === "waits") this.#waiting.remove(waiting);
        if (state === "here") this.#pass(caller);
        state = "ended";
      },
    };
  }

  /** Does work in a turn of the caller. */
  async run<Result>(caller: string, work: () => Result | Promise<Result>): Promise<Result> {
    const turn = this.take(caller);
    // Work begins at once where there is a turn.
    if (!turn.here) await turn.come;
    try {
      return await work();
    } finally {
      turn.end();
    }
  }

  #mayHave(caller: string): boolean {
    return caller === "" || (this.#had.get(caller) ?? 0) < this.#mostOfOne;
  }

  #pass(caller: string): void {
    const left = (this.#had.get(caller) ?? 1) - 1;
    if (left === 0) this.#had.delete(caller);
    else this.#had.set(caller, left);
    const next = this.#waiting.next((one) => this.#mayHave(one));
    if (next === undefined) this.#free++;
    else next.enter();
  }
}
