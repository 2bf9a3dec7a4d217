// Generated from spec/new.yaml by `make generate`. Do not edit.

import { type Action, type Entity, type FieldPath, type Single, actionTraits } from "../../runtime/contract/public.ts";
import { type Class, classPlan } from "./class.ts";
import { new_Store } from "./facts.ts";
import { getParams } from "./validators/new.js";

export interface NewGetParams {
  /** Shelf. */
  readonly default: string;
  /** Number. 1 to 9. */
  readonly new: number;
  readonly fields?: readonly FieldPath[];
}

/** Reads. */
export const get: Action<NewGetParams, Single<Class>> = {
  name: "new.get",
  traits: actionTraits.get,
  params: ["default", "new"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query NewGet($default:String!$new:Int!){shelf(name:$default){book(number:$new){...record}}}",
    variables: ["default", "new"],
    path: ["shelf", "book"],
    record: classPlan,
  },
};

/** Books on a shelf. */
export const entity: Entity = { actions: { get }, record: classPlan, store: new_Store, brief: ["id", "class", "default", "entity", "key"], sync: [] };
