// Generated from spec/book_plan.yaml by `make generate`. Do not edit.

import { type Action, type Entity, type FieldPath, type Single, actionTraits } from "../../runtime/contract/public.ts";
import { type Class, classPlan } from "./class.ts";
import { bookPlan_Store } from "./facts.ts";
import { getParams } from "./validators/book_plan.js";

export interface BookPlanGetParams {
  /** Shelf. */
  readonly default: string;
  /** Number. 1 to 9. */
  readonly new: number;
  readonly fields?: readonly FieldPath[];
}

/** Reads. */
export const get: Action<BookPlanGetParams, Single<Class>> = {
  name: "book_plan.get",
  traits: actionTraits.get,
  params: ["default", "new"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query BookPlanGet($default:String!$new:Int!){shelf(name:$default){book(number:$new){...record}}}",
    variables: ["default", "new"],
    path: ["shelf", "book"],
    record: classPlan,
  },
};

/** Books on a shelf. */
export const entity: Entity = {
  actions: { get },
  record: classPlan,
  store: bookPlan_Store,
  brief: ["id", "class", "default", "entity", "key"],
  sync: [],
};
