// Generated from spec/github/workflow_jobs.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { workflowJobsStore } from "./facts.ts";
import { type LogAddress, logAddressPlan } from "./shared.ts";
import { getParams, listParams, logsActionParams } from "./validators/workflow_jobs.js";

/** Jobs of a workflow run, with their steps. */
export interface WorkflowJob {
  /** Numeric ID. */
  readonly id: number;
  /** When it ended; null while it runs. */
  readonly completedAt: string | null;
  /** How it ended: `success`, `failure`, `cancelled` and others; null while it runs. */
  readonly conclusion: string | null;
  /** Name. */
  readonly name: string;
  /** ID of the run. */
  readonly runId: number;
  /** When it was started. */
  readonly startedAt: string;
  /** `queued`, `in_progress`, `completed` or another state of GitHub. */
  readonly status: string;
  /** Its steps. */
  readonly steps: readonly WorkflowStep[];
  /** Address of its web page. */
  readonly url: string | null;
}

/** A step of a job. */
export interface WorkflowStep {
  /** How it ended; null while it runs. */
  readonly conclusion: string | null;
  /** Name. */
  readonly name: string;
  /** Place within the job. */
  readonly number: number;
  /** `queued`, `in_progress` or `completed`. */
  readonly status: string;
}

export interface WorkflowJobsGetParams {
  /** ID of the job. */
  readonly job_id: number;
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  readonly fields?: readonly FieldPath[];
}

export interface WorkflowJobsListParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** ID of the workflow run. */
  readonly run_id: number;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface WorkflowJobsLogsParams {
  /** ID of the job. */
  readonly job_id: number;
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  readonly fields?: readonly FieldPath[];
}

export const workflowJobPlan: RecordPlan = {
  name: "WorkflowJob",
  fields: {
    id: { read: "id", always: true, is: "integer" },
    completedAt: { read: "completed_at", is: "timestamp" },
    conclusion: { read: "conclusion" },
    name: { read: "name", always: true },
    runId: { read: "run_id", always: true, is: "integer" },
    startedAt: { read: "started_at", always: true, is: "timestamp" },
    status: { read: "status", always: true },
    steps: { read: "steps", list: "empty", of: () => workflowStepPlan },
    url: { read: "html_url" },
  },
};

export const workflowStepPlan: RecordPlan = {
  name: "WorkflowStep",
  fields: {
    conclusion: { read: "conclusion" },
    name: { read: "name", always: true },
    number: { read: "number", always: true, is: "integer" },
    status: { read: "status", always: true },
  },
};

/** Reads one job. */
export const get: Action<WorkflowJobsGetParams, Single<WorkflowJob>> = {
  name: "workflow_jobs.get",
  traits: actionTraits.get,
  params: ["job_id", "owner", "repo"],
  validate: getParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/repos/{owner}/{repo}/actions/jobs/{job_id}",
    query: [],
    body: [],
    record: workflowJobPlan,
  },
};

/** Lists the jobs of a workflow run. */
export const list: Action<WorkflowJobsListParams, Page<WorkflowJob>> = {
  name: "workflow_jobs.list",
  traits: actionTraits.list,
  params: ["owner", "repo", "run_id", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/repos/{owner}/{repo}/actions/runs/{run_id}/jobs",
    query: ["per_page"],
    body: [],
    answer: "jobs",
    list: { page: { size: "per_page", cursor: "after", max: 100 }, by: { kind: "link" } },
    record: workflowJobPlan,
  },
};

/** Gives the address of the log of a job, which is plain text. */
export const logsAction: Action<WorkflowJobsLogsParams, Single<LogAddress>> = {
  name: "workflow_jobs.logs",
  traits: { writes: false, list: false, updates: false, idempotent: true },
  params: ["job_id", "owner", "repo"],
  validate: logsActionParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/repos/{owner}/{repo}/actions/jobs/{job_id}/logs",
    query: [],
    body: [],
    redirect: "url",
    record: logAddressPlan,
  },
};

/** Jobs of a workflow run, with their steps. */
export const entity: Entity = {
  actions: { get, list, logs: logsAction },
  record: workflowJobPlan,
  store: workflowJobsStore,
  aliases: ["workflow_job", "jobs"],
  brief: ["id", "name", "status", "conclusion", "startedAt", "completedAt"],
  sync: [],
};
