import { createRandom, type Random } from "../../runtime/simulated/github/seed/random.ts";
import type {
  Issue,
  IssueComment,
  PullRequest,
  Review,
  ReviewComment,
  ReviewThread,
} from "../../runtime/simulated/github/world/issue.ts";
import type { Repository } from "../../runtime/simulated/github/world/repository.ts";

/** How much a synthetic repository has. */
export interface Size {
  readonly issues: number;
  readonly pullRequests: number;
  readonly comments: number;
  readonly reviews: number;
  readonly reviewComments: number;
}

/** The repository that the aims of a sync are given for. */
export const fullSize: Size = { issues: 20_000, pullRequests: 15_000, comments: 60_000, reviews: 30_000, reviewComments: 80_000 };

export function scaled(size: Size, by: number): Size {
  const part = (count: number) => Math.round(count * by);
  return {
    issues: part(size.issues),
    pullRequests: part(size.pullRequests),
    comments: part(size.comments),
    reviews: part(size.reviews),
    reviewComments: part(size.reviewComments),
  };
}

type Thread = Issue | PullRequest;

/** Replaces the issues and pull requests of a repository by as many as the size says, made after its first ones. */
export function fill(repository: Repository, size: Size): void {
  const random = createRandom(20_261_122);
  const [issue] = repository.issues;
  const [pull] = repository.pullRequests;
  const comment = repository.issues.flatMap(({ comments }) => comments)[0];
  const review = repository.pullRequests.flatMap(({ reviews }) => reviews).find(({ state }) => state === "COMMENTED");
  const thread = repository.pullRequests.flatMap(({ reviewThreads }) => reviewThreads)[0];
  const [remark] = thread?.comments ?? [];
  if (!issue || !pull || !comment || !review || !thread || !remark) throw new Error("the seeded repository lacks a sample");
  let last = 0;
  const identity = (kind: string) => ({ id: `${kind}_bench${++last}`, databaseId: 9_000_000_000 + last });
  const text = () => `Text ${random.below(1e9)} of a record. `.repeat(1 + random.below(8));
  const time = (hour: number) => `${new Date(Date.UTC(2020, 0, 1, hour)).toISOString().slice(0, 19)}Z`;
  const own = { comments: [], subIssues: [], parent: null, projectItems: [], reactions: [] };

  repository.issues.length = 0;
  repository.pullRequests.length = 0;
  let number = 0;
  for (let count = 0; count < size.issues + size.pullRequests; count++) {
    const at = time(count);
    const common = { number: ++number, title: `Record ${number}`, body: text(), createdAt: at, updatedAt: at };
    // Issues and pull requests share their numbers, so they are mixed.
    const isIssue = Math.floor(((count + 1) * size.issues) / (size.issues + size.pullRequests)) > repository.issues.length;
    if (isIssue) repository.issues.push({ ...issue, ...own, ...identity("I"), ...common, comments: [] });
    else
      repository.pullRequests.push({
        ...pull,
        ...identity("PR"),
        ...common,
        comments: [],
        reviews: [],
        reviewThreads: [],
        projectItems: [],
        closingIssues: [],
        reactions: [],
      });
  }
  repository.lastNumber = number;
  const threads: Thread[] = [...repository.issues, ...repository.pullRequests];
  for (const parent of spread(threads, size.comments, 0.53, random))
    parent.comments.push({ ...comment, ...identity("IC"), parent, body: text(), reactions: [] } satisfies IssueComment);
  for (const pullRequest of spread(repository.pullRequests, size.reviews, 0.7, random))
    pullRequest.reviews.push({ ...review, ...identity("PRR"), pullRequest, body: text(), comments: [] } satisfies Review);
  for (const pullRequest of spread(repository.pullRequests, size.reviewComments, 0.4, random)) {
    const known = pullRequest.reviewThreads.at(-1);
    const { id } = identity("PRRT");
    const within: ReviewThread =
      known !== undefined && random.chance(0.6) ? known : { ...thread, id, pullRequest, comments: [], resolvedBy: null };
    if (within !== known) pullRequest.reviewThreads.push(within);
    within.comments.push({
      ...remark,
      ...identity("PRRC"),
      pullRequest,
      thread: within,
      pullRequestReview: null,
      replyTo: null,
      body: text(),
      reactions: [],
    } satisfies ReviewComment);
  }
}

/**
 * Draws the parent of each of `total` children. A share of the parents has some; of these most have few, and a few have many, as on real
 * platforms.
 */
function* spread<Parent>(parents: readonly Parent[], total: number, share: number, random: Random): Generator<Parent> {
  const chosen = parents.filter(() => random.chance(share));
  let left = total;
  for (const parent of chosen) {
    if (left-- <= 0) return;
    yield parent;
  }
  while (left > 0) {
    const parent = random.pick(chosen);
    // One child in a hundred is part of a long discussion.
    for (let count = random.chance(0.01) ? 20 + random.below(40) : 1; count > 0 && left > 0; count--, left--) yield parent;
  }
}

/** Calls of a sync that asks for the children of one parent with each call, in pages of a hundred. */
export function naiveCalls({ issues, pullRequests }: Repository): number {
  const pages = (count: number) => Math.ceil(count / 100);
  const lists = [
    ...[...issues, ...pullRequests].map(({ comments }) => pages(comments.length)),
    ...pullRequests.map(({ reviews }) => Math.max(1, pages(reviews.length))),
    ...pullRequests.map(({ reviewThreads }) =>
      Math.max(1, pages(reviewThreads.reduce((sum, { comments }) => sum + comments.length, 0))),
    ),
  ];
  return pages(issues.length) + pages(pullRequests.length) + lists.reduce((sum, one) => sum + one, 0);
}

/** A new comment on a share of the issues and pull requests, which moves these too. */
export function change({ issues, pullRequests }: Repository, share: number): void {
  const threads: Thread[] = [...issues, ...pullRequests];
  const every = Math.round(1 / share);
  const at = "2030-01-01T00:00:00Z";
  const sample = threads.flatMap(({ comments }) => comments)[0];
  for (const [index, parent] of threads.entries()) {
    if (index % every !== 0 || sample === undefined) continue;
    const id = `IC_changed${index}`;
    parent.comments.push({ ...sample, id, databaseId: 9_900_000_000 + index, parent, createdAt: at, updatedAt: at });
    parent.updatedAt = at;
  }
}
