import type { RequestHandler, Response } from "express";
import { callerOf } from "../callers/bearer.ts";
import { requestRounds } from "../intake/rounds.ts";
import type { Usage, Usages } from "./usages.ts";

/** Seconds of its processor time that a caller must have left: what a request takes is known only afterwards. */
export const leastTime = 0.01;

const member = "usage";

/** What the caller of a request uses; undefined where nobody is known to have sent it. */
export function usageOf({ locals }: Response): Usage | undefined {
  return locals[member];
}

/**
 * Counts the requests of callers and refuses those beyond their limits. The headers `RateLimit-Limit`, `RateLimit-Remaining` and
 * `RateLimit-Reset` (draft-ietf-httpapi-ratelimit-headers) show callers with a limit what is left.
 */
export function limitCaller(limits: Usages): RequestHandler {
  return async (_request, response, next) => {
    const caller = callerOf(response);
    // However many requests of a caller come at once, those of other callers come in between, also where they are only refused.
    const turn = requestRounds.turn(caller.id);
    if (turn !== undefined) await turn;
    const usage = limits.of(caller);
    response.locals[member] = usage;
    let refusal: unknown;
    try {
      usage.checkOwn({ cpuSeconds: leastTime });
      const ended = await usage.begin();
      // The caller may have gone while the limits of other processes were asked.
      if (response.closed) ended();
      else response.once("close", ended);
    } catch (thrown) {
      refusal = thrown;
    }
    const state = usage.requests;
    if (state !== undefined) {
      response.setHeader("RateLimit-Limit", state.limit);
      response.setHeader("RateLimit-Remaining", state.left);
      response.setHeader("RateLimit-Reset", state.reset);
    }
    next(refusal);
  };
}
