import type { RequestHandler } from "express";
import { mayUseEntity } from "../accounts/index.ts";
import { within } from "../base/deadline.ts";
import { TenonError } from "../base/errors.ts";
import { semanticStatus, syncStatus } from "../sync/index.ts";
import type { Answers } from "./answers.ts";
import { callerOf } from "./bearer.ts";
import { type Instances, instanceOf, organizationOf } from "./instance-of.ts";
import { requireRight } from "./permission.ts";
import { traceOf } from "./trace.ts";

/**
 * `GET /api/v1/integrations/connectors/{connector_id}/sync`: what is cached, how old it is, and what went wrong. It takes the right
 * `read` or `sync`.
 *
 * @param timeout milliseconds to wait for the store, which may be making tables anew
 */
export function syncRoute(instances: Instances, answers: Answers, timeout: number): RequestHandler {
  return async (request, response) => {
    const { grant } = callerOf(response);
    const instance = await instanceOf(instances, request.params["connectorId"], {
      grant,
      organization: organizationOf(request),
    });
    requireRight(grant, "read", "sync");
    const { store, semantic, storeName, connector } = instance;
    if (store === undefined)
      throw new TenonError("context_store_unavailable", "This connector has no context store: there is none in local mode.");
    traceOf(response).instance = instance;
    const place = { connector: connector.name, instance: storeName };
    const [states, schedule, running, indexes] = await within(
      timeout,
      Promise.all([store.states(place), store.schedule(place), store.leased(place), semantic?.store.semanticStates(place) ?? []]),
      () => {
        throw new TenonError("overloaded", "The context store is busy. Try again shortly.", { retryAfter: 5 });
      },
    );
    const own = states.filter(({ entity }) => mayUseEntity(grant, entity));
    const data = syncStatus(connector, own, { schedule, running, now: Date.now() });
    answers.sendJson(response, {
      data,
      meta: {
        running,
        semantic: semanticStatus(indexes),
        schedule:
          schedule === null ? null : { scopes: schedule.scopes, every_minutes: schedule.minutes, started_at: schedule.startedAt },
      },
    });
  };
}
