import { TenonError } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { type GraphqlGet, onlyPage, type Single } from "../contract/index.ts";
import type { GraphqlAnswer } from "../platform/call.ts";
import { type Environment, readState, warnOfHidden } from "./environment.ts";
import { missingAt, valueAtPath } from "./record-reader.ts";
import { documentVariables } from "./variables.ts";

/**
 * Reads one record.
 *
 * @throws TenonError `not_found` also when the platform answers null without an error, or an object of another type
 */
export async function readOne(operation: GraphqlGet, env: Environment): Promise<Single<Record<string, unknown>>> {
  const { instance, request, call } = env;
  const { document, read } = instance.selections.get(operation.document, operation.record, request.choice);
  const variables = documentVariables(operation, request.params);
  const answer = await instance.client.graphql(
    { document, variables: () => variables, usable: (data) => valueAtPath(data, operation.path) !== null },
    call,
  );
  const found = valueAtPath(answer.data, operation.path);
  if (!isObject(found) || isOther(found, operation.narrow)) throw notFound(missingAt(answer.data, operation.path), env);
  warnOfHidden(answer, env);
  warnOfFaults(answer, operation.path, env);
  return { data: read(found, "data", readState(env)), meta: { ...onlyPage, ...env.warnings.meta } };
}

/** Whether an object is none of the types that the records of an entity have. */
export function isOther(found: Readonly<Record<string, unknown>>, types: readonly string[] | undefined): boolean {
  return types !== undefined && !types.some((type) => type === found["__typename"]);
}

/** @param missing the response keys down to the one that is null */
export function notFound(missing: readonly string[], { instance, request }: Environment): TenonError {
  return new TenonError(
    "not_found",
    `${instance.connector.title} has nothing for these parameters of ${request.action.name}, or the token may not see it.`,
    { missingAt: missing },
  );
}

/** An error inside the record leaves null in that place: each error becomes a warning that names the place. */
function warnOfFaults(answer: GraphqlAnswer, path: readonly string[], { instance, warnings }: Environment): void {
  for (const fault of answer.faults) {
    const error = instance.client.judge.error(fault, answer.headers);
    warnings.add({ path: answerPath(fault.path.slice(path.length), "data"), code: error.code, message: error.message });
  }
}

/** `["author", "login"]` inside a record becomes `data.author.login`. Keys of connections are left out, as in our answers. */
export function answerPath(path: readonly (string | number)[], at: string): string {
  return [at, ...path.filter((key) => key !== "nodes" && key !== "edges" && key !== "node")].join(".");
}
