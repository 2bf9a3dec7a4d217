// Generated from spec/get.yaml by `make generate`. Do not edit.

import { type Action, type Entity, type FieldPath, type Page, actionTraits } from "../../runtime/contract/public.ts";
import { get_Store } from "./facts.ts";
import { type List, listPlan } from "./list.ts";
import { listParams } from "./validators/get.js";

export interface GetListParams {
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

/** Lists. */
export const list: Action<GetListParams, Page<List>> = {
  name: "get.list",
  traits: actionTraits.list,
  params: ["number", "shelf", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query GetList($shelf:String!$number:Int!$first:Int!$after:String$size:Int!){shelf(name:$shelf){book(number:$number){chapters(first:$first after:$after){edges{cursor node{id notes(first:$size){edges{cursor node{...record}}pageInfo{hasNextPage}}}}pageInfo{hasNextPage endCursor}}}}}",
    variables: ["shelf", "number"],
    path: ["shelf", "book", "chapters"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    nested: {
      inner: "notes",
      rest: "query GetListRest($parent:ID!$size:Int!$inside:String){node(id:$parent){...on Chapter{notes(first:$size after:$inside){edges{cursor node{...record}}pageInfo{hasNextPage}}}}}",
    },
    record: listPlan,
  },
};

/** Notes that share the record of `list`. */
export const entity: Entity = { actions: { list }, record: listPlan, store: get_Store, brief: ["id"], sync: [] };
