// Generated from spec/github/projects.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { projectsStore } from "./facts.ts";
import { type Actor, actorPlan } from "./shared.ts";
import { getParams, listParams } from "./validators/projects.js";

/** Projects (the current kind, Projects V2) of an organization. Needs a token with the scope `read:project`. */
export interface Project {
  /** GraphQL node ID. Needs the scope `read:project`. */
  readonly id: string;
  /** Whether it is closed. */
  readonly closed: boolean;
  /** When it was closed; null while it is open. */
  readonly closedAt: string | null;
  /** When it was created. */
  readonly createdAt: string;
  /** Who created it. */
  readonly creator: Actor | null;
  /** Numeric ID of the REST API. */
  readonly databaseId: number | null;
  /** Number within the organization. */
  readonly number: number;
  /** Login of the organization; null for a project of a user. */
  readonly organization: string | null;
  /** Whether everyone can see it. */
  readonly public: boolean;
  /** Short description. */
  readonly shortDescription: string | null;
  /** Whether it is a template for new projects. */
  readonly template: boolean;
  /** Title. */
  readonly title: string;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Address of its web page. */
  readonly url: string;
  /** Number of items. */
  readonly itemCount?: number;
  /** Its columns. */
  readonly projectFields?: readonly ProjectField[];
  /** Long description in Markdown. */
  readonly readme?: string | null;
}

/** A column of a project. */
export interface ProjectField {
  /** Kind of its values. */
  readonly dataType: string | null;
  /** GraphQL node ID. */
  readonly id: string | null;
  /** Name. */
  readonly name: string | null;
}

export interface ProjectsGetParams {
  /** Login of the organization. */
  readonly org: string;
  /** Number of the project within the organization. */
  readonly project_number: number;
  readonly fields?: readonly FieldPath[];
}

export interface ProjectsListParams {
  /** Login of the organization. */
  readonly org: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const projectPlan: RecordPlan = {
  name: "Project",
  on: "ProjectV2",
  fields: {
    id: { select: "id", read: "id" },
    closed: { select: "closed", read: "closed", is: "boolean" },
    closedAt: { select: "closedAt", read: "closedAt", is: "timestamp" },
    createdAt: { select: "createdAt", read: "createdAt", is: "timestamp" },
    creator: { select: ["creator{", "}"], read: "creator", of: () => actorPlan },
    databaseId: { select: "databaseId:fullDatabaseId", read: "databaseId", as: { kind: "integer" }, is: "integer" },
    number: { select: "number", read: "number", is: "integer" },
    organization: { select: "organization:owner{... on Organization{login}}", read: "organization.login" },
    public: { select: "public", read: "public", is: "boolean" },
    shortDescription: { select: "shortDescription", read: "shortDescription" },
    template: { select: "template", read: "template", is: "boolean" },
    title: { select: "title", read: "title" },
    updatedAt: { select: "updatedAt", read: "updatedAt", is: "timestamp" },
    url: { select: "url", read: "url" },
    itemCount: { select: "itemCount:items{totalCount}", read: "itemCount.totalCount", is: "integer", onRequest: true },
    projectFields: {
      select: ["projectFields:fields(first:50){nodes{", "}pageInfo{hasNextPage}}"],
      read: "projectFields.nodes",
      list: "empty",
      cut: "projectFields.pageInfo.hasNextPage",
      onRequest: true,
      of: () => projectFieldPlan,
    },
    readme: { select: "readme", read: "readme", onRequest: true },
  },
};

export const projectFieldPlan: RecordPlan = {
  name: "ProjectField",
  on: "ProjectV2FieldConfiguration",
  fields: {
    dataType: { select: "... on ProjectV2FieldCommon{dataType}", read: "dataType", as: { kind: "lower" } },
    id: { select: "... on ProjectV2FieldCommon{id}", read: "id" },
    name: { select: "... on ProjectV2FieldCommon{name}", read: "name" },
  },
};

/** Reads one project by its number. */
export const get: Action<ProjectsGetParams, Single<Project>> = {
  name: "projects.get",
  traits: actionTraits.get,
  params: ["org", "project_number"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query ProjectsGet($org:String!$project_number:Int!){organization(login:$org){projectV2(number:$project_number){...record}}}",
    variables: ["org", "project_number"],
    path: ["organization", "projectV2"],
    record: projectPlan,
  },
};

/** Lists the projects of an organization by number. */
export const list: Action<ProjectsListParams, Page<Project>> = {
  name: "projects.list",
  traits: actionTraits.list,
  params: ["org", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query ProjectsList($org:String!$first:Int!$after:String){organization(login:$org){projectsV2(orderBy:{field:NUMBER direction:ASC}first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["org"],
    path: ["organization", "projectsV2"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    counts: true,
    record: projectPlan,
  },
};

/** Projects (the current kind, Projects V2) of an organization. Needs a token with the scope `read:project`. */
export const entity: Entity = {
  actions: { get, list },
  record: projectPlan,
  store: projectsStore,
  aliases: ["project_board", "boards", "projects_v2"],
  brief: ["number", "title", "closed", "updatedAt"],
  sync: [{ scope: "organization", action: list, size: { param: "per_page", value: 100 } }],
  relations: [{ table: "organizations", on: "organizations.login = projects.organization" }],
};
