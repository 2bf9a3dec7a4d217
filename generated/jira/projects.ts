// Generated from spec/jira/projects.yaml by `make generate`. Do not edit.

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
import { getParams, listParams } from "./validators/projects.js";

/** Projects that the user may browse. */
export interface Project {
  /** Id. */
  readonly id: string;
  /** Description. */
  readonly description: string | null;
  /** Key. */
  readonly key: string;
  /** Who leads it. */
  readonly lead: string | null;
  /** Name. */
  readonly name: string;
  /** Whether only its members see it. */
  readonly private: boolean | null;
  /** Whether its team manages it. */
  readonly simplified: boolean | null;
  /** `software`, `service_desk` or `business`. */
  readonly type: string;
}

export interface ProjectsGetParams {
  /** Key of the project. */
  readonly project: string;
  readonly fields?: readonly FieldPath[];
}

export interface ProjectsListParams {
  /** Only those with these words in key or name. */
  readonly query?: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const projectPlan: RecordPlan = {
  name: "Project",
  fields: {
    id: { read: "id", always: true },
    description: { read: "description" },
    key: { read: "key", always: true },
    lead: { read: "lead.displayName" },
    name: { read: "name", always: true },
    private: { read: "isPrivate", is: "boolean" },
    simplified: { read: "simplified", is: "boolean" },
    type: { read: "projectTypeKey", always: true },
  },
};

/** Reads one project. */
export const get: Action<ProjectsGetParams, Single<Project>> = {
  name: "projects.get",
  traits: actionTraits.get,
  params: ["project"],
  validate: getParams,
  operation: { kind: "rest", method: "GET", path: "/rest/api/3/project/{project}", query: [], body: [], record: projectPlan },
};

/** Lists projects. */
export const list: Action<ProjectsListParams, Page<Project>> = {
  name: "projects.list",
  traits: actionTraits.list,
  params: ["query", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/rest/api/3/project/search",
    query: ["query", { param: "per_page", name: "maxResults" }],
    body: [],
    fixed: { query: { expand: "description,lead", orderBy: "key" } },
    answer: "values",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "offset", param: "startAt", end: { total: "total" } },
    },
    record: projectPlan,
  },
};

/** Projects that the user may browse. */
export const entity: Entity = {
  actions: { get, list },
  record: projectPlan,
  store: projectsStore,
  brief: ["key", "name", "type", "private"],
  sync: [{ scope: "site", action: list, size: { param: "per_page", value: 100 } }],
};
