import { Turns } from "../../../base/turns.ts";
import { fullDatabase } from "../../../postgres/index.ts";
import { searchTooSlow } from "../../ending.ts";
import type { SearchLimits } from "./find.ts";

/** Statements that may wait. */
const mostWaiting = 1_000;

/**
 * Lets statements have half of the connections, and each caller one of them: a statement may take seconds, and neither searches nor the
 * statements of others shall wait for it.
 */
export class StatementTurns {
  readonly #turns: Turns;

  constructor(connections: number) {
    this.#turns = new Turns(Math.max(1, Math.floor(connections / 2)), { mostWaiting, mostOfOne: 1, refused: fullDatabase });
  }

  /** @throws TenonError `search_timeout` where the turn does not come in time, `overloaded`; what the work throws */
  async take<Result>({ caller, deadline, signal }: SearchLimits, work: () => Promise<Result>): Promise<Result> {
    const turn = this.#turns.take(caller?.id ?? "");
    const late = Promise.withResolvers<never>();
    const leave = () => late.reject(searchTooSlow());
    const timer = setTimeout(leave, Math.max(0, deadline - performance.now()));
    signal?.addEventListener("abort", leave, { once: true });
    if (signal?.aborted === true) leave();
    try {
      await Promise.race([turn.come, late.promise]);
      clearTimeout(timer);
      return await work();
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", leave);
      turn.end();
    }
  }
}
