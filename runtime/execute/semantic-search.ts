import { createHash } from "node:crypto";
import { pointer, TenonError } from "../base/errors.ts";
import { characterBoundary } from "../base/text.ts";
import { type Warning, warning } from "../contract/index.ts";
import { digestOf, fieldsIn } from "../search/index.ts";
import type { EmbeddingProvider } from "../semantic/provider.ts";
import type { HitPosition, SemanticAnswer, SemanticStore } from "../store/semantic.ts";
import type { Collection } from "../store/store.ts";
import { freshnessWarnings, howToSyncEntity, scopesOfFilter } from "./freshness.ts";
import { type ConnectorInstance, type SemanticSearch, storedAs } from "./instance.ts";
import type { SemanticRequest } from "./request.ts";
import { type ExecuteContext, type ExecuteResult, searchCaller } from "./result.ts";
import { spellingWarnings } from "./scope-spelling.ts";

/** What a search by meaning has found, and what its caller should know of it. */
export interface FoundByMeaning {
  readonly answer: SemanticAnswer;
  readonly model: string;
  readonly warnings: readonly Warning[];
  /** When the prompt was embedded, as of `performance.now()`. */
  readonly embedded: number;
  readonly named: readonly string[] | undefined;
}

/**
 * Searches the cached records of an entity by meaning.
 *
 * @throws TenonError `context_store_unavailable` where there is no store (local mode), `semantic_index_not_ready`, `bad_cursor`, and the
 *   errors of the store and of the model
 */
export async function searchByMeaning(
  instance: ConnectorInstance,
  request: SemanticRequest,
  context: ExecuteContext,
): Promise<ExecuteResult> {
  const started = performance.now();
  const { entity, search, cursor } = request;
  const { answer, model, warnings, embedded, named } = await findByMeaning(instance, request, context, started);
  const { hits, more, last, syncedAt, sync, report } = answer;
  const took = (since: number, until = performance.now()) => Math.round((until - since) * 100) / 100;
  const isEmpty = hits.length === 0 && cursor === undefined;
  const all = [
    ...freshnessWarnings(instance, { entity, named, fields: new Set(fieldsIn(search.filter)), isEmpty }, sync),
    ...request.warnings,
    ...(isEmpty && named !== undefined
      ? await spellingWarnings(instance, entity, named, started + context.timeout, context)
      : []),
    ...warnings,
  ];
  return {
    data: hits.map(({ entity: record, metadata }) => ({ entity: record, metadata })),
    meta: {
      has_more: more,
      cursor: more && last !== undefined ? writeCursor(request, model, last) : null,
      took_ms: took(started),
      synced_at: syncedAt,
      ...(report === undefined ? {} : { plan: { ...report, times: { prompt: took(started, embedded), ...report.times } } }),
      ...(all.length === 0 ? {} : { warnings: all }),
    },
  };
}

/** Finds the hits of a search by meaning. @param started as of `performance.now()` @throws TenonError as `searchByMeaning` */
export async function findByMeaning(
  instance: ConnectorInstance,
  request: SemanticRequest,
  context: ExecuteContext,
  started: number,
): Promise<FoundByMeaning> {
  const { semantic } = instance;
  if (semantic === undefined)
    throw new TenonError(
      "context_store_unavailable",
      "Search by meaning works in hosted mode only. Use list, get or api_search.",
    );
  const { store } = semantic;
  const { entity, prompt, search, cursor } = request;
  const collection = { ...storedAs(instance), entity };
  const named = scopesOfFilter(instance.connector, entity, search.filter);
  const scopes = named === undefined ? {} : { scopes: named };
  const asked = { ...search, ...scopes, howToSync: howToSyncEntity(instance, entity, named) };
  const ask = async (provider: EmbeddingProvider): Promise<Answered> => {
    const { model, longestPrompt, mean } = provider;
    const after = cursor === undefined ? undefined : readCursor(request, model, cursor);
    const long = prompt.length > longestPrompt;
    const read = long ? prompt.slice(0, characterBoundary(prompt, longestPrompt)) : prompt;
    const { vector, cut } = await provider.embedPrompt(read, context.signal);
    const embedded = performance.now();
    const warnings = long || cut ? [warning(pointer(["params", "semantic", "prompt"]), "prompt_cut")] : [];
    const bound = context.answerBytes === undefined ? {} : { bytes: context.answerBytes };
    const query = { ...asked, ...bound, model, vector, mean, ...(after === undefined ? {} : { after }) };
    const answer = await store.searchByMeaning(
      collection,
      query,
      started + context.timeout,
      context.signal,
      searchCaller(context),
    );
    // Nothing is near or far from a prompt of which the model knows no word.
    if (vector.every((member) => member === 0))
      return {
        model,
        embedded,
        answer: { ...answer, hits: [], more: false, last: undefined },
        warnings: [...warnings, unknownPrompt],
      };
    return { model, embedded, answer, warnings };
  };
  const [first] = semantic.providers;
  const known = await answeringModel(semantic, collection, search.field);
  // The store says how far the first index is. Nothing is sent to an endpoint for that.
  if (known === undefined) {
    const unasked = { ...asked, model: first.model, vector: new Float32Array(first.dims) };
    await store.searchByMeaning(collection, unasked, started + context.timeout, context.signal, searchCaller(context));
  }
  const answering = known ?? first;
  const { model, embedded, answer, warnings } = await ask(answering);
  const { waiting } = answer;
  return {
    answer,
    model,
    embedded,
    named,
    warnings: [
      ...warnings,
      ...(answering === first ? [] : [warning("data", "semantic_model_replaced")]),
      ...(waiting === 0
        ? []
        : [warning("data", "semantic_index_behind", `${waiting} texts have changed and are not embedded yet.`)]),
    ],
  };
}

type Answered = Omit<FoundByMeaning, "named">;

const unknownPrompt = warning(pointer(["params", "semantic", "prompt"]), "prompt_unknown");

/** Indexes that were seen complete, by their store: such an index stays complete. */
const complete = new WeakMap<SemanticStore, Set<string>>();

/**
 * The model that answers: the first one whose index is complete. So the earlier model answers while the index of a new one is being built,
 * and nothing is sent to an endpoint in vain.
 */
async function answeringModel(
  { store, providers }: SemanticSearch,
  collection: Collection,
  field: string,
): Promise<EmbeddingProvider | undefined> {
  const [first, ...others] = providers;
  if (others.length === 0) return first;
  const seen = complete.get(store) ?? new Set();
  complete.set(store, seen);
  const key = JSON.stringify([collection, field, first.model]);
  if (seen.has(key)) return first;
  const states = (await store.semanticStates(collection)).filter(
    (state) => state.entity === collection.entity && state.field === field,
  );
  const isComplete = ({ model }: EmbeddingProvider) => states.some((state) => state.model === model && state.ready);
  if (isComplete(first)) seen.add(key);
  return providers.find(isComplete);
}

/** A digest of everything that decides which hits there are, and in which order. */
function digest({ entity, prompt, search }: SemanticRequest, model: string): string {
  const { field, dedup, minSimilarity, filter, contextSize } = search;
  const query = digestOf(entity, { ...(filter === undefined ? {} : { filter }), sort: [] });
  // Which passages are merged depends on how much of the text around them is shown.
  const parts = [query, field, prompt, dedup, minSimilarity ?? null, model, ...(dedup === "none" ? [contextSize] : [])];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 16);
}

/** Makes a cursor, which is an opaque text for the position of a hit. */
function writeCursor(request: SemanticRequest, model: string, { score, key, at, seen }: HitPosition): string {
  return Buffer.from(JSON.stringify([digest(request, model), score, key, at, seen])).toString("base64url");
}

/** @throws TenonError `bad_cursor` when the cursor was not made by this search */
function readCursor(request: SemanticRequest, model: string, cursor: string): HitPosition {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    parts = undefined;
  }
  const [made, score, key, at, seen] = Array.isArray(parts) && parts.length === 5 ? (parts as unknown[]) : [];
  const counts = [at, seen].every((one) => Number.isSafeInteger(one) && Number(one) >= 0);
  if (made === digest(request, model) && typeof score === "number" && typeof key === "string" && counts)
    return { score, key, at: Number(at), seen: Number(seen) };
  const message =
    "This cursor does not come from this search: entity, field, prompt, filter, dedup and min_similarity must be the same, with dedup none context_size too, and so must the model.";
  throw new TenonError("bad_cursor", message, {
    faults: [{ pointer: pointer(["params", "cursor"]), code: "bad_cursor", message }],
  });
}
