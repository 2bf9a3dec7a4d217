// Generated from spec/linear/projects.yaml by `make generate`. Do not edit.

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
import { type Person, personPlan } from "./shared.ts";
import { getParams, listParams } from "./validators/projects.js";

/** Projects, to which issues of several teams may belong. */
export interface Project {
  /** Id. */
  readonly id: string;
  /** When it was canceled. */
  readonly canceledAt: string | null;
  /** Color, such as `#5e6ad2`. */
  readonly color: string;
  /** When it was completed. */
  readonly completedAt: string | null;
  /** When it was created. */
  readonly createdAt: string;
  /** Description in Markdown. */
  readonly description: string;
  /** Who leads it. */
  readonly lead: Person | null;
  /** Name. */
  readonly name: string;
  /** Share that is done, from 0 to 1. */
  readonly progress: number;
  /** First day. */
  readonly startDate: string | null;
  /** When work on it began. */
  readonly startedAt: string | null;
  /** Name of its status. */
  readonly status: string;
  /** Day on which it shall be done. */
  readonly targetDate: string | null;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Address of its web page. */
  readonly url: string;
}

export interface ProjectsGetParams {
  /** Id. */
  readonly id: string;
  readonly fields?: readonly FieldPath[];
}

export interface ProjectsListParams {
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const projectPlan: RecordPlan = {
  name: "Project",
  on: "Project",
  fields: {
    id: { select: "id", read: "id" },
    canceledAt: { select: "canceledAt", read: "canceledAt", is: "timestamp" },
    color: { select: "color", read: "color" },
    completedAt: { select: "completedAt", read: "completedAt", is: "timestamp" },
    createdAt: { select: "createdAt", read: "createdAt", is: "timestamp" },
    description: { select: "description", read: "description" },
    lead: { select: ["lead{", "}"], read: "lead", of: () => personPlan },
    name: { select: "name", read: "name" },
    progress: { select: "progress", read: "progress", is: "number" },
    startDate: { select: "startDate", read: "startDate", is: "timestamp" },
    startedAt: { select: "startedAt", read: "startedAt", is: "timestamp" },
    status: { select: "status{name}", read: "status.name" },
    targetDate: { select: "targetDate", read: "targetDate", is: "timestamp" },
    updatedAt: { select: "updatedAt", read: "updatedAt", is: "timestamp" },
    url: { select: "url", read: "url" },
  },
};

/** Reads one of the projects of the workspace. */
export const get: Action<ProjectsGetParams, Single<Project>> = {
  name: "projects.get",
  traits: actionTraits.get,
  params: ["id"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query ProjectsGet($id:String!){project(id:$id){...record}}",
    variables: ["id"],
    path: ["project"],
    record: projectPlan,
  },
};

/** Lists the projects of the workspace. */
export const list: Action<ProjectsListParams, Page<Project>> = {
  name: "projects.list",
  traits: actionTraits.list,
  params: ["after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query ProjectsList($first:Int!$after:String){projects(orderBy:updatedAt first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}",
    variables: [],
    path: ["projects"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    record: projectPlan,
  },
};

/** Projects, to which issues of several teams may belong. */
export const entity: Entity = {
  actions: { get, list },
  record: projectPlan,
  store: projectsStore,
  brief: ["id", "name", "status", "progress", "targetDate"],
  sync: [
    {
      scope: "workspace",
      action: list,
      size: { param: "per_page", value: 100 },
      cursor: { field: "updatedAt", overlap: 60 },
    },
  ],
};
