// Generated from spec/gitlab/projects.yaml by `make generate`. Do not edit.

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

/** Who sees a project. */
export type Visibility = "internal" | "private" | "public";

/** Repositories with their issues and merge requests. */
export interface Project {
  /** Id within the GitLab server. */
  readonly id: number;
  /** Whether it is read-only. */
  readonly archived: boolean;
  /** When it was created. */
  readonly createdAt: string;
  /** Its default branch. */
  readonly defaultBranch: string | null;
  /** Description in Markdown. */
  readonly description: string | null;
  /** When something last happened in it, to the hour. */
  readonly lastActivityAt: string;
  /** Name. */
  readonly name: string;
  /** Number of open issues. */
  readonly openIssues: number | null;
  /** Path with the groups that it is in. */
  readonly path: string;
  /** Number of stars. */
  readonly stars: number;
  /** Topics. */
  readonly topics: readonly string[];
  /** Who sees it. */
  readonly visibility: Visibility;
  /** Address of its web page. */
  readonly webUrl: string;
}

export interface ProjectsGetParams {
  /** Path of the project, such as `group/name`, or its id. */
  readonly project: string;
  readonly fields?: readonly FieldPath[];
}

export interface ProjectsListParams {
  /** Only archived ones, or only others. */
  readonly archived?: boolean;
  /** Only those of which the token's user is a member. Default true. */
  readonly membership?: boolean;
  /** Only those whose name or path has these words. */
  readonly search?: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const projectPlan: RecordPlan = {
  name: "Project",
  fields: {
    id: { read: "id", always: true, is: "integer" },
    archived: { read: "archived", always: true, is: "boolean" },
    createdAt: { read: "created_at", always: true, is: "timestamp" },
    defaultBranch: { read: "default_branch" },
    description: { read: "description" },
    lastActivityAt: { read: "last_activity_at", always: true, is: "timestamp" },
    name: { read: "name", always: true },
    openIssues: { read: "open_issues_count", is: "integer" },
    path: { read: "path_with_namespace", always: true },
    stars: { read: "star_count", always: true, is: "integer" },
    topics: { read: "topics", list: "empty" },
    visibility: { read: "visibility", always: true, values: ["internal", "private", "public"] },
    webUrl: { read: "web_url", always: true },
  },
};

/** Reads one project. */
export const get: Action<ProjectsGetParams, Single<Project>> = {
  name: "projects.get",
  traits: actionTraits.get,
  params: ["project"],
  validate: getParams,
  operation: { kind: "rest", method: "GET", path: "/projects/{project}", query: [], body: [], record: projectPlan },
};

/** Lists projects, newest first. */
export const list: Action<ProjectsListParams, Page<Project>> = {
  name: "projects.list",
  traits: actionTraits.list,
  params: ["archived", "membership", "search", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/projects",
    query: ["archived", "membership", "search", "per_page"],
    body: [],
    fixed: { query: { order_by: "id", pagination: "keyset", sort: "desc" } },
    list: { page: { size: "per_page", cursor: "after", max: 100 }, by: { kind: "link" } },
    record: projectPlan,
  },
};

/** Repositories with their issues and merge requests. */
export const entity: Entity = {
  actions: { get, list },
  record: projectPlan,
  store: projectsStore,
  brief: ["id", "path", "description", "lastActivityAt"],
  sync: [{ scope: "member", action: list, size: { param: "per_page", value: 100 } }],
};
