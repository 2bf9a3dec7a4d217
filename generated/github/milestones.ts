// Generated from spec/github/milestones.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { milestonesStore } from "./facts.ts";
import { type Actor, type OpenClosed, type OpenClosedFilter, actorPlan } from "./shared.ts";
import { getParams, listParams } from "./validators/milestones.js";

/** Milestones of a repository. */
export interface Milestone {
  /** GraphQL node ID. */
  readonly id: string;
  /** When it was closed; null while it is open. */
  readonly closedAt: string | null;
  /** When it was created. */
  readonly createdAt: string;
  /** Who created it. */
  readonly creator: Actor | null;
  /** Description. */
  readonly description: string | null;
  /** When it is due. */
  readonly dueOn: string | null;
  /** Number within the repository. */
  readonly number: number;
  /** The repository as `owner/name`. */
  readonly repository: string;
  /** `open` or `closed`. */
  readonly state: OpenClosed;
  /** Title. */
  readonly title: string;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Address of its web page. */
  readonly url: string;
  /** Number of closed issues. */
  readonly closedIssueCount?: number;
  /** Number of open issues. */
  readonly openIssueCount?: number;
  /** Share of issues and pull requests that is closed, in percent. */
  readonly progressPercentage?: number;
}

export interface MilestonesGetParams {
  /** Number of the milestone. */
  readonly number: number;
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  readonly fields?: readonly FieldPath[];
}

export interface MilestonesListParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Which states to list. Default is all. */
  readonly states?: readonly OpenClosedFilter[];
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const milestonePlan: RecordPlan = {
  name: "Milestone",
  on: "Milestone",
  fields: {
    id: { select: "id", read: "id" },
    closedAt: { select: "closedAt", read: "closedAt", is: "timestamp" },
    createdAt: { select: "createdAt", read: "createdAt", is: "timestamp" },
    creator: { select: ["creator{", "}"], read: "creator", of: () => actorPlan },
    description: { select: "description", read: "description" },
    dueOn: { select: "dueOn", read: "dueOn", is: "timestamp" },
    number: { select: "number", read: "number", is: "integer" },
    repository: { select: "repository{nameWithOwner}", read: "repository.nameWithOwner" },
    state: { select: "state", read: "state", as: { kind: "lower" }, values: ["closed", "open"] },
    title: { select: "title", read: "title" },
    updatedAt: { select: "updatedAt", read: "updatedAt", is: "timestamp" },
    url: { select: "url", read: "url" },
    closedIssueCount: {
      select: "closedIssueCount:issues(states: CLOSED){totalCount}",
      read: "closedIssueCount.totalCount",
      is: "integer",
      onRequest: true,
    },
    openIssueCount: {
      select: "openIssueCount:issues(states: OPEN){totalCount}",
      read: "openIssueCount.totalCount",
      is: "integer",
      onRequest: true,
    },
    progressPercentage: { select: "progressPercentage", read: "progressPercentage", is: "number", onRequest: true },
  },
};

/** Reads one milestone by its number. */
export const get: Action<MilestonesGetParams, Single<Milestone>> = {
  name: "milestones.get",
  traits: actionTraits.get,
  params: ["number", "owner", "repo"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query MilestonesGet($owner:String!$repo:String!$number:Int!){repository(owner:$owner name:$repo){milestone(number:$number){...record}}}",
    variables: ["owner", "repo", "number"],
    path: ["repository", "milestone"],
    record: milestonePlan,
  },
};

/** Lists the milestones of a repository by number. */
export const list: Action<MilestonesListParams, Page<Milestone>> = {
  name: "milestones.list",
  traits: actionTraits.list,
  params: ["owner", "repo", "states", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query MilestonesList($owner:String!$repo:String!$states:[MilestoneState!]$first:Int!$after:String){repository(owner:$owner name:$repo){milestones(states:$states orderBy:{field:NUMBER direction:ASC}first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["owner", "repo", "states"],
    path: ["repository", "milestones"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    counts: true,
    record: milestonePlan,
  },
};

/** Milestones of a repository. */
export const entity: Entity = {
  actions: { get, list },
  record: milestonePlan,
  store: milestonesStore,
  brief: ["number", "title", "state", "dueOn"],
  sync: [{ scope: "repository", action: list, size: { param: "per_page", value: 100 } }],
  relations: [{ table: "repositories", on: "repositories.nameWithOwner = milestones.repository" }],
};
