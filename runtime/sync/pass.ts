import { createHash } from "node:crypto";
import { isHarmless, type RecordPlan, type StorePlan, type SyncEach, type SyncPlan } from "../contract/index.ts";
import { TenonError } from "../errors.ts";
import { type ConnectorInstance, type ExecuteContext, prepareParams, runAction } from "../execute/index.ts";
import { instantOf, type RecordObject } from "../search/index.ts";
import { partialResults } from "../store/problem.ts";
import type { Page, Parent, SyncPosition, SyncShelf, SyncState, SyncStore } from "../store/store.ts";
import { markOf, parentFilter, parentParams, settled } from "./parents.ts";
import type { Scope } from "./scope.ts";

/** What one pass over one entity of one scope did. */
export interface PassResult {
  /** `partial`: the platform did not show everything, so that nothing was removed. `refused`: too much would have been removed. */
  readonly outcome: "complete" | "partial" | "refused";
  readonly full: boolean;
  readonly inserted: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Pages read. */
  readonly calls: number;
}

export interface PassOptions {
  /** Reads everything, however little may have changed. */
  readonly full: boolean;
  readonly massDelete: boolean;
  readonly context: () => ExecuteContext;
  /** Called after every page. */
  readonly onPage: (counts: { readonly records: number }) => void;
}

/** Records of a page of the platform. */
const pageSize = 100;
/** Parents that are read from the store at once. A tree grows while it is walked, so it is asked for the next one each time. */
const parentBatch = 100;
/** What was deleted on the platform is noticed by reading everything again: at least this often, in milliseconds. */
const longestWithoutFull = 7 * 24 * 60 * 60_000;

/**
 * Reads one entity of one scope, page by page. Position and records are saved together, so that a pass that was cut off goes on where
 * it was; `position` always says where the next page begins.
 */
export class Pass {
  readonly #instance: ConnectorInstance;
  readonly #store: SyncStore;
  readonly #shelf: SyncShelf;
  readonly #scope: Scope;
  readonly #plans: readonly SyncPlan[];
  readonly #fields: readonly string[] | undefined;
  readonly #source: string;
  readonly #options: PassOptions;
  readonly #state: SyncState | undefined;
  /** Whether it went on where another one was cut off, and a next one would read only what has changed. */
  readonly wentOn: boolean;
  #position: SyncPosition;
  #partial: boolean;
  readonly #counts = { inserted: 0, changed: 0, unchanged: 0, calls: 0 };

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
    this.#instance = instance;
    this.#store = store;
    this.#scope = scope;
    this.#shelf = { connector: connector.name, instance: instance.storeName, entity, scope: scope.name };
    this.#plans = found.sync.filter((plan) => plan.scope === scope.kind);
    this.#fields = storedFields(found.record, found.store);
    this.#source = sourceOf(this.#plans, this.#fields);
    this.#options = options;
    this.#state = state;
    this.#position = this.#start(state, options.full);
    this.#partial = this.#position.partial === true;
    this.wentOn = this.#position === state?.position && this.#partly;
  }

  async run(): Promise<PassResult> {
    for (let step = this.#position.step; step < this.#plans.length; step++) {
      const plan = this.#plans[step];
      if (plan === undefined) continue;
      if (this.#position.step !== step) this.#position = bare(this.#position, step);
      if (plan.each === undefined) await this.#listing(plan, {}, undefined, bare(this.#position, step + 1));
      else await this.#children(plan, plan.each);
    }
    const { pass, full } = this.#position;
    const result = { ...this.#counts, full };
    if (this.#partial) {
      await this.#store.abandon(this.#shelf, partialResults);
      return { ...result, outcome: "partial", removed: 0 };
    }
    const parents = this.#plans.flatMap(({ each }) => each?.entity ?? []);
    const { removed, refused } = await this.#store.finish(
      this.#shelf,
      { ...this.#position, pass, full },
      { massDelete: this.#options.massDelete, parents: [...new Set(parents)] },
    );
    return { ...result, outcome: refused ? "refused" : "complete", removed };
  }

  /**
   * Goes on where the last pass was cut off, unless everything is to be read and that one did not. Everything is read when the spec
   * reads it in another way than the records that are there were read.
   */
  #start(state: SyncState | undefined, wanted: boolean): SyncPosition {
    const source = this.#source;
    const known = state?.position;
    if (known !== undefined && known !== null && known.source === source && (known.full || !wanted)) return known;
    const lastFull = Date.parse(state?.fullAt ?? "1970-01-01");
    const full = wanted || !this.#partly || state?.source !== source || Date.now() - lastFull > longestWithoutFull;
    return { pass: (state?.pass ?? 0) + 1, full, source, step: 0 };
  }

  /** Whether a pass can do with reading only what has changed. */
  get #partly(): boolean {
    return this.#plans.some(({ cursor, each }) => cursor !== undefined || each?.changed !== undefined);
  }

  /** One listing, from where the position says to its end; `then` is the position behind it. */
  async #listing(
    plan: SyncPlan,
    params: Readonly<Record<string, unknown>>,
    parent: { readonly key: string; readonly mark: string | null } | undefined,
    then: SyncPosition,
  ): Promise<void> {
    let after = this.#position.current === parent?.key ? this.#position.after : undefined;
    for (let anew = false; ; ) {
      const read = await this.#read(plan, { ...params, ...(after === undefined ? {} : { after }) }, parent !== undefined);
      if (read === "bad_cursor" && after !== undefined && !anew) {
        // The platform has forgotten its cursor: from the beginning, which costs calls but loses nothing.
        after = undefined;
        anew = true;
        continue;
      }
      if (read === "bad_cursor") throw new TenonError("platform_failed", "The platform refuses cursors that it has just given.");
      const { newest: before, until, full } = this.#position;
      const newest = this.#newest(plan, read.records);
      const several = after !== undefined;
      after = this.#isKnown(plan, read.records) ? undefined : read.next;
      // A full pass removes what it did not see, and a record that moves to the front while a list is read is not seen behind it.
      const again = after === undefined && several && full && plan.cursor !== undefined && until !== before ? before : undefined;
      const position: SyncPosition = {
        ...(after !== undefined
          ? { ...this.#position, after, ...(parent === undefined ? {} : { current: parent.key }) }
          : again !== undefined
            ? { ...bare(this.#position, this.#position.step), until: again }
            : then),
        ...(newest === undefined ? {} : { newest }),
      };
      const done = after === undefined && again === undefined;
      await this.#save({
        records: read.records,
        position,
        ...(parent === undefined ? {} : { parent: parent.key }),
        ...(parent === undefined || !done ? {} : { parentDone: parent }),
      });
      if (done) return;
    }
  }

  async #children(plan: SyncPlan, each: SyncEach): Promise<void> {
    const { step } = this.#position;
    const wanted = parentFilter(each);
    const parentShelf: SyncShelf = { ...this.#shelf, entity: each.entity };
    const limit = each.entity === this.#shelf.entity ? 1 : parentBatch;
    const child = { entity: this.#shelf.entity, step };
    if (each.root !== undefined && this.#position.parent === undefined)
      await this.#listing(plan, each.root, { key: "", mark: null }, { ...bare(this.#position, step), parent: "" });
    for (let last = this.#position.parent; ; ) {
      const parents = await this.#store.parents(parentShelf, child, last, limit);
      // Most parents may need no call, after which it would be asked.
      this.#options.context().signal.throwIfAborted();
      for (const parent of parents) {
        last = parent.key;
        await this.#child(plan, each, parent, wanted(parent.record));
      }
      if (parents.length < limit) break;
    }
    await this.#save({ records: [], position: bare(this.#position, step + 1) });
  }

  async #child(plan: SyncPlan, each: SyncEach, { key, record, mark: before }: Parent, wanted: boolean): Promise<void> {
    const now = markOf(each, record);
    if (!this.#position.full && before !== null && before === now) return;
    const mark = settled(now);
    const then: SyncPosition = { ...bare(this.#position, this.#position.step), parent: key };
    const params = parentParams(each, record);
    if (wanted && Object.values(params).includes(null)) {
      // The platform hides what would be asked for: nothing can be said of what belongs to it.
      this.#partial = true;
      return;
    }
    if (wanted) return this.#listing(plan, params, { key, mark }, then);
    // Something was there before: now there is nothing.
    if (before !== null) await this.#save({ records: [], position: then, parent: key, parentDone: { key, mark } });
  }

  async #save(given: Page): Promise<void> {
    const page: Page = this.#partial ? { ...given, position: { ...given.position, partial: true } } : given;
    const { inserted, changed, unchanged } = await this.#store.save(this.#shelf, page);
    this.#position = page.position;
    this.#counts.inserted += inserted;
    this.#counts.changed += changed;
    this.#counts.unchanged += unchanged;
    this.#options.onPage({ records: page.records.length });
  }

  /** One call to the platform. What a record belongs to may vanish while its list is read: then there is nothing. */
  async #read(
    { action }: SyncPlan,
    own: Readonly<Record<string, unknown>>,
    child: boolean,
  ): Promise<{ records: RecordObject[]; next: string | undefined } | "bad_cursor"> {
    this.#counts.calls++;
    const params = prepareParams(action, {
      ...this.#scope.params,
      ...own,
      ...(action.params.includes("per_page") ? { per_page: pageSize } : {}),
      ...(this.#fields === undefined ? {} : { fields: this.#fields }),
    });
    try {
      const { data, meta } = await runAction(this.#instance, action, params, this.#options.context());
      if (meta.warnings?.every(isHarmless) === false) this.#partial = true;
      const records = (Array.isArray(data) ? data : [data]) as RecordObject[];
      const next = meta["has_next_page"] === true ? String(meta["end_cursor"]) : undefined;
      return { records, next };
    } catch (thrown) {
      if (!(thrown instanceof TenonError)) throw thrown;
      if (thrown.code === "bad_cursor") return "bad_cursor";
      if (thrown.code === "not_found" && child) return { records: [], next: undefined };
      throw thrown;
    }
  }

  /** Newest value of the cursor field so far. */
  #newest({ cursor }: SyncPlan, records: readonly RecordObject[]): string | undefined {
    let newest = this.#position.newest;
    if (cursor === undefined) return newest;
    for (const record of records) {
      const value = record[cursor.field];
      if (typeof value === "string" && (newest === undefined || (instantOf(value) ?? 0) > (instantOf(newest) ?? 0)))
        newest = value;
    }
    return newest;
  }

  /** Whether everything behind these records was there in the last complete pass, or earlier in this one. */
  #isKnown({ cursor }: SyncPlan, records: readonly RecordObject[]): boolean {
    const { full, until: again } = this.#position;
    const until = instantOf((full ? again : this.#state?.newest) ?? "");
    if (cursor === undefined || until === undefined) return false;
    const last = instantOf(String(records.at(-1)?.[cursor.field]));
    return last !== undefined && last < until - cursor.overlap * 1000;
  }
}

/** The same pass at the beginning of a step. */
function bare({ pass, full, source, newest }: SyncPosition, step: number): SyncPosition {
  return { pass, full, step, ...(source === undefined ? {} : { source }), ...(newest === undefined ? {} : { newest }) };
}

/** Changes with everything that the spec says of how these records are read. */
function sourceOf(plans: readonly SyncPlan[], fields: readonly string[] | undefined): string {
  const seen = new Set<unknown>();
  // Plans of nested records are asked for, once each: they may be circles. No other function says anything of the spec.
  const nested = (key: string, value: unknown): unknown => {
    if (key !== "of" || typeof value !== "function") return value;
    const inner: unknown = value();
    if (seen.has(inner)) return "seen";
    seen.add(inner);
    return inner;
  };
  return createHash("sha256")
    .update(JSON.stringify([plans, fields ?? null], nested))
    .digest("hex")
    .slice(0, 16);
}

/** Fields to ask for: the default ones, and those that are searchable although they are not. Undefined when these are the same. */
function storedFields(record: RecordPlan, { fields }: StorePlan): string[] | undefined {
  const all = Object.entries(record.fields).filter(
    ([name, field]) => field.onRequest === undefined || Object.hasOwn(fields, name),
  );
  return all.some(([, { onRequest }]) => onRequest !== undefined) ? all.map(([name]) => name) : undefined;
}
