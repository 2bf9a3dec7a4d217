import { TenonError } from "../base/errors.ts";
import { writeCursor } from "../search/index.ts";
import type { ConnectorInstance } from "./instance.ts";
import type { StoreRequest } from "./request.ts";
import type { ExecuteContext, ExecuteResult } from "./result.ts";

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
  const place = { connector: connector.name, instance: instance.storeName, entity };
  const { json, more, last, syncedAt, plan } = await store.search(place, search, started + context.timeout, context.signal);
  const cursor = more && last !== undefined ? writeCursor(entity, search, last) : null;
  const took = Math.round((performance.now() - started) * 100) / 100;
  const meta = {
    has_more: more,
    cursor,
    took_ms: took,
    synced_at: syncedAt,
    ...(plan === undefined ? {} : { plan }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
  return new StoreResult(json, meta);
}

/** Keeps the records as JSON bytes and parses them only on demand, because most callers only pass the bytes on. */
class StoreResult implements ExecuteResult {
  readonly json: Uint8Array;
  readonly meta: ExecuteResult["meta"];
  #data: unknown;

  constructor(json: Uint8Array, meta: ExecuteResult["meta"]) {
    this.json = json;
    this.meta = meta;
  }

  get data(): unknown {
    this.#data ??= JSON.parse(Buffer.from(this.json).toString());
    return this.#data;
  }
}
