// Generated from spec/github/labels.yaml by `make generate`. Do not edit.

import { type Entity, type FieldPath, type RecordPlan, getAction, listAction } from "../../runtime/contract/index.ts";
import { getParams, listParams } from "./validators/labels.js";

/** Labels of a repository. */
export interface Label {
  /** GraphQL node ID. */
  readonly id: string;
  /** The repository as `owner/name`. */
  readonly repository: string;
  /** Name. */
  readonly name: string;
  /** Color as six hexadecimal digits without `#`. */
  readonly color: string;
  /** Description. */
  readonly description: string | null;
  /** Whether GitHub made it with the repository. */
  readonly isDefault: boolean;
  /** Address of the label in the REST API. */
  readonly url: string;
  /** When it was created. */
  readonly createdAt: string | null;
  /** When it was last changed. */
  readonly updatedAt: string | null;
  /** Web page with its issues. */
  readonly htmlUrl?: string;
  /** Number of open issues with this label. */
  readonly openIssueCount?: number;
}

export interface LabelsGetParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Name of the label. */
  readonly name: string;
  readonly fields?: readonly FieldPath[];
}

export interface LabelsListParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  /** Cursor: `end_cursor` of the previous answer. An empty string means the first page. */
  readonly after?: string;
  readonly fields?: readonly FieldPath[];
}


export const labelPlan: RecordPlan = {
  name: "Label",
  on: "Label",
  fields: {
    id: { select: "id", read: "id" },
    repository: { select: "repository{nameWithOwner}", read: "repository.nameWithOwner" },
    name: { select: "name", read: "name" },
    color: { select: "color", read: "color" },
    description: { select: "description", read: "description" },
    isDefault: { select: "isDefault", read: "isDefault" },
    url: {
      select: "url0:repository{owner{login}} url1:repository{name} url2:name",
      read: ["url0.owner.login", "url1.name", "url2"],
      as: { kind: "restUrl", template: ["/repos/", "/", "/labels/", ""] },
    },
    createdAt: { select: "createdAt", read: "createdAt" },
    updatedAt: { select: "updatedAt", read: "updatedAt" },
    htmlUrl: { select: "htmlUrl:url", read: "htmlUrl", onRequest: true },
    openIssueCount: { select: "openIssueCount:issues(states: OPEN){totalCount}", read: "openIssueCount.totalCount", onRequest: true },
  },
};

/** Reads one label by its name. */
export const get = getAction<LabelsGetParams, Label>({
  name: "labels.get",
  params: ["owner", "repo", "name"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query LabelsGet($owner:String!$repo:String!$name:String!){repository(owner:$owner name:$repo){label(name:$name){...record}}}",
    variables: ["owner", "repo", "name"],
    path: ["repository", "label"],
    record: labelPlan,
  },
});

/** Lists the labels of a repository by name. */
export const list = listAction<LabelsListParams, Label>({
  name: "labels.list",
  params: ["owner", "repo", "per_page", "after"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query LabelsList($owner:String!$repo:String!$first:Int!$after:String){repository(owner:$owner name:$repo){labels(orderBy:{field:NAME direction:ASC}first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["owner", "repo"],
    path: ["repository", "labels"],
    items: "nodes",
    size: "per_page",
    pageLimit: 100,
    record: labelPlan,
  },
});

/** Labels of a repository. */
export const entity: Entity = { actions: { get, list } };
