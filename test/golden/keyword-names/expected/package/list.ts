// Generated from spec/list.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { list_Store } from "./facts.ts";
import { listParams } from "./validators/list.js";

/** Notes. An entity that shares this record imports the constant of an entity called `list`. */
export interface List {
  /** Identity. */
  readonly id: string;
}

export interface ListListParams {
  /** Number. 1 to 9. */
  readonly number: number;
  /** Name of the shelf. */
  readonly shelf: string;
  /** Cursor. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const listPlan: RecordPlan = { name: "List", on: "Note", fields: { id: { select: "id", read: "id" } } };

/** Lists. */
export const list: Action<ListListParams, Page<List>> = {
  name: "list.list",
  traits: actionTraits.list,
  params: ["number", "shelf", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query ListList($shelf:String!$number:Int!$first:Int!$after:String$size:Int!){shelf(name:$shelf){book(number:$number){chapters(first:$first after:$after){edges{cursor node{id notes(first:$size){edges{cursor node{...record}}pageInfo{hasNextPage}}}}pageInfo{hasNextPage endCursor}}}}}",
    variables: ["shelf", "number"],
    path: ["shelf", "book", "chapters"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    nested: {
      inner: "notes",
      rest: "query ListListRest($parent:ID!$size:Int!$inside:String){node(id:$parent){...on Chapter{notes(first:$size after:$inside){edges{cursor node{...record}}pageInfo{hasNextPage}}}}}",
    },
    record: listPlan,
  },
};

/** Notes. An entity that shares this record imports the constant of an entity called `list`. */
export const entity: Entity = { actions: { list }, record: listPlan, store: list_Store, brief: ["id"], sync: [] };
