import type { Action, ActionContext, GraphqlGet, GraphqlList, Page, RestOperation, Single } from "../contract/index.ts";
import { asTenonError } from "../errors.ts";
import { type Environment, Warnings } from "./environment.ts";
import { readOne } from "./graphql-get.ts";
import { readList } from "./graphql-list.ts";
import type { ConnectorInstance } from "./instance.ts";
import { checkRequest } from "./request-check.ts";
import { callRest } from "./rest-call.ts";
import type { ExecuteContext, ExecuteResult } from "./result.ts";
import { searchStore } from "./store-search.ts";

/**
 * Runs one action of one entity on a connector instance. The heart of the service: HTTP, library, command line and MCP are faces
 * of this function.
 *
 * @throws TenonError for everything that can go wrong; nothing was sent to the platform when it is a fault of the request.
 */
export async function execute(instance: ConnectorInstance, request: unknown, context: ExecuteContext): Promise<ExecuteResult> {
  const checked = checkRequest(instance.connector, request);
  if (checked.kind === "store") return searchStore(instance, checked, context);
  return runAction(instance, checked.action, checked.params, context);
}

/**
 * Runs an action whose parameters have been checked.
 *
 * @throws TenonError
 */
export async function runAction(
  instance: ConnectorInstance,
  action: Action,
  params: Readonly<Record<string, unknown>>,
  context: ExecuteContext,
): Promise<ExecuteResult> {
  const env: Environment = {
    instance,
    params,
    warnings: new Warnings(),
    call: { ...context, deadline: performance.now() + context.timeout },
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
    get: async <Item>(action: string, operation: GraphqlGet, params: object) =>
      (await readOne(action, operation, withParams(env, params))) as Single<Item>,
    list: async <Item>(action: string, operation: GraphqlList, params: object) =>
      (await readList(action, operation, withParams(env, params))) as Page<Item>,
    rest: async <Data>(_action: string, operation: RestOperation, params: object) =>
      (await callRest(operation, withParams(env, params))) as Data,
  };
}

/** The parameters are those that the handler was called with. */
function withParams(env: Environment, params: object): Environment {
  return params === env.params ? env : { ...env, params: { ...params } };
}
