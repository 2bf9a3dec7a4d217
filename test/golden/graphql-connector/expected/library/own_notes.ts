// Generated from spec/own_notes.yaml by `make generate`. Do not edit.

import { type Action, type Entity, type FieldPath, type Page, actionTraits } from "../../runtime/contract/public.ts";
import { ownNotesStore } from "./facts.ts";
import { type Note, notePlan } from "./notes.ts";
import { listParams } from "./validators/own_notes.js";

export interface OwnNotesListParams {
  /** Cursor. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

/** Lists the reader's own notes. */
export const list: Action<OwnNotesListParams, Page<Note>> = {
  name: "own_notes.list",
  traits: actionTraits.list,
  params: ["after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query OwnNotesList($first:Int!$after:String$size:Int!){shelf(name:\"own\"){book(number:1){chapters(first:$first after:$after){edges{cursor node{id notes(first:$size){edges{cursor node{...record}}pageInfo{hasNextPage}}}}pageInfo{hasNextPage endCursor}}}}}",
    variables: [],
    path: ["shelf", "book", "chapters"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    nested: {
      inner: "notes",
      rest: "query OwnNotesListRest($parent:ID!$size:Int!$inside:String){node(id:$parent){...on Chapter{notes(first:$size after:$inside){edges{cursor node{...record}}pageInfo{hasNextPage}}}}}",
    },
    record: notePlan,
  },
};

/** Notes in the reader's own book. */
export const entity: Entity = {
  actions: { list },
  record: notePlan,
  store: ownNotesStore,
  brief: ["id", "length", "text"],
  sync: [{ scope: "reader", action: list, size: { param: "per_page", value: 100 } }],
};
