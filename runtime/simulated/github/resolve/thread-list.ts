import type { PageArguments } from "../../../simulator/graphql/connection.ts";
import { type Order, oneOf, ordered } from "../../../simulator/graphql/order.ts";
import type { Issue, PullRequest } from "../world/issue.ts";

export interface IssueFilters {
  readonly assignee?: string | null;
  readonly createdBy?: string | null;
  readonly labels?: readonly string[] | null;
  readonly milestone?: string | null;
  readonly milestoneNumber?: string | null;
  readonly since?: string | null;
  readonly states?: readonly Issue["state"][] | null;
}

export interface IssueArguments extends PageArguments {
  readonly states?: readonly Issue["state"][] | null;
  readonly labels?: readonly string[] | null;
  readonly filterBy?: IssueFilters | null;
  readonly orderBy?: Order | null;
}

export interface PullRequestArguments extends PageArguments {
  readonly states?: readonly PullRequest["state"][] | null;
  readonly labels?: readonly string[] | null;
  readonly baseRefName?: string | null;
  readonly headRefName?: string | null;
  readonly orderBy?: Order | null;
}

const keys = {
  CREATED_AT: (one: Issue | PullRequest) => one.createdAt,
  UPDATED_AT: (one: Issue | PullRequest) => one.updatedAt,
  COMMENTS: (one: Issue | PullRequest) => one.comments.length,
};

const labelled = (record: Issue | PullRequest, wanted: readonly string[] | null | undefined) =>
  wanted === null || wanted === undefined || wanted.length === 0 || record.labels.some((label) => wanted.includes(label.name));

export function chosenIssues(issues: readonly Issue[], args: IssueArguments): Issue[] {
  const found = issues.filter(
    (issue) => oneOf(args.states, issue.state) && labelled(issue, args.labels) && passes(issue, args.filterBy ?? {}),
  );
  return ordered(found, args.orderBy, keys);
}

/** `*` means any and null means none, as in the web interface. */
function passes(issue: Issue, filter: IssueFilters): boolean {
  const among = (wanted: string | null | undefined, values: readonly string[]) =>
    wanted === undefined ||
    (wanted === null ? values.length === 0 : wanted === "*" ? values.length > 0 : values.includes(wanted));
  return (
    oneOf(filter.states, issue.state) &&
    labelled(issue, filter.labels) &&
    among(
      filter.assignee,
      issue.assignees.map((user) => user.login),
    ) &&
    among(filter.createdBy, issue.author === null ? [] : [issue.author.login]) &&
    among(filter.milestoneNumber ?? filter.milestone, issue.milestone === null ? [] : [String(issue.milestone.number)]) &&
    (filter.since == null || Date.parse(issue.updatedAt) >= Date.parse(filter.since))
  );
}

export function chosenPullRequests(pullRequests: readonly PullRequest[], args: PullRequestArguments): PullRequest[] {
  const found = pullRequests.filter(
    (one) =>
      oneOf(args.states, one.state) &&
      labelled(one, args.labels) &&
      (args.baseRefName ?? one.baseRefName) === one.baseRefName &&
      (args.headRefName ?? one.headRefName) === one.headRefName,
  );
  return ordered(found, args.orderBy, keys);
}
