// Generated from spec/connectors.yaml by `make generate`. Do not edit.

import { type Action, type Entity, type FieldPath, type Single, actionTraits } from "../../runtime/contract/public.ts";
import { type Class, classPlan } from "./class.ts";
import { connectors_Store } from "./facts.ts";
import { getParams } from "./validators/connectors.js";

export interface ConnectorsGetParams {
  /** Shelf. */
  readonly default: string;
  /** Number. 1 to 9. */
  readonly new: number;
  readonly fields?: readonly FieldPath[];
}

/** Reads. */
export const get: Action<ConnectorsGetParams, Single<Class>> = {
  name: "connectors.get",
  traits: actionTraits.get,
  params: ["default", "new"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query ConnectorsGet($default:String!$new:Int!){shelf(name:$default){book(number:$new){...record}}}",
    variables: ["default", "new"],
    path: ["shelf", "book"],
    record: classPlan,
  },
};

/** Books on a shelf. */
export const entity: Entity = {
  actions: { get },
  record: classPlan,
  store: connectors_Store,
  brief: ["id", "class", "default", "entity", "key"],
  sync: [],
};
