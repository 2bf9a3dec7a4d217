import { type Warning, warning } from "../contract/index.ts";
import { type Condition, memberAt } from "../search/index.ts";
import { type ConnectorInstance, storedAs } from "./instance.ts";
import { type ExecuteContext, searchCaller } from "./result.ts";

/** The most scopes of a filter that are looked for. */
const mostLooked = 3;

/**
 * Warns when no record has a scope as the filter spells it, but one has it with other capitals. A platform may take both for the same, and
 * so does a sync, while a filter tells them apart.
 *
 * @param named scopes of the filter of a search that found nothing
 * @param until when the search has to end, by `performance.now()`
 */
export async function spellingWarnings(
  { connector, store, storeName }: ConnectorInstance,
  entity: string,
  named: readonly string[],
  until: number,
  context: Pick<ExecuteContext, "signal" | "caller" | "searched">,
): Promise<Warning[]> {
  const tests = named.slice(0, mostLooked).map((scope): Condition => {
    const at = scope.indexOf("=");
    const operand = scope.slice(at + 1).replace(/[\\%_]/g, "\\$&");
    return { kind: "test", operator: "like", field: scope.slice(0, at), operand };
  });
  const [test] = tests;
  const field = named[0]?.split("=")[0];
  if (store === undefined || test === undefined || field === undefined) return [];
  const { json } = await store.search(
    { ...storedAs({ connector, storeName }), entity },
    {
      filter: tests.length === 1 ? test : { kind: "or", conditions: tests },
      sort: [],
      limit: 1,
      fields: new Map([[field, null]]),
      explain: false,
    },
    until,
    context.signal,
    searchCaller(context),
  );
  const found = memberAt(JSON.parse(Buffer.from(json).toString()), `0.${field}`);
  if (typeof found !== "string" || named.includes(`${field}=${found}`)) return [];
  const message = `No record has the ${field} of the filter, but some have ${field} "${found}": a filter distinguishes capitals from small letters.`;
  return [warning("data", "unknown_value", message)];
}
