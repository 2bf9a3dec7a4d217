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
 * None has all connections, so that what takes one of them long delays nobody else.
 */
export class Turns {
  #free: number;
  /** Connections that one caller may have. */
  readonly #mostOfOne: number;
  readonly #had = new Map<string, number>();
  readonly #waiting: FairQueue<Waiting>;

  /**
   * @param mostWaiting turns that may wait; beyond that, the newest one of the caller who has most of them is refused
   * @param mostOfOne connections that one caller may have. Default: all but one
   */
  constructor(connections: number, mostWaiting: number, mostOfOne = Math.max(1, connections - 1)) {
    this.#free = connections;
    this.#mostOfOne = mostOfOne;
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
        reject(fullDatabase());
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

  /** @param caller without an id: the service itself, which may have all */
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
