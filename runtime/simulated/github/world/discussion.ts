import type { Author } from "./account.ts";
import type { Label, LockReason, Written } from "./issue.ts";
import type { Repository } from "./repository.ts";

export interface DiscussionCategory {
  readonly __typename: "DiscussionCategory";
  readonly id: string;
  repository: Repository;
  name: string;
  slug: string;
  emoji: string;
  description: string | null;
  isAnswerable: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface DiscussionComment extends Written {
  readonly __typename: "DiscussionComment";
  discussion: Discussion;
  replyTo: DiscussionComment | null;
  replies: DiscussionComment[];
  upvoteCount: number;
}

export interface Discussion extends Written {
  readonly __typename: "Discussion";
  repository: Repository;
  number: number;
  title: string;
  category: DiscussionCategory;
  closed: boolean;
  closedAt: string | null;
  stateReason: "DUPLICATE" | "OUTDATED" | "REOPENED" | "RESOLVED" | null;
  locked: boolean;
  activeLockReason: LockReason | null;
  answer: DiscussionComment | null;
  answerChosenAt: string | null;
  answerChosenBy: Author;
  upvoteCount: number;
  labels: Label[];
  comments: DiscussionComment[];
}
