import type { Bot, Organization, Team, User } from "./account.ts";
import type { Discussion, DiscussionComment } from "./discussion.ts";
import type { Blob, Commit, Tag, Tree } from "./git.ts";
import type { Issue, IssueComment, Label, Milestone, PullRequest, Review, ReviewComment } from "./issue.ts";
import type { Project } from "./project.ts";
import type { Release, Repository, Topic } from "./repository.ts";
import { nameWithOwner } from "./world.ts";

type Linked =
  | Bot
  | Commit
  | Discussion
  | DiscussionComment
  | Issue
  | IssueComment
  | Label
  | Milestone
  | Organization
  | Project
  | PullRequest
  | Release
  | Repository
  | Review
  | ReviewComment
  | Tag
  | Team
  | Topic
  | Tree
  | Blob
  | User;

/** The path of a record's web page. */
export function webPath(record: Linked): string {
  switch (record.__typename) {
    case "User":
    case "Organization":
      return `/${record.login}`;
    case "Bot":
      return `/apps/${record.login}`;
    case "Team":
      return `/orgs/${record.organization.login}/teams/${record.slug}`;
    case "ProjectV2":
      return `/orgs/${record.owner.login}/projects/${record.number}`;
    case "Topic":
      return `/topics/${record.name}`;
    case "Repository":
      return `/${nameWithOwner(record)}`;
    case "IssueComment":
      return `${webPath(record.parent)}#issuecomment-${record.databaseId}`;
    case "PullRequestReview":
      return `${webPath(record.pullRequest)}#pullrequestreview-${record.databaseId}`;
    case "PullRequestReviewComment":
      return `${webPath(record.pullRequest)}#discussion_r${record.databaseId}`;
    case "DiscussionComment":
      return `${webPath(record.discussion)}#discussioncomment-${record.databaseId}`;
    default:
      return `/${nameWithOwner(record.repository)}/${withinRepository(record)}`;
  }
}

function withinRepository(
  record: Extract<
    Linked,
    {
      __typename: "Blob" | "Commit" | "Discussion" | "Issue" | "Label" | "Milestone" | "PullRequest" | "Release" | "Tag" | "Tree";
    }
  >,
): string {
  switch (record.__typename) {
    case "Issue":
      return `issues/${record.number}`;
    case "PullRequest":
      return `pull/${record.number}`;
    case "Discussion":
      return `discussions/${record.number}`;
    case "Milestone":
      return `milestone/${record.number}`;
    case "Label":
      return `labels/${encodeURIComponent(record.name)}`;
    case "Release":
      return `releases/tag/${encodeURIComponent(record.tagName)}`;
    case "Commit":
      return `commit/${record.oid}`;
    case "Tree":
      return `tree/${record.oid}`;
    case "Blob":
      return `blob/${record.oid}`;
    case "Tag":
      return `tree/${record.name}`;
  }
}
