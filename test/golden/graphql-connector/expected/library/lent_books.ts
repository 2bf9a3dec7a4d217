// Generated from spec/lent_books.yaml by `make generate`. Do not edit.

import { type Action, type Entity, type FieldPath, type Single, actionTraits } from "../../runtime/contract/public.ts";
import { type Book, bookPlan } from "./books.ts";
import { lentBooksStore } from "./facts.ts";
import { getParams } from "./validators/lent_books.js";

export interface LentBooksGetParams {
  /** Identity. */
  readonly id: string;
  /** Name of the shelf. */
  readonly shelf: string;
  readonly fields?: readonly FieldPath[];
}

/** Reads one book by its identity. */
export const get: Action<LentBooksGetParams, Single<Book>> = {
  name: "lent_books.get",
  traits: actionTraits.get,
  params: ["id", "shelf"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query LentBooksGet($id:ID!){node(id:$id){__typename ...record}}",
    variables: ["id"],
    narrow: ["Book"],
    path: ["node"],
    record: bookPlan,
  },
};

/** Books that are with readers. */
export const entity: Entity = {
  actions: { get },
  record: bookPlan,
  store: lentBooksStore,
  brief: ["shelf", "number", "addedAt", "id", "isbn", "place"],
  sync: [
    {
      scope: "shelf",
      action: get,
      each: { entity: "books", params: { id: "id" }, where: { state: "lent" }, changed: "addedAt" },
    },
  ],
  relations: [{ table: "books", on: "books.shelf = lent_books.shelf AND books.id = lent_books.id" }],
};
