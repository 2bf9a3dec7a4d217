import { TenonError } from "../base/errors.ts";
import type { Connector, SyncEach, SyncPlan } from "../contract/index.ts";
import type { ConnectorInstance, ExecuteContext } from "../execute/index.ts";
import { instantOf, type RecordObject } from "../search/index.ts";
import { partialResults, type SyncProblem } from "../store/problem.ts";
import type { Page, SyncPosition, SyncShelf, SyncState, SyncStore } from "../store/store.ts";
import { Children, type Walk } from "./children.ts";
import { PageQueue } from "./page-queue.ts";
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
  readonly removed: number;
  /** Calls to the platform, repeated ones included. */
  readonly calls: number;
  /** What these calls took from the platform's hourly budget. */
  readonly points: number;
  /** Why it is partial, where the platform says so. */
  readonly reason?: SyncProblem;
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

/** The key under which the records of a first call stand that needs no parent, such as the root of a tree. */
const rootParent = "";
/** Only a full pass notices what was deleted on the platform, so there is one at least this often, in milliseconds. */
const longestWithoutFull = 7 * 24 * 60 * 60_000;

/**
 * Reads one entity of one scope, page by page. The store saves the records of pages together with the position behind them, so that
 * the next pass goes on from there when this one is cut off.
 */
export class Pass {
  readonly #reader: Reader;
  readonly #connector: Connector;
  readonly #store: SyncStore;
  readonly #shelf: SyncShelf;
  readonly #plans: readonly SyncPlan[];
  readonly #source: string;
  readonly #options: PassOptions;
  readonly #state: SyncState | undefined;
  /** Whether it continues a pass that was cut off. What that one has read may have changed since. */
  readonly continued: boolean;
  /** Whether it continues a pass, and another pass could bring what has changed since by reading only that. */
  readonly resumed: boolean;
  #position: SyncPosition;
  #partial: boolean;
  readonly #pages: PageQueue;
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
    this.#connector = connector;
    this.#store = store;
    this.#shelf = { connector: connector.name, instance: instance.storeName, entity, scope: scope.name };
    this.#pages = new PageQueue((page) => store.save(this.#shelf, page));
    this.#plans = found.sync.filter((plan) => plan.scope === scope.kind);
    const fields = storedFields(found.record, found.store);
    this.#reader = new Reader(instance, scope, entity, fields, () => ({
      ...options.context(),
      spend: (points) => {
        this.#spent.calls++;
        this.#spent.points += points;
        options.onCall(points);
      },
    }));
    this.#source = sourceOf(this.#plans, fields);
    this.#options = options;
    this.#state = state;
    this.#position = this.#start(state, options.full);
    this.#partial = this.#position.partial === true;
    this.continued = this.#position === state?.position;
    this.resumed = this.continued && this.#canReadChanges;
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
      // What was read until then is kept. Where it cannot be saved, that is the fault to report.
      await this.#pages.saved();
      throw thrown;
    }
  }

  async #run(): Promise<PassResult> {
    for (let step = this.#position.step; step < this.#plans.length; step++) {
      const plan = this.#plans[step];
      if (plan === undefined) continue;
      if (this.#position.step !== step) this.#position = atStep(this.#position, step);
      if (this.#position.parts !== undefined) await this.#again(plan, this.#position.parts);
      else if (plan.each === undefined) await this.#listing(plan, {}, undefined, atStep(this.#position, step + 1));
      else await this.#children(plan, plan.each, {});
    }
    const { pass, full } = this.#position;
    const result = { ...(await this.#pages.saved()), ...this.#spent, full };
    // One forbidden parent is hidden. When all are, the token may not read the entity, and a full pass that saw nothing proves nothing.
    const forbidden = full && this.#position.met === "hidden";
    if (this.#partial || forbidden) {
      const reason = forbidden ? ("platform_forbidden" as const) : partialResults;
      await this.#store.abandon(this.#shelf, reason);
      return { ...result, outcome: "partial", removed: 0, reason };
    }
    const parents = this.#plans.flatMap(({ each }) => each?.entity ?? []);
    const { removed, refused } = await this.#store.finish(
      this.#shelf,
      { ...this.#position, pass, full },
      { massDelete: this.#options.massDelete, parents: [...new Set(parents)], ...(this.#isAsked ? { asked: true } : {}) },
    );
    return { ...result, outcome: refused ? "refused" : "complete", removed };
  }

  /**
   * Goes on where the last pass was cut off, unless everything is to be read and that one did not. Everything is read when a caller
   * asks for it, when the last full pass is too long ago, and when the spec has changed since the stored records were read.
   */
  #start(state: SyncState | undefined, wanted: boolean): SyncPosition {
    const source = this.#source;
    const full = !this.#canReadChanges || this.#isFullDue(state, wanted);
    const known = state?.position;
    if (known !== undefined && known !== null && known.source === source && (known.full || !full)) return known;
    const { parts } = this.#options;
    const fresh = { pass: (state?.pass ?? 0) + 1, source, step: 0, began: Date.now() };
    return parts === undefined ? { ...fresh, full } : { ...fresh, full: false, parts };
  }

  #isFullDue(state: SyncState | undefined, wanted: boolean): boolean {
    if (wanted || state?.source !== this.#source || state.fullAt === null) return true;
    const since = (time: number) => Date.now() - time;
    // Where all records are read again part by part, reading all at once is due only when that has failed for long.
    if (state.notes.verified !== undefined && partsOf(this.#connector, this.#plans) !== undefined)
      return since(Math.min(...state.notes.verified)) > 2 * longestWithoutFull;
    return since(Date.parse(state.fullAt)) > longestWithoutFull;
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

  /** Whether the pass need not be run, because the probe of the scope says of the entity what it said when the last one began. */
  isUnchanged(probe: string | undefined): boolean {
    const state = this.#state;
    if (state === undefined || probe === undefined || this.#isFullDue(state, this.#options.full)) return false;
    return state.position === null && state.problem === null && state.completedAt !== null && state.notes.probe === probe;
  }

  /** Whether a pass can read only what has changed. */
  get #canReadChanges(): boolean {
    return this.#plans.some(
      ({ cursor, head, each }) => cursor !== undefined || head !== undefined || each?.changed !== undefined,
    );
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
    for (let restarted = false; ; ) {
      const read = await this.#reader.list(plan, params, after);
      if (read === "bad_cursor" && after !== undefined && !restarted) {
        // The platform no longer knows its cursor. Reading the list from its beginning costs calls but loses nothing.
        after = undefined;
        restarted = true;
        continue;
      }
      if (read === "bad_cursor") throw new TenonError("platform_failed", "The platform refuses cursors that it has just given.");
      if (!read.whole) this.#partial = true;
      const { newest: before, until, full } = this.#position;
      const newest = this.#newest(plan, read.records);
      const several = after !== undefined;
      after = this.#isKnown(plan, read.records) ? undefined : read.next;
      const metHead = this.#position.metHead === true || this.#hasHead(plan, read.records);
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
      await this.#save({
        records: read.records,
        position,
        ...(parent === undefined ? {} : { parent }),
        ...(parent === undefined || !done ? {} : { parentDone: { key: parent, mark: null } }),
      });
      // A list with a head that was read to its end has been read whole, so that what it does not have any longer can be removed.
      if (done && plan.head !== undefined) this.#position = { ...this.#position, full: true };
      if (done || (metHead && (await this.#hasAll(read.total, afterwards)))) return;
    }
  }

  /** Whether records have the first one of the last complete pass, so that the list was not rewritten since. */
  #hasHead({ head }: SyncPlan, records: readonly RecordObject[]): boolean {
    const known = this.#state?.newest ?? null;
    return head !== undefined && !this.#position.full && known !== null && records.some((record) => record[head] === known);
  }

  /** Whether the store has as many records as the list. The position is then behind the list. */
  async #hasAll(total: number | undefined, afterwards: SyncPosition): Promise<boolean> {
    const { connector, instance, scope, entity } = this.#shelf;
    await this.#pages.saved();
    const states = await this.#store.states({ connector, instance, scope });
    const stored = states.find((one) => one.entity === entity)?.records;
    if (total === undefined || stored !== total) return false;
    const { newest } = this.#position;
    this.#position = { ...afterwards, ...(newest === undefined ? {} : { newest }) };
    return true;
  }

  /** Reads some parts of the records again: the records themselves, or what belongs to parents of these parts. */
  async #again(plan: SyncPlan, parts: readonly number[]): Promise<void> {
    const { reread, each, scope } = plan;
    const all = partsOf(this.#connector, [plan]);
    if (all === undefined) return;
    const again = (key: string) => parts.includes(partOf(key, all));
    if (each !== undefined) return this.#children(plan, each, { again });
    if (reread === undefined) return;
    const { action, params, batch } = reread;
    const itself = { entity: this.#shelf.entity, params, batch };
    await this.#children({ scope, action, each: itself }, itself, { again, itself: true });
  }

  /** Whether this pass asks for records by what names them. */
  get #isAsked(): boolean {
    return this.#position.parts !== undefined && this.#plans.some(({ reread }) => reread !== undefined);
  }

  async #children(plan: SyncPlan, each: SyncEach, more: Pick<Walk, "again" | "itself">): Promise<void> {
    const { step } = this.#position;
    if (each.root !== undefined && this.#position.parent === undefined && this.#position.parts === undefined)
      await this.#listing(plan, each.root, rootParent, { ...atStep(this.#position, step), parent: rootParent, met: "shown" });
    const walk: Walk = {
      store: this.#store,
      shelf: this.#shelf,
      reader: this.#reader,
      position: () => this.#position,
      save: (page) => this.#save(page),
      saved: () => this.#pages.saved(),
      incomplete: () => {
        this.#partial = true;
      },
      met: (kind) => {
        const { met = kind } = this.#position;
        this.#position = { ...this.#position, met: met === kind ? kind : "both" };
      },
      check: () => this.#options.context().signal.throwIfAborted(),
      ...more,
    };
    await new Children(walk, plan, each).run();
    await this.#save({ records: [], position: atStep(this.#position, step + 1) });
  }

  async #save(given: Page): Promise<void> {
    const page: Page = this.#partial ? { ...given, position: { ...given.position, partial: true } } : given;
    await this.#pages.add(page);
    this.#position = page.position;
    const lists = [page, ...(page.others ?? [])];
    this.#options.onPage({ records: lists.reduce((sum, { records }) => sum + records.length, 0) });
  }

  /** The newest value of the cursor field that this pass has seen. */
  #newest({ cursor, head }: SyncPlan, records: readonly RecordObject[]): string | undefined {
    let { newest } = this.#position;
    if (head !== undefined) newest ??= textOf(records[0]?.[head]);
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

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
