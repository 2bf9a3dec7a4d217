import { type Answer, json } from "../../../simulator/answer.ts";
import { canPush } from "../access.ts";
import { hasScope } from "../tokens.ts";
import type { WorkflowJob, WorkflowRun } from "../world/workflow.ts";
import { nameWithOwner } from "../world/world.ts";
import { accountRecord } from "./account-record.ts";
import { numberedPage, pageOf } from "./page.ts";
import { refuseWrite } from "./problem.ts";
import { repositoryRecord, repositoryUrl } from "./repository-record.ts";
import { now, type Write, type WriteCall } from "./write.ts";

// Runs of GitHub Actions. Who may read the repository may read them; only who may push starts and ends them.

const notFound = () => refuseWrite(404, "Not Found");

export function listRuns(write: Write, call: WriteCall): Answer {
  const { text } = pageOf(call);
  const status = text("status");
  const fits = (run: WorkflowRun) =>
    [run.status, run.conclusion].includes((status ?? run.status) as WorkflowRun["status"]) &&
    (text("branch") ?? run.branch) === run.branch &&
    (text("event") ?? run.event) === run.event &&
    (text("actor") ?? run.actor.login) === run.actor.login;
  const found = runsOf(write)
    .filter(fits)
    .sort((a, b) => b.id - a.id);
  const records = found.map((run) => runRecord(write, run));
  return numberedPage(call, records, (shown) => ({ total_count: records.length, workflow_runs: shown }));
}

export function readRun(write: Write, call: WriteCall): Answer {
  return json(200, runRecord(write, runOf(write, call)));
}

export function listJobs(write: Write, call: WriteCall): Answer {
  const run = runOf(write, call);
  const records = run.jobs.map((job) => jobRecord(write, run, job));
  return numberedPage(call, records, (shown) => ({ total_count: records.length, jobs: shown }));
}

export function readJob(write: Write, call: WriteCall): Answer {
  const [run, job] = jobOf(write, call);
  return json(200, jobRecord(write, run, job));
}

/** Logs are on another host, and there once the run or the job has ended. */
export function runLogs(write: Write, call: WriteCall): Answer {
  const run = runOf(write, call);
  if (run.status !== "completed") throw notFound();
  return logsAt(`runs/${run.id}/${run.attempt}.zip`);
}

export function jobLogs(write: Write, call: WriteCall): Answer {
  const [, job] = jobOf(write, call);
  if (job.status !== "completed") throw notFound();
  return logsAt(`jobs/${job.id}.txt`);
}

function logsAt(path: string): Answer {
  return { status: 302, headers: { location: `https://logs.example.com/${path}?sig=simulated` }, body: "" };
}

export function rerun(write: Write, call: WriteCall): Answer {
  const run = writableRun(write, call);
  if (run.status !== "completed") throw refuseWrite(403, "This workflow is already running");
  return startAgain(run, run.jobs);
}

export function rerunFailed(write: Write, call: WriteCall): Answer {
  const run = writableRun(write, call);
  if (run.status !== "completed") throw refuseWrite(403, "This workflow is already running");
  const failed = run.jobs.filter(({ conclusion }) => conclusion !== "success");
  if (failed.length === 0) throw refuseWrite(403, "The workflow run has no failed jobs that can be run again");
  return startAgain(run, failed);
}

function startAgain(run: WorkflowRun, jobs: readonly WorkflowJob[]): Answer {
  run.attempt++;
  for (const one of [run, ...jobs]) {
    one.status = "queued";
    one.conclusion = null;
  }
  for (const job of jobs) job.completedAt = null;
  run.updatedAt = now();
  return json(201, {});
}

export function cancel(write: Write, call: WriteCall): Answer {
  const run = writableRun(write, call);
  if (run.status === "completed") throw refuseWrite(409, "Cannot cancel a workflow run that is completed.");
  for (const one of [run, ...run.jobs.filter(({ status }) => status !== "completed")]) {
    one.status = "completed";
    one.conclusion = "cancelled";
  }
  for (const job of run.jobs) job.completedAt ??= now();
  run.updatedAt = now();
  return json(202, {});
}

const runsOf = ({ world, repository }: Write) => world.workflowRuns.filter((one) => one.repository === repository);

function runOf(write: Write, { params }: WriteCall): WorkflowRun {
  const found = runsOf(write).find(({ id }) => String(id) === params["run_id"]);
  if (found === undefined) throw notFound();
  return found;
}

function jobOf(write: Write, { params }: WriteCall): readonly [WorkflowRun, WorkflowJob] {
  for (const run of runsOf(write)) for (const job of run.jobs) if (String(job.id) === params["job_id"]) return [run, job];
  throw notFound();
}

function writableRun(write: Write, call: WriteCall): WorkflowRun {
  const { viewer, repository } = write;
  const run = runOf(write, call);
  if (!canPush(viewer, repository) || !hasScope(viewer.token, "repo"))
    throw refuseWrite(403, "Must have admin rights to Repository.");
  if (repository.isArchived) throw refuseWrite(403, "Repository was archived so is read-only.");
  return run;
}

function runRecord({ rest, repository, viewer }: Write, run: WorkflowRun) {
  const url = `${repositoryUrl(rest, repository)}/actions/runs/${run.id}`;
  const place = repositoryRecord(rest, repository, viewer);
  const actor = accountRecord(rest, run.actor);
  return {
    id: run.id,
    name: run.name,
    node_id: `WFR_kwLO${run.id}`,
    check_suite_id: run.id + 1,
    check_suite_node_id: `CS_kwDO${run.id + 1}`,
    head_branch: run.branch,
    head_sha: run.sha,
    path: `.github/workflows/${run.name.toLowerCase()}.yml`,
    display_title: run.title,
    run_number: run.number,
    run_attempt: run.attempt,
    event: run.event,
    status: run.status,
    conclusion: run.conclusion,
    workflow_id: 159_038,
    url,
    html_url: `https://github.com/${nameWithOwner(repository)}/actions/runs/${run.id}`,
    pull_requests: [],
    created_at: run.createdAt,
    updated_at: run.updatedAt,
    run_started_at: run.createdAt,
    actor,
    triggering_actor: actor,
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${repositoryUrl(rest, repository)}/check-suites/${run.id + 1}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    previous_attempt_url: null,
    workflow_url: `${repositoryUrl(rest, repository)}/actions/workflows/159038`,
    head_commit: null,
    repository: place,
    head_repository: place,
  };
}

function jobRecord({ rest, repository }: Write, run: WorkflowRun, job: WorkflowJob) {
  const base = `${repositoryUrl(rest, repository)}/actions`;
  const web = `https://github.com/${nameWithOwner(repository)}/actions/runs/${run.id}`;
  return {
    id: job.id,
    run_id: run.id,
    workflow_name: run.name,
    head_branch: run.branch,
    run_url: `${base}/runs/${run.id}`,
    run_attempt: run.attempt,
    node_id: `CR_kwDO${job.id}`,
    head_sha: run.sha,
    url: `${base}/jobs/${job.id}`,
    html_url: `${web}/job/${job.id}`,
    status: job.status,
    conclusion: job.conclusion,
    created_at: run.createdAt,
    started_at: job.startedAt,
    completed_at: job.completedAt,
    name: job.name,
    steps: job.steps.map((name, index) => ({
      name,
      status: job.status,
      conclusion: job.conclusion,
      number: index + 1,
      started_at: job.startedAt,
      completed_at: job.completedAt,
    })),
    check_run_url: `${repositoryUrl(rest, repository)}/check-runs/${job.id}`,
    labels: ["ubuntu-latest"],
    runner_id: 1,
    runner_name: "Hosted runner",
    runner_group_id: 2,
    runner_group_name: "GitHub Actions",
  };
}
