import { randomUUID } from "node:crypto";
import { asTenonError, TenonError } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import type { SyncEach } from "../contract/index.ts";
import { type ConnectorInstance, storedAs } from "../execute/index.ts";
import type { RecordObject } from "../search/index.ts";
import type { OpenParent } from "../store/checkpoint.ts";
import type { SearchStore, SyncState, SyncStore } from "../store/store.ts";
import { contextOf, type EntityOptions, syncEntity } from "./entity-sync.ts";
import { isLeaseLost } from "./fenced-store.ts";
import { takeLease } from "./leased.ts";
import { childrenOf, syncGroupsOf } from "./order.ts";
import { parentParams } from "./parents.ts";
import { knownScopes, readScopes, type Scope } from "./scope.ts";
import { sync } from "./sync.ts";
import { SyncRun } from "./sync-run.ts";

// A hint says what may have changed on the platform. It is never believed: what it names is read, and what a record is called on the
// platform comes from the cached record where there is one. So a hint that is wrong, late or repeated costs a call, and nothing else.

/** Says what may have changed in a scope. */
export interface ScopeHint {
  /** Empty where all of the scope is to be synced. */
  readonly entity: string;
  /**
   * `key`: the record with this key. `parent`: what belongs to the record with this key. `list`: what has changed in the entity's list.
   * `full`: the whole list. `scope`: everything of the scope.
   */
  readonly kind: "key" | "parent" | "list" | "full" | "scope";
  readonly key: string;
  /** Parameters as JSON that read a record which is not cached yet. */
  readonly params: string;
}

export interface HintsOptions {
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** What became of hints. */
export interface FollowedHints<Given extends ScopeHint> extends UnfollowedHints<Given> {
  /** Those that were followed, or that are about nothing that is cached. */
  readonly done: readonly Given[];
}

interface UnfollowedHints<Given extends ScopeHint> {
  /** Those whose lease another sync has: they have to be followed after it. */
  readonly busy: readonly Given[];
  readonly failed: readonly { readonly hint: Given; readonly error: TenonError }[];
}

/** Milliseconds in which the store has to find cached records. */
const longestSearch = 30_000;

/** Keys that one search of the store looks up. */
const keysAtOnce = 100;

/**
 * Reads from the platform what hints name in one scope.
 *
 * @param name kind and value of the scope; `kind=*` for all of the kind that are cached
 */
export async function followHints<Given extends ScopeHint>(
  instance: ConnectorInstance,
  store: SyncStore & SearchStore,
  name: string,
  hints: readonly Given[],
  options: HintsOptions,
): Promise<FollowedHints<Given>> {
  const states = await store.states(storedAs(instance));
  const known = [...new Set(states.map(({ scope }) => scope))];
  const [kind = "", value] = name.split("=", 2);
  const named = value === "*" ? known.filter((one) => one.startsWith(`${kind}=`)) : [name];
  const results: UnfollowedHints<Given>[] = [];
  for (const one of named) {
    const scope = scopeOf(instance, one, known);
    const isCached = scope !== undefined && states.some((state) => state.scope === scope.name);
    if (isCached) results.push(await new HintedScope(instance, store, scope, options).follow(hints));
  }
  const busy = results.flatMap((one) => one.busy);
  const failed = results.flatMap((one) => one.failed);
  const open = new Set([...busy, ...failed.map(({ hint }) => hint)]);
  return { done: hints.filter((hint) => !open.has(hint)), busy: [...new Set(busy)], failed };
}

/** The scope with a name that came from outside; undefined for one that cannot be. */
function scopeOf({ connector }: ConnectorInstance, name: string, known: readonly string[]): Scope | undefined {
  try {
    const scopes = readScopes(connector, connector.scopes[name]?.params.length === 0 ? [] : [name]);
    return scopes.filter((one) => one.name === name).map(knownScopes(connector, known))[0];
  } catch (thrown) {
    if (thrown instanceof TenonError) return undefined;
    throw thrown;
  }
}

class HintedScope {
  readonly #instance: ConnectorInstance;
  readonly #store: SyncStore & SearchStore;
  readonly #scope: Scope;
  readonly #options: HintsOptions;

  constructor(instance: ConnectorInstance, store: SyncStore & SearchStore, scope: Scope, options: HintsOptions) {
    this.#instance = instance;
    this.#store = store;
    this.#scope = scope;
    this.#options = options;
  }

  async follow<Given extends ScopeHint>(hints: readonly Given[]): Promise<UnfollowedHints<Given>> {
    if (hints.some(({ kind }) => kind === "scope")) return this.#all(hints);
    const busy: Given[] = [];
    const failed: { hint: Given; error: TenonError }[] = [];
    for (const syncGroup of syncGroupsOf(this.#instance.connector, this.#scope.kind)) {
      const own = hints.filter(({ entity }) => syncGroup.includes(entity));
      if (own.length === 0) continue;
      const held = await takeLease(
        this.#store,
        { ...this.#stored, scope: this.#scope.name, syncGroup: syncGroup[0] ?? "" },
        this.#options.signal,
      );
      if (held === undefined) {
        busy.push(...own);
        continue;
      }
      try {
        await held.during(async () => {
          // Entities of which something belonged to records that are gone.
          const orphaned = new Set<string>();
          for (const entity of syncGroup) {
            const ofEntity = own.filter((hint) => hint.entity === entity);
            if (ofEntity.length === 0 && !orphaned.has(entity)) continue;
            try {
              const removed = await this.#entity(entity, ofEntity, orphaned.has(entity), held.store, held.signal);
              if (removed > 0)
                for (const one of childrenOf(this.#instance.connector, this.#scope.kind, entity)) orphaned.add(one);
            } catch (thrown) {
              const error = asTenonError(thrown);
              if (isLeaseLost(error)) throw error;
              failed.push(...ofEntity.map((hint) => ({ hint, error })));
            }
          }
        });
      } catch (thrown) {
        // Whatever else fails belongs to an entity and is noted above.
        if (!isLeaseLost(thrown)) throw thrown;
        busy.push(...own);
      } finally {
        await held.giveBack();
      }
    }
    return { busy, failed };
  }

  get #stored() {
    return { connector: this.#instance.connector.name, instance: this.#instance.storeName };
  }

  /** Syncs all of the scope, after a rename or the like: its entities report when the platform has no such scope any longer. */
  async #all<Given extends ScopeHint>(hints: readonly Given[]): Promise<UnfollowedHints<Given>> {
    this.#options.log.warn(
      { connector: this.#instance.id, scope: this.#scope.name },
      "a webhook reports that a scope was renamed, moved, removed or shown to others; all of it is synced",
    );
    try {
      const options = { scopes: [this.#scope], full: false, massDelete: false, ...this.#options };
      await sync(this.#instance, this.#store, options);
      return { busy: [], failed: [] };
    } catch (thrown) {
      const error = asTenonError(thrown);
      if (error.code === "sync_running") return { busy: hints, failed: [] };
      return { busy: [], failed: hints.map((hint) => ({ hint, error })) };
    }
  }

  /**
   * @param isOrphaned whether records may belong to a record that is gone: these are removed too
   * @returns how many records were removed
   * @throws TenonError why the hints could not be followed
   */
  async #entity(
    entity: string,
    hints: readonly ScopeHint[],
    isOrphaned: boolean,
    store: SyncStore,
    signal: AbortSignal,
  ): Promise<number> {
    const state = await this.#state(store, entity);
    // The first sync of an entity reads everything.
    if (state === undefined || state.completedAt === null) return 0;
    let gone = 0;
    const options: EntityOptions = {
      full: hints.some(({ kind }) => kind === "full"),
      massDelete: false,
      signal,
      log: this.#options.log,
    };
    const isList = hints.some(({ kind }) => kind === "list" || kind === "full");
    // A sync run that was cut off is ended first, because an entity has one checkpoint.
    if (isList || state.checkpoint !== null) {
      const known = { state, changeCheck: undefined, checkedAt: Date.now(), missing: undefined };
      const { outcome, problem, removed } = await syncEntity(this.#instance, store, this.#scope, entity, known, options);
      if (outcome === "failed") throw new TenonError("platform_failed", problem?.message ?? "The list could not be read.");
      gone += removed;
    }
    const named = await this.#named(entity, hints);
    if (named.size === 0 && !isOrphaned) return gone;
    const requestId = randomUUID();
    const run = new SyncRun(this.#instance, store, this.#scope, entity, await this.#state(store, entity), {
      full: false,
      massDelete: false,
      partitions: [],
      named,
      context: () => contextOf(options, requestId),
      onPage: () => signal.throwIfAborted(),
      onCall: () => undefined,
    });
    const { unread, ...result } = await run.run();
    this.#options.log.info({ requestId, scope: this.#scope.name, entity, ...result }, "followed webhooks");
    if (result.outcome === "partial") throw unread?.error ?? new TenonError("platform_failed", "The platform left records out.");
    return gone + result.removed;
  }

  async #state(store: SyncStore, entity: string): Promise<SyncState | undefined> {
    const states = await store.states({ ...this.#stored, scope: this.#scope.name });
    return states.find((one) => one.entity === entity);
  }

  /** What to read for hints that name records or their parents, by the step of the entity's plan. */
  async #named(entity: string, hints: readonly ScopeHint[]): Promise<Map<number, OpenParent[]>> {
    const named = new Map<number, OpenParent[]>();
    const plans = this.#instance.connector.entities[entity]?.sync.filter(({ scope }) => scope === this.#scope.kind) ?? [];
    for (const [step, { each, verification }] of plans.entries()) {
      const kind = each === undefined ? "key" : "parent";
      const own = [...new Map(hints.filter((hint) => hint.kind === kind).map((hint) => [hint.key, hint])).values()];
      const reads: Pick<SyncEach, "entity" | "params"> | undefined =
        each ?? (verification && { entity, params: verification.params });
      if (own.length === 0 || reads === undefined) continue;
      const cached = await this.#cached(
        reads.entity,
        own.map(({ key }) => key),
      );
      const open = own.flatMap(({ key, params }): OpenParent[] => {
        const record = cached.get(key);
        if (record !== undefined) return [{ key, marker: "", params: parentParams(reads, record) }];
        // What belongs to a record is read once that is cached; a new record is read by what the hint names.
        return each === undefined ? [{ key, marker: "", params: JSON.parse(params) as Record<string, unknown> }] : [];
      });
      if (open.length > 0) named.set(step, open);
    }
    return named;
  }

  /** The cached records with these keys. Their key has one field. */
  async #cached(entity: string, keys: readonly string[]): Promise<Map<string, RecordObject>> {
    const found = new Map<string, RecordObject>();
    const [field = ""] = this.#instance.connector.entities[entity]?.store.key ?? [];
    const unique = [...new Set(keys)];
    for (let from = 0; from < unique.length; from += keysAtOnce) {
      const operand = unique.slice(from, from + keysAtOnce);
      const query = {
        filter: { kind: "test", operator: "in", field, operand },
        sort: [],
        limit: keysAtOnce,
        fields: null,
        explain: false,
      } as const;
      const { json } = await this.#store.search({ ...this.#stored, entity }, query, performance.now() + longestSearch);
      for (const record of JSON.parse(Buffer.from(json).toString()) as RecordObject[]) found.set(String(record[field]), record);
    }
    return found;
  }
}
