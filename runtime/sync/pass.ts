import type { SyncPlan } from "../contract/index.ts";
import type { ConnectorInstance, ExecuteContext } from "../execute/index.ts";
import { partialResults, type SyncProblem } from "../store/problem.ts";
import type { ScopeCollection, SyncState, SyncStore } from "../store/store.ts";
import { Children, type ChildrenOptions } from "./children.ts";
import { type Listed, readList } from "./listing.ts";
import { childrenOf, parentsOf } from "./order.ts";
import { canReadChanges, isFullDue, type Known, startOf } from "./pass-start.ts";
import { PassWriter, type Unread } from "./pass-writer.ts";
import { Reader } from "./reader.ts";
import { partOf, partsOf } from "./reread.ts";
import type { Scope } from "./scope.ts";
import { sourceOf, storedFields } from "./source.ts";

/** What one pass over one entity of one scope did. */
export interface PassResult {
  /** `partial`: the platform did not show everything, so nothing was removed. `refused`: too much would have been removed. */
  readonly outcome: "complete" | "partial" | "refused";
  /** Whether everything was read, not only what had changed. */
  readonly full: boolean;
  readonly inserted: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Records that came more than once, with different contents. The last one is stored. */
  readonly repeated: number;
  readonly removed: number;
  /** Calls to the platform, repeated ones included. */
  readonly calls: number;
  /** What these calls took from the platform's hourly budget. */
  readonly points: number;
  /** Why it is partial, where the platform says so. */
  readonly reason?: SyncProblem;
  readonly unread?: Unread;
}

export interface PassOptions {
  /** Reads everything, not only what has changed. */
  readonly full: boolean;
  /** Allows to remove more than half of the records. */
  readonly massDelete: boolean;
  /** Reads these parts of the records again, and nothing else. */
  readonly parts?: readonly number[];
  readonly context: () => ExecuteContext;
  /** Called after every page that was read. */
  readonly onPage: (page: { readonly records: number }) => void;
  /** Called before every call to the platform. */
  readonly onCall: (points: number) => void;
}

/** The key that stands for the parent of records which have none, such as those at the root of a tree. */
const rootParent = "";

/**
 * Reads one entity of one scope, page by page. The store saves the records of pages together with the position behind them, so that
 * the next pass goes on from there when this one is cut off.
 */
export class Pass {
  readonly #reader: Reader;
  readonly #writer: PassWriter;
  readonly #store: SyncStore;
  readonly #collection: ScopeCollection;
  readonly #known: Known;
  readonly #options: PassOptions;
  /** The kind of the scope. */
  readonly #kind: string;
  /** Whether it continues a pass that was cut off. What that one has read may have changed since. */
  readonly continued: boolean;
  /** Whether it continues a pass, and another pass could bring what has changed since by reading only that. */
  readonly resumed: boolean;
  readonly #spent = { calls: 0, points: 0 };

  constructor(
    instance: ConnectorInstance,
    store: SyncStore,
    scope: Scope,
    entity: string,
    state: SyncState | undefined,
    options: PassOptions,
  ) {
    const { connector } = instance;
    const found = connector.entities[entity];
    if (found === undefined) throw new Error(`there is no entity "${entity}"`);
    this.#store = store;
    this.#collection = { connector: connector.name, instance: instance.storeName, entity, scope: scope.name };
    const plans = found.sync.filter((plan) => plan.scope === scope.kind);
    const fields = storedFields(found.record, found.store);
    this.#reader = new Reader(instance, scope, entity, fields, () => ({
      ...options.context(),
      spend: (points) => {
        this.#spent.calls++;
        this.#spent.points += points;
        options.onCall(points);
      },
    }));
    this.#known = { connector, plans, source: sourceOf(plans, fields), state };
    this.#options = options;
    this.#kind = scope.kind;
    const position = startOf(this.#known, options.full, options.parts);
    const { onPage } = options;
    this.#writer = new PassWriter({ store, collection: this.#collection, connector, plan: found.store, position, onPage });
    this.continued = position === state?.position;
    this.resumed = this.continued && canReadChanges(plans);
  }

  /**
   * Reads everything from the position on, then removes what is gone.
   *
   * @throws TenonError when the platform or the store fails; the position in the store is behind the last page that was saved
   */
  async run(): Promise<PassResult> {
    try {
      return await this.#run();
    } catch (thrown) {
      // The pages that were read before the failure are kept. When they cannot be saved, that error is reported instead.
      await this.#writer.saved();
      throw thrown;
    }
  }

  async #run(): Promise<PassResult> {
    for (let { step } = this.#writer.position; step < this.#known.plans.length; step++) {
      const plan = this.#known.plans[step];
      if (plan === undefined) continue;
      if (this.#writer.position.step !== step) this.#writer.move(step);
      // Several steps may read the same records.
      this.#writer.allowRepeats();
      const { parts } = this.#writer.position;
      if (parts !== undefined) await this.#again(plan, parts);
      else if (plan.each === undefined) await this.#list({ plan, params: {}, behind: { step: step + 1 } });
      else await this.#children({ plan, each: plan.each });
    }
    const saved = await this.#writer.saved();
    const { position, unread } = this.#writer;
    const result = { ...saved, ...this.#spent, full: position.full };
    // When the platform forbids the children of every parent, the token may not read the entity at all. Then nothing may be removed.
    const forbidden = position.full && position.met === "hidden";
    if (position.partial || forbidden) {
      const reason = forbidden ? ("platform_forbidden" as const) : partialResults;
      await this.#store.abandon(this.#collection, reason);
      return { ...result, outcome: "partial", removed: 0, reason, ...(unread === undefined ? {} : { unread }) };
    }
    const { entity } = this.#collection;
    const { removed, refused } = await this.#store.finish(this.#collection, position, {
      massDelete: this.#options.massDelete,
      parents: [...new Set(parentsOf(this.#known.connector, this.#kind, entity))],
      children: childrenOf(this.#known.connector, this.#kind, entity),
      ...(this.#isAsked ? { asked: true } : {}),
      ...(this.resumed ? { resumed: true } : {}),
    });
    return { ...result, outcome: refused ? "refused" : "complete", removed };
  }

  /** The parts of the records that this pass reads again, and when it began; undefined where it reads what has changed, or everything. */
  get rereads(): { readonly parts: readonly number[]; readonly began: number } | undefined {
    const { parts, began = Date.now() } = this.#writer.position;
    return parts === undefined ? undefined : { parts, began };
  }

  /** When the pass began, in milliseconds since 1970. */
  get began(): number {
    return this.#writer.position.began ?? 0;
  }

  /** Whether the pass is not needed: the probe says the same of the entity as when the last complete pass began. */
  isUnchanged(probe: string | undefined): boolean {
    const { state } = this.#known;
    if (state === undefined || probe === undefined || isFullDue(this.#known, this.#options.full)) return false;
    return state.position === null && state.problem === null && state.completedAt !== null && state.notes.probe === probe;
  }

  #list(list: Omit<Listed, "known">): Promise<void> {
    return readList({ ...list, known: this.#known.state?.newest ?? null }, this.#writer, this.#reader);
  }

  /** Reads some parts of the records again: the records themselves, or what belongs to parents of these parts. */
  async #again(plan: SyncPlan, parts: readonly number[]): Promise<void> {
    const { reread, each, scope } = plan;
    const all = partsOf(this.#known.connector, [plan]);
    if (all === undefined) return;
    const again = (key: string) => parts.includes(partOf(key, all));
    if (each !== undefined) return this.#children({ plan, each, again });
    if (reread === undefined) return;
    const { action, params, batch } = reread;
    const itself = { entity: this.#collection.entity, params, batch };
    await this.#children({ plan: { scope, action, each: itself }, each: itself, again, itself: true });
  }

  /** Whether this pass reads single records by what identifies them, such as issues by their numbers. */
  get #isAsked(): boolean {
    return this.#writer.position.parts !== undefined && this.#known.plans.some(({ reread }) => reread !== undefined);
  }

  async #children(options: Omit<ChildrenOptions, "signal">): Promise<void> {
    const { plan, each } = options;
    const { step, parent, parts } = this.#writer.position;
    if (each.root !== undefined && parent === undefined && parts === undefined)
      await this.#list({ plan, params: each.root, parent: rootParent, behind: { step, place: { parent: rootParent } } });
    const { signal } = this.#options.context();
    await new Children(this.#writer, this.#reader, { ...options, signal }).run();
    await this.#writer.save([], step + 1);
  }
}
