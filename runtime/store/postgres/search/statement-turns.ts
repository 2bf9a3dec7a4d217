import { availableParallelism } from "node:os";
import { TenonError } from "../../../base/errors.ts";
import { type Turn, Turns } from "../../../base/turns.ts";
import { fullDatabase } from "../../../postgres/index.ts";
import { searchTooSlow } from "../../ending.ts";
import type { SearchLimits } from "./find.ts";

/** Statements that may wait. */
const mostWaiting = 1_000;
/** Milliseconds that a statement may take while it waits for one of these. */
const quickTime = 100;

/** What a statement may use. */
export interface StatementLimits extends SearchLimits {
  /** Whether no other statement of this process runs. */
  readonly alone: boolean;
  /** Milliseconds after which the server ends it, so that the connection can be used again. */
  readonly brief?: number;
}

/**
 * Lets statements have half of the connections, and each caller one of them: a statement may take seconds, and neither searches nor the
 * statements of others shall wait for it. Only few run to their end at the same time, because each keeps a processor of the server busy
 * that searches need. One more runs for a short time, which is enough for most, and again from its start when its turn has come.
 */
export class StatementTurns {
  readonly #turns: Turns;
  readonly #thorough: Turns;
  readonly #quick = new Turns(1);
  #running = 0;

  /** @param processors of the server, which are taken for as many as this machine has */
  constructor(connections: number, processors: number = availableParallelism()) {
    const atOnce = Math.max(1, Math.floor(connections / 2));
    this.#turns = new Turns(atOnce, { mostWaiting, mostOfOne: 1, refused: fullDatabase });
    this.#thorough = new Turns(Math.max(1, Math.min(Math.floor(processors / 2), atOnce)));
  }

  /** @throws TenonError `search_timeout` where the turn does not come in time, `overloaded`; what the work throws */
  async take<Result>(limits: SearchLimits, work: (limits: StatementLimits) => Promise<Result>): Promise<Result> {
    const { caller, deadline, signal } = limits;
    const id = caller?.id ?? "";
    const late = Promise.withResolvers<never>();
    // It may reject while nobody waits for it, which must not end the process.
    late.promise.catch(() => undefined);
    const leave = () => late.reject(searchTooSlow());
    const timer = setTimeout(leave, Math.max(0, deadline - performance.now()));
    signal?.addEventListener("abort", leave, { once: true });
    if (signal?.aborted === true) leave();
    const turns: Turn[] = [this.#turns.take(id)];
    const come = (turn: Turn) => {
      turns.push(turn);
      return turn;
    };
    try {
      await Promise.race([turns[0]?.come, late.promise]);
      const thorough = come(this.#thorough.take(id));
      if (!thorough.here) {
        const quick = come(this.#quick.take(id));
        await Promise.race([thorough.come, quick.come, late.promise]);
        const result = thorough.here ? undefined : await this.#inTime(limits, work);
        quick.end();
        if (result !== undefined) return result.made;
        await Promise.race([thorough.come, late.promise]);
      }
      return await this.#run(limits, work);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", leave);
      for (const turn of turns) turn.end();
    }
  }

  /** @returns undefined where the time was too short */
  async #inTime<Result>(limits: SearchLimits, work: (limits: StatementLimits) => Promise<Result>) {
    try {
      return { made: await this.#run({ ...limits, brief: quickTime }, work) };
    } catch (thrown) {
      const isLate = thrown instanceof TenonError && thrown.code === "search_timeout";
      if (isLate && limits.signal?.aborted !== true && performance.now() < limits.deadline) return undefined;
      throw thrown;
    }
  }

  async #run<Result>(
    limits: Omit<StatementLimits, "alone">,
    work: (limits: StatementLimits) => Promise<Result>,
  ): Promise<Result> {
    const alone = this.#running++ === 0;
    try {
      return await work({ ...limits, alone });
    } finally {
      this.#running--;
    }
  }
}
