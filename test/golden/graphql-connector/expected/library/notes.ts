// Generated from spec/notes.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type SyncBatch,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { notesStore } from "./facts.ts";
import { listParams, syncParams } from "./validators/notes.js";

/** Notes in the chapters of a book. */
export interface Note {
  /** Identity. */
  readonly id: string;
  /** Length. */
  readonly length: number;
  /** Text. */
  readonly text: string;
}

export interface NotesListParams {
  /** Number. 1 to 1000. */
  readonly number: number;
  /** Name of the shelf. */
  readonly shelf: string;
  /** Cursor. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface NotesSyncParams {
  /** Number. 0 to 1000. */
  readonly number: number;
  /** Name of the shelf. */
  readonly shelf: string;
  /** Cursor. */
  readonly after?: string;
  /** Number of notes. Default 30. 1 to 500. */
  readonly limit?: number;
  readonly fields?: readonly FieldPath[];
}

export const notePlan: RecordPlan = {
  name: "Note",
  on: "Note",
  fields: {
    id: { select: "id", read: "id" },
    length: { select: "length", read: "length", is: "integer" },
    text: { select: "text", read: "text" },
  },
};

/** Lists the notes of a book, chapter by chapter. */
export const list: Action<NotesListParams, Page<Note>> = {
  name: "notes.list",
  traits: actionTraits.list,
  params: ["number", "shelf", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query NotesList($shelf:String!$number:Int!$first:Int!$after:String$size:Int!){shelf(name:$shelf){book(number:$number){chapters(first:$first after:$after){edges{cursor node{id notes(first:$size){edges{cursor node{...record}}pageInfo{hasNextPage}}}}pageInfo{hasNextPage endCursor}}}}}",
    variables: ["shelf", "number"],
    path: ["shelf", "book", "chapters"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    nested: {
      inner: "notes",
      rest: "query NotesListRest($parent:ID!$size:Int!$inside:String){node(id:$parent){...on Chapter{notes(first:$size after:$inside){edges{cursor node{...record}}pageInfo{hasNextPage}}}}}",
    },
    record: notePlan,
  },
};

/** Reads the notes of a book, a note or its whole tree. */
export const sync: Action<NotesSyncParams, Page<Note>> = {
  name: "notes.sync",
  traits: actionTraits.list,
  params: ["number", "shelf", "after", "limit"],
  validate: syncParams,
  operation: {
    kind: "graphql-list",
    document: "query NotesSync($shelf:String!$number:Int!$first:Int!$after:String$size:Int!){shelf(name:$shelf){book(number:$number){chapters(first:$first after:$after){edges{cursor node{id notes(first:$size){edges{cursor node{...record}}pageInfo{hasNextPage}}}}pageInfo{hasNextPage endCursor}}}}}",
    variables: ["shelf", "number"],
    path: ["shelf", "book", "chapters"],
    items: "nodes",
    page: { size: "limit", cursor: "after", max: 100 },
    nested: {
      inner: "notes",
      rest: "query NotesSyncRest($parent:ID!$size:Int!$inside:String){node(id:$parent){...on Chapter{notes(first:$size after:$inside){edges{cursor node{...record}}pageInfo{hasNextPage}}}}}",
    },
    record: notePlan,
  },
};

/** How a sync reads for several parents. */
export const listBatch: SyncBatch = {
  size: 20,
  first: 5,
  document: {
    frame: ["query NotesListBatch($shelf:String!$first:Int!$size:Int!", "){shelf(name:$shelf){", "}}"],
    variables: ["$number_", ":Int!$after_", ":String"],
    parent: [
      "p",
      ":book(number:$number_",
      "){chapters(first:$first after:$after_",
      "){edges{cursor node{id notes(first:$size){edges{cursor node{...record}}pageInfo{hasNextPage}}}}pageInfo{hasNextPage endCursor}}}",
    ],
    own: ["number", "after"],
    alias: 1,
  },
  rest: {
    frame: ["query NotesListRestBatch($size:Int!", "){", "}"],
    variables: ["$parent_", ":ID!$inside_", ":String"],
    parent: [
      "p",
      ":node(id:$parent_",
      "){...on Chapter{notes(first:$size after:$inside_",
      "){edges{cursor node{...record}}pageInfo{hasNextPage}}}}",
    ],
    own: ["parent", "inside"],
    alias: 0,
  },
};

/** Notes in the chapters of a book. */
export const entity: Entity = {
  actions: { list },
  record: notePlan,
  store: notesStore,
  brief: ["id", "length", "text"],
  sync: [
    {
      scope: "shelf",
      action: list,
      size: { param: "per_page", value: 25 },
      each: {
        entity: "books",
        params: { number: "number" },
        unless: { state: "lent" },
        atMost: { number: 500 },
        changed: "addedAt",
        batch: listBatch,
      },
    },
    {
      scope: "shelf",
      action: sync,
      size: { param: "limit", value: 100 },
      each: {
        entity: "notes",
        params: { number: "length" },
        root: { number: 0 },
        paths: { field: "text", include: ["**"], exclude: ["**|draft"] },
      },
    },
  ],
  relations: [{ table: "books", on: "books.key = ANY(notes.parent)" }, { table: "notes", on: "notes.key = ANY(notes.parent)" }],
};
