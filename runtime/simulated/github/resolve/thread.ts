import { connectionOf, type PageArguments } from "../../../simulator/graphql/connection.ts";
import { type Order, oneOf, ordered } from "../../../simulator/graphql/order.ts";
import { canPush } from "../access.ts";
import type { Context, Fields } from "../resolver.ts";
import type { Author, Team, User } from "../world/account.ts";
import { branch } from "../world/head.ts";
import { globalId } from "../world/identity.ts";
import type { Issue, IssueComment, Label, Milestone, PullRequest } from "../world/issue.ts";
import { webPath } from "../world/path.ts";
import { always, html, resourcePath, url } from "./shared.ts";
import { chosenIssues, chosenPullRequests, type IssueArguments, type PullRequestArguments } from "./thread-list.ts";

type Ordered = PageArguments & { readonly orderBy?: Order | null };
type Thread = Issue | PullRequest;

/** Everybody who wrote in a thread, the author first. */
export function participants(record: Thread): User[] {
  const reviewers = record.__typename === "PullRequest" ? record.reviews.map((review) => review.author) : [];
  const writers: readonly Author[] = [record.author, ...record.comments.map((comment) => comment.author), ...reviewers];
  return [...new Set(writers.filter((writer): writer is User => writer?.__typename === "User"))];
}

const labelKeys = { CREATED_AT: (label: Label) => label.createdAt, NAME: (label: Label) => label.name.toLowerCase() };

const thread: Fields = {
  url,
  resourcePath,
  titleHTML: (record: Thread) => html(record.title),
  closed: (record: Thread) => record.state !== "OPEN",
  viewerCanClose: (record: Thread, _args, context: Context) => record.state === "OPEN" && mayClose(record, context),
  viewerCanReopen: (record: Thread, _args, context: Context) => record.state === "CLOSED" && mayClose(record, context),
  isReadByViewer: always(true),
  hovercard: always({ contexts: [] }),
  labels: (record: Thread, args: Ordered, _context, info) =>
    connectionOf(ordered(record.labels, args.orderBy, labelKeys), args, info, { parent: record.id }),
  assignees: (record: Thread, args: PageArguments, _context, info) =>
    connectionOf(record.assignees, args, info, { parent: record.id }),
  participants: (record: Thread, args: PageArguments, _context, info) =>
    connectionOf(participants(record), args, info, { parent: record.id }),
  comments: (record: Thread, args: Ordered, _context, info) => {
    const found = ordered(record.comments, args.orderBy, { UPDATED_AT: (one: IssueComment) => one.updatedAt });
    return connectionOf(found, args, info, { parent: record.id });
  },
  projectItems: (record: Thread, args: PageArguments, _context, info) =>
    connectionOf(record.projectItems, args, info, { parent: record.id }),
};

function mayClose(record: Thread, context: Context): boolean {
  return record.author?.id === context.viewer.user.id || canPush(context.viewer, record.repository);
}

const issue: Fields = {
  ...thread,
  bodyUrl: (record: Issue, _args, context: Context) => `${context.web}${webPath(record)}#issue-${record.databaseId}`,
  bodyResourcePath: (record: Issue) => `${webPath(record)}#issue-${record.databaseId}`,
  // A document that does not ask for the newer values gets the nearest old one.
  stateReason: (record: Issue, args: { enableDuplicate?: boolean }) =>
    record.stateReason === "DUPLICATE" && args.enableDuplicate !== true ? "NOT_PLANNED" : record.stateReason,
  subIssuesSummary: (record: Issue) => {
    const total = record.subIssues.length;
    const completed = record.subIssues.filter((one) => one.state === "CLOSED").length;
    return { total, completed, percentCompleted: total === 0 ? 0 : Math.floor((100 * completed) / total) };
  },
  subIssues: (record: Issue, args: PageArguments, _context, info) =>
    connectionOf(record.subIssues, args, info, { parent: record.id }),
  trackedIssuesCount: always(0),
  closedByPullRequestsReferences: (record: Issue, args: PageArguments, _context, info) => {
    const found = record.repository.pullRequests.filter((one) => one.closingIssues.includes(record));
    return connectionOf(found, args, info, { parent: record.id });
  },
};

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const reviewComments = (record: PullRequest) => sum(record.reviewThreads.map((one) => one.comments.length));

const pullRequest: Fields = {
  ...thread,
  permalink: url,
  merged: (record: PullRequest) => record.state === "MERGED",
  additions: (record: PullRequest) => sum(record.files.map((file) => file.additions)),
  deletions: (record: PullRequest) => sum(record.files.map((file) => file.deletions)),
  changedFiles: (record: PullRequest) => record.files.length,
  totalCommentsCount: (record: PullRequest) => record.comments.length + reviewComments(record),
  baseRepository: (record: PullRequest) => record.repository,
  baseRef: (record: PullRequest) => branch(record.repository, record.baseRefName),
  headRef: (record: PullRequest) => (record.headRepository === null ? null : branch(record.headRepository, record.headRefName)),
  headRepositoryOwner: (record: PullRequest) => record.headRepository?.owner,
  isCrossRepository: (record: PullRequest) => record.headRepository !== record.repository,
  mergeStateStatus: (record: PullRequest) => (record.mergeable === "CONFLICTING" ? "DIRTY" : record.isDraft ? "DRAFT" : "CLEAN"),
  canBeRebased: (record: PullRequest) => record.mergeable === "MERGEABLE",
  potentialMergeCommit: always(null),
  autoMergeRequest: always(null),
  mergeQueue: always(null),
  mergeQueueEntry: always(null),
  statusCheckRollup: always(null),
  isInMergeQueue: always(false),
  isMergeQueueEnabled: always(false),
  checksUrl: (record: PullRequest, _args, context: Context) => `${context.web}${webPath(record)}/checks`,
  checksResourcePath: (record: PullRequest) => `${webPath(record)}/checks`,
  revertUrl: (record: PullRequest, _args, context: Context) => `${context.web}${webPath(record)}/revert`,
  revertResourcePath: (record: PullRequest) => `${webPath(record)}/revert`,
  viewerCanUpdateBranch: (record: PullRequest, _args, context: Context) => canPush(context.viewer, record.repository),
  viewerCanDeleteHeadRef: always(false),
  viewerCanApplySuggestion: always(false),
  viewerCanEditFiles: always(false),
  viewerCanEnableAutoMerge: always(false),
  viewerCanDisableAutoMerge: always(false),
  viewerCanMergeAsAdmin: always(false),
  viewerLatestReview: (record: PullRequest, _args, context: Context) =>
    record.reviews.filter((review) => review.author === context.viewer.user).at(-1),
  reviewDecision: (record: PullRequest) => {
    const states = record.reviews.map((review) => review.state);
    if (states.includes("CHANGES_REQUESTED")) return "CHANGES_REQUESTED";
    if (states.includes("APPROVED")) return "APPROVED";
    return record.requestedReviewers.length > 0 ? "REVIEW_REQUIRED" : null;
  },
  // A pending review is seen by its author only.
  reviews: (
    record: PullRequest,
    args: PageArguments & { states?: readonly string[]; author?: string },
    context: Context,
    info,
  ) => {
    const found = record.reviews.filter(
      (review) =>
        oneOf<string>(args.states, review.state) &&
        (args.author === undefined || review.author?.login === args.author) &&
        (review.state !== "PENDING" || review.author === context.viewer.user),
    );
    return connectionOf(found, args, info, { parent: record.id });
  },
  reviewThreads: (record: PullRequest, args: PageArguments, _context, info) =>
    connectionOf(record.reviewThreads, args, info, { parent: record.id }),
  reviewRequests: (record: PullRequest, args: PageArguments, _context, info) => {
    const found = record.requestedReviewers.map((requestedReviewer: User | Team) => ({
      __typename: "ReviewRequest",
      id: globalId("RRQ", `${record.databaseId}:${requestedReviewer.databaseId}`),
      databaseId: requestedReviewer.databaseId,
      asCodeOwner: false,
      pullRequest: record,
      requestedReviewer,
    }));
    return connectionOf(found, args, info, { parent: record.id });
  },
  commits: (record: PullRequest, args: PageArguments, context: Context, info) => {
    const found = record.commits.map((commit) => ({
      __typename: "PullRequestCommit",
      id: globalId("PRC", `${record.databaseId}:${commit.oid}`),
      commit,
      pullRequest: record,
      url: `${context.web}${webPath(record)}/commits/${commit.oid}`,
      resourcePath: `${webPath(record)}/commits/${commit.oid}`,
    }));
    return connectionOf(found, args, info, { parent: record.id });
  },
  files: (record: PullRequest, args: PageArguments, _context, info) => {
    const found = record.files.map((file) => ({ ...file, viewerViewedState: "UNVIEWED" }));
    return connectionOf(found, args, info, { parent: record.id });
  },
  closingIssuesReferences: (record: PullRequest, args: PageArguments, _context, info) =>
    connectionOf(record.closingIssues, args, info, { parent: record.id }),
};

const label: Fields = {
  url,
  resourcePath,
  issues: (record: Label, args: IssueArguments, _context, info) => {
    const found = record.repository.issues.filter((one) => one.labels.includes(record));
    return connectionOf(chosenIssues(found, args), args, info, { parent: record.id });
  },
  pullRequests: (record: Label, args: PullRequestArguments, _context, info) => {
    const found = record.repository.pullRequests.filter((one) => one.labels.includes(record));
    return connectionOf(chosenPullRequests(found, args), args, info, { parent: record.id });
  },
};

const milestone: Fields = {
  url,
  resourcePath,
  closed: (record: Milestone) => record.state === "CLOSED",
  progressPercentage: (record: Milestone) => {
    const all = [...record.repository.issues, ...record.repository.pullRequests].filter((one) => one.milestone === record);
    return all.length === 0 ? 0 : (100 * all.filter((one) => one.state !== "OPEN").length) / all.length;
  },
  viewerCanClose: (record: Milestone, _args, context: Context) => canPush(context.viewer, record.repository),
  viewerCanReopen: (record: Milestone, _args, context: Context) => canPush(context.viewer, record.repository),
  issues: (record: Milestone, args: IssueArguments, _context, info) => {
    const found = record.repository.issues.filter((one) => one.milestone === record);
    return connectionOf(chosenIssues(found, args), args, info, { parent: record.id });
  },
  pullRequests: (record: Milestone, args: PullRequestArguments, _context, info) => {
    const found = record.repository.pullRequests.filter((one) => one.milestone === record);
    return connectionOf(chosenPullRequests(found, args), args, info, { parent: record.id });
  },
};

export const threadTables = { Issue: issue, PullRequest: pullRequest, Label: label, Milestone: milestone };
