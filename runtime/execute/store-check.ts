import { shown, TenonError } from "../base/errors.ts";
import type { Faults } from "../base/faults.ts";
import type { Entity, FieldPlan, RecordPlan } from "../contract/index.ts";
import { QueryParser, readCursor } from "../search/index.ts";
import type { StoreSearch } from "../store/store.ts";
import { chooseFields } from "./field-choice.ts";
import { isObject } from "./record-reader.ts";
import type { StoreRequest } from "./request.ts";

/** Parameters of `context_store_search`, in the order of the interface. */
const storeParams: readonly string[] = ["query", "limit", "cursor", "fields", "explain"];

/** Bounds of `limit`. */
const limits = { default: 1000, most: 10_000 } as const;

/**
 * Checks the parameters of a cached search.
 *
 * @returns the request, usable only when no fault was added
 * @throws TenonError `semantic_unavailable`; `bad_cursor` when that is all that is wrong
 */
export function checkStoreParams(name: string, entity: Entity, given: unknown, faults: Faults): StoreRequest | undefined {
  if (!isObject(given)) return faults.add(["params"], "wrong_type", "params must be an object.");
  if (given["semantic"] !== undefined)
    throw new TenonError(
      "semantic_unavailable",
      "Search by meaning is not available yet. Use query with keyword, fuzzy or like.",
    );
  const unknown = (param: string) => `${name}.context_store_search has no parameter "${shown(param)}".`;
  faults.unknownNames(["params"], "unknown_param", given, storeParams, unknown);
  const { query, limit = limits.default, cursor, explain = false } = given;
  const parser = new QueryParser(name, entity.store.fields, faults);
  const { filter, sort } = readQuery(query, parser, faults);
  if (!(Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= limits.most))
    faults.add(["params", "limit"], "out_of_range", `limit must be a whole number from 1 to ${limits.most}.`);
  if (typeof explain !== "boolean") faults.add(["params", "explain"], "wrong_type", "explain must be true or false.");
  const choice = chooseFields(storedPlan(entity), given["fields"], faults);
  const search: StoreSearch = {
    ...(filter === undefined ? {} : { filter }),
    sort,
    limit: Number(limit),
    fields: choice,
    explain: explain === true,
  };
  const request: StoreRequest = { kind: "store", entity: name, search, warnings: parser.warnings };
  if (cursor === undefined || cursor === "") return request;
  if (typeof cursor !== "string") return faults.add(["params", "cursor"], "wrong_type", "cursor must be a string.");
  // A cursor is bound to the query, so that nothing can be said of it while the query is wrong.
  if (faults.any) return undefined;
  const after = readCursor(name, search, entity.store, cursor);
  if (after !== undefined) return { ...request, search: { ...search, after } };
  const message = "This cursor was not given out by this search: entity, filter and sort must be the same.";
  faults.add(["params", "cursor"], "bad_cursor", message);
  throw new TenonError("bad_cursor", message, { faults: faults.list });
}

function readQuery(query: unknown, parser: QueryParser, faults: Faults): Pick<StoreSearch, "filter" | "sort"> {
  const at = ["params", "query"];
  if (query === undefined) faults.add(at, "missing_param", "query is required; {} finds everything.");
  else if (!isObject(query)) faults.add(at, "wrong_type", "query must be an object with filter and sort.");
  if (!isObject(query)) return { sort: [] };
  const members = ["filter", "sort"];
  faults.unknownNames(at, "unknown_param", query, members, () => "A query has only filter and sort.");
  const filter = query["filter"] === undefined ? undefined : parser.filter(query["filter"], [...at, "filter"]);
  const sort = query["sort"] === undefined ? [] : parser.sort(query["sort"], [...at, "sort"]);
  return { ...(filter === undefined ? {} : { filter }), sort };
}

const storedPlans = new WeakMap<Entity, RecordPlan>();

/** Fields that cached records have: the default ones, all the way down, and those that are searchable. */
function storedPlan(entity: Entity): RecordPlan {
  let plan = storedPlans.get(entity);
  if (plan === undefined) {
    plan = withoutRequested(entity.record, (name) => Object.hasOwn(entity.store.fields, name));
    storedPlans.set(entity, plan);
  }
  return plan;
}

function withoutRequested(plan: RecordPlan, keep: (name: string) => boolean): RecordPlan {
  const fields = Object.entries(plan.fields).filter(([name, field]) => field.onRequest === undefined || keep(name));
  return {
    ...plan,
    name: `Cached ${plan.name}`,
    fields: Object.fromEntries(fields.map(([name, field]) => [name, inside(field)])),
  };
}

function inside(field: FieldPlan): FieldPlan {
  const { of } = field;
  if (of === undefined) return field;
  let made: RecordPlan | undefined;
  return {
    ...field,
    of: () => {
      made ??= { ...withoutRequested(of(), () => false), name: of().name };
      return made;
    },
  };
}
