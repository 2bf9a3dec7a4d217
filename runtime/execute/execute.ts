import { asTenonError, pointer, TenonError } from "../base/errors.ts";
import { type Action, pagingOf } from "../contract/index.ts";
import { dryRun } from "./dry-run.ts";
import { brokenText, type Environment, fieldsRemoved, Warnings } from "./environment.ts";
import { readOne } from "./graphql-get.ts";
import { readList } from "./graphql-list.ts";
import { writeGraphql } from "./graphql-write.ts";
import { type ConnectorInstance, simulatedMark } from "./instance.ts";
import type { CheckedRequest } from "./request.ts";
import { checkRequest } from "./request-check.ts";
import { callRest } from "./rest-call.ts";
import { type ExecuteContext, type ExecuteResult, withMeta } from "./result.ts";
import { searchByMeaning } from "./semantic-search.ts";
import { paramSentAs } from "./sent-params.ts";
import { querySql } from "./sql-query.ts";
import { searchStore } from "./store-search.ts";

/**
 * Checks a request and runs it. The client library calls it in local mode; the service checks earlier and calls {@link executeChecked},
 * where every way into Tenon ends.
 *
 * @throws TenonError for every failure; when the request itself is wrong, nothing has been sent to the platform
 */
export async function execute(instance: ConnectorInstance, request: unknown, context: ExecuteContext): Promise<ExecuteResult> {
  return executeChecked(instance, checkRequest(instance.connector, request), context);
}

/**
 * Runs a request that has been checked.
 *
 * @throws TenonError
 */
export async function executeChecked(
  instance: ConnectorInstance,
  request: CheckedRequest,
  context: ExecuteContext,
): Promise<ExecuteResult> {
  try {
    const result = await performed(instance, request, context);
    return instance.simulated === undefined ? result : withMeta(result, simulatedMark(instance));
  } catch (thrown) {
    const error = asTenonError(thrown);
    if (request.kind !== "platform") throw error;
    throw error.code === "bad_cursor" ? atCursor(error, request.action) : atParam(error, request.action);
  }
}

async function performed(instance: ConnectorInstance, request: CheckedRequest, context: ExecuteContext): Promise<ExecuteResult> {
  if (request.kind === "store") return searchStore(instance, request, context);
  if (request.kind === "semantic") return searchByMeaning(instance, request, context);
  if (request.kind === "sql") return querySql(instance, request, context);
  if (request.action.traits.writes) {
    await instance.guard?.admit({ instance, request, context });
    await context.onWrite?.();
  }
  const byName = request.action.traits.writes && instance.guard !== undefined;
  const warnings = new Warnings();
  const onRemoved = (fields: readonly string[]) => warnings.addOnce(fieldsRemoved(instance.connector.title, fields));
  const onBrokenText = () => warnings.addOnce(brokenText(instance, context));
  const call = {
    ...context,
    deadline: performance.now() + context.timeout,
    onRemoved,
    onBrokenText,
    ...(byName ? { byName } : {}),
  };
  return callPlatform({ instance, request, warnings, call });
}

/** The same error with a pointer to the cursor in the request. */
function atCursor({ code, message, cause }: TenonError, { operation }: Action): TenonError {
  const page = pagingOf(operation);
  if (page === undefined) return new TenonError("platform_failed", message, { cause });
  return new TenonError(code, message, { faults: [{ pointer: pointer(["params", page.cursor]), code, message }], cause });
}

/** The same error with a pointer to each parameter that the platform refused, where it told which. */
function atParam(error: TenonError, { operation }: Action): TenonError {
  const { code, message, cause, retryAfter } = error;
  const faults = error.fields.flatMap((field) => {
    const param = paramSentAs(operation, field.name);
    return param === undefined ? [] : [{ pointer: pointer(["params", param]), code, message: field.message }];
  });
  const more = retryAfter === undefined ? {} : { retryAfter };
  return faults.length === 0 ? error : new TenonError(code, message, { faults, cause, ...more });
}

/** Runs the operation of an action by its kind. */
function callPlatform(env: Environment): Promise<ExecuteResult> {
  if (env.request.dryRun) return dryRun(env);
  const { operation } = env.request.action;
  switch (operation.kind) {
    case "graphql-get":
      return readOne(operation, env);
    case "graphql-list":
      return readList(operation, env);
    case "graphql-write":
      return writeGraphql(operation, env);
    case "rest":
      return callRest(operation, env);
  }
}
