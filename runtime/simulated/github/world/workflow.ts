import type { User } from "./account.ts";
import type { Repository } from "./repository.ts";

/** What GitHub Actions ran for a commit. */
export interface WorkflowRun {
  readonly id: number;
  readonly repository: Repository;
  readonly name: string;
  readonly title: string;
  readonly number: number;
  attempt: number;
  readonly event: "push" | "pull_request" | "schedule";
  status: RunStatus;
  conclusion: RunConclusion | null;
  readonly branch: string;
  readonly sha: string;
  readonly actor: User;
  readonly createdAt: string;
  updatedAt: string;
  jobs: WorkflowJob[];
}

export interface WorkflowJob {
  readonly id: number;
  readonly name: string;
  status: RunStatus;
  conclusion: RunConclusion | null;
  startedAt: string;
  completedAt: string | null;
  steps: readonly string[];
}

export type RunStatus = "queued" | "in_progress" | "completed";
export type RunConclusion = "success" | "failure" | "cancelled";
