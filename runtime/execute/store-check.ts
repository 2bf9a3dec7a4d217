import { shown, TenonError } from "../base/errors.ts";
import type { Faults } from "../base/faults.ts";
import { isObject } from "../base/is-object.ts";
import { type Entity, storeLimits } from "../contract/index.ts";
import { QueryParser, readCursor } from "../search/index.ts";
import type { StoreSearch } from "../store/store.ts";
import { chooseFields } from "./field-choice.ts";
import type { SemanticRequest, StoreRequest } from "./request.ts";
import { checkSemanticParams } from "./semantic-check.ts";
import { storedPlan } from "./stored-plan.ts";

/** Parameters of `context_store_search`, in the order in which messages list them. */
const storeParams: readonly string[] = ["query", "limit", "cursor", "fields", "count", "groupBy", "explain"];

/**
 * Checks the parameters of a cached search, by conditions or by meaning.
 *
 * @returns the request; it may be used only when no fault was added
 * @throws TenonError `bad_cursor` when nothing but the cursor is wrong
 */
export function checkStoreParams(
  name: string,
  entity: Entity,
  given: unknown,
  faults: Faults,
): StoreRequest | SemanticRequest | undefined {
  if (!isObject(given)) return faults.add(["params"], "wrong_type", "params must be an object.");
  if (given["semantic"] !== undefined) return checkSemanticParams(name, entity, given, faults);
  const unknown = (param: string) => `${name}.context_store_search has no parameter "${shown(param)}".`;
  faults.unknownNames(["params"], "unknown_param", given, storeParams, unknown);
  const { query, limit = storeLimits.default, cursor, count = false, groupBy, explain = false } = given;
  const parser = new QueryParser(name, entity.store.fields, faults);
  const { filter, sort } = readQuery(query, parser, faults);
  if (!(Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= storeLimits.most))
    faults.add(["params", "limit"], "out_of_range", `limit must be a whole number from 1 to ${storeLimits.most}.`);
  for (const [param, value] of Object.entries({ count, explain }))
    if (typeof value !== "boolean") faults.add(["params", param], "wrong_type", `${param} must be true or false.`);
  const grouped = groupBy === undefined ? {} : { groupBy: parser.groupBy(groupBy, ["params", "groupBy"]) };
  if (groupBy !== undefined) checkAlone(given, faults);
  const choice = chooseFields(storedPlan(entity), given["fields"], faults);
  const search: StoreSearch = {
    ...(filter === undefined ? {} : { filter }),
    sort,
    limit: Number(limit),
    fields: choice,
    explain: explain === true,
    ...(count === true ? { count: true as const } : {}),
    ...grouped,
  };
  const request: StoreRequest = { kind: "store", entity: name, search, warnings: parser.warnings };
  if (cursor === undefined || cursor === "") return request;
  if (typeof cursor !== "string") return faults.add(["params", "cursor"], "wrong_type", "cursor must be a string.");
  // A cursor belongs to one query, so it cannot be checked while the query has faults.
  if (faults.any) return undefined;
  const after = readCursor(name, search, entity.store, cursor);
  if (after !== undefined) return { ...request, search: { ...search, after } };
  const message =
    "This cursor does not come from this search: entity, filter and sort must be the same as in the search that gave it.";
  faults.add(["params", "cursor"], "bad_cursor", message);
  throw new TenonError("bad_cursor", message, { faults: faults.list });
}

/** Groups have an order of their own, and no fields but those that they are made by. */
function checkAlone(given: Readonly<Record<string, unknown>>, faults: Faults): void {
  const query = isObject(given["query"]) ? given["query"] : {};
  const wrong = (at: readonly string[], name: string) =>
    faults.add(
      at,
      "not_allowed",
      `${name} cannot be combined with groupBy: the largest group comes first, and all groups are in one response.`,
    );
  for (const name of ["cursor", "fields"]) if (given[name] !== undefined) wrong(["params", name], name);
  if (query["sort"] !== undefined) wrong(["params", "query", "sort"], "sort");
}

function readQuery(query: unknown, parser: QueryParser, faults: Faults): Pick<StoreSearch, "filter" | "sort"> {
  const at = ["params", "query"];
  if (query === undefined) faults.add(at, "missing_param", "query is required, or semantic; {} finds all records.");
  else if (!isObject(query)) faults.add(at, "wrong_type", "query must be an object with filter and sort.");
  if (!isObject(query)) return { sort: [] };
  const members = ["filter", "sort"];
  faults.unknownNames(at, "unknown_param", query, members, () => "A query may have only filter and sort.");
  const filter = query["filter"] === undefined ? undefined : parser.filter(query["filter"], [...at, "filter"]);
  const sort = query["sort"] === undefined ? [] : parser.sort(query["sort"], [...at, "sort"]);
  return { ...(filter === undefined ? {} : { filter }), sort };
}
