import type { EntityId } from "../../catalogue.ts";
import type { Checkpoint } from "../../checkpoint.ts";
import type { EmbeddingQueue, SemanticStore } from "../../semantic.ts";
import type {
  ChangeLog,
  Collection,
  Fenced,
  ListPage,
  PageResult,
  ScopeCollection,
  StoreInstance,
  SyncStore,
} from "../../store.ts";
import type { Forgetting } from "../../works/forgetting.ts";

// The calls that the thread that writes answers. The compiler checks both sides against this type: the object that the thread serves, and
// the calls to it.

/** The methods of a contract as a thread implements them: they return the value itself instead of a promise. */
type InThread<Contract> = {
  readonly [Name in keyof Contract]: Contract[Name] extends (...args: infer Args) => Promise<infer Value>
    ? (...args: Args) => Value
    : never;
};

export interface WriterApi
  extends InThread<Omit<SyncStore, "forget">>,
    InThread<ChangeLog>,
    InThread<EmbeddingQueue>,
    InThread<Pick<SemanticStore, "semanticStates">> {
  /** Keeps a part of a page in memory until `saveParts` is called with the number of the page. */
  keepPart(page: number, lists: readonly ListPage[]): void;
  /** Saves a page that was sent in parts, as `save` does. @param count how many parts it has */
  saveParts(page: number, count: number, collection: ScopeCollection, checkpoint: Checkpoint): PageResult;
  /** Does one step of forgetting a scope. @returns null when nothing of the scope is stored */
  forgetSome(instance: StoreInstance & Fenced, scope: string): Forgetting | null;
  /**
   * Does one step of merging word indexes, which makes searches faster after much was written.
   *
   * @param begin whether this is the first step
   * @returns whether more steps are needed
   */
  tidy(collection: Collection, begin: boolean): boolean;
  /**
   * Does one step of making the indexes and words of an entity that was loaded without them.
   *
   * @returns whether more steps are needed
   */
  settle(collection: Collection): boolean;
  /** The entities that have no indexes although nobody loads them: their loading was cut off. */
  unsettled(): EntityId[];
  /** Copies the write-ahead log into the file and empties it. @returns false when a reader or another process was in the way */
  cutLog(): boolean;
}
