// Generated from spec/books.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Answer,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  type SyncBatch,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { booksStore } from "./facts.ts";
import { apiSearchParams, getParams, listParams, syncParams, updateParams } from "./validators/books.js";

/** Where a book is. */
export type BookState = "lent" | "on_shelf";
/** Which books. */
export type BookStates = "LENT" | "ON_SHELF";
/** Why. */
export type Reason = "borrowed" | "returned";

/** Books on a shelf. Text with *​/ and | and `code` stays text. */
export interface Book {
  /** Name of the shelf. */
  readonly shelf: string;
  /** Number on its shelf. */
  readonly number: number;
  /** When it came. */
  readonly addedAt: string;
  /** Identity. */
  readonly id: string;
  /** ISBN. */
  readonly isbn: number | null;
  /** Where it stands; null in a list. */
  readonly place: string | null;
  /** Where it is. */
  readonly state: BookState;
  /** Title. */
  readonly title: string;
  /** Who wrote it. */
  readonly writer: Writer | null;
  /** Address in the REST API. */
  readonly address?: string;
  /** What the cover says. Needs the scope `read:blurbs`. */
  readonly blurb?: string | null;
  /** Chapters. */
  readonly chapters?: readonly Chapter[];
}

/** What a write answers. */
export interface BookRecord {
  /** Number. */
  readonly number: number;
  /** Where it is. */
  readonly state: BookState;
  /** Who wrote it. */
  readonly writer: Readonly<Record<string, unknown>> | null;
}

/** A chapter of a book. */
export interface Chapter {
  /** Heading. */
  readonly heading: string;
}

/** A book, in short. */
export interface Title {
  /** Title. */
  readonly title: string;
}

/** Who wrote a book. */
export interface Writer {
  /** Name. */
  readonly name: string;
  /** Other books. */
  readonly titles?: readonly Title[];
}

export interface BooksGetParams {
  /** Number. 1 to 1000. */
  readonly number: number;
  /** Name of the shelf. */
  readonly shelf: string;
  readonly fields?: readonly FieldPath[];
}

export interface BooksListParams {
  /** Name of the shelf. */
  readonly shelf: string;
  /** Which ones. */
  readonly states?: readonly BookStates[];
  /** Cursor. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface BooksApiSearchParams {
  /** Name of the shelf. */
  readonly shelf: string;
  /** Cursor. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface BooksUpdateParams {
  /** Number. 1 to 1000. */
  readonly number: number;
  /** Name of the shelf. */
  readonly shelf: string;
  /** Why. */
  readonly reason?: Reason | null;
  /** Where it shall be. */
  readonly state?: BookState;
  readonly fields?: readonly FieldPath[];
}

export interface BooksSyncParams {
  /** Name of the shelf. */
  readonly shelf: string;
  /** Cursor. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const bookPlan: RecordPlan = {
  name: "Book",
  on: "Book",
  fields: {
    shelf: { param: "shelf" },
    number: { select: "number", read: "number", is: "integer" },
    addedAt: { select: "addedAt", read: "addedAt", is: "timestamp" },
    id: { select: "id", read: "id" },
    isbn: { select: "isbn", read: "isbn", as: { kind: "integer" }, is: "integer" },
    place: { param: ["", "shelf", "/", "number", ""] },
    state: { select: "state", read: "state", as: { kind: "lower" }, values: ["lent", "on_shelf"] },
    title: { select: "title", read: "title" },
    writer: { select: ["writer{", "}"], read: "writer", of: () => writerPlan },
    address: {
      select: "address0:title address1:id",
      read: ["address0", "address1"],
      as: { kind: "restUrl", template: ["/books/", "/", ""] },
      onRequest: true,
    },
    blurb: { select: "blurb", read: "blurb", onRequest: true },
    chapters: {
      select: ["chapters(first:10){nodes{", "}pageInfo{hasNextPage endCursor}}"],
      read: "chapters.nodes",
      list: "empty",
      cut: "chapters.pageInfo.hasNextPage",
      next: "chapters.pageInfo.endCursor",
      onRequest: true,
      of: () => chapterPlan,
    },
  },
  overflow: {
    id: "id",
    batch: 50,
    frame: ["query BooksOverflow(", "){", "}"],
    variables: ["$id_", ":ID!$after_", ":String"],
    lists: {
      chapters: [
        "p",
        ":node(id:$id_",
        "){...on Book{chapters(first:100 after:$after_",
        "){nodes{heading}pageInfo{hasNextPage endCursor}}}}",
      ],
    },
  },
};

export const bookRecordPlan: RecordPlan = {
  name: "BookRecord",
  fields: {
    number: { read: "number", always: true, is: "integer" },
    state: { read: "state", always: true, values: ["lent", "on_shelf"] },
    writer: { read: "writer", open: true },
  },
};

export const chapterPlan: RecordPlan = { name: "Chapter", on: "Chapter", fields: { heading: { select: "heading", read: "heading" } } };

export const titlePlan: RecordPlan = { name: "Title", on: "Book", fields: { title: { select: "title", read: "title" } } };

export const writerPlan: RecordPlan = {
  name: "Writer",
  on: "Writer",
  fields: {
    name: { select: "name", read: "name" },
    titles: {
      select: ["titles:books(first:5){nodes{", "}pageInfo{hasNextPage}}"],
      read: "titles.nodes",
      list: "empty",
      cut: "titles.pageInfo.hasNextPage",
      onRequest: true,
      of: () => titlePlan,
    },
  },
};

/** Reads one book. */
export const get: Action<BooksGetParams, Single<Book>> = {
  name: "books.get",
  traits: actionTraits.get,
  params: ["number", "shelf"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query BooksGet($shelf:String!$number:Int!){shelf(name:$shelf){book(number:$number){...record}}}",
    variables: ["shelf", "number"],
    path: ["shelf", "book"],
    record: bookPlan,
  },
};

/** Lists the books of a shelf. */
export const list: Action<BooksListParams, Page<Book>> = {
  name: "books.list",
  traits: actionTraits.list,
  params: ["shelf", "states", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query BooksList($shelf:String!$states:[BookState!]$first:Int!$after:String){shelf(name:$shelf){books(states:$states first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}totalCount}}}",
    variables: ["shelf", "states"],
    path: ["shelf", "books"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    total: "totalCount",
    empty: "shelf",
    record: bookPlan,
  },
};

/** Finds books. */
export const apiSearch: Action<BooksApiSearchParams, Page<Book>> = {
  name: "books.api_search",
  traits: actionTraits.api_search,
  params: ["shelf", "after", "per_page"],
  validate: apiSearchParams,
  operation: {
    kind: "graphql-list",
    document: "query BooksApiSearch($text:String!$first:Int!$after:String){search(query:$text first:$first after:$after){nodes{__typename ...record}pageInfo{hasNextPage endCursor}bookCount}}",
    variables: [],
    computed: { text: { template: ["", "shelf", ""], qualify: "is:book" } },
    narrow: ["Book"],
    path: ["search"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    total: "bookCount",
    record: bookPlan,
  },
};

/** Changes a book. */
export const update: Action<BooksUpdateParams, Answer<BookRecord>> = {
  name: "books.update",
  traits: actionTraits.update,
  params: ["number", "shelf", "reason", "state"],
  validate: updateParams,
  operation: {
    kind: "rest",
    method: "PATCH",
    path: "/shelves/{shelf}/books/{number}",
    query: [],
    body: ["reason", "state"],
    record: bookRecordPlan,
  },
  changes: ["reason", "state"],
  transitions: [
    { set: { state: "lent" }, allow: { reason: ["borrowed"] } },
    { set: { state: "on_shelf" }, allow: { reason: ["returned"] } },
  ],
};

/** Reads the books of a shelf, the latest first. */
export const sync: Action<BooksSyncParams, Page<Book>> = {
  name: "books.sync",
  traits: actionTraits.list,
  params: ["shelf", "after", "per_page"],
  validate: syncParams,
  operation: {
    kind: "graphql-list",
    document: "query BooksSync($shelf:String!$first:Int!$after:String){shelf(name:$shelf){books(first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["shelf"],
    path: ["shelf", "books"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    counts: true,
    record: bookPlan,
  },
};

/** How a sync reads for several parents. */
export const getBatch: SyncBatch = {
  size: 20,
  document: {
    frame: ["query BooksGetBatch($shelf:String!", "){shelf(name:$shelf){", "}}"],
    variables: ["$number_", ":Int!"],
    parent: ["p", ":book(number:$number_", "){...record}"],
    own: ["number"],
    alias: 1,
  },
};

/** Books on a shelf. Text with *​/ and | and `code` stays text. */
export const entity: Entity = {
  actions: { get, list, api_search: apiSearch, update },
  record: bookPlan,
  store: booksStore,
  brief: ["shelf", "number", "addedAt", "id", "isbn", "place"],
  sync: [
    {
      scope: "shelf",
      action: sync,
      size: { param: "per_page", value: 100 },
      cursor: { field: "addedAt", overlap: 5 },
      verification: { action: get, params: { number: "number" }, days: 14, batch: getBatch },
    },
  ],
};
