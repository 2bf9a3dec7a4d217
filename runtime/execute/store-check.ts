import { type Entity, type FieldPlan, nearest, type RecordPlan, type Warning } from "../contract/index.ts";
import { type Fault, maxFaults, pointer, shown, TenonError } from "../errors.ts";
import { QueryParser, readCursor } from "../search/index.ts";
import type { StoreSearch } from "../store/store.ts";
import { chooseFields } from "./field-choice.ts";
import { isObject } from "./record-reader.ts";

/** Parameters of `context_store_search`, in the order of the interface. */
export const storeParams: readonly string[] = ["query", "limit", "cursor", "fields", "explain"];

/** Bounds of `limit` (decision 5). */
const limits = { default: 1000, most: 10_000 } as const;

interface CheckedSearch {
  /** Usable only without faults. */
  readonly search: StoreSearch;
  readonly faults: Fault[];
  readonly warnings: readonly Warning[];
}

/**
 * Checks the parameters of a cached search.
 *
 * @throws TenonError `semantic_unavailable`
 */
export function checkStoreParams(name: string, entity: Entity, given: unknown): CheckedSearch {
  const empty: StoreSearch = { sort: [], limit: limits.default, fields: null, explain: false };
  if (!isObject(given))
    return { search: empty, faults: [fault(["params"], "wrong_type", "params must be an object.")], warnings: [] };
  if (given["semantic"] !== undefined)
    throw new TenonError(
      "semantic_unavailable",
      "Search by meaning is not available yet. Use query with keyword, fuzzy or like.",
    );
  const faults = Object.keys(given)
    .filter((param) => !storeParams.includes(param))
    .slice(0, maxFaults)
    .map((param) =>
      unknown(["params", param], `${name}.context_store_search has no parameter "${shown(param)}".`, param, storeParams),
    );
  const { query, limit = limits.default, cursor, explain = false } = given;
  const parser = new QueryParser(name, entity.store.fields);
  const { filter, sort } = readQuery(query, parser, faults);
  const { warnings } = parser;
  faults.push(...parser.faults);
  if (!(Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= limits.most))
    faults.push(fault(["params", "limit"], "out_of_range", `limit must be a whole number from 1 to ${limits.most}.`));
  if (typeof explain !== "boolean") faults.push(fault(["params", "explain"], "wrong_type", "explain must be true or false."));
  const { choice, faults: fieldFaults } = chooseFields(storedPlan(entity), given["fields"]);
  faults.push(...fieldFaults);
  const search: StoreSearch = {
    ...(filter === undefined ? {} : { filter }),
    sort,
    limit: Number(limit),
    fields: choice,
    explain: explain === true,
  };
  if (cursor === undefined || cursor === "") return { search, faults, warnings };
  if (typeof cursor !== "string") faults.push(fault(["params", "cursor"], "wrong_type", "cursor must be a string."));
  if (faults.length > 0 || typeof cursor !== "string") return { search, faults, warnings };
  const after = readCursor(name, search, entity.store, cursor);
  if (after === undefined) throw badStoreCursor();
  return { search: { ...search, after }, faults, warnings };
}

function readQuery(query: unknown, parser: QueryParser, faults: Fault[]): Pick<StoreSearch, "filter" | "sort"> {
  const at = ["params", "query"];
  if (query === undefined) faults.push(fault(at, "missing_param", "query is required; {} finds everything."));
  else if (!isObject(query)) faults.push(fault(at, "wrong_type", "query must be an object with filter and sort."));
  if (!isObject(query)) return { sort: [] };
  const members = ["filter", "sort"];
  for (const member of Object.keys(query).slice(0, maxFaults))
    if (!members.includes(member)) faults.push(unknown([...at, member], "A query has only filter and sort.", member, members));
  const filter = query["filter"] === undefined ? undefined : parser.filter(query["filter"], [...at, "filter"]);
  const sort = query["sort"] === undefined ? [] : parser.sort(query["sort"], [...at, "sort"]);
  return { ...(filter === undefined ? {} : { filter }), sort };
}

function badStoreCursor(): TenonError {
  const message = "This cursor was not given out by this search: entity, filter and sort must be the same.";
  return new TenonError("bad_cursor", message, { faults: [fault(["params", "cursor"], "bad_cursor", message)] });
}

function fault(at: readonly string[], code: string, message: string): Fault {
  return { pointer: pointer(at), code, message };
}

function unknown(at: readonly string[], message: string, name: string, allowed: readonly string[]): Fault {
  const suggestion = nearest(name, allowed);
  return { pointer: pointer(at), code: "unknown_param", message, allowed, ...(suggestion === undefined ? {} : { suggestion }) };
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
