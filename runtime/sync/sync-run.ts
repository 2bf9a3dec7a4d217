import type { SyncPlan } from "../contract/index.ts";
import { type ConnectorInstance, type ExecuteContext, storedAs } from "../execute/index.ts";
import type { OpenParent } from "../store/checkpoint.ts";
import { partialResults, type SyncProblem } from "../store/problem.ts";
import type { FinishOptions, ScopeCollection, SyncState, SyncStore } from "../store/store.ts";
import { Children, type ChildrenOptions } from "./children.ts";
import { type Listed, readList } from "./listing.ts";
import { childrenOf, parentsOf } from "./order.ts";
import { PlatformReader } from "./reader.ts";
import type { Scope } from "./scope.ts";
import { sourceOf, storedFields } from "./source.ts";
import { canReadChanges, isFullDue, type Known, startOf } from "./sync-run-start.ts";
import { SyncRunWriter, type Unread } from "./sync-run-writer.ts";
import { partitionCount, partitionOf } from "./verification.ts";

/** What one sync run over one entity of one scope did. */
export interface SyncRunResult {
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

export interface SyncRunOptions {
  /** Reads everything, not only what has changed. */
  readonly full: boolean;
  /** Allows to remove more than half of the records. */
  readonly massDelete: boolean;
  /** Reads these partitions of the records again, and nothing else. Empty where only what is `named` is read. */
  readonly partitions?: readonly number[];
  /** By the step of the entity's plan: single records, or parents of records, that are read beside the partitions. */
  readonly named?: ReadonlyMap<number, readonly OpenParent[]>;
  readonly context: () => ExecuteContext;
  /** Called after every page that was read. */
  readonly onPage: (page: { readonly records: number }) => void;
  /** Called before every call to the platform. */
  readonly onCall: (points: number) => void;
}

/** The key that stands for the parent of records which have none, such as those at the root of a tree. */
const rootParent = "";

/**
 * Reads one entity of one scope, page by page. The store saves the records of pages together with the checkpoint behind them, so that
 * the next sync run goes on from there when this one is cut off.
 */
export class SyncRun {
  readonly #reader: PlatformReader;
  readonly #writer: SyncRunWriter;
  readonly #store: SyncStore;
  readonly #collection: ScopeCollection;
  readonly #known: Known;
  readonly #options: SyncRunOptions;
  /** The kind of the scope. */
  readonly #kind: string;
  /** Whether it continues a sync run that was cut off. What that one has read may have changed since. */
  readonly continued: boolean;
  /** Whether it continues a sync run, and another sync run could bring what has changed since by reading only that. */
  readonly resumed: boolean;
  readonly #spent = { calls: 0, points: 0 };
  /** Steps whose list may have records that were not seen, because they moved from one of its pages to another. */
  readonly #unsure = new Set<number>();

  constructor(
    instance: ConnectorInstance,
    store: SyncStore,
    scope: Scope,
    entity: string,
    state: SyncState | undefined,
    options: SyncRunOptions,
  ) {
    const { connector } = instance;
    const found = connector.entities[entity];
    if (found === undefined) throw new Error(`there is no entity "${entity}"`);
    this.#store = store;
    this.#collection = { ...storedAs(instance), entity, scope: scope.name };
    const plans = found.sync.filter((plan) => plan.scope === scope.kind);
    const fields = storedFields(found.record, found.store);
    this.#reader = new PlatformReader(instance, scope, entity, fields, () => ({
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
    const checkpoint = startOf(this.#known, options.full, options.partitions);
    const { onPage } = options;
    this.#writer = new SyncRunWriter({ store, collection: this.#collection, connector, plan: found.store, checkpoint, onPage });
    this.continued = checkpoint === state?.checkpoint;
    this.resumed = this.continued && canReadChanges(plans);
  }

  /**
   * Reads everything from the checkpoint on, then removes what is gone.
   *
   * @throws TenonError when the platform or the store fails; the checkpoint in the store is behind the last page that was saved
   */
  async run(): Promise<SyncRunResult> {
    try {
      return await this.#run();
    } catch (thrown) {
      // The pages that were read before the failure are kept. When they cannot be saved, that error is reported instead.
      await this.#writer.saved();
      throw thrown;
    }
  }

  async #run(): Promise<SyncRunResult> {
    for (let { step } = this.#writer.checkpoint; step < this.#known.plans.length; step++) {
      const plan = this.#known.plans[step];
      if (plan === undefined) continue;
      if (this.#writer.checkpoint.step !== step) this.#writer.move(step);
      // Several steps may read the same records.
      this.#writer.allowRepeats();
      const { partitions } = this.#writer.checkpoint;
      if (partitions !== undefined) await this.#again(plan, partitions);
      else if (plan.each === undefined) await this.#readList(plan, step, step + 1);
      else await this.#children({ plan, each: plan.each });
    }
    const once = await this.#writer.saved();
    if (this.#unsure.size > 0 && (await this.#wouldRemove())) await this.#readUnsure();
    // Records that are read twice count once.
    const { unchanged, repeated } = once;
    const saved = { ...(await this.#writer.saved()), unchanged, repeated };
    const { checkpoint, unread } = this.#writer;
    const result = { ...saved, ...this.#spent, full: checkpoint.full };
    if (checkpoint.partial || this.#isForbidden) {
      const reason = this.#isForbidden ? ("platform_forbidden" as const) : partialResults;
      await this.#store.abandon(this.#collection, reason);
      return { ...result, outcome: "partial", removed: 0, reason, ...(unread === undefined ? {} : { unread }) };
    }
    const { removed, refused } = await this.#store.finish(this.#collection, checkpoint, this.#finishOptions);
    return { ...result, outcome: refused ? "refused" : "complete", removed };
  }

  get #finishOptions(): FinishOptions {
    const { entity } = this.#collection;
    return {
      massDelete: this.#options.massDelete,
      parents: [...new Set(parentsOf(this.#known.connector, this.#kind, entity))],
      children: childrenOf(this.#known.connector, this.#kind, entity),
      ...(this.#readsByKey ? { byKey: true } : {}),
      ...(this.resumed ? { resumed: true } : {}),
    };
  }

  /** Whether the platform forbids the children of every parent: the token may not read the entity at all, and nothing may be removed. */
  get #isForbidden(): boolean {
    const { full, childAccess } = this.#writer.checkpoint;
    return full && childAccess === "forbidden";
  }

  /** Whether there was anything that it could remove. */
  get #hadRecords(): boolean {
    return (this.#known.state?.records ?? 0) > 0;
  }

  /** Whether the sync run would now remove something that it did not see. */
  async #wouldRemove(): Promise<boolean> {
    const { checkpoint } = this.#writer;
    if (!this.#hadRecords || !checkpoint.full || checkpoint.partial || this.#isForbidden) return false;
    const { removed } = await this.#store.finish(this.#collection, checkpoint, { ...this.#finishOptions, counts: true });
    return removed > 0;
  }

  /** Reads lists once more, so that nothing is removed that only one reading has missed. */
  async #readUnsure(): Promise<void> {
    const { plans } = this.#known;
    for (const step of [...this.#unsure]) {
      const plan = plans[step];
      if (plan === undefined) continue;
      this.#writer.move(step);
      this.#writer.allowRepeats();
      await this.#readList(plan, step, plans.length);
    }
    await this.#writer.saved();
  }

  /** @param next the step behind it */
  async #readList(plan: SyncPlan, step: number, next: number): Promise<void> {
    if (await this.#list({ plan, params: {}, behind: { step: next } })) this.#unsure.add(step);
  }

  /**
   * The partitions of the records that this sync run reads again, and when it began; undefined where it reads what has changed, or
   * everything.
   */
  get verifies(): { readonly partitions: readonly number[]; readonly began: number } | undefined {
    const { partitions, began = Date.now() } = this.#writer.checkpoint;
    return partitions === undefined ? undefined : { partitions, began };
  }

  /** When the sync run began, in milliseconds since 1970. */
  get began(): number {
    return this.#writer.checkpoint.began ?? 0;
  }

  /**
   * @returns how many records there are where the sync run is not needed: the change check says the same of the entity as when the last
   *   complete sync run began. Undefined where it is needed.
   */
  unchangedRecords(changeCheck: string | undefined): number | undefined {
    const { state } = this.#known;
    if (state === undefined || changeCheck === undefined || isFullDue(this.#known, this.#options.full)) return undefined;
    const { checkpoint, problem, completedAt, notes, records } = state;
    return checkpoint === null && problem === null && completedAt !== null && notes.changeCheck === changeCheck
      ? records
      : undefined;
  }

  #list(list: Omit<Listed, "known">): Promise<boolean> {
    return readList({ ...list, known: this.#known.state?.newest ?? null }, this.#writer, this.#reader);
  }

  /** Reads some partitions of the records again: the records themselves, or what belongs to parents of these partitions. */
  async #again(plan: SyncPlan, partitions: readonly number[]): Promise<void> {
    const { verification, each, scope } = plan;
    const all = partitionCount(this.#known.connector, [plan]);
    const only = partitions.length > 0 ? undefined : (this.#options.named?.get(this.#writer.checkpoint.step) ?? []);
    if (all === undefined && only === undefined) return;
    const again = (key: string) => all !== undefined && partitions.includes(partitionOf(key, all));
    if (each !== undefined) return this.#children({ plan, each, again, only });
    if (verification === undefined) return;
    const { action, params, batch } = verification;
    const itself = { entity: this.#collection.entity, params, batch };
    await this.#children({ plan: { scope, action, each: itself }, each: itself, again, only, itself: true });
  }

  /** Whether this sync run reads single records by what identifies them, such as issues by their numbers. */
  get #readsByKey(): boolean {
    return (
      this.#writer.checkpoint.partitions !== undefined && this.#known.plans.some(({ verification }) => verification !== undefined)
    );
  }

  async #children(options: Omit<ChildrenOptions, "signal" | "mayRemove">): Promise<void> {
    const { plan, each } = options;
    const { step, parent, partitions } = this.#writer.checkpoint;
    if (each.root !== undefined && parent === undefined && partitions === undefined)
      await this.#list({ plan, params: each.root, parent: rootParent, behind: { step, position: { parent: rootParent } } });
    const { signal } = this.#options.context();
    await new Children(this.#writer, this.#reader, { ...options, signal, mayRemove: this.#hadRecords }).run();
    await this.#writer.save([], step + 1);
  }
}
