// Generated from spec/github/commits.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { commitsStore } from "./facts.ts";
import { type CommitReference, type GitPerson, commitReferencePlan, gitPersonPlan } from "./shared.ts";
import { getParams, listParams, syncParams } from "./validators/commits.js";

/** Outcome of checks. */
export type CheckState = "error" | "expected" | "failure" | "pending" | "success";

/** Commits of a repository. */
export interface Commit {
  /** GraphQL node ID. */
  readonly id: string;
  /** Lines added. */
  readonly additions: number;
  /** Who wrote it. */
  readonly author: GitPerson | null;
  /** Number of files changed. */
  readonly changedFiles: number | null;
  /** When it was committed. */
  readonly committedAt: string;
  /** Who committed it. */
  readonly committer: GitPerson | null;
  /** When it was written. */
  readonly createdAt: string;
  /** Lines removed. */
  readonly deletions: number;
  /** Whole message. */
  readonly message: string;
  /** First line of the message. */
  readonly messageHeadline: string;
  /** The parent commits. */
  readonly parents: readonly CommitReference[];
  /** The repository as `owner/name`. */
  readonly repository: string;
  /** Full SHA. */
  readonly sha: string;
  /** Address of its web page. */
  readonly url: string;
  /** Short SHA. */
  readonly abbreviatedSha?: string;
  /** Login of the account that wrote it, for cached search. */
  readonly authorLogin?: string | null;
  /** Name of the author in the commit, for cached search. */
  readonly authorName?: string | null;
  /** Outcome of its checks. */
  readonly checks?: CheckState | null;
  /** Whether its signature is valid; null when it is not signed. */
  readonly isVerified?: boolean | null;
  /** Web page of its files. */
  readonly treeUrl?: string;
}

export interface CommitsGetParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** SHA, full or short. */
  readonly sha: string;
  readonly fields?: readonly FieldPath[];
}

export interface CommitsListParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Only commits that modified this path. */
  readonly path?: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface CommitsSyncParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const commitPlan: RecordPlan = {
  name: "Commit",
  on: "Commit",
  fields: {
    id: { select: "id", read: "id" },
    additions: { select: "additions", read: "additions", is: "integer" },
    author: { select: ["author{", "}"], read: "author", of: () => gitPersonPlan },
    changedFiles: { select: "changedFiles:changedFilesIfAvailable", read: "changedFiles", is: "integer" },
    committedAt: { select: "committedAt:committedDate", read: "committedAt", is: "timestamp" },
    committer: { select: ["committer{", "}"], read: "committer", of: () => gitPersonPlan },
    createdAt: { select: "createdAt:authoredDate", read: "createdAt", is: "timestamp" },
    deletions: { select: "deletions", read: "deletions", is: "integer" },
    message: { select: "message", read: "message" },
    messageHeadline: { select: "messageHeadline", read: "messageHeadline" },
    parents: {
      select: ["parents(first:100){nodes{", "}pageInfo{hasNextPage endCursor}}"],
      read: "parents.nodes",
      list: "empty",
      cut: "parents.pageInfo.hasNextPage",
      next: "parents.pageInfo.endCursor",
      of: () => commitReferencePlan,
    },
    repository: { select: "repository{nameWithOwner}", read: "repository.nameWithOwner" },
    sha: { select: "sha:oid", read: "sha" },
    url: { select: "url", read: "url" },
    abbreviatedSha: { select: "abbreviatedSha:abbreviatedOid", read: "abbreviatedSha", onRequest: true },
    authorLogin: { select: "authorLogin:author{user{login}}", read: "authorLogin.user.login", onRequest: true },
    authorName: { select: "authorName:author{name}", read: "authorName.name", onRequest: true },
    checks: {
      select: "checks:statusCheckRollup{state}",
      read: "checks.state",
      as: { kind: "lower" },
      values: ["error", "expected", "failure", "pending", "success"],
      onRequest: true,
    },
    isVerified: { select: "isVerified:signature{isValid}", read: "isVerified.isValid", is: "boolean", onRequest: true },
    treeUrl: { select: "treeUrl", read: "treeUrl", onRequest: true },
  },
  overflow: {
    id: "id",
    batch: 50,
    frame: ["query CommitsOverflow(", "){", "}"],
    variables: ["$id_", ":ID!$after_", ":String"],
    lists: {
      parents: [
        "p",
        ":node(id:$id_",
        "){...on Commit{parents(first:100 after:$after_",
        "){nodes{committedDate messageHeadline sha:oid url}pageInfo{hasNextPage endCursor}}}}",
      ],
    },
  },
};

/** Reads one commit. The name of a branch or of a lightweight tag works as well as a full or short SHA. */
export const get: Action<CommitsGetParams, Single<Commit>> = {
  name: "commits.get",
  traits: actionTraits.get,
  params: ["owner", "repo", "sha"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query CommitsGet($owner:String!$repo:String!$sha:String){repository(owner:$owner name:$repo){object(expression:$sha){__typename ...record}}}",
    variables: ["owner", "repo", "sha"],
    narrow: ["Commit"],
    path: ["repository", "object"],
    record: commitPlan,
  },
};

/** Lists the commits of the default branch, newest first. */
export const list: Action<CommitsListParams, Page<Commit>> = {
  name: "commits.list",
  traits: actionTraits.list,
  params: ["owner", "repo", "path", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query CommitsList($owner:String!$repo:String!$path:String$first:Int!$after:String){repository(owner:$owner name:$repo){defaultBranchRef{target{...on Commit{history(path:$path first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}}}}",
    variables: ["owner", "repo", "path"],
    path: ["repository", "defaultBranchRef", "target", "history"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    counts: true,
    empty: "defaultBranchRef",
    record: commitPlan,
  },
};

/** Reads the commits of the default branch, newest first. */
export const sync: Action<CommitsSyncParams, Page<Commit>> = {
  name: "commits.sync",
  traits: actionTraits.list,
  params: ["owner", "repo", "after", "per_page"],
  validate: syncParams,
  operation: {
    kind: "graphql-list",
    document: "query CommitsSync($owner:String!$repo:String!$first:Int!$after:String){repository(owner:$owner name:$repo){defaultBranchRef{target{...on Commit{history(first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}totalCount}}}}}}",
    variables: ["owner", "repo"],
    path: ["repository", "defaultBranchRef", "target", "history"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    total: "totalCount",
    empty: "defaultBranchRef",
    record: commitPlan,
  },
};

/** Commits of a repository. */
export const entity: Entity = {
  actions: { get, list },
  record: commitPlan,
  store: commitsStore,
  aliases: ["history"],
  brief: ["sha", "messageHeadline", "author.name", "committedAt"],
  sync: [{ scope: "repository", action: sync, size: { param: "per_page", value: 100 }, newestKnown: "sha" }],
  relations: [{ table: "repositories", on: "repositories.nameWithOwner = commits.repository" }],
};
