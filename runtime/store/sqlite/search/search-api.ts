import type { Collection, StoreAnswer, StoreSearch } from "../../store.ts";

/** The calls that a thread that searches answers. */
export interface SearchApi<Query, Answer> {
  /**
   * @param deadline as of `Date.now()`
   * @returns undefined when the search had to give way and had done more than a little work
   */
  search(collection: Collection, query: Query, deadline: number): Answer | undefined;
}

export type ReaderApi = SearchApi<StoreSearch, StoreAnswer>;
