import { FairQueue } from "../base/fair-queue.ts";
import { fullDatabase } from "./failure.ts";

/** A caller's right to one connection. */
export interface Turn {
  /** Resolves when there is a connection. Rejects with `overloaded` when too many wait. */
  readonly come: Promise<void>;
  /** Whether it has come and has not ended. */
  readonly here: boolean;
  /** Gives the connection, or the place in the queue, to the others. */
  end(): void;
}

interface Waiting {
  readonly enter: () => void;
  readonly refuse: () => void;
}

/**
 * Shares connections among callers: where they have to wait, each caller who waits gets one after the other, however much each has waiting.
 */
export class Turns {
  #free: number;
  readonly #waiting: FairQueue<Waiting>;

  /** @param mostWaiting turns that may wait; beyond that, the newest one of the caller who has most of them is refused */
  constructor(connections: number, mostWaiting: number) {
    this.#free = connections;
    this.#waiting = new FairQueue(mostWaiting);
  }

  take(caller: string): Turn {
    const { promise: come, resolve, reject } = Promise.withResolvers<void>();
    let state: "waits" | "here" | "ended" = "waits";
    const waiting: Waiting = {
      enter: () => {
        state = "here";
        resolve();
      },
      refuse: () => {
        state = "ended";
        reject(fullDatabase());
      },
    };
    if (this.#free > 0) {
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
        if (state === "here") this.#pass();
        state = "ended";
      },
    };
  }

  #pass(): void {
    const next = this.#waiting.next();
    if (next === undefined) this.#free++;
    else next.enter();
  }
}
