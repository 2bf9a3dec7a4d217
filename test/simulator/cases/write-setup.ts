import { expect } from "vitest";
import { description } from "../../../runtime/simulated/github/rest/api.ts";
import { type Call, type Json, rest } from "../client.ts";
import { list, platform } from "./setup.ts";

const base = "/repos/octocat/hello-world";
export const issues = `${base}/issues`;
export const pulls = `${base}/pulls`;
const headers = { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" };

export const send = (method: string, path: string, body?: unknown, options: Call = {}) =>
  rest(platform(), method, path, body, { ...options, headers: { ...headers, ...options.headers } });
export const names = (value: Json | undefined, key = "name") => list(value).map((one) => one[key]);

const issuesPath = "/repos/{owner}/{repo}/issues";
const operations = {
  "issues.create": { method: "POST", path: issuesPath },
  "issues.update": { method: "PATCH", path: `${issuesPath}/{issue_number}` },
  "comments.create": { method: "POST", path: `${issuesPath}/{issue_number}/comments` },
  "pull_requests.create": { method: "POST", path: "/repos/{owner}/{repo}/pulls" },
};
export type Operation = keyof typeof operations;

/** What is wrong with the answer of a write, by GitHub's own description. */
export function responseErrors(operation: Operation, status: number, body: unknown) {
  return description.responseErrors(operations[operation], status, body);
}

/** A write that must succeed, and whose answer must be what the platform's description says. */
export async function write(operation: Operation, method: string, path: string, body: unknown, token?: string): Promise<Json> {
  const reply = await send(method, path, body, token === undefined ? {} : { token });
  expect(reply.status, reply.text).toBe(method === "PATCH" ? 200 : 201);
  expect(responseErrors(operation, reply.status, reply.body)).toEqual([]);
  if (method === "POST") expect(reply.headers.get("location")).toBe(reply.body["url"]);
  return reply.body;
}

/** The fields that the interface document lists for the record of a write. */
export const issueFields =
  "id node_id url repository_url labels_url comments_url events_url html_url number state state_reason title body user labels assignees milestone locked comments closed_at created_at updated_at author_association active_lock_reason closed_by timeline_url performed_via_github_app assignee reactions sub_issues_summary type pinned_comment issue_field_values issue_dependencies_summary";
export const commentFields =
  "id node_id url html_url body user created_at updated_at issue_url author_association performed_via_github_app reactions";
export const pullFields =
  "id node_id url html_url diff_url patch_url number state locked title body user created_at updated_at closed_at merged_at merge_commit_sha draft head base author_association labels milestone assignees requested_reviewers comments review_comments commits additions deletions changed_files";
export const complete = (record: Json, fields: string) =>
  expect(Object.keys(record)).toEqual(expect.arrayContaining(fields.split(" ")));
