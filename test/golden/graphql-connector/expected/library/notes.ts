// Generated from spec/notes.yaml by `make generate`. Do not edit.

import { type Entity, type FieldPath, type RecordPlan, listAction } from "../../runtime/contract/index.ts";
import { listParams } from "./validators/notes.js";

/** Notes in the chapters of a book. */
export interface Note {
  /** Identity. */
  readonly id: string;
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

export const notePlan: RecordPlan = { name: "Note", on: "Note", fields: { id: { select: "id", read: "id" }, text: { select: "text", read: "text" } } };

/** Lists the notes of a book, chapter by chapter. */
export const list = listAction<NotesListParams, Note>({
  name: "notes.list",
  params: ["number", "shelf", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query NotesList($shelf:String!$number:Int!$first:Int!$after:String$size:Int!){shelf(name:$shelf){book(number:$number){chapters(first:$first after:$after){edges{cursor node{id notes(first:$size){edges{cursor node{...record}}pageInfo{hasNextPage}}}}pageInfo{hasNextPage endCursor}}}}}",
    variables: ["shelf", "number"],
    path: ["shelf", "book", "chapters"],
    items: "nodes",
    size: "per_page",
    pageLimit: 100,
    nested: {
      inner: "notes",
      rest: "query NotesListRest($parent:ID!$size:Int!$inside:String){node(id:$parent){...on Chapter{notes(first:$size after:$inside){edges{cursor node{...record}}pageInfo{hasNextPage}}}}}",
    },
    record: notePlan,
  },
});

/** Notes in the chapters of a book. */
export const entity: Entity = { actions: { list } };
