// Generated from spec/linear/labels.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { labelsStore } from "./facts.ts";
import { getParams, listParams } from "./validators/labels.js";

/** Labels for issues, of a team or of the whole workspace. */
export interface IssueLabel {
  /** Id. */
  readonly id: string;
  /** Color, such as `#5e6ad2`. */
  readonly color: string;
  /** When it was created. */
  readonly createdAt: string;
  /** Description in Markdown. */
  readonly description: string | null;
  /** Name. */
  readonly name: string;
  /** Id of its team. */
  readonly team: string | null;
  /** When it was last changed. */
  readonly updatedAt: string;
}

export interface LabelsGetParams {
  /** Id. */
  readonly id: string;
  readonly fields?: readonly FieldPath[];
}

export interface LabelsListParams {
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const issueLabelPlan: RecordPlan = {
  name: "IssueLabel",
  on: "IssueLabel",
  fields: {
    id: { select: "id", read: "id" },
    color: { select: "color", read: "color" },
    createdAt: { select: "createdAt", read: "createdAt", is: "timestamp" },
    description: { select: "description", read: "description" },
    name: { select: "name", read: "name" },
    team: { select: "team{id}", read: "team.id" },
    updatedAt: { select: "updatedAt", read: "updatedAt", is: "timestamp" },
  },
};

/** Reads one of the labels of the workspace and of all teams. */
export const get: Action<LabelsGetParams, Single<IssueLabel>> = {
  name: "labels.get",
  traits: actionTraits.get,
  params: ["id"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query LabelsGet($id:String!){issueLabel(id:$id){...record}}",
    variables: ["id"],
    path: ["issueLabel"],
    record: issueLabelPlan,
  },
};

/** Lists the labels of the workspace and of all teams. */
export const list: Action<LabelsListParams, Page<IssueLabel>> = {
  name: "labels.list",
  traits: actionTraits.list,
  params: ["after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query LabelsList($first:Int!$after:String){issueLabels(orderBy:updatedAt first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}",
    variables: [],
    path: ["issueLabels"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    record: issueLabelPlan,
  },
};

/** Labels for issues, of a team or of the whole workspace. */
export const entity: Entity = {
  actions: { get, list },
  record: issueLabelPlan,
  store: labelsStore,
  brief: ["name", "color", "description", "createdAt"],
  sync: [
    {
      scope: "workspace",
      action: list,
      size: { param: "per_page", value: 100 },
      cursor: { field: "updatedAt", overlap: 60 },
    },
  ],
  relations: [{ table: "teams", on: "teams.id = labels.team" }],
};
