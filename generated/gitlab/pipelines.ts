// Generated from spec/gitlab/pipelines.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Answer,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { pipelinesStore } from "./facts.ts";
import { cancelActionParams, createParams, getParams, listParams, retryActionParams } from "./validators/pipelines.js";

/** How far a pipeline is. */
export type PipelineStatus = "canceled" | "canceling" | "created" | "failed" | "manual" | "pending" | "preparing" | "running" | "scheduled" | "skipped" | "success" | "waiting_for_resource";

/** Runs of the jobs of a project. */
export interface Pipeline {
  /** Id within the GitLab server. */
  readonly id: number;
  /** When it was created. */
  readonly createdAt: string;
  /** Number within the project. */
  readonly iid: number;
  /** Name. */
  readonly name: string | null;
  /** Id of the project. */
  readonly project: number;
  /** Branch or tag. */
  readonly ref: string;
  /** Commit. */
  readonly sha: string;
  /** What started it, such as `push` or `schedule`. */
  readonly source: string | null;
  /** How far it is. */
  readonly status: PipelineStatus;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Address of its web page. */
  readonly webUrl: string;
}

export interface PipelinesGetParams {
  /** Id of the pipeline. */
  readonly pipeline: number;
  /** Path of the project, such as `group/name`, or its id. */
  readonly project: string;
  readonly fields?: readonly FieldPath[];
}

export interface PipelinesListParams {
  /** Path of the project, such as `group/name`, or its id. */
  readonly project: string;
  /** Only those of this branch or tag. */
  readonly ref?: string;
  /** Only those of this status. */
  readonly status?: PipelineStatus;
  /** Only those changed since then. */
  readonly updatedAfter?: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface PipelinesCreateParams {
  /** Path of the project, such as `group/name`, or its id. */
  readonly project: string;
  /** Branch or tag. */
  readonly ref: string;
  readonly fields?: readonly FieldPath[];
}

export interface PipelinesCancelParams {
  /** Id of the pipeline. */
  readonly pipeline: number;
  /** Path of the project, such as `group/name`, or its id. */
  readonly project: string;
  readonly fields?: readonly FieldPath[];
}

export interface PipelinesRetryParams {
  /** Id of the pipeline. */
  readonly pipeline: number;
  /** Path of the project, such as `group/name`, or its id. */
  readonly project: string;
  readonly fields?: readonly FieldPath[];
}

export const pipelinePlan: RecordPlan = {
  name: "Pipeline",
  fields: {
    id: { read: "id", always: true, is: "integer" },
    createdAt: { read: "created_at", always: true, is: "timestamp" },
    iid: { read: "iid", always: true, is: "integer" },
    name: { read: "name" },
    project: { read: "project_id", always: true, is: "integer" },
    ref: { read: "ref", always: true },
    sha: { read: "sha", always: true },
    source: { read: "source" },
    status: {
      read: "status",
      always: true,
      values: [
        "canceled",
        "canceling",
        "created",
        "failed",
        "manual",
        "pending",
        "preparing",
        "running",
        "scheduled",
        "skipped",
        "success",
        "waiting_for_resource",
      ],
    },
    updatedAt: { read: "updated_at", always: true, is: "timestamp" },
    webUrl: { read: "web_url", always: true },
  },
};

/** Reads one pipeline. */
export const get: Action<PipelinesGetParams, Single<Pipeline>> = {
  name: "pipelines.get",
  traits: actionTraits.get,
  params: ["pipeline", "project"],
  validate: getParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/projects/{project}/pipelines/{pipeline}",
    query: [],
    body: [],
    record: pipelinePlan,
  },
};

/** Lists the pipelines of a project, newest first. */
export const list: Action<PipelinesListParams, Page<Pipeline>> = {
  name: "pipelines.list",
  traits: actionTraits.list,
  params: ["project", "ref", "status", "updatedAfter", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/projects/{project}/pipelines",
    query: ["ref", "status", { param: "updatedAfter", name: "updated_after" }, "per_page"],
    body: [],
    fixed: { query: { order_by: "updated_at", sort: "desc" } },
    list: { page: { size: "per_page", cursor: "after", max: 100 }, by: { kind: "link" } },
    record: pipelinePlan,
  },
};

/** Starts a pipeline. */
export const create: Action<PipelinesCreateParams, Answer<Pipeline>> = {
  name: "pipelines.create",
  traits: actionTraits.create,
  params: ["project", "ref"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/projects/{project}/pipeline",
    query: [],
    body: ["ref"],
    limit: "POST /projects/{id}/pipeline",
    record: pipelinePlan,
  },
};

/** Stops a pipeline. */
export const cancelAction: Action<PipelinesCancelParams, Answer<Pipeline>> = {
  name: "pipelines.cancel",
  traits: { writes: true, list: false, updates: false, idempotent: true },
  params: ["pipeline", "project"],
  validate: cancelActionParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/projects/{project}/pipelines/{pipeline}/cancel",
    query: [],
    body: [],
    record: pipelinePlan,
  },
};

/** Runs the failed and stopped jobs of a pipeline again. */
export const retryAction: Action<PipelinesRetryParams, Answer<Pipeline>> = {
  name: "pipelines.retry",
  traits: { writes: true, list: false, updates: false, idempotent: false },
  params: ["pipeline", "project"],
  validate: retryActionParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/projects/{project}/pipelines/{pipeline}/retry",
    query: [],
    body: [],
    record: pipelinePlan,
  },
};

/** Runs of the jobs of a project. */
export const entity: Entity = {
  actions: { get, list, create, cancel: cancelAction, retry: retryAction },
  record: pipelinePlan,
  store: pipelinesStore,
  brief: ["id", "status", "ref", "updatedAt"],
  sync: [
    {
      scope: "project",
      action: list,
      size: { param: "per_page", value: 100 },
      cursor: { field: "updatedAt", overlap: 60 },
    },
  ],
};
