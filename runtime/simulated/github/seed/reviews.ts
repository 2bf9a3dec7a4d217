import type { PullRequest, Review, ReviewComment, ReviewThread } from "../world/issue.ts";
import { someReactions } from "./issues.ts";
import { hour, type Seed, someAuthor, someUser } from "./seed.ts";
import { someReply } from "./text.ts";

const states: readonly Review["state"][] = ["COMMENTED", "APPROVED", "CHANGES_REQUESTED", "DISMISSED", "PENDING"];

export function seedReviews(seed: Seed, pullRequest: PullRequest, at: number): void {
  const count = seed.random.pick([0, 1, 2, 3]);
  for (let index = 0; index < count; index++) {
    review(seed, pullRequest, seed.random.pick(states.slice(0, 4)), at + index);
    if (pullRequest.files.length > 0 && seed.random.chance(0.7)) thread(seed, pullRequest, 1 + seed.random.below(5), at + index);
  }
}

/** One review in each state there is. The pending one belongs to the owner, for only its author sees it. */
export function reviewInEveryState(seed: Seed, pullRequest: PullRequest, at: number): void {
  for (const [index, state] of states.entries()) {
    const made = review(seed, pullRequest, state, at + index);
    if (state === "PENDING" && pullRequest.repository.owner.__typename === "User") made.author = pullRequest.repository.owner;
  }
}

export function review(seed: Seed, pullRequest: PullRequest, state: Review["state"], at: number): Review {
  const createdAt = hour(at);
  const made: Review = {
    __typename: "PullRequestReview",
    ...seed.identities.make("PullRequestReview"),
    pullRequest,
    author: someAuthor(seed),
    body: state === "COMMENTED" ? "" : someReply(seed.random),
    state,
    submittedAt: state === "PENDING" ? null : createdAt,
    createdAt,
    updatedAt: createdAt,
    lastEditedAt: null,
    reactions: [],
    commit: pullRequest.commits.at(-1) ?? null,
    comments: [],
  };
  pullRequest.reviews.push(made);
  return made;
}

export function thread(seed: Seed, pullRequest: PullRequest, comments: number, at: number): ReviewThread {
  const { random } = seed;
  const line = random.chance(0.2) ? null : 1 + random.below(80);
  const originalLine = line ?? 1 + random.below(80);
  const isResolved = random.chance(0.3);
  const { id } = seed.identities.make("PullRequestReviewThread");
  const made: ReviewThread = {
    __typename: "PullRequestReviewThread",
    id,
    pullRequest,
    path: random.pick(pullRequest.files).path,
    line,
    originalLine,
    startLine: null,
    originalStartLine: random.chance(0.3) ? Math.max(1, originalLine - 3) : null,
    diffSide: random.chance(0.8) ? "RIGHT" : "LEFT",
    subjectType: "LINE",
    isCollapsed: isResolved,
    isOutdated: line === null,
    isResolved,
    resolvedBy: isResolved ? someUser(seed) : null,
    comments: [],
  };
  pullRequest.reviewThreads.push(made);
  const within =
    pullRequest.reviews.filter((one) => one.state !== "PENDING").at(-1) ?? review(seed, pullRequest, "COMMENTED", at);
  for (let index = 0; index < comments; index++) made.comments.push(reviewComment(seed, made, within, at + 1 + index));
  return made;
}

function reviewComment(seed: Seed, within: ReviewThread, review: Review, at: number): ReviewComment {
  const { pullRequest } = within;
  const createdAt = hour(at);
  const commit = pullRequest.commits.at(-1) ?? null;
  const made: ReviewComment = {
    __typename: "PullRequestReviewComment",
    ...seed.identities.make("PullRequestReviewComment"),
    pullRequest,
    thread: within,
    pullRequestReview: review,
    replyTo: within.comments[0] ?? null,
    author: someAuthor(seed),
    body: someReply(seed.random),
    createdAt,
    updatedAt: createdAt,
    lastEditedAt: null,
    reactions: someReactions(seed, createdAt),
    diffHunk: `@@ -1,4 +1,4 @@\n-const a = "old";\n+const a = \`new \${value}\`;`,
    commit,
    originalCommit: commit,
    state: "SUBMITTED",
  };
  review.comments.push(made);
  if (pullRequest.updatedAt < createdAt) pullRequest.updatedAt = createdAt;
  return made;
}
