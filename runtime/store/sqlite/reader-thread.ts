import type { Shelf, StoreSearch } from "../store.ts";
import { Reader } from "./reader.ts";
import { serveThread } from "./serve-thread.ts";

serveThread(({ file, stop }, catalogue) => {
  const reader = new Reader(file, catalogue, { stop });
  return {
    search: (shelf: Shelf, query: StoreSearch, deadline: number) => reader.search(shelf, query, deadline),
    close: () => reader.close(),
  };
});
