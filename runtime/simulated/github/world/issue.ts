import type { Author, Team, User } from "./account.ts";
import type { Commit, FileChange } from "./git.ts";
import type { ProjectItem } from "./project.ts";
import type { Repository } from "./repository.ts";

export type ReactionContent = "CONFUSED" | "EYES" | "HEART" | "HOORAY" | "LAUGH" | "ROCKET" | "THUMBS_DOWN" | "THUMBS_UP";
export type LockReason = "OFF_TOPIC" | "RESOLVED" | "SPAM" | "TOO_HEATED";

export interface Reaction {
  readonly __typename: "Reaction";
  readonly id: string;
  readonly databaseId: number;
  content: ReactionContent;
  user: User;
  createdAt: string;
}

export interface Label {
  readonly __typename: "Label";
  readonly id: string;
  readonly databaseId: number;
  repository: Repository;
  name: string;
  color: string;
  description: string | null;
  isDefault: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface Milestone {
  readonly __typename: "Milestone";
  readonly id: string;
  readonly databaseId: number;
  repository: Repository;
  number: number;
  title: string;
  description: string | null;
  state: "OPEN" | "CLOSED";
  creator: Author;
  dueOn: string | null;
  closedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

/** What every written text has: issue, pull request, comment, review, discussion. */
export interface Written {
  readonly id: string;
  readonly databaseId: number;
  author: Author;
  body: string;
  createdAt: string;
  updatedAt: string;
  lastEditedAt: string | null;
  reactions: Reaction[];
}

interface Tracked extends Written {
  repository: Repository;
  number: number;
  title: string;
  locked: boolean;
  activeLockReason: LockReason | null;
  labels: Label[];
  assignees: User[];
  milestone: Milestone | null;
  comments: IssueComment[];
  closedAt: string | null;
  closedBy: Author;
  projectItems: ProjectItem[];
}

export interface Issue extends Tracked {
  readonly __typename: "Issue";
  state: "OPEN" | "CLOSED";
  stateReason: "COMPLETED" | "NOT_PLANNED" | "REOPENED" | "DUPLICATE" | null;
  isPinned: boolean;
  parent: Issue | null;
  subIssues: Issue[];
}

export interface IssueComment extends Written {
  readonly __typename: "IssueComment";
  parent: Issue | PullRequest;
  isMinimized: boolean;
  minimizedReason: string | null;
}

export interface PullRequest extends Tracked {
  readonly __typename: "PullRequest";
  state: "OPEN" | "CLOSED" | "MERGED";
  isDraft: boolean;
  maintainerCanModify: boolean;
  headRefName: string;
  headRefOid: string;
  /** Null when the fork was deleted. */
  headRepository: Repository | null;
  baseRefName: string;
  baseRefOid: string;
  commits: Commit[];
  files: FileChange[];
  mergedAt: string | null;
  mergedBy: Author;
  mergeCommit: Commit | null;
  mergeable: "MERGEABLE" | "CONFLICTING" | "UNKNOWN";
  requestedReviewers: (User | Team)[];
  reviews: Review[];
  reviewThreads: ReviewThread[];
  closingIssues: Issue[];
}

export interface Review extends Written {
  readonly __typename: "PullRequestReview";
  pullRequest: PullRequest;
  state: "PENDING" | "COMMENTED" | "APPROVED" | "CHANGES_REQUESTED" | "DISMISSED";
  /** Null while pending. */
  submittedAt: string | null;
  commit: Commit | null;
  comments: ReviewComment[];
}

export interface ReviewThread {
  readonly __typename: "PullRequestReviewThread";
  readonly id: string;
  pullRequest: PullRequest;
  path: string;
  line: number | null;
  originalLine: number | null;
  startLine: number | null;
  originalStartLine: number | null;
  diffSide: "LEFT" | "RIGHT";
  subjectType: "FILE" | "LINE";
  isCollapsed: boolean;
  isOutdated: boolean;
  isResolved: boolean;
  resolvedBy: User | null;
  comments: ReviewComment[];
}

export interface ReviewComment extends Written {
  readonly __typename: "PullRequestReviewComment";
  pullRequest: PullRequest;
  thread: ReviewThread;
  pullRequestReview: Review | null;
  replyTo: ReviewComment | null;
  diffHunk: string;
  commit: Commit | null;
  originalCommit: Commit | null;
  state: "PENDING" | "SUBMITTED";
}
