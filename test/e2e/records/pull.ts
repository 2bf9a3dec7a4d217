import { association } from "../../../runtime/simulated/github/access.ts";
import type { PullRequest, Review, ReviewComment } from "../../../runtime/simulated/github/world/issue.ts";
import { nameWithOwner } from "../../../runtime/simulated/github/world/world.ts";
import { account, actor, commitReference, type Expected, label, milestone, plainText, web } from "./shared.ts";

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function decision(one: PullRequest): string | null {
  const states = one.reviews.map((review) => review.state);
  if (states.includes("CHANGES_REQUESTED")) return "changes_requested";
  if (states.includes("APPROVED")) return "approved";
  return one.requestedReviewers.length > 0 ? "review_required" : null;
}

export function pullRecord(one: PullRequest): Expected {
  return {
    defaults: {
      id: one.id,
      databaseId: one.databaseId,
      number: one.number,
      repository: nameWithOwner(one.repository),
      title: one.title,
      body: one.body,
      // There is no merged state: `mergedAt` tells a merge.
      state: one.state === "OPEN" ? "open" : "closed",
      isDraft: one.isDraft,
      author: actor(one.author),
      baseRefName: one.baseRefName,
      headRefName: one.headRefName,
      headRepository: one.headRepository === null ? null : nameWithOwner(one.headRepository),
      labels: one.labels.map(label),
      assignees: one.assignees.map(account),
      milestone: milestone(one.milestone),
      locked: one.locked,
      createdAt: one.createdAt,
      updatedAt: one.updatedAt,
      closedAt: one.closedAt,
      mergedAt: one.mergedAt,
      mergedBy: actor(one.mergedBy),
      url: web(one),
    },
    extras: {
      additions: sum(one.files.map((file) => file.additions)),
      authorAssociation: association(one.author, one.repository),
      authorLogin: one.author?.login ?? null,
      mergedByLogin: one.mergedBy?.login ?? null,
      milestoneTitle: one.milestone?.title ?? null,
      bodyText: plainText(one.body),
      changedFiles: one.files.length,
      commentCount: one.comments.length,
      totalCommentCount: one.comments.length + sum(one.reviewThreads.map((thread) => thread.comments.length)),
      commitCount: one.commits.length,
      deletions: sum(one.files.map((file) => file.deletions)),
      headSha: one.headRefOid,
      isCrossRepository: one.headRepository !== one.repository,
      lastEditedAt: one.lastEditedAt,
      maintainerCanModify: one.maintainerCanModify,
      mergeCommit: one.mergeCommit === null ? null : commitReference(one.mergeCommit),
      mergeable: one.mergeable.toLowerCase(),
      reactionCount: one.reactions.length,
      reviewDecision: decision(one),
      reviewRequests: one.requestedReviewers.map((reviewer) =>
        reviewer.__typename === "User" ? { login: reviewer.login, team: null } : { login: null, team: reviewer.slug },
      ),
    },
  };
}

export function reviewRecord(one: Review): Expected {
  const { pullRequest } = one;
  return {
    defaults: {
      id: one.id,
      databaseId: one.databaseId,
      repository: nameWithOwner(pullRequest.repository),
      number: pullRequest.number,
      state: one.state,
      author: actor(one.author),
      body: one.body,
      submittedAt: one.submittedAt,
      createdAt: one.createdAt,
      updatedAt: one.updatedAt,
      url: web(one),
    },
    extras: {
      authorAssociation: association(one.author, pullRequest.repository),
      authorLogin: one.author?.login ?? null,
      bodyText: plainText(one.body),
      commentCount: one.comments.length,
      commitSha: one.commit?.oid ?? null,
      lastEditedAt: one.lastEditedAt,
      reactionCount: one.reactions.length,
    },
  };
}

export function reviewCommentRecord(one: ReviewComment): Expected {
  const { pullRequest, thread } = one;
  return {
    defaults: {
      id: one.id,
      databaseId: one.databaseId,
      repository: nameWithOwner(pullRequest.repository),
      number: pullRequest.number,
      author: actor(one.author),
      body: one.body,
      path: thread.path,
      line: thread.line,
      diffHunk: one.diffHunk,
      outdated: thread.isOutdated,
      replyTo: one.replyTo?.id ?? null,
      createdAt: one.createdAt,
      updatedAt: one.updatedAt,
      url: web(one),
    },
    extras: {
      authorAssociation: association(one.author, pullRequest.repository),
      authorLogin: one.author?.login ?? null,
      bodyText: plainText(one.body),
      commitSha: one.commit?.oid ?? null,
      isMinimized: false,
      lastEditedAt: one.lastEditedAt,
      originalLine: thread.originalLine,
      reactionCount: one.reactions.length,
      reviewId: one.pullRequestReview?.id ?? null,
      startLine: thread.startLine,
    },
  };
}
