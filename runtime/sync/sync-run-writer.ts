import { TenonError } from "../base/errors.ts";
import type { Connector, StorePlan } from "../contract/index.ts";
import { missingKey, type RecordObject } from "../search/index.ts";
import { type Checkpoint, checkpointAt, type StepPosition } from "../store/checkpoint.ts";
import type { ListPage, PageResult, Parent, ScopeCollection, SyncStore } from "../store/store.ts";
import { BarrenPages } from "./barren-pages.ts";
import { PageQueue } from "./page-queue.ts";

/** For how many parents it could not be read what belongs to them, and the last error. */
export interface Unread {
  readonly parents: number;
  /** The entity of the parents. */
  readonly of: string;
  readonly error: TenonError;
}

export interface SyncRunWriterOptions {
  readonly store: SyncStore;
  readonly collection: ScopeCollection;
  readonly connector: Connector;
  /** How the records are stored. */
  readonly plan: StorePlan;
  /** Where the sync run begins. */
  readonly checkpoint: Checkpoint;
  /** Called after every page that was read. */
  readonly onPage: (page: { readonly records: number }) => void;
}

/** Gives what a sync run reads to the store, together with the checkpoint behind it, and keeps what the sync run has found on its way. */
export class SyncRunWriter {
  readonly #options: SyncRunWriterOptions;
  readonly #pages: PageQueue;
  #checkpoint: Checkpoint;
  #unread: Unread | undefined;
  readonly #barren: BarrenPages;

  constructor(options: SyncRunWriterOptions) {
    this.#options = options;
    this.#checkpoint = options.checkpoint;
    this.#barren = new BarrenPages(options.plan);
    this.#pages = new PageQueue((page) => options.store.save(options.collection, page));
  }

  get collection(): ScopeCollection {
    return this.#options.collection;
  }

  /** The checkpoint behind the last page that was given. */
  get checkpoint(): Checkpoint {
    return this.#checkpoint;
  }

  get unread(): Unread | undefined {
    return this.#unread;
  }

  /** Notes that something could not be read, so that nothing may be removed. @param unread the entity of a parent, and its error */
  incomplete(unread?: Pick<Unread, "of" | "error">): void {
    this.#checkpoint = { ...this.#checkpoint, partial: true };
    if (unread !== undefined) this.#unread = { ...unread, parents: (this.#unread?.parents ?? 0) + 1 };
  }

  /** Notes that the platform has shown the children of a parent, or has forbidden to read them. */
  noteAccess(access: "allowed" | "forbidden"): void {
    const { childAccess = access } = this.#checkpoint;
    this.#checkpoint = { ...this.#checkpoint, childAccess: childAccess === access ? access : "both" };
  }

  /** Notes the newest value of the cursor field that was seen. */
  saw(newest: string | undefined): void {
    if (newest !== undefined) this.#checkpoint = { ...this.#checkpoint, newest };
  }

  /** Notes that a list was read whole, so that what it does not have any longer can be removed. */
  readWhole(): void {
    if (this.#checkpoint.partitions === undefined) this.#checkpoint = { ...this.#checkpoint, full: true };
  }

  /** Goes to another position. The store has it with the next page, or when the sync run ends. */
  move(step: number, position?: StepPosition): void {
    this.#checkpoint = checkpointAt(this.#checkpoint, step, position);
  }

  /**
   * Gives lists to the store, which may save them later, with a checkpoint behind them.
   *
   * @param goesOn whether all of the lists have further pages
   * @throws TenonError `unexpected_response` for a record without a key, `platform_failed` for a list that never ends, and what saving
   *   these lists or earlier ones threw
   */
  async save(lists: readonly ListPage[], step: number, position?: StepPosition, goesOn = false): Promise<void> {
    for (const { records } of lists) this.#refuseWithoutKey(records);
    const [first = { records: [] }, ...others] = lists;
    const checkpoint = checkpointAt(this.#checkpoint, step, position);
    await this.#pages.add({ ...first, ...(others.length === 0 ? {} : { others }), checkpoint });
    const barren = this.#barren.note(lists, goesOn);
    if (barren !== undefined) throw this.endless(`sent ${barren} pages in a row that bring nothing new, so the list never ends.`);
    this.#checkpoint = checkpoint;
    this.#options.onPage({ records: lists.reduce((sum, { records }) => sum + records.length, 0) });
  }

  /** Resolves when the store has saved everything, with what saving it did. @throws what saving threw */
  saved(): Promise<PageResult> {
    return this.#pages.saved();
  }

  /** How many records the store has of the scope. */
  async stored(): Promise<number | undefined> {
    const { connector, instance, scope, entity } = this.collection;
    await this.saved();
    const states = await this.#options.store.states({ connector, instance, scope });
    return states.find((one) => one.entity === entity)?.records;
  }

  /** The next records of another entity for which the present step reads. @param after key of the one before them */
  async parents(entity: string, after: string | undefined, limit: number): Promise<Parent[]> {
    // An entity may be its own parent.
    if (entity === this.collection.entity) await this.saved();
    const child = { entity: this.collection.entity, step: this.#checkpoint.step };
    return this.#options.store.parents({ ...this.collection, entity }, child, after, limit);
  }

  /** Lets a list that is read from its beginning have pages with records that were read already. */
  allowRepeats(): void {
    this.#barren.restart();
  }

  /** The error for a list without an end. @param text what the platform does, as the end of a sentence that it begins */
  endless(text: string): TenonError {
    return new TenonError("platform_failed", `${this.#options.connector.title} ${text}`);
  }

  /** Records without a key would all be stored as one. */
  #refuseWithoutKey(records: readonly RecordObject[]): void {
    for (const record of records) {
      const path = missingKey(this.#options.plan, record);
      if (path === undefined) continue;
      const { title } = this.#options.connector;
      throw new TenonError(
        "unexpected_response",
        `${title} sent a record of ${this.collection.entity} without "${path}", which the spec names as its key. The record cannot be stored.`,
      );
    }
  }
}
