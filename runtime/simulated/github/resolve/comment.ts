import { connectionOf, type PageArguments } from "../../../simulator/graphql/connection.ts";
import { association, canPush } from "../access.ts";
import type { Context, Fields } from "../resolver.ts";
import type { Discussion, DiscussionComment } from "../world/discussion.ts";
import type { IssueComment, Label, Review, ReviewComment, ReviewThread } from "../world/issue.ts";
import { always, resourcePath, url } from "./shared.ts";

const issueComment: Fields = {
  url,
  resourcePath,
  repository: (record: IssueComment) => record.parent.repository,
  // The schema has an issue for every comment; under a pull request the platform gives its issue side.
  issue: (record: IssueComment) =>
    record.parent.__typename === "Issue"
      ? record.parent
      : { ...record.parent, __typename: "Issue", stateReason: null, isPinned: false, parent: null, subIssues: [] },
  pullRequest: (record: IssueComment) => (record.parent.__typename === "PullRequest" ? record.parent : null),
};

const review: Fields = {
  url,
  resourcePath,
  repository: (record: Review) => record.pullRequest.repository,
  authorCanPushToRepository: (record: Review) => association(record.author, record.pullRequest.repository) !== "NONE",
  comments: (record: Review, args: PageArguments, _context, info) =>
    connectionOf(record.comments, args, info, { parent: record.id }),
  onBehalfOf: (record: Review, args: PageArguments, _context, info) => connectionOf([], args, info, { parent: record.id }),
};

const reviewThread: Fields = {
  repository: (record: ReviewThread) => record.pullRequest.repository,
  startDiffSide: (record: ReviewThread) => (record.startLine === null ? null : record.diffSide),
  viewerCanReply: always(true),
  viewerCanResolve: (record: ReviewThread, _args, context: Context) =>
    !record.isResolved && canPush(context.viewer, record.pullRequest.repository),
  viewerCanUnresolve: (record: ReviewThread, _args, context: Context) =>
    record.isResolved && canPush(context.viewer, record.pullRequest.repository),
  comments: (record: ReviewThread, args: PageArguments, _context, info) =>
    connectionOf(record.comments, args, info, { parent: record.id }),
};

const reviewComment: Fields = {
  url,
  resourcePath,
  repository: (record: ReviewComment) => record.pullRequest.repository,
  path: (record: ReviewComment) => record.thread.path,
  line: (record: ReviewComment) => record.thread.line,
  originalLine: (record: ReviewComment) => record.thread.originalLine,
  startLine: (record: ReviewComment) => record.thread.startLine,
  originalStartLine: (record: ReviewComment) => record.thread.originalStartLine,
  position: (record: ReviewComment) => record.thread.line,
  originalPosition: (record: ReviewComment) => record.thread.originalLine ?? 1,
  outdated: (record: ReviewComment) => record.thread.isOutdated,
  subjectType: (record: ReviewComment) => record.thread.subjectType,
  draftedAt: (record: ReviewComment) => record.createdAt,
};

const discussion: Fields = {
  url,
  resourcePath,
  isAnswered: (record: Discussion) => (record.category.isAnswerable ? record.answer !== null : null),
  poll: always(null),
  viewerCanClose: (record: Discussion, _args, context: Context) => canPush(context.viewer, record.repository),
  viewerCanReopen: (record: Discussion, _args, context: Context) => canPush(context.viewer, record.repository),
  labels: (record: Discussion, args: PageArguments, _context, info) =>
    connectionOf<Label>(record.labels, args, info, { parent: record.id }),
  comments: (record: Discussion, args: PageArguments, _context, info) =>
    connectionOf(record.comments, args, info, { parent: record.id }),
};

const discussionComment: Fields = {
  url,
  resourcePath,
  deletedAt: always(null),
  isAnswer: (record: DiscussionComment) => record.discussion.answer === record,
  replies: (record: DiscussionComment, args: PageArguments, _context, info) =>
    connectionOf(record.replies, args, info, { parent: record.id }),
  viewerCanMarkAsAnswer: always(false),
  viewerCanUnmarkAsAnswer: always(false),
};

export const commentTables = {
  IssueComment: issueComment,
  PullRequestReview: review,
  PullRequestReviewThread: reviewThread,
  PullRequestReviewComment: reviewComment,
  Discussion: discussion,
  DiscussionComment: discussionComment,
  DiscussionCategory: { emojiHTML: (record: { emoji: string }) => `<div>${record.emoji}</div>` } satisfies Fields,
};
