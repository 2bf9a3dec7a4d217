import { association } from "../access.ts";
import type { Author } from "../world/account.ts";
import type { Issue, IssueComment, Label, Milestone, PullRequest, Reaction, ReactionContent } from "../world/issue.ts";
import { webPath } from "../world/path.ts";
import { accountOrGhost, accountRecord } from "./account-record.ts";
import { repositoryUrl } from "./repository-record.ts";

const reactionNames: Readonly<Record<ReactionContent, string>> = {
  THUMBS_UP: "+1",
  THUMBS_DOWN: "-1",
  LAUGH: "laugh",
  CONFUSED: "confused",
  HEART: "heart",
  HOORAY: "hooray",
  ROCKET: "rocket",
  EYES: "eyes",
};

const web = (record: Parameters<typeof webPath>[0]) => `https://github.com${webPath(record)}`;
export const accountOrNull = (rest: string, author: Author) => (author === null ? null : accountRecord(rest, author));

function reactionRecord(url: string, reactions: readonly Reaction[]) {
  const counts = Object.entries(reactionNames).map(([content, name]) => [
    name,
    reactions.filter((one) => one.content === content).length,
  ]);
  return { url: `${url}/reactions`, total_count: reactions.length, ...Object.fromEntries(counts) };
}

export function labelRecord(rest: string, label: Label) {
  return {
    id: label.databaseId,
    node_id: label.id,
    url: `${repositoryUrl(rest, label.repository)}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    color: label.color,
    default: label.isDefault,
    description: label.description,
  };
}

export function milestoneRecord(rest: string, milestone: Milestone) {
  const url = `${repositoryUrl(rest, milestone.repository)}/milestones/${milestone.number}`;
  const own = [...milestone.repository.issues, ...milestone.repository.pullRequests].filter((one) => one.milestone === milestone);
  const open = own.filter((one) => one.state === "OPEN").length;
  return {
    url,
    html_url: web(milestone),
    labels_url: `${url}/labels`,
    id: milestone.databaseId,
    node_id: milestone.id,
    number: milestone.number,
    title: milestone.title,
    description: milestone.description,
    creator: accountOrNull(rest, milestone.creator),
    open_issues: open,
    closed_issues: own.length - open,
    state: milestone.state.toLowerCase(),
    created_at: milestone.createdAt,
    updated_at: milestone.updatedAt,
    due_on: milestone.dueOn,
    closed_at: milestone.closedAt,
  };
}

/** An issue; a pull request seen as an issue has `pull_request` besides. */
export function issueRecord(rest: string, issue: Issue | PullRequest) {
  const repository = repositoryUrl(rest, issue.repository);
  const url = `${repository}/issues/${issue.number}`;
  const assignees = issue.assignees.map((user) => accountRecord(rest, user));
  const { subIssues, stateReason } = issue.__typename === "Issue" ? issue : { subIssues: [], stateReason: null };
  const completed = subIssues.filter((one) => one.state === "CLOSED").length;
  return {
    url,
    repository_url: repository,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: web(issue),
    id: issue.databaseId,
    node_id: issue.id,
    number: issue.number,
    title: issue.title,
    user: accountOrGhost(rest, issue.author),
    labels: issue.labels.map((label) => labelRecord(rest, label)),
    state: issue.state === "OPEN" ? "open" : "closed",
    state_reason: stateReason === null ? null : stateReason.toLowerCase(),
    locked: issue.locked,
    assignee: assignees[0] ?? null,
    assignees,
    milestone: issue.milestone === null ? null : milestoneRecord(rest, issue.milestone),
    comments: issue.comments.length,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    closed_by: accountOrNull(rest, issue.closedBy),
    author_association: association(issue.author, issue.repository),
    active_lock_reason: issue.activeLockReason === null ? null : issue.activeLockReason.toLowerCase().replaceAll("_", " "),
    body: issue.body === "" ? null : issue.body,
    reactions: reactionRecord(url, issue.reactions),
    timeline_url: `${url}/timeline`,
    performed_via_github_app: null,
    type: null,
    pinned_comment: null,
    issue_field_values: [],
    sub_issues_summary: {
      total: subIssues.length,
      completed,
      percent_completed: subIssues.length === 0 ? 0 : Math.floor((100 * completed) / subIssues.length),
    },
    issue_dependencies_summary: { blocked_by: 0, total_blocked_by: 0, blocking: 0, total_blocking: 0 },
    ...(issue.__typename === "PullRequest" ? { draft: issue.isDraft, pull_request: pullLinks(rest, issue) } : {}),
  };
}

function pullLinks(rest: string, pull: PullRequest) {
  const page = web(pull);
  const url = `${repositoryUrl(rest, pull.repository)}/pulls/${pull.number}`;
  return { url, html_url: page, diff_url: `${page}.diff`, patch_url: `${page}.patch`, merged_at: pull.mergedAt };
}

export function commentRecord(rest: string, comment: IssueComment) {
  const { repository, number } = comment.parent;
  const url = `${repositoryUrl(rest, repository)}/issues/comments/${comment.databaseId}`;
  return {
    url,
    html_url: web(comment),
    issue_url: `${repositoryUrl(rest, repository)}/issues/${number}`,
    id: comment.databaseId,
    node_id: comment.id,
    user: accountOrGhost(rest, comment.author),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    body: comment.body,
    author_association: association(comment.author, repository),
    reactions: reactionRecord(url, comment.reactions),
    performed_via_github_app: null,
    pin: null,
    minimized: null,
  };
}
