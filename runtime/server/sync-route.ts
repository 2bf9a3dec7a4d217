import type { RequestHandler } from "express";
import { within } from "../base/deadline.ts";
import { TenonError } from "../base/errors.ts";
import type { SemanticState } from "../store/semantic.ts";
import type { SyncState } from "../store/store.ts";
import { storedProblem } from "../sync/index.ts";
import type { Answers } from "./answers.ts";
import { type Instances, instanceOf } from "./instance-of.ts";

/**
 * `GET /api/v1/integrations/connectors/{connector_id}/sync`: what is cached, how old it is, and what went wrong.
 *
 * @param timeout milliseconds to wait for the store, which may be making tables anew
 */
export function syncRoute(instances: Instances, answers: Answers, timeout: number): RequestHandler {
  return async (request, response) => {
    const { id, store, semantic, storeName, connector } = instanceOf(instances, request.params["connectorId"]);
    if (store === undefined)
      throw new TenonError("context_store_unavailable", "This connector has no context store: there is none in local mode.");
    response.locals["connector"] = id;
    const place = { connector: connector.name, instance: storeName };
    const [states, schedule, running, indexes] = await within(
      timeout,
      Promise.all([store.states(place), store.schedule(place), store.leased(place), semantic?.store.semanticStates(place) ?? []]),
      () => {
        throw new TenonError("overloaded", "The context store is busy. Try again shortly.", { retryAfter: 5 });
      },
    );
    const data = states.map((state) => described(state, running));
    answers.sendJson(response, {
      data,
      meta: {
        running,
        semantic: indexes.map(indexed),
        schedule:
          schedule === null ? null : { scopes: schedule.scopes, every_minutes: schedule.minutes, started_at: schedule.startedAt },
      },
    });
  };
}

/** The index of one field for search by meaning. */
function indexed({ entity, field, model, passages, waiting, ready, secondsLeft, problem }: SemanticState) {
  const state = problem !== null ? "failing" : waiting > 0 ? "embedding" : ready ? "complete" : "waiting for a sync";
  return { entity, field, model, state, ready, passages, waiting, seconds_left: secondsLeft, problem };
}

/** One entity of one scope. `interrupted`: a pass was cut off; the next sync goes on from there. */
function described({ scope, entity, records, position, completedAt, fullAt, problem }: SyncState, running: boolean) {
  const ended = problem !== null ? "failed" : completedAt === null ? "never" : "complete";
  const state = position === null ? ended : running ? "running" : "interrupted";
  return {
    scope,
    entity,
    state,
    records,
    synced_at: completedAt,
    full_sync_at: fullAt,
    problem: problem === null ? null : storedProblem(problem),
  };
}
