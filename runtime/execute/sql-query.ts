import { shown, TenonError } from "../base/errors.ts";
import { Faults } from "../base/faults.ts";
import { isObject } from "../base/is-object.ts";
import { type Connector, sqlAction, storeLimits, tablesOf } from "../contract/index.ts";
import type { Meaning, Value } from "../statement/algebra.ts";
import { meaningTypes } from "../statement/bind-meaning.ts";
import { statementFault } from "../statement/fault.ts";
import { freshnessWarnings } from "./freshness.ts";
import { type ConnectorInstance, storedAs } from "./instance.ts";
import type { SemanticRequest, SqlRequest } from "./request.ts";
import { type ExecuteContext, type ExecuteResult, StoreResult, searchCaller } from "./result.ts";
import { checkSemanticParams } from "./semantic-check.ts";
import { type FoundByMeaning, findByMeaning } from "./semantic-search.ts";

/** Parameters of `context_store_sql_query`, in the order in which messages list them. */
const sqlParams: readonly string[] = ["sql", "limit", "explain"];

/**
 * Checks the parameters of a statement of SQL, but not the statement.
 *
 * @returns the request; it may be used only when no fault was added
 */
export function checkSqlParams(given: unknown, faults: Faults): SqlRequest | undefined {
  if (!isObject(given)) return faults.add(["params"], "wrong_type", "params must be an object.");
  faults.unknownNames(["params"], "unknown_param", given, sqlParams, (name) => `${sqlAction} has no parameter "${shown(name)}".`);
  const { sql, limit = storeLimits.default, explain = false } = given;
  if (sql === undefined) faults.add(["params", "sql"], "missing_param", "sql is required: a SELECT.");
  else if (typeof sql !== "string") faults.add(["params", "sql"], "wrong_type", "sql must be a string.");
  if (!(Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= storeLimits.most))
    faults.add(["params", "limit"], "out_of_range", `limit must be a whole number from 1 to ${storeLimits.most}.`);
  if (typeof explain !== "boolean") faults.add(["params", "explain"], "wrong_type", "explain must be true or false.");
  return { kind: "sql", sql: String(sql), limit: Number(limit), explain: explain === true };
}

/**
 * Runs a statement of SQL over the cached records of an instance.
 *
 * @throws TenonError `context_store_unavailable` where there is no store (local mode), `invalid_request` for what is wrong in the
 *   statement, and the errors of the store
 */
export async function querySql(
  instance: ConnectorInstance,
  { sql, limit, explain }: SqlRequest,
  context: ExecuteContext,
): Promise<ExecuteResult> {
  const { timeout, signal, entities } = context;
  const { connector, store } = instance;
  if (store === undefined)
    throw new TenonError(
      "context_store_unavailable",
      "SQL works in hosted mode only, where there is a cache. Use list, get or api_search.",
    );
  const started = performance.now();
  const tables = tablesOf(connector, (entity) => entities?.includes(entity) !== false);
  const statement = await store.parseStatement(sql, tables, searchCaller(context));
  const stored = storedAs(instance);
  const requests = statement.meanings.map((one) => meaningRequest(connector, one, sql));
  const found: FoundByMeaning[] = [];
  // How large a response may be does not limit what a statement reads.
  const { answerBytes: _, ...whole } = context;
  for (const one of requests) found.push(await findByMeaning(instance, one, whole, started));
  const hits = found.map(({ answer: { hits: all } }) => all.map(({ key, metadata }) => valuesOf({ key, ...metadata })));
  const query = { statement, limit, hits };
  const answer = await store.runStatement(stored, query, started + timeout, signal, searchCaller(context));
  const freshness = answer.tables.flatMap(({ entity, sync }) =>
    freshnessWarnings(instance, { entity, named: undefined, fields: undefined, isEmpty: answer.count === 0 }, sync),
  );
  const warnings = [...freshness, ...requests.flatMap((one) => one.warnings), ...found.flatMap((one) => one.warnings)];
  const times = answer.tables.map(({ syncedAt }) => syncedAt);
  const oldest = times.includes(null) ? null : (times.sort()[0] ?? null);
  return new StoreResult(answer.json, {
    has_more: answer.more,
    took_ms: Math.round((performance.now() - started) * 100) / 100,
    synced_at: oldest,
    ...(explain ? { plan: { sql: answer.sql } } : {}),
    ...(warnings.length === 0 ? {} : { warnings }),
  });
}

/** Checks the parameters of `semantic_search(…)` as those of the action. @throws TenonError with their place in the statement */
function meaningRequest(connector: Connector, { entity: name, params, at }: Meaning, text: string): SemanticRequest {
  const faults = new Faults();
  const entity = connector.entities[name];
  const request = entity === undefined ? undefined : checkSemanticParams(name, entity, params, faults);
  const [fault] = faults.list;
  if (request !== undefined && fault === undefined) return request;
  const { message = "It has no such entity.", allowed, suggestion } = fault ?? {};
  const more = {
    ...(allowed === undefined ? {} : { allowed: allowed.map(String) }),
    ...(suggestion === undefined ? {} : { suggestion: String(suggestion) }),
  };
  throw statementFault({ message: `semantic_search: ${message}`, at, ...more }, text);
}

/** The values of a hit, in the order of the columns. */
function valuesOf(hit: Readonly<Record<keyof typeof meaningTypes, string | number>>): readonly Value[] {
  return Object.entries(meaningTypes).map(([name, type]) => ({
    kind: "value",
    value: hit[name as keyof typeof meaningTypes],
    type,
  }));
}
