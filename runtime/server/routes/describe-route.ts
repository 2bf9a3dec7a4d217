import type { RequestHandler } from "express";
import type { Caller } from "../../accounts/index.ts";
import type { Rounds } from "../../base/rounds.ts";
import { type ConnectorInstance, simulatedMark } from "../../execute/index.ts";
import { cacheReport } from "../../sync/index.ts";
import type { Answers } from "../answers.ts";
import { callerOf } from "../callers/bearer.ts";
import { type Instances, instanceOf, organizationOf } from "../instance-of.ts";
import type { Usages } from "../limits/usages.ts";
import { traceOf } from "../monitoring/trace.ts";
import { DescriptionParts, seesCache } from "./description.ts";
import { isUnchanged, tagOf } from "./tagged.ts";

export interface DescribeOptions {
  readonly instances: Instances;
  readonly limits: Usages;
  /** Milliseconds to wait for the store. */
  readonly timeout: number;
  /** In which large answers are sent, so that a search never waits for more than one of them. */
  readonly rounds: Rounds;
}

/**
 * `GET /api/v1/integrations/connectors/{connector_id}`: entities, actions, the JSON Schemas of what they take and answer, the caller's
 * limits, how fresh the cache is, and what is left of the platform's quota. `If-None-Match` with the `ETag` of an earlier answer gets 304
 * as long as nothing has changed.
 */
export function describeRoute({ instances, limits, timeout, rounds }: DescribeOptions, answers: Answers): RequestHandler {
  const parts = new DescriptionParts();
  return async (request, response) => {
    const caller = callerOf(response);
    const { grant } = caller;
    const instance = await instanceOf(instances, request.params["connectorId"], {
      grant,
      organization: organizationOf(request),
    });
    traceOf(response).instance = instance;
    const { connector } = instance;
    const schemas = await parts.schemas(connector);
    const report = seesCache(grant) ? await cacheReport(instance, timeout) : undefined;
    await rounds.take(caller.id, () => {
      const head = JSON.stringify(headOf(instance, caller, limits));
      const meta = JSON.stringify(simulatedMark(instance));
      const entities = parts.entities(connector, grant);
      const cache = parts.cache(connector, grant, report);
      if (isUnchanged(request, response, tagOf([head, entities.tag, cache.tag, schemas.tag, meta]))) return;
      // The large parts are sent as they are: nothing of them is copied for a request.
      answers.sendJsonParts(response, [
        Buffer.from(`{"data":${head.slice(0, -1)},"entities":`),
        entities.bytes,
        Buffer.from(',"cache":'),
        cache.bytes,
        Buffer.from(',"schemas":'),
        schemas.bytes,
        Buffer.from(`},"meta":${meta}}`),
      ]);
    });
  };
}

/** What each request gets anew, because it is small or changes often. */
function headOf(instance: ConnectorInstance, caller: Caller, limits: Usages): object {
  const { id, connector, workspace, organization, client } = instance;
  return {
    id,
    connector: connector.name,
    title: connector.title,
    workspace_name: workspace,
    organization_id: organization,
    ...simulatedMark(instance),
    rights: caller.grant.rights,
    scopes: Object.fromEntries(
      Object.entries(connector.scopes).map(([kind, { params, example }]) => [kind, { params, example: example ?? null }]),
    ),
    limits: limits.of(caller).allowance,
    quota_left: { graphql: client.quotaLeft("graphql") ?? null, rest: client.quotaLeft("rest") ?? null },
  };
}
