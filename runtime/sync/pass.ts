import { CursorCircle, circleText } from "../base/cursor-circle.ts";
import { TenonError } from "../base/errors.ts";
import type { StorePlan, SyncEach, SyncPlan } from "../contract/index.ts";
import type { ConnectorInstance, ExecuteContext } from "../execute/index.ts";
import { missingKey, type RecordObject } from "../search/index.ts";
import { partialResults, type SyncProblem } from "../store/problem.ts";
import type { Page, ScopeCollection, SyncPosition, SyncState, SyncStore } from "../store/store.ts";
import { Children, type Walk } from "./children.ts";
import { hasHead, isKnown, newestOf } from "./known-records.ts";
import { childrenOf, parentsOf } from "./order.ts";
import { PageQueue } from "./page-queue.ts";
import { canReadChanges, isFullDue, type Known, startOf } from "./pass-start.ts";
import { atStep } from "./position.ts";
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
  /** For how many records of another entity it could not be read what belongs to them, and the last error. */
  readonly unread?: { readonly parents: number; readonly of: string; readonly error: TenonError };
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
/** A list ends after so many pages in a row that go on but bring nothing new. Some platforms send a few pages without any record. */
const mostBarren = 20;
/**
 * Reads one entity of one scope, page by page. The store saves the records of pages together with the position behind them, so that
 * the next pass goes on from there when this one is cut off.
 */
export class Pass {
  readonly #reader: Reader;
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
  #position: SyncPosition;
  #partial: boolean;
  #unread: PassResult["unread"];
  readonly #pages: PageQueue;
  readonly #plan: StorePlan;
  /** How many pages in a row may bring nothing new. */
  #mayBeBarren = mostBarren;
  /** Pages that were read of lists with further pages. */
  #goingOn = 0;
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
    this.#plan = found.store;
    this.#collection = { connector: connector.name, instance: instance.storeName, entity, scope: scope.name };
    this.#pages = new PageQueue((page) => store.save(this.#collection, page));
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
    this.#position = startOf(this.#known, options.full, options.parts);
    this.#partial = this.#position.partial === true;
    this.continued = this.#position === state?.position;
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
      await this.#pages.saved();
      throw thrown;
    }
  }

  async #run(): Promise<PassResult> {
    for (let step = this.#position.step; step < this.#known.plans.length; step++) {
      const plan = this.#known.plans[step];
      if (plan === undefined) continue;
      if (this.#position.step !== step) this.#position = atStep(this.#position, step);
      // Several steps may read the same records.
      if (step > 0) await this.#allowRepeats();
      if (this.#position.parts !== undefined) await this.#again(plan, this.#position.parts);
      else if (plan.each === undefined) await this.#listing(plan, {}, undefined, atStep(this.#position, step + 1));
      else await this.#children(plan, plan.each, {});
    }
    const { pass, full } = this.#position;
    const { fresh: _, ...saved } = await this.#pages.saved();
    const result = { ...saved, ...this.#spent, full };
    // When the platform forbids the children of every parent, the token may not read the entity at all. Then nothing may be removed.
    const forbidden = full && this.#position.met === "hidden";
    if (this.#partial || forbidden) {
      const reason = forbidden ? ("platform_forbidden" as const) : partialResults;
      await this.#store.abandon(this.#collection, reason);
      return {
        ...result,
        outcome: "partial",
        removed: 0,
        reason,
        ...(this.#unread === undefined ? {} : { unread: this.#unread }),
      };
    }
    const { entity } = this.#collection;
    const { removed, refused } = await this.#store.finish(
      this.#collection,
      { ...this.#position, pass, full },
      {
        massDelete: this.#options.massDelete,
        parents: [...new Set(parentsOf(this.#known.connector, this.#kind, entity))],
        children: childrenOf(this.#known.connector, this.#kind, entity),
        ...(this.#isAsked ? { asked: true } : {}),
        ...(this.resumed ? { resumed: true } : {}),
      },
    );
    return { ...result, outcome: refused ? "refused" : "complete", removed };
  }

  /** The parts of the records that this pass reads again, and when it began; undefined where it reads what has changed, or everything. */
  get rereads(): { readonly parts: readonly number[]; readonly began: number } | undefined {
    const { parts, began = Date.now() } = this.#position;
    return parts === undefined ? undefined : { parts, began };
  }

  /** When the pass began, in milliseconds since 1970. */
  get began(): number {
    return this.#position.began ?? 0;
  }

  /** Whether the pass is not needed: the probe says the same of the entity as when the last complete pass began. */
  isUnchanged(probe: string | undefined): boolean {
    const { state } = this.#known;
    if (state === undefined || probe === undefined || isFullDue(this.#known, this.#options.full)) return false;
    return state.position === null && state.problem === null && state.completedAt !== null && state.notes.probe === probe;
  }

  /**
   * Reads one list, from the present position to its end.
   *
   * @param parent key of the parent of its records; undefined where they belong to the scope
   * @param afterwards the position behind the list
   */
  async #listing(
    plan: SyncPlan,
    params: Readonly<Record<string, unknown>>,
    parent: string | undefined,
    afterwards: SyncPosition,
  ): Promise<void> {
    let { after } = this.#position;
    let circle = new CursorCircle();
    for (let restarted = false; ; ) {
      const read = await this.#reader.list(plan, params, after);
      if (read === "bad_cursor" && after !== undefined && !restarted) {
        // The platform no longer knows its cursor. Reading the list from its beginning costs calls but loses nothing.
        after = undefined;
        restarted = true;
        circle = new CursorCircle();
        await this.#allowRepeats();
        continue;
      }
      if (read === "bad_cursor") throw new TenonError("platform_failed", "The platform refuses cursors that it has just given.");
      if (!read.whole) this.#partial = true;
      const { newest: before, until, full } = this.#position;
      const newest = newestOf(plan, read.records, before, Date.now());
      const several = after !== undefined;
      const known = this.#known.state?.newest ?? null;
      // In a full pass, only its own first walk through the list says what is known.
      after = isKnown(plan, read.records, full ? until : known) ? undefined : read.next;
      const metHead = this.#position.metHead === true || (!full && hasHead(plan, read.records, known));
      // A record that changes while its list is read moves to the front and is not seen behind it. A full pass removes what it did
      // not see, so it reads the list again, down to the newest value that it knew before.
      const again = after === undefined && several && full && plan.cursor !== undefined && until !== before ? before : undefined;
      const position: SyncPosition = {
        ...(after !== undefined
          ? { ...this.#position, after, ...(metHead ? { metHead } : {}) }
          : again !== undefined
            ? { ...atStep(this.#position, this.#position.step), until: again }
            : afterwards),
        ...(newest === undefined ? {} : { newest }),
      };
      const done = after === undefined && again === undefined;
      const page = {
        records: read.records,
        position,
        ...(parent === undefined ? {} : { parent }),
        ...(parent === undefined || !done ? {} : { parentDone: { key: parent, mark: null } }),
      };
      await this.#save(page, !done);
      if (after !== undefined && circle.closes(after)) throw this.#endless(circleText);
      if (again !== undefined) {
        circle = new CursorCircle();
        await this.#allowRepeats();
      }
      // A list with a head that was read to its end has been read whole, so that what it does not have any longer can be removed.
      if (done && plan.head !== undefined) this.#position = { ...this.#position, full: true };
      if (done || (metHead && (await this.#hasAll(read.total, afterwards)))) return;
    }
  }

  /** Whether the store has as many records as the list. The position is then behind the list. */
  async #hasAll(total: number | undefined, afterwards: SyncPosition): Promise<boolean> {
    if (total === undefined || (await this.#stored()) !== total) return false;
    const { newest } = this.#position;
    this.#position = { ...afterwards, ...(newest === undefined ? {} : { newest }) };
    return true;
  }

  /** How many records the store has of the scope. */
  async #stored(): Promise<number | undefined> {
    const { connector, instance, scope, entity } = this.#collection;
    await this.#pages.saved();
    const states = await this.#store.states({ connector, instance, scope });
    return states.find((one) => one.entity === entity)?.records;
  }

  /** Lets a list that is read from its beginning have pages with records that were read already: at most as many as are stored. */
  async #allowRepeats(): Promise<void> {
    this.#mayBeBarren = mostBarren + ((await this.#stored()) ?? 0);
  }

  #endless(text: string): TenonError {
    return new TenonError("platform_failed", `${this.#known.connector.title} ${text}`);
  }

  /** Reads some parts of the records again: the records themselves, or what belongs to parents of these parts. */
  async #again(plan: SyncPlan, parts: readonly number[]): Promise<void> {
    const { reread, each, scope } = plan;
    const all = partsOf(this.#known.connector, [plan]);
    if (all === undefined) return;
    const again = (key: string) => parts.includes(partOf(key, all));
    if (each !== undefined) return this.#children(plan, each, { again });
    if (reread === undefined) return;
    const { action, params, batch } = reread;
    const itself = { entity: this.#collection.entity, params, batch };
    await this.#children({ scope, action, each: itself }, itself, { again, itself: true });
  }

  /** Whether this pass reads single records by what identifies them, such as issues by their numbers. */
  get #isAsked(): boolean {
    return this.#position.parts !== undefined && this.#known.plans.some(({ reread }) => reread !== undefined);
  }

  async #children(plan: SyncPlan, each: SyncEach, more: Pick<Walk, "again" | "itself">): Promise<void> {
    const { step } = this.#position;
    if (each.root !== undefined && this.#position.parent === undefined && this.#position.parts === undefined)
      await this.#listing(plan, each.root, rootParent, { ...atStep(this.#position, step), parent: rootParent, met: "shown" });
    const walk: Walk = {
      store: this.#store,
      collection: this.#collection,
      reader: this.#reader,
      position: () => this.#position,
      save: (page, goesOn) => this.#save(page, goesOn),
      saved: () => this.#pages.saved(),
      incomplete: (error) => {
        this.#partial = true;
        if (error !== undefined) this.#unread = { parents: (this.#unread?.parents ?? 0) + 1, of: each.entity, error };
      },
      met: (kind) => {
        const { met = kind } = this.#position;
        this.#position = { ...this.#position, met: met === kind ? kind : "both" };
      },
      endless: () => this.#endless(circleText),
      restarted: () => this.#allowRepeats(),
      check: () => this.#options.context().signal.throwIfAborted(),
      ...more,
    };
    await new Children(walk, plan, each).run();
    await this.#save({ records: [], position: atStep(this.#position, step + 1) });
  }

  async #save(given: Page, goesOn = false): Promise<void> {
    const page: Page = this.#partial ? { ...given, position: { ...given.position, partial: true } } : given;
    const lists = [page, ...(page.others ?? [])];
    for (const { records } of lists) this.#refuseWithoutKey(records);
    await this.#pages.add(page, goesOn);
    // Only the store says what is new. Without waiting, thousands of pages may be read before it says so.
    if (goesOn && ++this.#goingOn % mostBarren === 0) await this.#pages.saved();
    if (this.#pages.barren > this.#mayBeBarren)
      throw this.#endless(`sent ${this.#pages.barren} pages in a row that bring nothing new, so the list never ends.`);
    this.#position = page.position;
    this.#options.onPage({ records: lists.reduce((sum, { records }) => sum + records.length, 0) });
  }

  /** Records without a key would all be stored as one. @throws TenonError `unexpected_response` */
  #refuseWithoutKey(records: readonly RecordObject[]): void {
    for (const record of records) {
      const path = missingKey(this.#plan, record);
      if (path === undefined) continue;
      const { title } = this.#known.connector;
      throw new TenonError(
        "unexpected_response",
        `${title} sent a record of ${this.#collection.entity} without "${path}", which the spec names as its key. The record cannot be stored.`,
      );
    }
  }
}
