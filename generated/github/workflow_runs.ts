// Generated from spec/github/workflow_runs.yaml by `make generate`. Do not edit.

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
import { workflowRunsStore } from "./facts.ts";
import { type LogAddress, logAddressPlan } from "./shared.ts";
import {
  cancelActionParams,
  getParams,
  listParams,
  logsActionParams,
  rerunActionParams,
  rerunFailedActionParams,
} from "./validators/workflow_runs.js";

/** Runs of GitHub Actions workflows in a repository. */
export interface WorkflowRun {
  /** Numeric ID. */
  readonly id: number;
  /** Login of the account that started it. */
  readonly actorLogin: string | null;
  /** Number of the attempt. */
  readonly attempt: number | null;
  /** How it ended: `success`, `failure`, `cancelled` and others; null while it runs. */
  readonly conclusion: string | null;
  /** When it was created. */
  readonly createdAt: string;
  /** What started it. */
  readonly event: string;
  /** Branch that it ran on. */
  readonly headBranch: string | null;
  /** Commit that it ran on. */
  readonly headSha: string;
  /** Name of the workflow. */
  readonly name: string | null;
  /** Number of the run within its workflow. */
  readonly number: number;
  /** `queued`, `in_progress`, `completed` or another state of GitHub. */
  readonly status: string | null;
  /** Title of the run. */
  readonly title: string;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Address of its web page. */
  readonly url: string;
}

/** Names the run. */
export interface WorkflowRunDone {
  /** ID of the run. */
  readonly run_id: number;
}

export interface WorkflowRunsGetParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** ID of the workflow run. */
  readonly run_id: number;
  readonly fields?: readonly FieldPath[];
}

export interface WorkflowRunsListParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Only those that this account started. */
  readonly actor?: string;
  /** Only those on this branch. */
  readonly branch?: string;
  /** Only those that this event started. */
  readonly event?: string;
  /** Only those in this state, or with this conclusion. */
  readonly status?: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface WorkflowRunsCancelParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** ID of the workflow run. */
  readonly run_id: number;
  readonly fields?: readonly FieldPath[];
}

export interface WorkflowRunsLogsParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** ID of the workflow run. */
  readonly run_id: number;
  readonly fields?: readonly FieldPath[];
}

export interface WorkflowRunsRerunParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** ID of the workflow run. */
  readonly run_id: number;
  readonly fields?: readonly FieldPath[];
}

export interface WorkflowRunsRerunFailedParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** ID of the workflow run. */
  readonly run_id: number;
  readonly fields?: readonly FieldPath[];
}

export const workflowRunPlan: RecordPlan = {
  name: "WorkflowRun",
  fields: {
    id: { read: "id", always: true, is: "integer" },
    actorLogin: { read: "actor.login" },
    attempt: { read: "run_attempt", is: "integer" },
    conclusion: { read: "conclusion" },
    createdAt: { read: "created_at", always: true, is: "timestamp" },
    event: { read: "event", always: true },
    headBranch: { read: "head_branch" },
    headSha: { read: "head_sha", always: true },
    name: { read: "name" },
    number: { read: "run_number", always: true, is: "integer" },
    status: { read: "status" },
    title: { read: "display_title", always: true },
    updatedAt: { read: "updated_at", always: true, is: "timestamp" },
    url: { read: "html_url", always: true },
  },
};

export const workflowRunDonePlan: RecordPlan = { name: "WorkflowRunDone", fields: { run_id: { param: "run_id" } } };

/** Reads one workflow run. */
export const get: Action<WorkflowRunsGetParams, Single<WorkflowRun>> = {
  name: "workflow_runs.get",
  traits: actionTraits.get,
  params: ["owner", "repo", "run_id"],
  validate: getParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/repos/{owner}/{repo}/actions/runs/{run_id}",
    query: [],
    body: [],
    record: workflowRunPlan,
  },
};

/** Lists the workflow runs of a repository, the newest first. */
export const list: Action<WorkflowRunsListParams, Page<WorkflowRun>> = {
  name: "workflow_runs.list",
  traits: actionTraits.list,
  params: ["owner", "repo", "actor", "branch", "event", "status", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/repos/{owner}/{repo}/actions/runs",
    query: ["actor", "branch", "event", "status", "per_page"],
    body: [],
    answer: "workflow_runs",
    list: { page: { size: "per_page", cursor: "after", max: 100 }, by: { kind: "link" } },
    record: workflowRunPlan,
  },
};

/** Cancels a run that has not ended. Needs push access. */
export const cancelAction: Action<WorkflowRunsCancelParams, Answer<WorkflowRunDone>> = {
  name: "workflow_runs.cancel",
  traits: { writes: true, list: false, updates: false, idempotent: true },
  params: ["owner", "repo", "run_id"],
  validate: cancelActionParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/repos/{owner}/{repo}/actions/runs/{run_id}/cancel",
    query: [],
    body: [],
    record: workflowRunDonePlan,
  },
};

/** Gives the address of a ZIP file with the logs of a run. */
export const logsAction: Action<WorkflowRunsLogsParams, Single<LogAddress>> = {
  name: "workflow_runs.logs",
  traits: { writes: false, list: false, updates: false, idempotent: true },
  params: ["owner", "repo", "run_id"],
  validate: logsActionParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/repos/{owner}/{repo}/actions/runs/{run_id}/logs",
    query: [],
    body: [],
    redirect: "url",
    record: logAddressPlan,
  },
};

/** Runs all jobs of a run again. Needs push access. */
export const rerunAction: Action<WorkflowRunsRerunParams, Answer<WorkflowRunDone>> = {
  name: "workflow_runs.rerun",
  traits: { writes: true, list: false, updates: false, idempotent: false },
  params: ["owner", "repo", "run_id"],
  validate: rerunActionParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/repos/{owner}/{repo}/actions/runs/{run_id}/rerun",
    query: [],
    body: [],
    record: workflowRunDonePlan,
  },
};

/** Runs the failed jobs of a run again. Needs push access. */
export const rerunFailedAction: Action<WorkflowRunsRerunFailedParams, Answer<WorkflowRunDone>> = {
  name: "workflow_runs.rerun_failed",
  traits: { writes: true, list: false, updates: false, idempotent: false },
  params: ["owner", "repo", "run_id"],
  validate: rerunFailedActionParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs",
    query: [],
    body: [],
    record: workflowRunDonePlan,
  },
};

/** Runs of GitHub Actions workflows in a repository. */
export const entity: Entity = {
  actions: { get, list, cancel: cancelAction, logs: logsAction, rerun: rerunAction, rerun_failed: rerunFailedAction },
  record: workflowRunPlan,
  store: workflowRunsStore,
  aliases: ["workflow_run", "runs", "actions_runs", "builds"],
  brief: ["id", "name", "headBranch", "status", "conclusion", "createdAt"],
  sync: [],
};
