// Generated from spec/github/labels.yaml by `make generate`. Do not edit.

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

/** Labels of a repository. */
export interface Label {
  /** GraphQL node ID. */
  readonly id: string;
  /** Color as six hexadecimal digits without `#`. */
  readonly color: string;
  /** When it was created. */
  readonly createdAt: string | null;
  /** Description. */
  readonly description: string | null;
  /** Whether it is one of GitHub's default labels. */
  readonly isDefault: boolean;
  /** Name. */
  readonly name: string;
  /** The repository as `owner/name`. */
  readonly repository: string;
  /** When it was last changed. */
  readonly updatedAt: string | null;
  /** Address of the label in the REST API. */
  readonly url: string;
  /** Web page with its issues. */
  readonly htmlUrl?: string;
  /** Number of open issues with this label. */
  readonly openIssueCount?: number;
}

export interface LabelsGetParams {
  /** Name of the label. */
  readonly name: string;
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  readonly fields?: readonly FieldPath[];
}

export interface LabelsListParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const labelPlan: RecordPlan = {
  name: "Label",
  on: "Label",
  fields: {
    id: { select: "id", read: "id" },
    color: { select: "color", read: "color" },
    createdAt: { select: "createdAt", read: "createdAt", is: "timestamp" },
    description: { select: "description", read: "description" },
    isDefault: { select: "isDefault", read: "isDefault", is: "boolean" },
    name: { select: "name", read: "name" },
    repository: { select: "repository{nameWithOwner}", read: "repository.nameWithOwner" },
    updatedAt: { select: "updatedAt", read: "updatedAt", is: "timestamp" },
    url: {
      select: "url0:repository{owner{login}} url1:repository{name} url2:name",
      read: ["url0.owner.login", "url1.name", "url2"],
      as: { kind: "restUrl", template: ["/repos/", "/", "/labels/", ""] },
    },
    htmlUrl: { select: "htmlUrl:url", read: "htmlUrl", onRequest: true },
    openIssueCount: {
      select: "openIssueCount:issues(states: OPEN){totalCount}",
      read: "openIssueCount.totalCount",
      is: "integer",
      onRequest: true,
    },
  },
};

/** Reads one label by its name. */
export const get: Action<LabelsGetParams, Single<Label>> = {
  name: "labels.get",
  traits: actionTraits.get,
  params: ["name", "owner", "repo"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query LabelsGet($owner:String!$repo:String!$name:String!){repository(owner:$owner name:$repo){label(name:$name){...record}}}",
    variables: ["owner", "repo", "name"],
    path: ["repository", "label"],
    record: labelPlan,
  },
};

/** Lists the labels of a repository by name. */
export const list: Action<LabelsListParams, Page<Label>> = {
  name: "labels.list",
  traits: actionTraits.list,
  params: ["owner", "repo", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query LabelsList($owner:String!$repo:String!$first:Int!$after:String){repository(owner:$owner name:$repo){labels(orderBy:{field:NAME direction:ASC}first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["owner", "repo"],
    path: ["repository", "labels"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    counts: true,
    record: labelPlan,
  },
};

/** Labels of a repository. */
export const entity: Entity = {
  actions: { get, list },
  record: labelPlan,
  store: labelsStore,
  brief: ["name", "color", "description", "isDefault"],
  sync: [{ scope: "repository", action: list, size: { param: "per_page", value: 100 } }],
  relations: [{ table: "repositories", on: "repositories.nameWithOwner = labels.repository" }],
};
