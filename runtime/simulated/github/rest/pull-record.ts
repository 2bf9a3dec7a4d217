import { association, type Viewer } from "../access.ts";
import type { PullRequest } from "../world/issue.ts";
import { webPath } from "../world/path.ts";
import type { Repository } from "../world/repository.ts";
import { accountOrGhost, accountRecord } from "./account-record.ts";
import { accountOrNull, labelRecord, milestoneRecord } from "./issue-record.ts";
import { repositoryRecord, repositoryUrl } from "./repository-record.ts";

export function pullRecord(rest: string, pull: PullRequest, viewer: Viewer) {
  const repository = repositoryUrl(rest, pull.repository);
  const url = `${repository}/pulls/${pull.number}`;
  const issue = `${repository}/issues/${pull.number}`;
  const html = `https://github.com${webPath(pull)}`;
  const addresses = {
    issue_url: issue,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${repository}/pulls/comments{/number}`,
    comments_url: `${issue}/comments`,
    statuses_url: `${repository}/statuses/${pull.headRefOid}`,
  };
  const assignees = pull.assignees.map((user) => accountRecord(rest, user));
  const people = pull.requestedReviewers.filter((one) => one.__typename === "User");
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    url,
    id: pull.databaseId,
    node_id: pull.id,
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    ...addresses,
    number: pull.number,
    state: pull.state === "OPEN" ? "open" : "closed",
    locked: pull.locked,
    title: pull.title,
    user: accountOrGhost(rest, pull.author),
    body: pull.body === "" ? null : pull.body,
    created_at: pull.createdAt,
    updated_at: pull.updatedAt,
    closed_at: pull.closedAt,
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergeCommit?.oid ?? null,
    assignee: assignees[0] ?? null,
    assignees,
    requested_reviewers: people.map((user) => accountRecord(rest, user)),
    requested_teams: [],
    labels: pull.labels.map((label) => labelRecord(rest, label)),
    milestone: pull.milestone === null ? null : milestoneRecord(rest, pull.milestone),
    draft: pull.isDraft,
    head: side(rest, pull.headRepository ?? pull.repository, pull.headRefName, pull.headRefOid, viewer),
    base: side(rest, pull.repository, pull.baseRefName, pull.baseRefOid, viewer),
    _links: {
      self: { href: url },
      html: { href: html },
      issue: { href: issue },
      comments: { href: addresses.comments_url },
      review_comments: { href: addresses.review_comments_url },
      review_comment: { href: addresses.review_comment_url },
      commits: { href: addresses.commits_url },
      statuses: { href: addresses.statuses_url },
    },
    author_association: association(pull.author, pull.repository),
    auto_merge: null,
    active_lock_reason: null,
    merged: pull.state === "MERGED",
    // GitHub computes it after the answer.
    mergeable: null,
    rebaseable: null,
    mergeable_state: "unknown",
    merged_by: accountOrNull(rest, pull.mergedBy),
    comments: pull.comments.length,
    review_comments: sum(pull.reviewThreads.map((thread) => thread.comments.length)),
    maintainer_can_modify: pull.maintainerCanModify,
    commits: pull.commits.length,
    additions: sum(pull.files.map((file) => file.additions)),
    deletions: sum(pull.files.map((file) => file.deletions)),
    changed_files: pull.files.length,
  };
}

function side(rest: string, repository: Repository, ref: string, sha: string, viewer: Viewer) {
  const user = accountRecord(rest, repository.owner);
  return { label: `${user.login}:${ref}`, ref, sha, user, repo: repositoryRecord(rest, repository, viewer) };
}
