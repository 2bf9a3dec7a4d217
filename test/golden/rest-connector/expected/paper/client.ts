// Generated from spec/connector.yaml by `make generate`. Do not edit.

import { type Client, type ConnectorClass, connectorClass } from "../../runtime/client/index.ts";
import type * as books from "./books.ts";

export * from "../../runtime/client/index.ts";
export type { Book, BookState, BooksCreateParams, BooksGetParams, BooksListParams } from "./books.ts";

/** What the methods of {@link PaperLibrary} take and answer. */
export interface PaperLibraryEntities {
  /** Books on a shelf. */
  books: {
    name: "books";
    actions: Pick<typeof books, "get" | "list" | "create">;
    record: books.Book;
    search: { number: "integer"; state: "string"; title: "string" };
  };
}

/** Client of Paper library. The same library without GraphQL. */
export const PaperLibrary: ConnectorClass<PaperLibraryEntities> = connectorClass({
  name: "paper",
  title: "Paper library",
  entities: { books: { get: {}, list: { cursor: "after" }, create: { writes: true } } },
  connector: async () => (await import("./index.ts")).paper,
});

export type PaperLibrary = Client<PaperLibraryEntities>;
