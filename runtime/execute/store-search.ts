import { invalidRequest, TenonError } from "../base/errors.ts";
import { warning } from "../contract/index.ts";
import { fieldsIn, writeCursor } from "../search/index.ts";
import { mostGroups, mostUnlisted } from "../store/store.ts";
import { freshnessWarnings, scopesOfFilter } from "./freshness.ts";
import { type ConnectorInstance, storedAs } from "./instance.ts";
import type { StoreRequest } from "./request.ts";
import { type ExecuteContext, type ExecuteResult, StoreResult, searchCaller } from "./result.ts";
import { spellingWarnings } from "./scope-spelling.ts";
import { unlistedValue } from "./strange-value.ts";

/**
 * Searches the cached records of an entity.
 *
 * @throws TenonError `context_store_unavailable` where there is no store (local mode), and the errors of the store
 */
export async function searchStore(
  instance: ConnectorInstance,
  { entity, search, warnings }: StoreRequest,
  context: ExecuteContext,
): Promise<ExecuteResult> {
  const { connector, store } = instance;
  if (store === undefined)
    throw new TenonError("context_store_unavailable", "Cached search works in hosted mode only. Use list, get or api_search.");
  const started = performance.now();
  const collection = { ...storedAs(instance), entity };
  const named = scopesOfFilter(connector, entity, search.filter);
  const { json, more, last, syncedAt, sync, unlisted, total, tooManyGroups, plan } = await store.search(
    collection,
    {
      ...search,
      ...(named === undefined ? {} : { scopes: named }),
      ...(context.answerBytes === undefined ? {} : { bytes: context.answerBytes }),
    },
    started + context.timeout,
    context.signal,
    searchCaller(context),
  );
  if (tooManyGroups === true) {
    const message = `There are more than ${mostGroups} groups. Narrow the filter, or group by a field of fewer values.`;
    throw invalidRequest([{ pointer: "/params/groupBy", code: "too_many_groups", message }]);
  }
  const cursor = more && last !== undefined ? writeCursor(entity, search, last) : null;
  const took = Math.round((performance.now() - started) * 100) / 100;
  const fields = connector.entities[entity]?.store.fields ?? {};
  const isEmpty = last === undefined && json.length <= "[]".length && search.after === undefined;
  const respelled =
    isEmpty && named !== undefined ? await spellingWarnings(instance, entity, named, started + context.timeout, context) : [];
  const all = [
    ...freshnessWarnings(instance, { entity, named, fields: fieldsOf(search), isEmpty }, sync),
    ...warnings,
    ...respelled,
    ...[...Map.groupBy(unlisted, ({ field }) => field)].flatMap(([field, found]) => [
      ...found.slice(0, mostUnlisted).map(({ value }) => unlistedValue("data", value, fields[field]?.values ?? [], field)),
      ...(found.length > mostUnlisted
        ? [warning("data", "more_warnings", `${field} has more values that its enumeration does not list.`)]
        : []),
    ]),
  ];
  const meta = {
    has_more: more,
    cursor,
    took_ms: took,
    synced_at: syncedAt,
    ...(total === undefined ? {} : { total_count: total }),
    ...(plan === undefined ? {} : { plan }),
    ...(all.length === 0 ? {} : { warnings: all }),
  };
  return new StoreResult(json, meta);
}

/** The fields that a search is about; undefined where its result has all of them. */
function fieldsOf({ filter, sort, fields, groupBy }: StoreRequest["search"]): ReadonlySet<string> | undefined {
  if (fields === null && groupBy === undefined) return undefined;
  const sorted = sort.map(({ field }) => field);
  return new Set([...(groupBy ?? fields?.keys() ?? []), ...sorted, ...fieldsIn(filter)]);
}
