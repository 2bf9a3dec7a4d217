import { type GraphqlGet, type GraphqlList, type GraphqlWrite, nestedOuterPage } from "../contract/index.ts";
import type { Environment } from "./environment.ts";
import { callPath } from "./rest-call.ts";
import type { ExecuteResult } from "./result.ts";
import { documentVariables } from "./variables.ts";

/**
 * Says what a read would send first, without sending it: `meta.document` and `meta.variables`, and in `meta.points` what the call would
 * take from the platform's hourly budget; null where the platform publishes no rule. A REST call has its method and path as document.
 */
export async function dryRun(env: Environment): Promise<ExecuteResult> {
  const { instance, request } = env;
  const { action, params, choice } = request;
  const { operation } = action;
  const { rateLimit } = instance.connector.platform;
  if (operation.kind === "rest") {
    const document = `${operation.method} ${await callPath(operation, env)}`;
    return { data: null, meta: { document, variables: {}, points: rateLimit.points?.rest?.read ?? null } };
  }
  const { document } = instance.selections.get(operation.document, operation.record, choice);
  const variables = { ...documentVariables(operation, params), ...pageVariables(operation, params) };
  // Loaded here, because no other request needs it.
  const { pointsOf } = await import("../platform/points.ts");
  const points = rateLimit.cost === undefined ? null : pointsOf(document, variables, rateLimit.cost);
  return { data: null, meta: { document, variables, points } };
}

/** Variables of the first page. */
function pageVariables(
  operation: GraphqlGet | GraphqlList | GraphqlWrite,
  params: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  if (operation.kind !== "graphql-list" || operation.page === undefined) return {};
  const { size, cursor, max } = operation.page;
  const wanted = Number(params[size]);
  if (operation.nested !== undefined) return { first: nestedOuterPage, size: wanted };
  const after = params[cursor];
  return { first: Math.min(wanted, max), ...(after === undefined || after === "" ? {} : { after }) };
}
