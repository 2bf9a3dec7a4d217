import type { Row } from "./shared.ts";

// The fields of the interface document, "Records returned by write actions", word for word.

const issue =
  "id node_id url repository_url labels_url comments_url events_url html_url number state state_reason title body user labels " +
  "assignees milestone locked comments closed_at created_at updated_at author_association active_lock_reason closed_by " +
  "timeline_url performed_via_github_app assignee reactions sub_issues_summary type pinned_comment issue_field_values " +
  "issue_dependencies_summary";
const comment =
  "id node_id url html_url body user created_at updated_at issue_url author_association performed_via_github_app reactions";
const pull =
  "id node_id url html_url diff_url patch_url number state locked title body user created_at updated_at closed_at merged_at " +
  "merge_commit_sha draft head base author_association labels milestone assignees requested_reviewers comments review_comments " +
  "commits additions deletions changed_files";

export const issueFields = issue.split(" ");
export const commentFields = comment.split(" ");
export const pullFields = pull.split(" ");

/** Those members of what the platform answered, as JSON. */
export function only(record: object, fields: readonly string[]): Row {
  const all: Row = JSON.parse(JSON.stringify(record));
  return Object.fromEntries(fields.map((name) => [name, all[name] ?? null]));
}
