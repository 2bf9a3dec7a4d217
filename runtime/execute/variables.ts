import type { GraphqlGet, GraphqlList, GraphqlWrite, TextVariable } from "../contract/index.ts";
import { sentObject } from "./sent-params.ts";

/** Makes the variables of a document from the parameters of a call. An absent parameter is left out; null is sent as null. */
export function documentVariables(
  operation: GraphqlGet | GraphqlList | GraphqlWrite,
  params: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  for (const name of operation.variables) if (params[name] !== undefined) variables[name] = params[name];
  for (const [name, plan] of Object.entries(operation.computed ?? {}))
    variables[name] = "input" in plan ? sentObject(plan.input, params) : computed(plan, params);
  return variables;
}

function computed(plan: TextVariable, params: Readonly<Record<string, unknown>>): string {
  const text = plan.template.map((part, index) => (index % 2 === 0 ? part : String(params[part] ?? ""))).join("");
  return plan.qualify === undefined ? text : qualified(text, plan.qualify);
}

/** Adds a qualifier to a query. `a OR b qualifier` would mean `a OR (b qualifier)`, so a query with `OR` is put in parentheses. */
function qualified(query: string, qualifier: string): string {
  return `${/\bOR\b/.test(query) ? `(${query})` : query} ${qualifier}`;
}
