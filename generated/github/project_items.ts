// Generated from spec/github/project_items.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type SyncBatch,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { projectItemsStore } from "./facts.ts";
import {
  type Account,
  type Actor,
  type LabelReference,
  type OpenClosed,
  accountPlan,
  actorPlan,
  labelReferencePlan,
} from "./shared.ts";
import { listParams } from "./validators/project_items.js";

/** What an item is. */
export type ProjectItemKind = "draft_issue" | "issue" | "pull_request" | "redacted";

/** Items of a project: issues, pull requests and draft issues, each with its values of the project's fields. */
export interface ProjectItem {
  /** GraphQL node ID. */
  readonly id: string;
  /** The issue, pull request or draft issue; null when the token may not see it. */
  readonly content: ProjectItemContent | null;
  /** When it was created. */
  readonly createdAt: string;
  /** Numeric ID of the REST API. */
  readonly databaseId: number | null;
  /** Whether the item is archived. */
  readonly isArchived: boolean;
  /** What the item is. */
  readonly kind: ProjectItemKind;
  /** Login of the organization; null for a project of a user. */
  readonly organization: string | null;
  /** Number of the project. */
  readonly project: number;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Values of the project's fields that are set. Cached search finds the texts, options, iterations, milestones and repositories among them. */
  readonly values: readonly ProjectItemValue[];
  /** The people assigned. */
  readonly assignees?: readonly Account[];
  /** Who added it. */
  readonly creator?: Actor | null;
  /** Labels. */
  readonly labels?: readonly LabelReference[];
  /** The repository as `owner/name`. */
  readonly repository?: string | null;
  /** Title. */
  readonly title?: string | null;
}

/** The issue, pull request or draft issue behind an item. */
export interface ProjectItemContent {
  /** The people assigned. */
  readonly assignees: readonly Account[];
  /** Text in Markdown. */
  readonly body?: string | null;
  /** GraphQL node ID. */
  readonly id: string | null;
  /** `Issue`, `PullRequest` or `DraftIssue`. */
  readonly kind: string;
  /** When a pull request was merged. */
  readonly mergedAt: string | null;
  /** Number within the repository; null for a draft. */
  readonly number: number | null;
  /** Repository as `owner/name`; null for a draft. */
  readonly repository: string | null;
  /** `open` or `closed`; null for a draft. */
  readonly state: OpenClosed | null;
  /** Title. */
  readonly title: string | null;
  /** Address of its web page; null for a draft. */
  readonly url: string | null;
}

/** Value of one field of the project. Which member holds the value depends on the kind of field. */
export interface ProjectItemValue {
  /** Date. */
  readonly date: string | null;
  /** Name of the field. */
  readonly field: string | null;
  /** Title of the iteration. */
  readonly iteration: string | null;
  /** Length of the iteration in days. */
  readonly iterationDays: number | null;
  /** First day of the iteration. */
  readonly iterationStart: string | null;
  /** Kind of value in GitHub's schema. */
  readonly kind: string;
  /** Labels. */
  readonly labels?: readonly LabelReference[] | null;
  /** Title of the milestone. */
  readonly milestone: string | null;
  /** Number. */
  readonly number: number | null;
  /** Name of the option chosen. */
  readonly option: string | null;
  /** Repository as `owner/name`. */
  readonly repository: string | null;
  /** Text. */
  readonly text: string | null;
  /** People. */
  readonly users?: readonly Account[] | null;
}

export interface ProjectItemsListParams {
  /** Login of the organization. */
  readonly org: string;
  /** Number of the project within the organization. */
  readonly project_number: number;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 20. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const projectItemPlan: RecordPlan = {
  name: "ProjectItem",
  on: "ProjectV2Item",
  fields: {
    id: { select: "id", read: "id" },
    content: { select: ["content{", "}"], read: "content", of: () => projectItemContentPlan },
    createdAt: { select: "createdAt", read: "createdAt", is: "timestamp" },
    databaseId: { select: "databaseId:fullDatabaseId", read: "databaseId", as: { kind: "integer" }, is: "integer" },
    isArchived: { select: "isArchived", read: "isArchived", is: "boolean" },
    kind: {
      select: "kind:type",
      read: "kind",
      as: { kind: "lower" },
      values: ["draft_issue", "issue", "pull_request", "redacted"],
    },
    organization: { select: "organization:project{owner{... on Organization{login}}}", read: "organization.owner.login" },
    project: { select: "project{number}", read: "project.number", is: "integer" },
    updatedAt: { select: "updatedAt", read: "updatedAt", is: "timestamp" },
    values: {
      select: ["values:fieldValues(first:50){nodes{", "}pageInfo{hasNextPage endCursor}}"],
      read: "values.nodes",
      list: "empty",
      cut: "values.pageInfo.hasNextPage",
      next: "values.pageInfo.endCursor",
      of: () => projectItemValuePlan,
    },
    assignees: {
      select: [
        "assignees:content{... on Issue{assignees(first:100){nodes{",
        "}pageInfo{hasNextPage endCursor}}}}assignees:content{... on PullRequest{assignees(first:100){nodes{",
        "}pageInfo{hasNextPage endCursor}}}}assignees:content{... on DraftIssue{assignees(first:100){nodes{",
        "}pageInfo{hasNextPage endCursor}}}}",
      ],
      read: "assignees.assignees.nodes",
      list: "empty",
      cut: "assignees.assignees.pageInfo.hasNextPage",
      next: "assignees.assignees.pageInfo.endCursor",
      onRequest: true,
      of: () => accountPlan,
    },
    creator: { select: ["creator{", "}"], read: "creator", onRequest: true, of: () => actorPlan },
    labels: {
      select: [
        "labels:content{... on Issue{labels(first:100){nodes{",
        "}pageInfo{hasNextPage endCursor}}}}labels:content{... on PullRequest{labels(first:100){nodes{",
        "}pageInfo{hasNextPage endCursor}}}}",
      ],
      read: "labels.labels.nodes",
      list: "empty",
      cut: "labels.labels.pageInfo.hasNextPage",
      next: "labels.labels.pageInfo.endCursor",
      onRequest: true,
      of: () => labelReferencePlan,
    },
    repository: {
      select: "repository:content{... on Issue{repository{nameWithOwner}}} repository:content{... on PullRequest{repository{nameWithOwner}}}",
      read: "repository.repository.nameWithOwner",
      onRequest: true,
    },
    title: {
      select: "title:content{... on Issue{title}} title:content{... on PullRequest{title}} title:content{... on DraftIssue{title}}",
      read: "title.title",
      onRequest: true,
    },
  },
  overflow: {
    id: "id",
    batch: 50,
    frame: ["query ProjectItemsOverflow(", "){", "}"],
    variables: ["$id_", ":ID!$after_", ":String"],
    lists: {
      values: [
        "p",
        ":node(id:$id_",
        "){...on ProjectV2Item{values:fieldValues(first:100 after:$after_",
        "){nodes{...on ProjectV2ItemFieldDateValue{date}...on ProjectV2ItemFieldValueCommon{field{...on ProjectV2FieldCommon{name}}}...on ProjectV2ItemFieldMilestoneValue{field{...on ProjectV2FieldCommon{name}}}...on ProjectV2ItemFieldRepositoryValue{field{...on ProjectV2FieldCommon{name}}}...on ProjectV2ItemFieldLabelValue{field{...on ProjectV2FieldCommon{name}}}...on ProjectV2ItemFieldUserValue{field{...on ProjectV2FieldCommon{name}}}...on ProjectV2ItemFieldPullRequestValue{field{...on ProjectV2FieldCommon{name}}}...on ProjectV2ItemFieldReviewerValue{field{...on ProjectV2FieldCommon{name}}}...on ProjectV2ItemFieldIterationValue{iteration:title}...on ProjectV2ItemFieldIterationValue{iterationDays:duration}...on ProjectV2ItemFieldIterationValue{iterationStart:startDate}kind:__typename ...on ProjectV2ItemFieldMilestoneValue{milestone{title}}...on ProjectV2ItemFieldNumberValue{number}...on ProjectV2ItemFieldSingleSelectValue{option:name}...on ProjectV2ItemFieldRepositoryValue{repository{nameWithOwner}}...on ProjectV2ItemFieldTextValue{text}}pageInfo{hasNextPage endCursor}}}}",
      ],
      assignees: [
        "p",
        ":node(id:$id_",
        "){...on ProjectV2Item{assignees:content{...on Issue{assignees(first:100 after:$after_",
        "){nodes{databaseId id login url}pageInfo{hasNextPage endCursor}}}}assignees:content{...on PullRequest{assignees(first:100 after:$after_",
        "){nodes{databaseId id login url}pageInfo{hasNextPage endCursor}}}}assignees:content{...on DraftIssue{assignees(first:100 after:$after_",
        "){nodes{databaseId id login url}pageInfo{hasNextPage endCursor}}}}}}",
      ],
      labels: [
        "p",
        ":node(id:$id_",
        "){...on ProjectV2Item{labels:content{...on Issue{labels(first:100 after:$after_",
        "){nodes{color id name}pageInfo{hasNextPage endCursor}}}}labels:content{...on PullRequest{labels(first:100 after:$after_",
        "){nodes{color id name}pageInfo{hasNextPage endCursor}}}}}}",
      ],
    },
  },
};

export const projectItemContentPlan: RecordPlan = {
  name: "ProjectItemContent",
  on: "ProjectV2ItemContent",
  fields: {
    assignees: {
      select: [
        "... on Issue{assignees(first:5){nodes{",
        "}pageInfo{hasNextPage}}}... on PullRequest{assignees(first:5){nodes{",
        "}pageInfo{hasNextPage}}}... on DraftIssue{assignees(first:5){nodes{",
        "}pageInfo{hasNextPage}}}",
      ],
      read: "assignees.nodes",
      list: "empty",
      cut: "assignees.pageInfo.hasNextPage",
      of: () => accountPlan,
    },
    body: { select: "... on Issue{body} ... on PullRequest{body} ... on DraftIssue{body}", read: "body", onRequest: true },
    id: { select: "... on Node{id}", read: "id" },
    kind: { select: "kind:__typename", read: "kind" },
    mergedAt: { select: "... on PullRequest{mergedAt}", read: "mergedAt", is: "timestamp" },
    number: { select: "... on Issue{number} ... on PullRequest{number}", read: "number", is: "integer" },
    repository: {
      select: "... on Issue{repository{nameWithOwner}} ... on PullRequest{repository{nameWithOwner}}",
      read: "repository.nameWithOwner",
    },
    state: {
      select: "... on Issue{stateOnIssue:state} ... on PullRequest{stateOnPullRequest:state}",
      read: ["stateOnIssue", "stateOnPullRequest"],
      as: { kind: "map", values: { CLOSED: "closed", MERGED: "closed", OPEN: "open" } },
      values: ["closed", "open"],
    },
    title: { select: "... on Issue{title} ... on PullRequest{title} ... on DraftIssue{title}", read: "title" },
    url: { select: "... on Issue{url} ... on PullRequest{url}", read: "url" },
  },
};

export const projectItemValuePlan: RecordPlan = {
  name: "ProjectItemValue",
  on: "ProjectV2ItemFieldValue",
  fields: {
    date: { select: "... on ProjectV2ItemFieldDateValue{date}", read: "date", is: "timestamp" },
    field: {
      select: "... on ProjectV2ItemFieldValueCommon{field{... on ProjectV2FieldCommon{name}}} ... on ProjectV2ItemFieldMilestoneValue{field{... on ProjectV2FieldCommon{name}}} ... on ProjectV2ItemFieldRepositoryValue{field{... on ProjectV2FieldCommon{name}}} ... on ProjectV2ItemFieldLabelValue{field{... on ProjectV2FieldCommon{name}}} ... on ProjectV2ItemFieldUserValue{field{... on ProjectV2FieldCommon{name}}} ... on ProjectV2ItemFieldPullRequestValue{field{... on ProjectV2FieldCommon{name}}} ... on ProjectV2ItemFieldReviewerValue{field{... on ProjectV2FieldCommon{name}}}",
      read: "field.name",
    },
    iteration: { select: "... on ProjectV2ItemFieldIterationValue{iteration:title}", read: "iteration" },
    iterationDays: { select: "... on ProjectV2ItemFieldIterationValue{iterationDays:duration}", read: "iterationDays", is: "integer" },
    iterationStart: {
      select: "... on ProjectV2ItemFieldIterationValue{iterationStart:startDate}",
      read: "iterationStart",
      is: "timestamp",
    },
    kind: { select: "kind:__typename", read: "kind" },
    labels: {
      select: ["... on ProjectV2ItemFieldLabelValue{labels(first:20){nodes{", "}pageInfo{hasNextPage}}}"],
      read: "labels.nodes",
      list: "nullable",
      cut: "labels.pageInfo.hasNextPage",
      onRequest: true,
      of: () => labelReferencePlan,
    },
    milestone: { select: "... on ProjectV2ItemFieldMilestoneValue{milestone{title}}", read: "milestone.title" },
    number: { select: "... on ProjectV2ItemFieldNumberValue{number}", read: "number", is: "number" },
    option: { select: "... on ProjectV2ItemFieldSingleSelectValue{option:name}", read: "option" },
    repository: { select: "... on ProjectV2ItemFieldRepositoryValue{repository{nameWithOwner}}", read: "repository.nameWithOwner" },
    text: { select: "... on ProjectV2ItemFieldTextValue{text}", read: "text" },
    users: {
      select: ["... on ProjectV2ItemFieldUserValue{users(first:20){nodes{", "}pageInfo{hasNextPage}}}"],
      read: "users.nodes",
      list: "nullable",
      cut: "users.pageInfo.hasNextPage",
      onRequest: true,
      of: () => accountPlan,
    },
  },
};

/** Lists the items of a project in the order of the project. Items are expensive for GitHub, so the default page is smaller. */
export const list: Action<ProjectItemsListParams, Page<ProjectItem>> = {
  name: "project_items.list",
  traits: actionTraits.list,
  params: ["org", "project_number", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query ProjectItemsList($org:String!$project_number:Int!$first:Int!$after:String){organization(login:$org){projectV2(number:$project_number){items(first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}}",
    variables: ["org", "project_number"],
    path: ["organization", "projectV2", "items"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    counts: true,
    record: projectItemPlan,
  },
};

/** How a sync reads for several parents. */
export const listBatch: SyncBatch = {
  size: 10,
  first: 20,
  document: {
    frame: ["query ProjectItemsListBatch($org:String!$first:Int!", "){organization(login:$org){", "}}"],
    variables: ["$project_number_", ":Int!$after_", ":String"],
    parent: [
      "p",
      ":projectV2(number:$project_number_",
      "){items(first:$first after:$after_",
      "){nodes{...record}pageInfo{hasNextPage endCursor}}}",
    ],
    own: ["project_number", "after"],
    alias: 1,
  },
};

/** Items of a project: issues, pull requests and draft issues, each with its values of the project's fields. */
export const entity: Entity = {
  actions: { list },
  record: projectItemPlan,
  store: projectItemsStore,
  aliases: ["project_v2_items", "cards"],
  brief: ["kind", "content.number", "content.title", "isArchived", "updatedAt"],
  sync: [
    {
      scope: "organization",
      action: list,
      size: { param: "per_page", value: 20 },
      each: { entity: "projects", params: { project_number: "number" }, changed: "updatedAt", batch: listBatch },
    },
  ],
  relations: [
    { table: "projects", on: "projects.key = ANY(project_items.parent)" },
    { table: "organizations", on: "organizations.login = project_items.organization" },
    { table: "repositories", on: "repositories.nameWithOwner = project_items.repository" },
  ],
};
