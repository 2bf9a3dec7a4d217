import { randomUUID } from "node:crypto";
import type { ErrorCode } from "../base/error-codes.ts";
import type { ConnectorInstance } from "../execute/index.ts";
import type { ProblemReport } from "../store/problem-text.ts";
import type { SyncState, SyncStore } from "../store/store.ts";
import { type ChangeCheckResult, checkScope } from "./change-check.ts";
import { contextOf, type EntityOptions, type EntityResult, syncEntity } from "./entity-sync.ts";
import { nothingDone } from "./entity-sync-runs.ts";
import { parentsOf } from "./order.ts";
import type { Scope } from "./scope.ts";

/** Failures that have nothing to do with one entity: the other entities of a scope would fail in the same way. */
const generalFailures: readonly ErrorCode[] = [
  "platform_unauthorized",
  "rate_limited",
  "store_unusable",
  "database_unavailable",
  "shutting_down",
  "internal",
];

export interface ReadingOptions {
  /** Whether an entity is to be read. */
  readonly isWanted: (entity: string) => boolean;
  /** Called before each call that asks the whole scope what has changed. */
  readonly spend: (points: number) => void;
}

/** One process reads entities of one scope, all at once or some after others. What it learns of the scope holds for all of them. */
export class ScopeReading {
  readonly #instance: ConnectorInstance;
  readonly #scope: Scope;
  readonly #options: ReadingOptions;
  #checked: (ChangeCheckResult & { readonly checkedAt: number }) | undefined;
  /** Why nothing of the scope can be read. */
  #missing: ProblemReport | undefined;
  /** Whether all entities that were tried were not found. */
  #onlyMissing: boolean | undefined;
  /** Entities that were not read to their end. What depends on them is skipped. */
  readonly #unread = new Set<string>();

  constructor(instance: ConnectorInstance, scope: Scope, options: ReadingOptions) {
    this.#instance = instance;
    this.#scope = scope;
    this.#options = options;
  }

  /**
   * Whether the platform has no such scope, or does not show it: it says so itself, or, where there is no change check, it has found none
   * of the entities.
   */
  get isMissing(): boolean {
    const asks = this.#instance.connector.scopes[this.#scope.kind]?.changeCheck !== undefined;
    return this.#missing !== undefined || (!asks && this.#onlyMissing === true);
  }

  /**
   * Reads entities into a store, each after its parents.
   *
   * @param states those of the scope, read after the lease was taken
   */
  async read(
    entities: readonly string[],
    store: SyncStore,
    states: readonly SyncState[],
    options: EntityOptions,
  ): Promise<EntityResult[]> {
    const { texts, missing, checkedAt } = await this.#check(options);
    const results: EntityResult[] = [];
    for (const entity of entities) {
      if (!this.#options.isWanted(entity)) continue;
      if (options.signal.aborted || this.#lacks(entity)) {
        this.#unread.add(entity);
        results.push({ ...nothingDone, scope: this.#scope.name, entity, outcome: "skipped" });
        continue;
      }
      const state = states.find((one) => one.scope === this.#scope.name && one.entity === entity);
      const known = { state, changeCheck: texts.get(entity), checkedAt, missing: this.#missing };
      const result = await syncEntity(this.#instance, store, this.#scope, entity, known, options);
      results.push(result);
      if (result.outcome === "failed") this.#unread.add(entity);
      this.#onlyMissing = this.#onlyMissing !== false && result.problem?.code === "not_found";
      // When neither the change check nor a list finds the scope, the other lists need not be read to find that out.
      if (missing && result.problem?.code === "not_found") this.#missing ??= result.problem;
      if (generalFailures.some((code) => code === result.problem?.code))
        for (const other of Object.keys(this.#instance.connector.entities)) this.#unread.add(other);
    }
    return results;
  }

  /** Whether an entity cannot be read now, or one of its parents was not. */
  #lacks(entity: string): boolean {
    return [entity, ...parentsOf(this.#instance.connector, this.#scope.kind, entity)].some((one) => this.#unread.has(one));
  }

  /** Asks the platform once what has changed in the scope. This happens before anything is read. */
  async #check(options: EntityOptions): Promise<ChangeCheckResult & { readonly checkedAt: number }> {
    if (this.#checked !== undefined) return this.#checked;
    const { isWanted, spend } = this.#options;
    const checkedAt = Date.now();
    const context = { ...contextOf(options, randomUUID()), spend };
    this.#checked = { ...(await checkScope(this.#instance, this.#scope, isWanted, context)), checkedAt };
    return this.#checked;
  }
}
