import { CursorCircle, circleText } from "../base/cursor-circle.ts";
import { TenonError } from "../base/errors.ts";
import { mayShift, type SyncEach, type SyncPlan } from "../contract/index.ts";
import type { RecordObject } from "../search/index.ts";
import type { OpenParent } from "../store/checkpoint.ts";
import type { ListPage, Parent } from "../store/store.ts";
import { isFirst, isInside, isNext, isSame, listOf, mergeOpen, nameOf } from "./open-parents.ts";
import { markerOf, markerToKeep, parentFilter, parentParams } from "./parents.ts";
import type { ParentAnswer, PlatformReader } from "./reader.ts";
import type { SyncRunWriter } from "./sync-run-writer.ts";

/** What is read for each record of another entity. */
export interface ChildrenOptions {
  readonly plan: SyncPlan;
  /** How the records of the other entity lead to what is read. */
  readonly each: SyncEach;
  /** Set where some parents are read again although nothing says that they have changed: whether a key is that of such a parent. */
  readonly again?: (key: string) => boolean;
  /** Set where only these parents are read, and no others. */
  readonly only?: readonly OpenParent[] | undefined;
  /** Set where the records that are read are the parents themselves. */
  readonly itself?: true;
  /** Whether there are records that reading could remove. */
  readonly mayRemove: boolean;
  readonly signal: AbortSignal;
}

/** What one call brought for the parents that it asked for. */
interface ReadCall {
  readonly read: { readonly ask: OpenParent; readonly records: readonly RecordObject[] }[];
  /** What is still to be read: next pages, and what did not come. */
  readonly left: OpenParent[];
  /** Keys of parents whose children could not be read, and of those whose children the platform hides at least in part. */
  readonly unread: Set<string>;
  readonly hidden: Set<string>;
  /** Whether a list is read from its beginning again. */
  restarted: boolean;
}

/** Parents that are read from the store at once. */
const loadedAtOnce = 100;
/** How many calls of a smaller size must succeed before a larger one is tried. */
const callsBeforeLarger = 8;
/** How often something is requested again when the platform fails for one parent only. */
const mostTries = 3;
/** After so many parents in a row for which the platform failed, it is taken to be down. */
const mostFailures = 3;

/**
 * Reads the children of all parents of one step, several parents with each call where the plan has a batch. Parents that have more than
 * their first page are collected, so that their next pages are read together.
 */
export class Children {
  readonly #writer: SyncRunWriter;
  readonly #reader: PlatformReader;
  readonly #options: ChildrenOptions;
  readonly #each: SyncEach;
  readonly #wanted: (record: RecordObject) => boolean;
  /** How many parents one call reads for: as many as the plan says, or fewer for some time after the platform found that too expensive. */
  #size: number;
  #callsInARow = 0;
  /** An entity that is its own parent finds further parents while it is read. */
  readonly #tree: boolean;
  readonly #loaded: Parent[] = [];
  #ended = false;
  /** Key of the last parent that was looked at. */
  #last: string | undefined;
  #open: readonly OpenParent[];
  /** Whether this walk through the parents has read anything. */
  #hasRead: boolean;
  readonly #tries = new Map<string, number>();
  /** Parents whose children could not be read by this walk. */
  readonly #failed = new Set<string>();
  /** For how many parents in a row the platform failed in a way that may pass. */
  #failuresInARow = 0;
  /** Whether the platform has answered for a parent, in this walk or before it was cut off. */
  #answered: boolean;
  /** Of lists with further pages, by the parent and the list inside it. */
  readonly #circles = new Map<string, CursorCircle>();

  /** @param writer its checkpoint is where the reading begins */
  constructor(writer: SyncRunWriter, reader: PlatformReader, options: ChildrenOptions) {
    this.#writer = writer;
    this.#reader = reader;
    this.#options = options;
    const { each, itself, only } = options;
    this.#each = each;
    this.#wanted = parentFilter(each);
    this.#size = each.batch?.size ?? 1;
    this.#tree = each.entity === writer.collection.entity && itself === undefined;
    const { parent, open = [] } = writer.checkpoint;
    this.#last = parent;
    this.#open = mergeOpen(open, only ?? []);
    this.#ended = only !== undefined;
    this.#hasRead = parent !== undefined;
    this.#answered = parent !== undefined;
  }

  /** @throws TenonError when the platform or the store fails; the checkpoint in the store stays */
  async run(): Promise<void> {
    for (;;) {
      const asks = this.#collected() ?? (await this.#fresh());
      this.#options.signal.throwIfAborted();
      if (asks.length > 0) await this.#ask(asks);
      else if (this.#tree && this.#hasRead) this.#again();
      else return;
    }
  }

  /** Parents with further pages, once there are enough of them to fill a call. */
  #collected(): OpenParent[] | undefined {
    return [this.#of(isNext), this.#of(isInside)].find((asks) => asks.length >= this.#size)?.slice(0, this.#size);
  }

  /** The next parents to read. When there are none, parents with further pages, even if they do not fill a call. */
  async #fresh(): Promise<OpenParent[]> {
    const asks = this.#of(isFirst).slice(0, this.#size);
    const done: ListPage[] = [];
    for (let parent: Parent | undefined; asks.length < this.#size; ) {
      parent = await this.#next();
      if (parent === undefined) break;
      const ask = this.#askFor(parent, done);
      if (ask !== undefined) asks.push(ask);
    }
    if (done.length > 0) await this.#save(done, mergeOpen(this.#open, asks));
    if (asks.length > 0) return asks;
    const next = this.#of(isNext);
    return (next.length > 0 ? next : this.#of(isInside)).slice(0, this.#size);
  }

  /** What to read for a parent; undefined where nothing is to be read. Parents whose children are gone or hidden are added to `done`. */
  #askFor({ key, record, marker: before, run }: Parent, done: ListPage[]): OpenParent | undefined {
    const { checkpoint } = this.#writer;
    const now = markerOf(this.#each, record);
    if (this.#tree && (run === checkpoint.run || this.#failed.has(key))) return undefined;
    const again = this.#options.again?.(key);
    if (again === undefined ? !checkpoint.full && before !== null && before === now : !again) return undefined;
    const marker = markerToKeep(now);
    if (!this.#wanted(record)) {
      // It may have had children before, which are gone now.
      if (before !== null) done.push({ records: [], parentDone: { key, marker } });
      return undefined;
    }
    const params = parentParams(this.#each, record);
    if (!Object.values(params).includes(null)) return { key, marker, params };
    // The platform hides a field that the call needs, so the children of this parent are not known.
    this.#writer.noteAccess("forbidden");
    done.push({ records: [], parentDone: { key, marker, hidden: true } });
    return undefined;
  }

  async #next(): Promise<Parent | undefined> {
    if (this.#loaded.length === 0 && !this.#ended) {
      this.#loaded.push(...(await this.#writer.parents(this.#each.entity, this.#last, loadedAtOnce)));
      this.#ended = this.#loaded.length < loadedAtOnce;
      // Only calls to the platform check otherwise whether the sync has to stop, and most parents may need no call.
      this.#options.signal.throwIfAborted();
    }
    const parent = this.#loaded.shift();
    if (parent !== undefined) this.#last = parent.key;
    return parent;
  }

  /** Goes through the parents once more, because reading has added some. Those that this sync run has read are passed over. */
  #again(): void {
    this.#last = undefined;
    this.#ended = false;
    this.#hasRead = false;
  }

  async #ask(asks: readonly OpenParent[]): Promise<void> {
    this.#hasRead = true;
    const answers = await this.#reader.parents(this.#options.plan, asks);
    this.#fit(asks.length, answers.length);
    for (const answer of answers) this.#noteFailure(answer);
    const call: ReadCall = { read: [], left: [], unread: new Set(), hidden: new Set(), restarted: false };
    for (const [index, ask] of asks.entries()) this.#note(call, ask, answers[index]);
    const { read, left, hidden, restarted } = call;
    if (restarted) this.#writer.allowRepeats();
    for (const { ask } of read) this.#writer.noteAccess(hidden.has(ask.key) ? "forbidden" : "allowed");
    const remaining = [...this.#open.filter((one) => !asks.some((ask) => isSame(ask, one))), ...left];
    // A parent with something forbidden cannot be read to its end, so it is not read further.
    const open = remaining.filter(({ key }) => !hidden.has(key));
    const goesOn = read.length > 0 && read.every(({ ask }) => open.some(({ key }) => key === ask.key));
    // The checkpoint stays before parents for which the platform failed at first: when it is down, the next sync run reads them too.
    if (this.#failuresInARow > 0 && !this.#answered) this.#open = open;
    else await this.#save(this.#pagesOf(call, open), open, goesOn);
  }

  /** Notes what a call brought for one parent. @param answer undefined where the call brought nothing for it */
  #note(call: ReadCall, ask: OpenParent, answer: ParentAnswer | undefined): void {
    const { key, marker, params, again } = ask;
    switch (answer?.kind) {
      case "page": {
        if (!answer.whole && !answer.forbidden) this.#writer.incomplete();
        if (answer.forbidden) call.hidden.add(key);
        call.read.push({ ask, records: answer.records });
        const same = { key, marker, params, ...(again === undefined ? {} : { again }) };
        const more = answer.more.map((position) => ({ ...same, ...position }));
        this.#refuseCircle(ask, more);
        call.left.push(...more);
        // It may have missed a record that moved from one page to another, which would be removed.
        if (more.length === 0 && isNext(ask) && again === undefined && this.#mayMiss) {
          call.restarted = true;
          call.left.push({ ...same, again: true });
        }
        return;
      }
      case "gone":
        call.read.push({ ask, records: [] });
        return;
      case "failed":
        // What belongs to this parent is not known. The others are read all the same.
        if (answer.error.code === "platform_forbidden") call.hidden.add(key);
        else this.#writer.incomplete({ of: this.#each.entity, error: answer.error });
        this.#failed.add(key);
        call.unread.add(key);
        call.read.push({ ask, records: [] });
        return;
      default:
        if (answer?.kind === "bad_cursor") call.restarted = true;
        call.left.push(answer === undefined ? ask : this.#retry(ask, answer));
    }
  }

  /** The pages to save of what a call read. A parent is done unless it is still open, or its children could not be read. */
  #pagesOf({ read, unread, hidden }: ReadCall, open: readonly OpenParent[]): ListPage[] {
    return read.map(({ ask: { key, marker }, records }) => {
      const isLeft = open.some((one) => one.key === key) || unread.has(key);
      return {
        records,
        ...(this.#options.itself ? {} : { parent: key }),
        ...(hidden.has(key)
          ? { parentDone: { key, marker, hidden: true as const } }
          : isLeft
            ? {}
            : { parentDone: { key, marker } }),
      };
    });
  }

  /** Whether a list of several pages may have records that were not seen, and would be removed. */
  get #mayMiss(): boolean {
    const { mayRemove, plan } = this.#options;
    return mayRemove && mayShift(plan.action.operation);
  }

  /** @throws TenonError the one that came for each of several parents in a row */
  #noteFailure(answer: ParentAnswer): void {
    if (answer.kind !== "failed" || !answer.error.retryable) {
      this.#failuresInARow = 0;
      this.#answered = true;
    } else if (++this.#failuresInARow >= mostFailures) throw answer.error;
  }

  /** @throws TenonError `platform_failed` when a list goes on with a cursor that it gave before */
  #refuseCircle(ask: OpenParent, more: readonly OpenParent[]): void {
    if (more.length === 0) this.#circles.delete(listOf(ask));
    for (const next of more) {
      const list = listOf(next);
      const circle = this.#circles.get(list) ?? new CursorCircle();
      this.#circles.set(list, circle);
      if (circle.closes(JSON.stringify([next.after, next.inside?.after]))) throw this.#writer.endless(circleText);
    }
  }

  /**
   * Keeps the size to which the platform has reduced a call, so that the next calls are not refused first. Later it tries a larger size.
   */
  #fit(asked: number, answered: number): void {
    const most = this.#each.batch?.size ?? 1;
    this.#callsInARow = answered < asked ? 0 : this.#callsInARow + 1;
    if (answered < asked) this.#size = Math.max(1, answered);
    else if (this.#callsInARow % callsBeforeLarger === 0) this.#size = Math.min(most, this.#size * 2);
  }

  /** @throws TenonError when it was requested too often */
  #retry(ask: OpenParent, answer: Exclude<ParentAnswer, { kind: "page" | "gone" | "failed" }>): OpenParent {
    const name = nameOf(ask);
    const tries = (this.#tries.get(name) ?? 0) + 1;
    this.#tries.set(name, tries);
    if (answer.kind === "again") {
      if (tries >= mostTries) throw answer.error;
      return ask;
    }
    if (tries > 1 || (ask.after === undefined && ask.inside === undefined))
      throw new TenonError("platform_failed", "The platform rejects cursors that it has just returned.");
    // The platform no longer knows its cursor. Reading the list from its beginning costs calls but loses nothing.
    const { key, marker, params, again } = ask;
    this.#circles.delete(listOf(ask));
    return { key, marker, params, ...(again === undefined ? {} : { again }) };
  }

  /** Saves lists together with the checkpoint behind them. */
  async #save(lists: readonly ListPage[], open: readonly OpenParent[], goesOn = false): Promise<void> {
    const position = {
      ...(this.#last === undefined ? {} : { parent: this.#last }),
      ...(open.length === 0 ? {} : { open }),
    };
    await this.#writer.save(lists, this.#writer.checkpoint.step, position, goesOn);
    this.#open = open;
  }

  #of(kind: (one: OpenParent) => boolean): OpenParent[] {
    return this.#open.filter(kind);
  }
}
