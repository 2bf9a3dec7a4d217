// Generated from spec/linear/workflow_states.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { workflowStatesStore } from "./facts.ts";
import { getParams, listParams } from "./validators/workflow_states.js";

/** States that issues of a team go through. */
export interface WorkflowState {
  /** Id. */
  readonly id: string;
  /** Color, such as `#5e6ad2`. */
  readonly color: string;
  /** When it was created. */
  readonly createdAt: string;
  /** Name. */
  readonly name: string;
  /** Place in the order of the states. */
  readonly position: number;
  /** Id of its team. */
  readonly team: string;
  /** `triage`, `backlog`, `unstarted`, `started`, `completed` or `canceled`. */
  readonly type: string;
  /** When it was last changed. */
  readonly updatedAt: string;
}

export interface WorkflowStatesGetParams {
  /** Id. */
  readonly id: string;
  readonly fields?: readonly FieldPath[];
}

export interface WorkflowStatesListParams {
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const workflowStatePlan: RecordPlan = {
  name: "WorkflowState",
  on: "WorkflowState",
  fields: {
    id: { select: "id", read: "id" },
    color: { select: "color", read: "color" },
    createdAt: { select: "createdAt", read: "createdAt", is: "timestamp" },
    name: { select: "name", read: "name" },
    position: { select: "position", read: "position", is: "number" },
    team: { select: "team{id}", read: "team.id" },
    type: { select: "type", read: "type" },
    updatedAt: { select: "updatedAt", read: "updatedAt", is: "timestamp" },
  },
};

/** Reads one of the workflow states of all teams. */
export const get: Action<WorkflowStatesGetParams, Single<WorkflowState>> = {
  name: "workflow_states.get",
  traits: actionTraits.get,
  params: ["id"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query WorkflowStatesGet($id:String!){workflowState(id:$id){...record}}",
    variables: ["id"],
    path: ["workflowState"],
    record: workflowStatePlan,
  },
};

/** Lists the workflow states of all teams. */
export const list: Action<WorkflowStatesListParams, Page<WorkflowState>> = {
  name: "workflow_states.list",
  traits: actionTraits.list,
  params: ["after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query WorkflowStatesList($first:Int!$after:String){workflowStates(orderBy:updatedAt first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}",
    variables: [],
    path: ["workflowStates"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    record: workflowStatePlan,
  },
};

/** States that issues of a team go through. */
export const entity: Entity = {
  actions: { get, list },
  record: workflowStatePlan,
  store: workflowStatesStore,
  brief: ["id", "name", "type", "team"],
  sync: [
    {
      scope: "workspace",
      action: list,
      size: { param: "per_page", value: 100 },
      cursor: { field: "updatedAt", overlap: 60 },
    },
  ],
  relations: [{ table: "teams", on: "teams.id = workflow_states.team" }],
};
