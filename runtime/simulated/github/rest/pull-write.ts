import { type Answer, json } from "../../../simulator/answer.ts";
import { canPush, canRead } from "../access.ts";
import { summed } from "../seed/pull-requests.ts";
import type { Ref } from "../world/git.ts";
import { ahead, branch, peel } from "../world/head.ts";
import type { PullRequest } from "../world/issue.ts";
import type { Repository } from "../world/repository.ts";
import { type FieldProblem, invalid, refuseWrite } from "./problem.ts";
import { pullRecord } from "./pull-record.ts";
import { checkText, checkWritable, now, text, type Write } from "./write.ts";

const custom = (message: string): FieldProblem => ({ resource: "PullRequest", code: "custom", message });
const bad = (field: string): FieldProblem => ({ resource: "PullRequest", field, code: "invalid" });

export function createPull(write: Write): Answer {
  const { repository, viewer, body } = write;
  checkWritable(write);
  if (body["issue"] !== undefined) throw new Error("the simulated platform cannot turn an issue into a pull request");
  const words = { title: text(body["title"]), body: text(body["body"]) };
  checkText("PullRequest", words);
  const base = branch(repository, text(body["base"]));
  const head = findHead(write);
  const problems = [...(head === undefined ? [bad("head")] : []), ...(base === undefined ? [bad("base")] : [])];
  if (head === undefined || base === undefined) throw invalid(...problems);
  if (!canPush(viewer, head.repository))
    throw refuseWrite(403, "Must have write access to the head branch: must be a collaborator");
  const [from, onto] = [peel(head.target), peel(base.target)];
  if (from === undefined || onto === undefined) throw invalid(...[bad("head"), bad("base")]);
  const label = head.repository === repository ? head.name : `${head.repository.owner.login}:${head.name}`;
  const commits = ahead(onto, from);
  if (commits.length === 0) throw invalid(custom(`No commits between ${base.name} and ${label}`));
  if (repository.pullRequests.some((one) => isSame(one, head, base))) {
    throw invalid(custom(`A pull request already exists for ${head.repository.owner.login}:${head.name}.`));
  }
  const at = now();
  const made: PullRequest = {
    __typename: "PullRequest",
    ...write.world.identities.make("PullRequest"),
    repository,
    number: ++repository.lastNumber,
    ...words,
    author: viewer.user,
    state: "OPEN",
    isDraft: body["draft"] === true,
    locked: false,
    activeLockReason: null,
    // The setting has a meaning only where the head branch is in another repository.
    maintainerCanModify: head.repository !== repository && body["maintainer_can_modify"] !== false,
    headRefName: head.name,
    headRefOid: from.oid,
    headRepository: head.repository,
    baseRefName: base.name,
    baseRefOid: onto.oid,
    commits,
    files: summed(commits),
    labels: [],
    assignees: [],
    milestone: null,
    comments: [],
    closedAt: null,
    closedBy: null,
    mergedAt: null,
    mergedBy: null,
    mergeCommit: null,
    mergeable: "UNKNOWN",
    requestedReviewers: [],
    reviews: [],
    reviewThreads: [],
    closingIssues: [],
    projectItems: [],
    reactions: [],
    createdAt: at,
    updatedAt: at,
    lastEditedAt: null,
  };
  repository.pullRequests.push(made);
  const record = pullRecord(write.rest, made, viewer);
  return json(201, record, { location: record.url });
}

function isSame(one: PullRequest, head: Ref, base: Ref): boolean {
  return (
    one.state === "OPEN" &&
    one.headRepository === head.repository &&
    one.headRefName === head.name &&
    one.baseRefName === base.name
  );
}

/** `branch`, or `owner:branch` of a repository in the same network of forks. */
function findHead({ repository, body, viewer, world }: Write): Ref | undefined {
  const given = text(body["head"]);
  const colon = given.indexOf(":");
  if (colon < 0) return branch(repository, given);
  const owner = given.slice(0, colon).toLowerCase();
  const network = world.repositories.filter((one) => one.owner.login.toLowerCase() === owner && root(one) === root(repository));
  const named = network.find((one) => body["head_repo"] === undefined || one.name === body["head_repo"]);
  return named === undefined || !canRead(viewer, named) ? undefined : branch(named, given.slice(colon + 1));
}

function root(repository: Repository): Repository {
  return repository.parent === null ? repository : root(repository.parent);
}
