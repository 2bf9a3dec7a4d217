import type { Commit, FileChange } from "../world/git.ts";
import type { PullRequest } from "../world/issue.ts";
import type { Repository } from "../world/repository.ts";
import { commit, reference } from "./git.ts";
import { comment, someReactions } from "./issues.ts";
import { seedReviews } from "./reviews.ts";
import { hour, type Seed, someAuthor, someUser } from "./seed.ts";
import { someBody, someTitle } from "./text.ts";

export type PullRequestFate = "open" | "draft" | "closed" | "merged";

/** What a pull request does to the repository besides itself: the default branch may move. */
export interface Proposal {
  readonly base: Commit;
  readonly fate: PullRequestFate;
  readonly at: number;
  readonly paths: readonly string[];
}

const branchNames = ["fix/cursor", "feature/unicode-é", "user/hubot/retry", "docs", "release/2.x", "wip"];

export function pullRequest(
  seed: Seed,
  repository: Repository,
  given: Partial<PullRequest> & Pick<PullRequest, "headRefName" | "headRefOid" | "baseRefOid" | "createdAt">,
): PullRequest {
  const number = given.number ?? ++repository.lastNumber;
  const made: PullRequest = {
    __typename: "PullRequest",
    ...seed.identities.make("PullRequest"),
    repository,
    number,
    title: someTitle(seed.random),
    body: someBody(seed.random),
    author: someAuthor(seed),
    state: "OPEN",
    isDraft: false,
    locked: false,
    activeLockReason: null,
    maintainerCanModify: false,
    headRepository: repository,
    baseRefName: repository.defaultBranch,
    commits: [],
    files: [],
    labels: [],
    assignees: [],
    milestone: null,
    comments: [],
    closedAt: null,
    closedBy: null,
    mergedAt: null,
    mergedBy: null,
    mergeCommit: null,
    mergeable: "MERGEABLE",
    requestedReviewers: [],
    reviews: [],
    reviewThreads: [],
    closingIssues: [],
    projectItems: [],
    reactions: someReactions(seed, given.createdAt),
    updatedAt: given.createdAt,
    lastEditedAt: null,
    ...given,
  };
  repository.lastNumber = Math.max(repository.lastNumber, number);
  repository.pullRequests.push(made);
  return made;
}

/** A pull request with its own commits; answers the tip of the default branch afterwards. */
export function seedPullRequest(seed: Seed, repository: Repository, proposal: Proposal): Commit {
  const { random } = seed;
  const { base, fate, at } = proposal;
  const commits = branchCommits(seed, repository, proposal);
  const head = commits.at(-1) ?? base;
  const made = pullRequest(seed, repository, {
    headRefName: `${random.pick(branchNames)}-${repository.lastNumber + 1}`,
    headRefOid: head.oid,
    baseRefOid: base.oid,
    createdAt: hour(at),
    commits,
    files: summed(commits),
    labels: random.sample(repository.labels, random.below(3)),
    assignees: random.sample(seed.world.users, random.below(2)),
    milestone: random.chance(0.3) && repository.milestones.length > 0 ? random.pick(repository.milestones) : null,
    isDraft: fate === "draft",
    mergeable: fate === "open" && random.chance(0.2) ? "CONFLICTING" : "MERGEABLE",
    requestedReviewers: fate === "open" ? random.sample(seed.world.users, random.below(3)) : [],
  });
  for (let count = random.pick([0, 1, 2, 4]); count > 0; count--) comment(seed, made, at + 1 + made.comments.length);
  seedReviews(seed, made, at + 3);
  if (fate === "open" || fate === "draft") reference(repository, "refs/heads/", made.headRefName, head);
  if (fate === "closed")
    Object.assign(made, { state: "CLOSED", closedAt: hour(at + 40), closedBy: someUser(seed), updatedAt: hour(at + 40) });
  return fate === "merged" ? merge(seed, made, base, head, at + 40) : base;
}

function branchCommits(seed: Seed, repository: Repository, { base, at, paths }: Proposal): Commit[] {
  const made: Commit[] = [];
  for (let count = 1 + seed.random.below(3); count > 0; count--) {
    const changes = seed.random.sample(paths, 1 + seed.random.below(3)).map((path): FileChange => {
      return { path, additions: seed.random.below(50), deletions: seed.random.below(20), changeType: "MODIFIED" };
    });
    const message = someTitle(seed.random);
    const parents = [made.at(-1) ?? base];
    made.push(commit(repository, { message, by: someUser(seed), at: hour(at - count * 0.2), parents, tree: base.tree, changes }));
  }
  return made;
}

/** The changes of several commits, one entry for a path. */
export function summed(commits: readonly Commit[]): FileChange[] {
  const byPath = new Map<string, FileChange>();
  for (const change of commits.flatMap((one) => one.changes)) {
    const known = byPath.get(change.path);
    if (known === undefined) byPath.set(change.path, { ...change });
    else {
      known.additions += change.additions;
      known.deletions += change.deletions;
    }
  }
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function merge(seed: Seed, made: PullRequest, base: Commit, head: Commit, at: number): Commit {
  const by = someUser(seed);
  const message = `Merge pull request #${made.number} from ${made.headRefName}\n\n${made.title}`;
  const merged = commit(made.repository, {
    message,
    by,
    at: hour(at),
    parents: [base, head],
    tree: base.tree,
    changes: made.files,
    signed: true,
  });
  Object.assign(made, {
    state: "MERGED",
    mergeCommit: merged,
    mergedAt: hour(at),
    mergedBy: by,
    closedAt: hour(at),
    closedBy: by,
    updatedAt: hour(at),
  });
  return merged;
}
