import type { RequestHandler } from "express";
import { mayUseEntity } from "../../accounts/index.ts";
import { TenonError } from "../../base/errors.ts";
import { simulatedMark } from "../../execute/index.ts";
import { cacheReport, indexReport, semanticStatus, syncStatus, upkeepOf } from "../../sync/index.ts";
import type { Answers } from "../answers.ts";
import { callerOf } from "../callers/bearer.ts";
import { requireRight } from "../callers/permission.ts";
import { type Instances, instanceOf, organizationOf } from "../instance-of.ts";
import { traceOf } from "../monitoring/trace.ts";
import { visibleScopes } from "../visible-scopes.ts";
import type { Webhooks } from "./webhook-route.ts";

/**
 * `GET /api/v1/integrations/connectors/{connector_id}/sync`: what is cached, how old it is, and what went wrong. It takes the right
 * `read` or `sync`.
 *
 * @param webhooks absent where none are taken
 * @param timeout milliseconds to wait for the store, which may be making tables anew
 */
export function syncRoute(
  instances: Instances,
  answers: Answers,
  timeout: number,
  webhooks?: Pick<Webhooks, "state">,
): RequestHandler {
  return async (request, response) => {
    const { grant } = callerOf(response);
    const instance = await instanceOf(instances, request.params["connectorId"], {
      grant,
      organization: organizationOf(request),
    });
    requireRight(grant, "read", "sync");
    const { connector } = instance;
    const [report, indexes] = await Promise.all([cacheReport(instance, timeout), indexReport(instance, timeout)]);
    if (report === undefined)
      throw new TenonError("context_store_unavailable", "This connector has no context store: there is none in local mode.");
    const { schedule, running } = report;
    traceOf(response).instance = instance;
    const own = report.states.filter(({ entity }) => mayUseEntity(grant, entity));
    // A webhook may name any scope of the platform; the caller sees those of which it sees records.
    const cachedScopes = new Set(own.map(({ scope }) => scope));
    const data = syncStatus(connector, own, { schedule, running, now: Date.now() });
    const told = await webhooks?.state(instance.id);
    answers.sendJson(response, {
      data,
      meta: {
        running,
        ...(told === undefined
          ? {}
          : {
              webhooks: {
                waiting: told.waiting,
                scopes: upkeepOf(connector, cachedScopes, told).map(({ scope, at, by }) => {
                  return { scope, kept_by: by, last_at: new Date(at).toISOString() };
                }),
              },
            }),
        semantic: semanticStatus(indexes.filter(({ entity }) => mayUseEntity(grant, entity))),
        schedule:
          schedule === null
            ? null
            : {
                scopes: visibleScopes(connector, schedule.scopes, grant),
                every_minutes: schedule.minutes,
                started_at: schedule.startedAt,
              },
        ...simulatedMark(instance),
      },
    });
  };
}
