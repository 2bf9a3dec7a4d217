// Generated from spec/books.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Answer,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { booksStore } from "./facts.ts";
import { createParams, getParams, listParams } from "./validators/books.js";

/** Where a book is. */
export type BookState = "lent" | "on_shelf";

/** Books on a shelf. */
export interface Book {
  /** Number on its shelf. */
  readonly number: number;
  /** When it came. */
  readonly addedAt: string;
  /** Number of pages. */
  readonly pages: number | null;
  /** Where it is. */
  readonly state: BookState;
  /** Title. */
  readonly title: string;
  /** Who wrote it. */
  readonly writer: string | null;
  /** Tags. */
  readonly tags?: readonly string[];
}

/** A cover. */
export interface Cover {
  /** Color. */
  readonly color: string;
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
  /** Only those. */
  readonly state?: BookState;
  /** Cursor. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface BooksCreateParams {
  /** Name of the shelf. */
  readonly shelf: string;
  /** Title. */
  readonly title: string;
  /** What it is about. */
  readonly blurb?: string;
  /** Its cover. */
  readonly cover?: Cover;
  /** Number of pages. 1 to 10000. */
  readonly pages?: number;
  /** Tags. */
  readonly tags?: readonly string[];
  readonly fields?: readonly FieldPath[];
}

export const bookPlan: RecordPlan = {
  name: "Book",
  fields: {
    number: { read: "number", always: true, is: "integer" },
    addedAt: { read: "added_at", always: true, is: "timestamp" },
    pages: { read: "pages", is: "integer" },
    state: { read: "state", always: true, values: ["lent", "on_shelf"] },
    title: { read: "title", always: true },
    writer: { read: "writer.name" },
    tags: { read: "tags", list: "empty", onRequest: true },
  },
};

export const coverPlan: RecordPlan = { name: "Cover", fields: { color: { read: "color", always: true } } };

/** Reads one book. */
export const get: Action<BooksGetParams, Single<Book>> = {
  name: "books.get",
  traits: actionTraits.get,
  params: ["number", "shelf"],
  validate: getParams,
  operation: { kind: "rest", method: "GET", path: "/shelves/{shelf}/books/{number}", query: [], body: [], record: bookPlan },
};

/** Lists the books of a shelf. */
export const list: Action<BooksListParams, Page<Book>> = {
  name: "books.list",
  traits: actionTraits.list,
  params: ["shelf", "state", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/shelves/{shelf}/books",
    query: ["state", "per_page"],
    body: [],
    list: { page: { size: "per_page", cursor: "after", max: 100 }, by: { kind: "link" } },
    record: bookPlan,
  },
};

/** Adds a book. */
export const create: Action<BooksCreateParams, Answer<Book>> = {
  name: "books.create",
  traits: actionTraits.create,
  params: ["shelf", "title", "blurb", "cover", "pages", "tags"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/shelves/{shelf}/books",
    query: [],
    body: ["title", { param: "blurb", name: "blurb", as: [{ line: "{line}" }] }, "cover", "pages", "tags"],
    fixed: { body: { "source.kind": "robot" } },
    record: bookPlan,
  },
};

/** Books on a shelf. */
export const entity: Entity = {
  actions: { get, list, create },
  record: bookPlan,
  store: booksStore,
  brief: ["number", "addedAt", "pages", "state", "title", "writer"],
  sync: [],
};
