// Generated from spec/jira/transitions.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { transitionsStore } from "./facts.ts";
import { listParams } from "./validators/transitions.js";

/** The changes of status that an issue allows now. */
export interface Transition {
  /** Id. */
  readonly id: string;
  /** Name. */
  readonly name: string;
  /** Name of the status that it leads to. */
  readonly to: string;
}

export interface TransitionsListParams {
  /** Key or id of the issue. */
  readonly issue: string;
  readonly fields?: readonly FieldPath[];
}

export const transitionPlan: RecordPlan = {
  name: "Transition",
  fields: { id: { read: "id", always: true }, name: { read: "name", always: true }, to: { read: "to.name", always: true } },
};

/** Lists the transitions of an issue. */
export const list: Action<TransitionsListParams, Page<Transition>> = {
  name: "transitions.list",
  traits: actionTraits.list,
  params: ["issue"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/rest/api/3/issue/{issue}/transitions",
    query: [],
    body: [],
    answer: "transitions",
    list: { by: { kind: "single" } },
    record: transitionPlan,
  },
};

/** The changes of status that an issue allows now. */
export const entity: Entity = { actions: { list }, record: transitionPlan, store: transitionsStore, brief: ["id", "name", "to"], sync: [] };
