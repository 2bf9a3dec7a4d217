import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { RequestHandler } from "express";
import { type Grant, mayUseEntity } from "../accounts/index.ts";
import { within } from "../base/deadline.ts";
import { TenonError } from "../base/errors.ts";
import { type Connector, storeAction } from "../contract/index.ts";
import type { ConnectorInstance } from "../execute/index.ts";
import { syncStatus } from "../sync/index.ts";
import type { Answers } from "./answers.ts";
import { callerOf } from "./bearer.ts";
import { type Instances, instanceOf, organizationOf } from "./instance-of.ts";
import type { Usages } from "./limits/usages.ts";
import { traceOf } from "./trace.ts";

export interface DescribeOptions {
  readonly instances: Instances;
  readonly limits: Usages;
  /** Milliseconds to wait for the store. */
  readonly timeout: number;
}

/**
 * `GET /api/v1/integrations/connectors/{connector_id}`: entities, actions, the JSON Schemas of what they take and answer, the caller's limits,
 * how fresh the cache is, and what is left of the platform's quota. `If-None-Match` with the `ETag` of an earlier answer gets 304 as long as
 * nothing has changed.
 */
export function describeRoute({ instances, limits, timeout }: DescribeOptions, answers: Answers): RequestHandler {
  const schemas = new Map<string, Promise<Schemas>>();
  return async (request, response) => {
    const caller = callerOf(response);
    const looker = { grant: caller.grant, organization: organizationOf(request) };
    const instance = await instanceOf(instances, request.params["connectorId"], looker);
    traceOf(response).instance = instance;
    const { id, connector, workspace, organization, client } = instance;
    const read = schemas.get(connector.name) ?? readSchemas(connector);
    schemas.set(connector.name, read);
    // A read that failed, as it does when too many files are open, is tried again with the next request.
    read.catch(() => schemas.delete(connector.name));
    const names = Object.keys(connector.entities).filter((name) => mayUseEntity(caller.grant, name));
    const data = {
      id,
      connector: connector.name,
      title: connector.title,
      workspace_name: workspace,
      organization_id: organization,
      rights: caller.grant.rights,
      entities: Object.fromEntries(names.map((name) => [name, entityOf(connector, name)])),
      scopes: Object.fromEntries(
        Object.entries(connector.scopes).map(([kind, { params, example }]) => [kind, { params, example: example ?? null }]),
      ),
      limits: limits.of(caller).allowance,
      quota_left: { graphql: client.quotaLeft("graphql") ?? null, rest: client.quotaLeft("rest") ?? null },
      cache: await cacheOf(instance, caller.grant, timeout),
      schemas: await read,
    };
    const text = JSON.stringify({ data, meta: {} });
    const etag = `"${hash("sha256", text, "base64url")}"`;
    response.setHeader("ETag", etag);
    if (matches(request.headers["if-none-match"], etag)) {
      response.statusCode = 304;
      response.setHeader("X-Request-Id", String(response.locals["requestId"]));
      response.end();
    } else answers.sendJsonText(response, text);
  };
}

type Schemas = Readonly<Record<string, unknown>>;

/** The JSON Schemas of a connector by their names, as its OpenAPI document has them; references are `#/data/schemas/<name>`. */
async function readSchemas({ openapi }: Connector): Promise<Schemas> {
  const text = (await readFile(openapi, "utf8")).replaceAll('"#/components/schemas/', '"#/data/schemas/');
  return (JSON.parse(text) as { readonly components: { readonly schemas: Schemas } }).components.schemas;
}

/** The actions of an entity, each with the names of its schemas. */
function entityOf({ entities }: Connector, name: string) {
  const actions = [...Object.keys(entities[name]?.actions ?? {}), storeAction];
  const schema = (action: string, what: string) => `${name}.${action}.${what}`;
  return {
    actions: Object.fromEntries(
      actions.map((action) => [
        action,
        {
          writes: Object.entries(entities[name]?.actions ?? {}).some(([own, { traits }]) => own === action && traits.writes),
          params: schema(action, "params"),
          answer: schema(action, "answer"),
        },
      ]),
    ),
  };
}

/** How far and how fresh each entity of each scope is cached; null where there is no cache. @throws TenonError `overloaded` */
async function cacheOf({ store, storeName, connector }: ConnectorInstance, grant: Grant, timeout: number) {
  if (store === undefined) return null;
  const place = { connector: connector.name, instance: storeName };
  const asked = Promise.all([store.states(place), store.schedule(place), store.leased(place)]);
  const [states, schedule, running] = await within(timeout, asked, () => {
    throw new TenonError("overloaded", "The context store is busy. Try again shortly.", { retryAfter: 5 });
  });
  const own = states.filter(({ entity }) => mayUseEntity(grant, entity));
  return syncStatus(connector, own, { schedule, running, now: Date.now() }).map(
    ({ scope, entity, state, records, synced_at }) => ({ scope, entity, state, records, synced_at }),
  );
}

/** Whether a header `If-None-Match` (RFC 9110, 13.1.2) names the tag. */
function matches(header: string | undefined, etag: string): boolean {
  return (
    header !== undefined && (header.trim() === "*" || header.split(",").some((one) => one.trim().replace(/^W\//, "") === etag))
  );
}
