import { mainFiles } from "../../../runtime/simulated/github/seed/files.ts";
import { commit, type FileSource, plantTree } from "../../../runtime/simulated/github/seed/git.ts";
import { branch, peel } from "../../../runtime/simulated/github/world/head.ts";
import type { Issue, IssueComment, PullRequest } from "../../../runtime/simulated/github/world/issue.ts";
import type { Repository } from "../../../runtime/simulated/github/world/repository.ts";
import { found } from "./world.ts";

// What people do on the platform while a cache stands beside it.

let last = 0;
/** Ids of what tests add: never those of the seed. */
const identity = (kind: string) => ({ id: `${kind}_added${++last}`, databaseId: 7_000_000_000 + last });

export function addIssue(repository: Repository, at: string, given: Partial<Issue> = {}): Issue {
  const made: Issue = {
    __typename: "Issue",
    ...identity("I"),
    repository,
    number: ++repository.lastNumber,
    title: `Added ${last}`,
    body: `Written at ${at}`,
    author: null,
    state: "OPEN",
    stateReason: null,
    locked: false,
    activeLockReason: null,
    labels: [],
    assignees: [],
    milestone: null,
    comments: [],
    closedAt: null,
    closedBy: null,
    projectItems: [],
    reactions: [],
    createdAt: at,
    updatedAt: at,
    lastEditedAt: null,
    isPinned: false,
    parent: null,
    subIssues: [],
    ...given,
  };
  repository.issues.push(made);
  return made;
}

/** A comment, which moves its thread too. */
export function addComment(parent: Issue | PullRequest, at: string): IssueComment {
  const made: IssueComment = {
    __typename: "IssueComment",
    ...identity("IC"),
    parent,
    author: null,
    body: `Commented at ${at}`,
    createdAt: at,
    updatedAt: at,
    lastEditedAt: null,
    reactions: [],
    isMinimized: false,
    minimizedReason: null,
  };
  parent.comments.push(made);
  parent.updatedAt = at;
  return made;
}

/** A commit on the default branch after which the repository has these files besides or instead; null takes one away. */
export function push(repository: Repository, at: string, files: Readonly<Record<string, FileSource | null>>): void {
  const head = found(branch(repository, repository.defaultBranch));
  const all = new Map(mainFiles());
  for (const [path, source] of Object.entries(files))
    if (source === null) all.delete(path);
    else all.set(path, source);
  const parent = found(peel(head.target));
  head.target = commit(repository, {
    message: `Change at ${at}`,
    by: null,
    at,
    parents: [parent],
    tree: plantTree(repository, all),
    changes: [],
  });
  repository.pushedAt = at;
}

export function remove<Item>(from: Item[], ...gone: readonly Item[]): void {
  from.splice(0, from.length, ...from.filter((one) => !gone.includes(one)));
}

export function removeIssue(repository: Repository, issue: Issue): void {
  remove(repository.issues, issue);
  for (const one of repository.issues) {
    if (one.parent === issue) one.parent = null;
    remove(one.subIssues, issue);
  }
  for (const pull of repository.pullRequests) remove(pull.closingIssues, issue);
}

/** An instant some seconds behind another one, in the platform's form. */
export function later(at: string, seconds: number): string {
  return `${new Date(Date.parse(at) + seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** When the issue that was changed last was changed. */
export function newest({ issues }: Repository): string {
  return issues.reduce((latest, { updatedAt }) => (updatedAt > latest ? updatedAt : latest), "");
}

/** Removes all but the first issues and pull requests. */
export function keepFirst(repository: Repository, issues: number, pullRequests: number): void {
  for (const one of repository.issues.slice(issues)) removeIssue(repository, one);
  for (const one of repository.pullRequests.slice(pullRequests)) remove(repository.pullRequests, one);
}
