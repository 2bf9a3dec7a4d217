// Generated from spec/import.yaml by `make generate`. Do not edit.

import { type Action, type Entity, type FieldPath, type Single, actionTraits } from "../../runtime/contract/public.ts";
import { type Class, classPlan } from "./class.ts";
import { import_Store } from "./facts.ts";
import { getParams } from "./validators/import.js";

export interface ImportGetParams {
  /** Shelf. */
  readonly default: string;
  /** Number. 1 to 9. */
  readonly new: number;
  readonly fields?: readonly FieldPath[];
}

/** Reads. */
export const get: Action<ImportGetParams, Single<Class>> = {
  name: "import.get",
  traits: actionTraits.get,
  params: ["default", "new"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query ImportGet($default:String!$new:Int!){shelf(name:$default){book(number:$new){...record}}}",
    variables: ["default", "new"],
    path: ["shelf", "book"],
    record: classPlan,
  },
};

/** Books on a shelf. */
export const entity: Entity = {
  actions: { get },
  record: classPlan,
  store: import_Store,
  brief: ["id", "class", "default", "entity", "key"],
  sync: [],
};
