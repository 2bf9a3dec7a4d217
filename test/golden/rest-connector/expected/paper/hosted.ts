// Generated from spec/connector.yaml by `make generate`. Do not edit.

import { type Client, type ClientPlan, type ConnectorClass, connectorClass } from "../../runtime/client/index.ts";
import type * as books from "./books.ts";

export * from "../../runtime/client/index.ts";
export type { Book, BookState, BooksCreateParams, BooksGetParams, BooksListParams, Cover } from "./books.ts";

/** What the methods of {@link PaperLibrary} take and return. */
export interface PaperLibraryEntities {
  /** Books on a shelf. */
  books: {
    name: "books";
    actions: Pick<typeof books, "get" | "list" | "create">;
    record: books.Book;
    search: { number: "integer"; state: "string"; title: "string" };
  };
}

/** The credentials that Paper library takes. */
export type PaperLibraryCredential =
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "robot"; readonly appId: string; readonly branch: string; readonly privateKey: string }
  | { readonly kind: "reader"; readonly clientId: string; readonly clientSecret: string; readonly refreshToken: string };
export type ClientOptions = import("../../runtime/client/index.ts").ClientOptions<PaperLibraryCredential>;
export type LocalOptions = import("../../runtime/client/index.ts").LocalOptions<PaperLibraryCredential>;

/** Entities and actions of Paper library, for both modes of its client. */
export const plan: ClientPlan = {
  name: "paper",
  title: "Paper library",
  entities: { books: { get: {}, list: { cursor: "after" }, create: { writes: true } } },
};

/** Client of Paper library, in hosted mode only, as browsers use it. The same library without GraphQL. */
export const PaperLibrary: ConnectorClass<PaperLibraryEntities, PaperLibraryCredential> = connectorClass(plan);

export type PaperLibrary = Client<PaperLibraryEntities>;
