import { isObject } from "../base/is-object.ts";
import type { ChangeCheckPlan } from "../contract/index.ts";
import type { ConnectorInstance } from "./instance.ts";
import { valueAtPath } from "./record-reader.ts";
import type { ExecuteContext } from "./result.ts";

/**
 * Asks with one call what a scope looks like. The texts mean nothing by themselves: as long as an entity has the same one, nothing of it
 * has changed. Where a list says that it goes on, nothing is known of what is behind its page.
 *
 * @param params those of the scope
 * @returns a text for each entity of which the platform has answered everything
 * @throws TenonError when the call failed
 */
export async function runChangeCheck(
  instance: ConnectorInstance,
  { document, variables, path, keys }: ChangeCheckPlan,
  params: Readonly<Record<string, string>>,
  context: ExecuteContext,
): Promise<ReadonlyMap<string, string>> {
  const call = { ...context, deadline: performance.now() + context.timeout };
  const given = Object.fromEntries(variables.map((name) => [name, params[name]]));
  const { data, faults } = await instance.client.graphql(
    { document, variables: () => given, usable: (answer) => isObject(valueAtPath(answer, path)) },
    call,
  );
  const found = valueAtPath(data, path);
  const answers = new Map<string, string>();
  if (!isObject(found) || faults.some((fault) => fault.path.length <= path.length)) return answers;
  const isWhole = (key: string) => Object.hasOwn(found, key) && valueAtPath(found[key], ["pageInfo", "hasNextPage"]) !== true;
  for (const [entity, own] of Object.entries(keys))
    if (own.every(isWhole) && !faults.some((fault) => own.includes(String(fault.path[path.length]))))
      answers.set(entity, JSON.stringify(own.map((key) => found[key])));
  return answers;
}
