// Generated from spec/connector.yaml by `make generate`. Do not edit.

import { type Client, type ClientPlan, type ConnectorClass, connectorClass } from "../../runtime/client/index.ts";
import type * as books from "./books.ts";
import type * as lentBooks from "./lent_books.ts";
import type * as notes from "./notes.ts";
import type * as ownNotes from "./own_notes.ts";

export * from "../../runtime/client/index.ts";
export type { Book, BookRecord, BookState, BookStates, BooksApiSearchParams, BooksGetParams, BooksListParams, BooksUpdateParams, Chapter, Reason, Title, Writer } from "./books.ts";
export type { LentBooksGetParams } from "./lent_books.ts";
export type { Note, NotesListParams } from "./notes.ts";
export type { OwnNotesListParams } from "./own_notes.ts";

/** What the methods of {@link Library} take and return. */
export interface LibraryEntities {
  /** Books on a shelf. Text with *​/ and | and `code` stays text. */
  books: {
    name: "books";
    actions: Pick<typeof books, "get" | "list" | "apiSearch" | "update">;
    record: books.Book;
    search: { shelf: "string"; number: "integer"; addedAt: "timestamp"; id: "string"; place: "string"; state: "string"; title: "string"; blurb: "string"; chapters: "string[]" };
    semantic: "title";
  };
  /** Books that are with readers. */
  lentBooks: {
    name: "lent_books";
    actions: Pick<typeof lentBooks, "get">;
    record: books.Book;
    search: { shelf: "string"; number: "integer"; addedAt: "timestamp"; id: "string"; place: "string"; state: "string"; title: "string"; blurb: "string"; chapters: "string[]" };
    semantic: "title";
  };
  /** Notes in the chapters of a book. */
  notes: {
    name: "notes";
    actions: Pick<typeof notes, "list">;
    record: notes.Note;
    search: { length: "integer"; text: "string" };
  };
  /** Notes in the reader's own book. */
  ownNotes: {
    name: "own_notes";
    actions: Pick<typeof ownNotes, "list">;
    record: notes.Note;
    search: { length: "integer"; text: "string" };
  };
}

/** The credentials that Library takes. */
export type LibraryCredential =
  | { readonly kind: "token"; readonly token: string };
export type ClientOptions = import("../../runtime/client/index.ts").ClientOptions<LibraryCredential>;
export type LocalOptions = import("../../runtime/client/index.ts").LocalOptions<LibraryCredential>;

/** Entities and actions of Library, for both modes of its client. */
export const plan: ClientPlan = {
  name: "library",
  title: "Library",
  entities: {
    books: { get: {}, list: { cursor: "after" }, api_search: { cursor: "after" }, update: { writes: true } },
    lent_books: { get: {} },
    notes: { list: { cursor: "after" } },
    own_notes: { list: { cursor: "after" } },
  },
};

/** Client of Library, in hosted mode only, as browsers use it. A library for the golden cases. */
export const Library: ConnectorClass<LibraryEntities, LibraryCredential> = connectorClass(plan);

export type Library = Client<LibraryEntities>;
