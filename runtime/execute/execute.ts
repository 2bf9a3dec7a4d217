import {
  type Action,
  type ActionContext,
  type ActionName,
  type Answer,
  type Connector,
  type GraphqlGet,
  type GraphqlList,
  nearest,
  type Page,
  type RestOperation,
  type Warning,
} from "../contract/index.ts";
import { asTenonError, type Fault, invalidRequest, TenonError } from "../errors.ts";
import type { Logger } from "../log.ts";
import { type Environment, Warnings } from "./environment.ts";
import { readOne } from "./graphql-get.ts";
import { readList } from "./graphql-list.ts";
import type { ConnectorInstance } from "./instance.ts";
import { checkParams, shown } from "./params-check.ts";
import { callRest } from "./rest-call.ts";

/** What a caller asks for. Comes from outside, so nothing about it is known yet. */
export interface ExecuteRequest {
  readonly entity?: unknown;
  readonly action?: unknown;
  readonly params?: unknown;
}

export interface ExecuteContext {
  /** Milliseconds that the action may take, all calls to the platform together. */
  readonly timeout: number;
  /** Ends the action when the caller has gone. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** The one shape of every answer (decision 2). */
export interface ExecuteResult {
  readonly data: unknown;
  readonly meta: Readonly<Record<string, unknown>> & { readonly warnings?: readonly Warning[] };
}

/** Name of the action that the context store answers; it exists for every entity. */
const storeAction = "context_store_search";

/**
 * Runs one action of one entity on a connector instance. The heart of the service: HTTP, library, command line and MCP are faces
 * of this function.
 *
 * @throws TenonError for everything that can go wrong; nothing was sent to the platform when it is a fault of the request.
 */
export async function execute(
  instance: ConnectorInstance,
  request: ExecuteRequest,
  context: ExecuteContext,
): Promise<ExecuteResult> {
  const action = findAction(instance.connector, request);
  const { params, faults } = checkParams(action, request.params === undefined ? {} : request.params);
  if (faults.length > 0)
    throw invalidRequest(
      faults,
      faults.every((fault) => fault.code === "forbidden_transition") ? "forbidden_transition" : undefined,
    );
  const env: Environment = {
    instance,
    params,
    warnings: new Warnings(),
    call: { deadline: performance.now() + context.timeout, signal: context.signal, log: context.log },
  };
  try {
    return (await action.run(params, actionContext(env))) as ExecuteResult;
  } catch (thrown) {
    throw asTenonError(thrown);
  }
}

/** The handlers' door to the runtime. A record is made of the very plan that its type was generated from, hence the assertions. */
function actionContext(env: Environment): ActionContext {
  return {
    get: async <Item>(action: string, operation: GraphqlGet) => (await readOne(action, operation, env)) as Answer<Item>,
    list: async <Item>(action: string, operation: GraphqlList) => (await readList(action, operation, env)) as Page<Item>,
    rest: async <Data>(_action: string, operation: RestOperation) => (await callRest(operation, env)) as Data,
  };
}

function findAction(connector: Connector, request: ExecuteRequest): Action {
  const entities = Object.keys(connector.entities);
  const { entity, action } = request;
  const found = typeof entity === "string" && Object.hasOwn(connector.entities, entity) ? connector.entities[entity] : undefined;
  if (found === undefined) {
    const faults = [nameFault("/entity", "entity", entity, entities)];
    if (typeof action !== "string") faults.push(nameFault("/action", "action", action, undefined));
    throw invalidRequest(faults);
  }
  const actions = [...Object.keys(found.actions), storeAction];
  if (action === storeAction)
    throw new TenonError(
      "context_store_unavailable",
      "Cached search (context_store_search) is not available yet: nothing is synced in this version. Use list, get or api_search.",
    );
  const known =
    typeof action === "string" && Object.hasOwn(found.actions, action) ? found.actions[action as ActionName] : undefined;
  if (known === undefined) throw invalidRequest([nameFault("/action", "action", action, actions, String(entity))]);
  return known;
}

function nameFault(pointer: string, what: string, value: unknown, allowed: readonly string[] | undefined, of?: string): Fault {
  const known = allowed === undefined ? {} : { allowed };
  if (value === undefined) return { pointer, code: `missing_${what}`, message: `${what} is required.`, ...known };
  if (typeof value !== "string") return { pointer, code: "wrong_type", message: `${what} must be a string.`, ...known };
  const suggestion = allowed === undefined ? undefined : nearest(value, allowed);
  const owner = of === undefined ? "This connector" : of;
  return {
    pointer,
    code: `unknown_${what}`,
    message: `${owner} has no ${what} "${shown(value)}".`,
    ...known,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}
