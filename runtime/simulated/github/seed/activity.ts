import { defaultBranch, peel } from "../world/head.ts";
import type { WorkflowJob, WorkflowRun } from "../world/workflow.ts";
import { repositoryNamed, userNamed } from "../world/world.ts";
import { hour, type Seed } from "./seed.ts";

const steps = ["Set up job", "Check out", "Install", "Test", "Complete job"];

/** Runs of workflows, notifications and gists of the account that owns the main repository. */
export function seedActivity({ world }: Seed): void {
  const repository = repositoryNamed(world, "octocat/hello-world");
  const owner = userNamed(world, "octocat");
  const head = repository === undefined ? undefined : peel(defaultBranch(repository)?.target);
  if (repository === undefined || owner === undefined || head === undefined) throw new Error("the main repository is made first");
  const ends = ["success", "success", "failure", null, "success", "cancelled"] as const;
  for (const [index, conclusion] of ends.entries()) {
    const number = index + 1;
    const at = 9_000 + index;
    const status = conclusion === null ? "in_progress" : "completed";
    const job = (name: string, place: number, ended: WorkflowJob["conclusion"]): WorkflowJob => ({
      id: 399_444_490 + index * 2 + place,
      name,
      status,
      conclusion: ended,
      startedAt: hour(at),
      completedAt: ended === null ? null : hour(at + 1),
      steps,
    });
    const run: WorkflowRun = {
      id: 30_433_640 + number,
      repository,
      name: index === 4 ? "Nightly" : "CI",
      title: head.message.split("\n")[0] ?? "",
      number,
      attempt: 1,
      event: index === 4 ? "schedule" : "push",
      status,
      conclusion,
      branch: "main",
      sha: head.oid,
      actor: owner,
      createdAt: hour(at),
      updatedAt: hour(at + 1),
      // A run fails when one of its jobs does.
      jobs: [job("lint", 0, conclusion === "failure" ? "success" : conclusion), job("test", 1, conclusion)],
    };
    world.workflowRuns.push(run);
  }
  const reasons = ["mention", "assign", "author", "subscribed"] as const;
  for (const [index, about] of [...repository.issues.slice(0, 3), ...repository.pullRequests.slice(0, 3)].entries())
    world.notifications.push({
      id: 7_001 + index,
      user: owner,
      about,
      reason: reasons[index % reasons.length] ?? "mention",
      unread: index !== 2,
      updatedAt: hour(9_100 + index),
      lastReadAt: index === 2 ? hour(9_200) : null,
    });
  const gist = (id: string, isPublic: boolean, description: string, files: readonly (readonly [string, string])[], at: number) =>
    world.gists.push({
      id,
      owner,
      description,
      public: isPublic,
      files: new Map(files),
      createdAt: hour(at),
      updatedAt: hour(at),
    });
  gist("aa5a315d61ae9438b18d", true, "How to greet", [["notes.md", "Say hello.\n"]], 8_000);
  const shown = [
    ["hello.sh", "echo hello\n"],
    ["bye.sh", "echo bye\n"],
  ] as const;
  gist("2decf6c462d9b4418f2a", false, "Two scripts", shown, 8_100);
}
