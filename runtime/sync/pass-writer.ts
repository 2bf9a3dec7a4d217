import { TenonError } from "../base/errors.ts";
import type { Connector, StorePlan } from "../contract/index.ts";
import { missingKey, type RecordObject } from "../search/index.ts";
import { positionAt, type StepPlace, type SyncPosition } from "../store/position.ts";
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

export interface PassWriterOptions {
  readonly store: SyncStore;
  readonly collection: ScopeCollection;
  readonly connector: Connector;
  /** How the records are stored. */
  readonly plan: StorePlan;
  /** Where the pass begins. */
  readonly position: SyncPosition;
  /** Called after every page that was read. */
  readonly onPage: (page: { readonly records: number }) => void;
}

/** Gives what a pass reads to the store, together with the position behind it, and keeps what the pass has found on its way. */
export class PassWriter {
  readonly #options: PassWriterOptions;
  readonly #pages: PageQueue;
  #position: SyncPosition;
  #unread: Unread | undefined;
  readonly #barren: BarrenPages;

  constructor(options: PassWriterOptions) {
    this.#options = options;
    this.#position = options.position;
    this.#barren = new BarrenPages(options.plan);
    this.#pages = new PageQueue((page) => options.store.save(options.collection, page));
  }

  get collection(): ScopeCollection {
    return this.#options.collection;
  }

  /** The position behind the last page that was given. */
  get position(): SyncPosition {
    return this.#position;
  }

  get unread(): Unread | undefined {
    return this.#unread;
  }

  /** Notes that something could not be read, so that nothing may be removed. @param unread the entity of a parent, and its error */
  incomplete(unread?: Pick<Unread, "of" | "error">): void {
    this.#position = { ...this.#position, partial: true };
    if (unread !== undefined) this.#unread = { ...unread, parents: (this.#unread?.parents ?? 0) + 1 };
  }

  /** Notes that the platform has shown the children of a parent, or has forbidden to read them. */
  met(kind: "shown" | "hidden"): void {
    const { met = kind } = this.#position;
    this.#position = { ...this.#position, met: met === kind ? kind : "both" };
  }

  /** Notes the newest value of the cursor field that was seen. */
  saw(newest: string | undefined): void {
    if (newest !== undefined) this.#position = { ...this.#position, newest };
  }

  /** Notes that a list was read whole, so that what it does not have any longer can be removed. */
  readWhole(): void {
    if (this.#position.parts === undefined) this.#position = { ...this.#position, full: true };
  }

  /** Goes to another place. The store has it with the next page, or when the pass ends. */
  move(step: number, place?: StepPlace): void {
    this.#position = positionAt(this.#position, step, place);
  }

  /**
   * Gives lists to the store, which may save them later, with a position behind them.
   *
   * @param goesOn whether all of the lists have further pages
   * @throws TenonError `unexpected_response` for a record without a key, `platform_failed` for a list that never ends, and what saving
   *   these lists or earlier ones threw
   */
  async save(lists: readonly ListPage[], step: number, place?: StepPlace, goesOn = false): Promise<void> {
    for (const { records } of lists) this.#refuseWithoutKey(records);
    const [first = { records: [] }, ...others] = lists;
    const position = positionAt(this.#position, step, place);
    await this.#pages.add({ ...first, ...(others.length === 0 ? {} : { others }), position });
    const barren = this.#barren.note(lists, goesOn);
    if (barren !== undefined) throw this.endless(`sent ${barren} pages in a row that bring nothing new, so the list never ends.`);
    this.#position = position;
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
    const child = { entity: this.collection.entity, step: this.#position.step };
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
