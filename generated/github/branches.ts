// Generated from spec/github/branches.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { branchesStore } from "./facts.ts";
import { type CommitReference, commitReferencePlan } from "./shared.ts";
import { getParams, listParams } from "./validators/branches.js";

/** Branches of a repository. */
export interface Branch {
  /** The repository as `owner/name`. */
  readonly repository: string;
  /** Name without `refs/heads/`. */
  readonly name: string;
  /** The last commit. */
  readonly commit: CommitReference | null;
  /** GraphQL node ID. */
  readonly id: string;
  /** Number of pull requests from this branch. */
  readonly associatedPullRequestCount?: number;
}

export interface BranchesGetParams {
  /** Name of the branch. */
  readonly branch: string;
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  readonly fields?: readonly FieldPath[];
}

export interface BranchesListParams {
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

export const branchPlan: RecordPlan = {
  name: "Branch",
  on: "Ref",
  fields: {
    repository: { select: "repository{nameWithOwner}", read: "repository.nameWithOwner" },
    name: { select: "name", read: "name" },
    commit: { select: ["commit:target{... on Commit{", "}}"], read: "commit", of: () => commitReferencePlan },
    id: { select: "id", read: "id" },
    associatedPullRequestCount: {
      select: "associatedPullRequestCount:associatedPullRequests{totalCount}",
      read: "associatedPullRequestCount.totalCount",
      is: "integer",
      onRequest: true,
    },
  },
};

/** Reads one branch by its name. */
export const get: Action<BranchesGetParams, Single<Branch>> = {
  name: "branches.get",
  traits: actionTraits.get,
  params: ["branch", "owner", "repo"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query BranchesGet($owner:String!$repo:String!$qualifiedName:String!){repository(owner:$owner name:$repo){ref(qualifiedName:$qualifiedName){...record}}}",
    variables: ["owner", "repo"],
    computed: { qualifiedName: { template: ["refs/heads/", "branch", ""] } },
    path: ["repository", "ref"],
    record: branchPlan,
  },
};

/** Lists the branches of a repository by name. */
export const list: Action<BranchesListParams, Page<Branch>> = {
  name: "branches.list",
  traits: actionTraits.list,
  params: ["owner", "repo", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query BranchesList($owner:String!$repo:String!$first:Int!$after:String){repository(owner:$owner name:$repo){refs(refPrefix:\"refs/heads/\" orderBy:{field:ALPHABETICAL direction:ASC}first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["owner", "repo"],
    path: ["repository", "refs"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    counts: true,
    record: branchPlan,
  },
};

/** Branches of a repository. */
export const entity: Entity = {
  actions: { get, list },
  record: branchPlan,
  store: branchesStore,
  brief: ["name", "commit.sha", "commit.committedDate", "repository"],
  sync: [{ scope: "repository", action: list, size: { param: "per_page", value: 100 } }],
  relations: [{ table: "repositories", on: "repositories.nameWithOwner = branches.repository" }],
};
