import type { PullRequest } from "../world/issue.ts";
import { user } from "./accounts.ts";
import { smallFiles } from "./files.ts";
import { commit, plantTree, reference } from "./git.ts";
import { comment, issue } from "./issues.ts";
import { label, milestone } from "./labels.ts";
import { pullRequest, summed } from "./pull-requests.ts";
import { type RealRecords, realRecords } from "./real-records.ts";
import { release } from "./releases.ts";
import { repository, stars } from "./repository.ts";
import { review, thread } from "./reviews.ts";
import type { Seed } from "./seed.ts";

const identity = (real: { readonly id: number; readonly node_id: string }) => ({ id: real.node_id, databaseId: real.id });
const times = (real: { readonly created_at: string; readonly updated_at: string }) => ({
  createdAt: real.created_at,
  updatedAt: real.updated_at,
});

/** `Codertocat/Hello-World` with the ids, numbers, names and dates of real webhook payloads (old-style node ids among them). */
export function seedRealRepository(seed: Seed): void {
  const real = realRecords;
  const owner = user(seed, { login: real.repository.owner.login, ...identity(real.repository.owner) }, "2016-08-15T12:00:00Z");
  seed.world.users.push(owner);
  const made = repository(seed, {
    ...identity(real.repository),
    owner,
    name: real.repository.name,
    defaultBranch: real.repository.default_branch,
    createdAt: real.repository.created_at,
    pushedAt: "2019-05-15T15:20:33Z",
  });
  for (const from of [real.label, real.emojiLabel]) {
    Object.assign(label(seed, made, [from.name, from.color, from.description ?? null, from.default]), identity(from));
  }
  const { title, description, due_on: dueOn } = real.milestone;
  const goal = milestone(seed, made, { ...identity(real.milestone), title, description, dueOn, ...times(real.milestone) });
  const found = issue(seed, made, {
    ...identity(real.issue),
    ...times(real.issue),
    number: real.issue.number,
    title: real.issue.title,
    body: real.issue.body ?? "",
    author: owner,
    assignees: [owner],
    labels: made.labels.slice(0, 1),
    milestone: goal,
  });
  const said = comment(seed, found, 0);
  Object.assign(said, {
    ...identity(real.comment),
    ...times(real.comment),
    body: real.comment.body,
    author: owner,
    isMinimized: false,
  });
  Object.assign(said, { minimizedReason: null, lastEditedAt: null, reactions: [] });
  found.updatedAt = real.comment.updated_at;
  stars(seed, made, 2);
  seedRealPullRequest(seed, real, proposal(seed, real));
}

function proposal(seed: Seed, real: RealRecords): PullRequest {
  const made = seed.world.repositories.find((one) => one.id === real.repository.node_id);
  const owner = seed.world.users.at(-1);
  if (made === undefined || owner === undefined) throw new Error("the real repository is missing");
  const tree = plantTree(made, smallFiles(made.name));
  const { head, base } = real.pullRequest;
  const at = real.repository.created_at;
  const changes = [{ path: "README.md", additions: 1, deletions: 1, changeType: "MODIFIED" as const }];
  const start = commit(made, { message: "Initial commit", by: owner, at, parents: [], tree, changes, oid: base.sha });
  const change = commit(made, { message: "Update README", by: owner, at, parents: [start], tree, changes, oid: head.sha });
  reference(made, "refs/heads/", made.defaultBranch, start);
  reference(made, "refs/heads/", head.ref, change);
  reference(made, "refs/tags/", real.release.tag_name, start);
  release(seed, made, {
    ...identity(real.release),
    tagName: real.release.tag_name,
    name: real.release.name,
    description: real.release.body,
    author: owner,
    createdAt: real.release.created_at,
    publishedAt: real.release.published_at,
  }).assets.length = 0;
  return pullRequest(seed, made, {
    ...identity(real.pullRequest),
    ...times(real.pullRequest),
    number: real.pullRequest.number,
    title: real.pullRequest.title,
    body: real.pullRequest.body ?? "",
    author: owner,
    headRefName: head.ref,
    headRefOid: head.sha,
    baseRefOid: base.sha,
    commits: [change],
    files: summed([change]),
  });
}

function seedRealPullRequest(seed: Seed, real: RealRecords, made: PullRequest): void {
  const { author } = made;
  const at = real.review.submitted_at;
  Object.assign(review(seed, made, "COMMENTED", 0), {
    ...identity(real.review),
    author,
    createdAt: at,
    submittedAt: at,
    updatedAt: at,
  });
  const [first] = thread(seed, made, 1, 0).comments;
  const { path, diff_hunk: diffHunk, body } = real.reviewComment;
  Object.assign(first ?? {}, { ...identity(real.reviewComment), ...times(real.reviewComment), author, diffHunk, body });
  for (const one of made.reviewThreads) one.path = path;
}
