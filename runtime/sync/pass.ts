import { TenonError } from "../base/errors.ts";
import { isHarmless, pagingOf, type SyncEach, type SyncPlan } from "../contract/index.ts";
import { type ConnectorInstance, type ExecuteContext, prepareRequest, run } from "../execute/index.ts";
import { instantOf, type RecordObject } from "../search/index.ts";
import { partialResults } from "../store/problem.ts";
import type { Page, Parent, SyncPosition, SyncShelf, SyncState, SyncStore } from "../store/store.ts";
import { markOf, markToKeep, parentFilter, parentParams, parentPath } from "./parents.ts";
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
  readonly removed: number;
  /** Calls to the platform, one for each page. */
  readonly calls: number;
}

export interface PassOptions {
  /** Reads everything, not only what has changed. */
  readonly full: boolean;
  /** Allows to remove more than half of the records. */
  readonly massDelete: boolean;
  readonly context: () => ExecuteContext;
  /** Called after every page. */
  readonly onPage: (counts: { readonly records: number }) => void;
}

/** Parents that are read from the store at once. Where an entity is its own parent, it is one: each call may add parents. */
const parentBatch = 100;
/** Only a full pass notices what was deleted on the platform, so there is one at least this often, in milliseconds. */
const longestWithoutFull = 7 * 24 * 60 * 60_000;

/**
 * Reads one entity of one scope, page by page. The store saves the records of a page together with the position behind them, so that
 * the next pass goes on from there when this one is cut off.
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
  /** Whether it continues a pass that was cut off, and another pass could bring what has changed since by reading only that. */
  readonly resumed: boolean;
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
    this.resumed = this.#position === state?.position && this.#canReadChanges;
  }

  /**
   * Reads everything from the position on, then removes what is gone.
   *
   * @throws TenonError when the platform or the store fails; the position in the store stays
   */
  async run(): Promise<PassResult> {
    for (let step = this.#position.step; step < this.#plans.length; step++) {
      const plan = this.#plans[step];
      if (plan === undefined) continue;
      if (this.#position.step !== step) this.#position = atStep(this.#position, step);
      if (plan.each === undefined) await this.#listing(plan, {}, undefined, atStep(this.#position, step + 1));
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
   * Goes on where the last pass was cut off, unless everything is to be read and that one did not. Everything is read when a caller
   * asks for it, when the last full pass is too long ago, and when the spec has changed since the stored records were read.
   */
  #start(state: SyncState | undefined, wanted: boolean): SyncPosition {
    const source = this.#source;
    const lastFull = Date.parse(state?.fullAt ?? "1970-01-01");
    const full = wanted || !this.#canReadChanges || state?.source !== source || Date.now() - lastFull > longestWithoutFull;
    const known = state?.position;
    if (known !== undefined && known !== null && known.source === source && (known.full || !full)) return known;
    return { pass: (state?.pass ?? 0) + 1, full, source, step: 0 };
  }

  /** Whether a pass can read only what has changed. */
  get #canReadChanges(): boolean {
    return this.#plans.some(({ cursor, each }) => cursor !== undefined || each?.changed !== undefined);
  }

  /**
   * Reads one list, from the present position to its end.
   *
   * @param parent the record whose children the list has; undefined where it belongs to the scope
   * @param afterwards the position behind the list
   */
  async #listing(
    plan: SyncPlan,
    params: Readonly<Record<string, unknown>>,
    parent: { readonly key: string; readonly mark: string | null } | undefined,
    afterwards: SyncPosition,
  ): Promise<void> {
    let after = this.#position.current === parent?.key ? this.#position.after : undefined;
    for (let restarted = false; ; ) {
      const read = await this.#read(plan, params, after, parent !== undefined);
      if (read === "bad_cursor" && after !== undefined && !restarted) {
        // The platform no longer knows its cursor. Reading the list from its beginning costs calls but loses nothing.
        after = undefined;
        restarted = true;
        continue;
      }
      if (read === "bad_cursor") throw new TenonError("platform_failed", "The platform refuses cursors that it has just given.");
      const { newest: before, until, full } = this.#position;
      const newest = this.#newest(plan, read.records);
      const several = after !== undefined;
      after = this.#isKnown(plan, read.records) ? undefined : read.next;
      // A record that changes while its list is read moves to the front and is not seen behind it. A full pass removes what it did
      // not see, so it reads the list again, down to the newest value that it knew before.
      const again = after === undefined && several && full && plan.cursor !== undefined && until !== before ? before : undefined;
      const position: SyncPosition = {
        ...(after !== undefined
          ? { ...this.#position, after, ...(parent === undefined ? {} : { current: parent.key }) }
          : again !== undefined
            ? { ...atStep(this.#position, this.#position.step), until: again }
            : afterwards),
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
      await this.#listing(plan, each.root, { key: "", mark: null }, { ...atStep(this.#position, step), parent: "" });
    for (let last = this.#position.parent; ; ) {
      const parents = await this.#store.parents(parentShelf, child, last, limit);
      // Without a call to the platform nothing else asks for the signal, and most parents may need none.
      this.#options.context().signal.throwIfAborted();
      for (const parent of parents) {
        last = parent.key;
        await this.#child(plan, each, parent, wanted(parent.record));
      }
      if (parents.length < limit) break;
    }
    await this.#save({ records: [], position: atStep(this.#position, step + 1) });
  }

  async #child(plan: SyncPlan, each: SyncEach, { key, record, mark: before }: Parent, wanted: boolean): Promise<void> {
    const now = markOf(each, record);
    if (!this.#position.full && before !== null && before === now) return;
    const mark = markToKeep(now);
    const afterwards: SyncPosition = { ...atStep(this.#position, this.#position.step), parent: key };
    const params = parentParams(each, record);
    if (wanted && Object.values(params).includes(null)) {
      // The platform hides a field that the call needs, so the children of this parent are not known.
      this.#partial = true;
      return;
    }
    if (wanted) return this.#listing(plan, params, { key, mark }, afterwards);
    // It may have had children before, which are gone now.
    if (before !== null) await this.#save({ records: [], position: afterwards, parent: key, parentDone: { key, mark } });
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

  /**
   * One call to the platform. A parent may vanish before its list is read: then nothing belongs to it any longer. Anything else that
   * is missing ends the pass.
   */
  async #read(
    { action, size }: SyncPlan,
    own: Readonly<Record<string, unknown>>,
    after: string | undefined,
    child: boolean,
  ): Promise<{ records: RecordObject[]; next: string | undefined } | "bad_cursor"> {
    this.#counts.calls++;
    const page = pagingOf(action.operation);
    // An action that is called for each record of another entity may not take what the scope gives.
    const ofScope = Object.entries(this.#scope.params).filter(([name]) => action.params.includes(name));
    const request = prepareRequest(action, {
      ...Object.fromEntries(ofScope),
      ...own,
      ...(after === undefined || page === undefined ? {} : { [page.cursor]: after }),
      ...(size === undefined ? {} : { [size.param]: size.value }),
      ...(this.#fields === undefined ? {} : { fields: this.#fields }),
    });
    try {
      const { data, meta } = await run(this.#instance, request, this.#options.context());
      if (meta.warnings?.every(isHarmless) === false) this.#partial = true;
      const records = (Array.isArray(data) ? data : [data]) as RecordObject[];
      const next = meta["has_next_page"] === true ? String(meta["end_cursor"]) : undefined;
      return { records, next };
    } catch (thrown) {
      if (!(thrown instanceof TenonError)) throw thrown;
      if (thrown.code === "bad_cursor") return "bad_cursor";
      if (thrown.code !== "not_found" || !child) throw thrown;
      const path = parentPath(action.operation);
      if (path !== undefined && isSame(thrown.missingAt, path)) return { records: [], next: undefined };
      throw this.#scopeMissing(thrown);
    }
  }

  /** The platform has nothing, and does not say that only one parent is gone: then nothing may be removed. */
  #scopeMissing({ missingAt = [] }: TenonError): TenonError {
    const { title } = this.#instance.connector;
    const at = missingAt.length === 0 ? "" : ` at "${missingAt.join(".")}" of its answer`;
    return new TenonError(
      "not_found",
      `${title} had nothing${at} while ${this.#shelf.entity} of ${this.#scope.name} were read for one record after the other. The scope may be gone, or the token may no longer see it. Nothing was removed.`,
    );
  }

  /** The newest value of the cursor field that this pass has seen. */
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

  /** Whether all records behind these are known: from the last complete pass or, in a full pass, from its first walk through the list. */
  #isKnown({ cursor }: SyncPlan, records: readonly RecordObject[]): boolean {
    const { full, until: again } = this.#position;
    const until = instantOf((full ? again : this.#state?.newest) ?? "");
    if (cursor === undefined || until === undefined) return false;
    const last = instantOf(String(records.at(-1)?.[cursor.field]));
    return last !== undefined && last < until - cursor.overlap * 1000;
  }
}

function isSame(a: readonly string[] | undefined, b: readonly string[]): boolean {
  return a?.length === b.length && b.every((key, index) => key === a[index]);
}

/** The position of the same pass at the beginning of a step. */
function atStep({ pass, full, source, newest }: SyncPosition, step: number): SyncPosition {
  return { pass, full, step, ...(source === undefined ? {} : { source }), ...(newest === undefined ? {} : { newest }) };
}
