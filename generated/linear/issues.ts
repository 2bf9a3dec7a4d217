// Generated from spec/linear/issues.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Answer,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { issuesStore } from "./facts.ts";
import {
  type LabelReference,
  type Person,
  type StateReference,
  labelReferencePlan,
  personPlan,
  stateReferencePlan,
} from "./shared.ts";
import {
  apiSearchParams,
  archiveActionParams,
  createParams,
  getParams,
  listParams,
  syncParams,
  updateParams,
} from "./validators/issues.js";

/** Issues of the teams. */
export interface Issue {
  /** Id. */
  readonly id: string;
  /** When it was archived; null where it was not. */
  readonly archivedAt: string | null;
  /** Who works on it. */
  readonly assignee: Person | null;
  /** Name of who works on it. */
  readonly assigneeName: string | null;
  /** When it was canceled. */
  readonly canceledAt: string | null;
  /** When it was completed. */
  readonly completedAt: string | null;
  /** When it was created. */
  readonly createdAt: string;
  /** Id of its cycle. */
  readonly cycle: string | null;
  /** Description in Markdown. */
  readonly description: string | null;
  /** Day on which it is due. */
  readonly dueDate: string | null;
  /** Points. */
  readonly estimate: number | null;
  /** Key of the team and number. */
  readonly identifier: string;
  /** Labels. */
  readonly labels: readonly LabelReference[];
  /** Number within the team. */
  readonly number: number;
  /** Id of the issue that it is a part of. */
  readonly parent: string | null;
  /** 0 none, 1 urgent, 2 high, 3 normal, 4 low. */
  readonly priority: number;
  /** Id of its project. */
  readonly project: string | null;
  /** When work on it began. */
  readonly startedAt: string | null;
  /** Its state. */
  readonly state: StateReference;
  /** Name of its state. */
  readonly stateName: string;
  /** Id of its team. */
  readonly team: string;
  /** Title. */
  readonly title: string;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Address of its web page. */
  readonly url: string;
  /** Name for a Git branch. */
  readonly branchName?: string;
  /** Who created it. */
  readonly creator?: Person | null;
}

export interface IssuesGetParams {
  /** Id or key of the issue. */
  readonly id: string;
  readonly fields?: readonly FieldPath[];
}

export interface IssuesListParams {
  /** Id of the team. */
  readonly team: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface IssuesApiSearchParams {
  /** Text to look for. */
  readonly term: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface IssuesCreateParams {
  /** Id of the team. */
  readonly team: string;
  /** Title. */
  readonly title: string;
  /** Id of the user who works on it. */
  readonly assignee?: string | null;
  /** Description in Markdown. */
  readonly description?: string;
  /** Day on which it is due. */
  readonly dueDate?: string | null;
  /** Points. 0 to 64. */
  readonly estimate?: number | null;
  /** Ids of labels. */
  readonly labels?: readonly string[];
  /** 0 none, 1 urgent, 2 high, 3 normal, 4 low. 0 to 4. */
  readonly priority?: number;
  /** Id of the project. */
  readonly project?: string | null;
  /** Id of the state. */
  readonly state?: string;
  readonly fields?: readonly FieldPath[];
}

export interface IssuesUpdateParams {
  /** Id or key of the issue. */
  readonly id: string;
  /** Id of the user who works on it. */
  readonly assignee?: string | null;
  /** Description in Markdown. */
  readonly description?: string;
  /** Day on which it is due. */
  readonly dueDate?: string | null;
  /** Points. 0 to 64. */
  readonly estimate?: number | null;
  /** Ids of labels. */
  readonly labels?: readonly string[];
  /** 0 none, 1 urgent, 2 high, 3 normal, 4 low. 0 to 4. */
  readonly priority?: number;
  /** Id of the project. */
  readonly project?: string | null;
  /** Id of the state. */
  readonly state?: string;
  /** Title. */
  readonly title?: string;
  readonly fields?: readonly FieldPath[];
}

export interface IssuesArchiveParams {
  /** Id or key of the issue. */
  readonly id: string;
  readonly fields?: readonly FieldPath[];
}

export interface IssuesSyncParams {
  /** Id of the team. */
  readonly team: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const issuePlan: RecordPlan = {
  name: "Issue",
  on: "Issue",
  fields: {
    id: { select: "id", read: "id" },
    archivedAt: { select: "archivedAt", read: "archivedAt", is: "timestamp" },
    assignee: { select: ["assignee{", "}"], read: "assignee", of: () => personPlan },
    assigneeName: { select: "assigneeName:assignee{name}", read: "assigneeName.name" },
    canceledAt: { select: "canceledAt", read: "canceledAt", is: "timestamp" },
    completedAt: { select: "completedAt", read: "completedAt", is: "timestamp" },
    createdAt: { select: "createdAt", read: "createdAt", is: "timestamp" },
    cycle: { select: "cycle{id}", read: "cycle.id" },
    description: { select: "description", read: "description" },
    dueDate: { select: "dueDate", read: "dueDate", is: "timestamp" },
    estimate: { select: "estimate", read: "estimate", as: { kind: "integer" }, is: "integer" },
    identifier: { select: "identifier", read: "identifier" },
    labels: {
      select: ["labels(first:20){nodes{", "}pageInfo{hasNextPage endCursor}}"],
      read: "labels.nodes",
      list: "empty",
      cut: "labels.pageInfo.hasNextPage",
      next: "labels.pageInfo.endCursor",
      of: () => labelReferencePlan,
    },
    number: { select: "number", read: "number", as: { kind: "integer" }, is: "integer" },
    parent: { select: "parent{id}", read: "parent.id" },
    priority: { select: "priority", read: "priority", as: { kind: "integer" }, is: "integer" },
    project: { select: "project{id}", read: "project.id" },
    startedAt: { select: "startedAt", read: "startedAt", is: "timestamp" },
    state: { select: ["state{", "}"], read: "state", of: () => stateReferencePlan },
    stateName: { select: "stateName:state{name}", read: "stateName.name" },
    team: { select: "team{id}", read: "team.id" },
    title: { select: "title", read: "title" },
    updatedAt: { select: "updatedAt", read: "updatedAt", is: "timestamp" },
    url: { select: "url", read: "url" },
    branchName: { select: "branchName", read: "branchName", onRequest: true },
    creator: { select: ["creator{", "}"], read: "creator", onRequest: true, of: () => personPlan },
  },
  overflow: {
    id: "id",
    batch: 50,
    frame: ["query IssuesOverflow(", "){", "}"],
    variables: ["$id_", ":String!$after_", ":String"],
    lists: {
      labels: ["p", ":issue(id:$id_", "){labels(first:100 after:$after_", "){nodes{id name}pageInfo{hasNextPage endCursor}}}"],
    },
  },
};

/** Reads one issue by its id or its key. */
export const get: Action<IssuesGetParams, Single<Issue>> = {
  name: "issues.get",
  traits: actionTraits.get,
  params: ["id"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query IssuesGet($id:String!){issue(id:$id){...record}}",
    variables: ["id"],
    path: ["issue"],
    record: issuePlan,
  },
};

/** Lists the issues of a team, newest first. */
export const list: Action<IssuesListParams, Page<Issue>> = {
  name: "issues.list",
  traits: actionTraits.list,
  params: ["team", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query IssuesList($team:ID$first:Int!$after:String){issues(filter:{team:{id:{eq:$team}}}orderBy:createdAt first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}",
    variables: ["team"],
    path: ["issues"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    record: issuePlan,
  },
};

/** Searches titles and descriptions of all issues for a text. */
export const apiSearch: Action<IssuesApiSearchParams, Page<Issue>> = {
  name: "issues.api_search",
  traits: actionTraits.api_search,
  params: ["term", "after", "per_page"],
  validate: apiSearchParams,
  operation: {
    kind: "graphql-list",
    document: "query IssuesApiSearch($term:String$first:Int!$after:String){issues(filter:{or:[{title:{containsIgnoreCase:$term}}{description:{containsIgnoreCase:$term}}]}first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}",
    variables: ["term"],
    path: ["issues"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    record: issuePlan,
  },
};

/** Creates an issue in a team. */
export const create: Action<IssuesCreateParams, Answer<Issue>> = {
  name: "issues.create",
  traits: actionTraits.create,
  params: ["team", "title", "assignee", "description", "dueDate", "estimate", "labels", "priority", "project", "state"],
  validate: createParams,
  operation: {
    kind: "graphql-write",
    document: "mutation IssuesCreate($input:IssueCreateInput!){issueCreate(input:$input){issue{...record}success}}",
    variables: [],
    computed: {
      input: {
        input: [
          { param: "team", name: "teamId" },
          "title",
          { param: "assignee", name: "assigneeId" },
          "description",
          "dueDate",
          "estimate",
          { param: "labels", name: "labelIds" },
          "priority",
          { param: "project", name: "projectId" },
          { param: "state", name: "stateId" },
        ],
      },
    },
    path: ["issueCreate", "issue"],
    success: ["issueCreate", "success"],
    record: issuePlan,
  },
};

/** Changes an issue. What is left out stays as it is. */
export const update: Action<IssuesUpdateParams, Answer<Issue>> = {
  name: "issues.update",
  traits: actionTraits.update,
  params: ["id", "assignee", "description", "dueDate", "estimate", "labels", "priority", "project", "state", "title"],
  validate: updateParams,
  operation: {
    kind: "graphql-write",
    document: "mutation IssuesUpdate($id:String!$input:IssueUpdateInput!){issueUpdate(id:$id input:$input){issue{...record}success}}",
    variables: ["id"],
    computed: {
      input: {
        input: [
          { param: "assignee", name: "assigneeId" },
          "description",
          "dueDate",
          "estimate",
          { param: "labels", name: "labelIds" },
          "priority",
          { param: "project", name: "projectId" },
          { param: "state", name: "stateId" },
          "title",
        ],
      },
    },
    path: ["issueUpdate", "issue"],
    success: ["issueUpdate", "success"],
    record: issuePlan,
  },
  changes: ["assignee", "description", "dueDate", "estimate", "labels", "priority", "project", "state", "title"],
};

/** Archives an issue. */
export const archiveAction: Action<IssuesArchiveParams, Answer<Issue>> = {
  name: "issues.archive",
  traits: { writes: true, list: false, updates: false, idempotent: true },
  params: ["id"],
  validate: archiveActionParams,
  operation: {
    kind: "graphql-write",
    document: "mutation IssuesArchive($id:String!){issueArchive(id:$id){entity{...record}success}}",
    variables: ["id"],
    path: ["issueArchive", "entity"],
    success: ["issueArchive", "success"],
    record: issuePlan,
  },
};

/** Reads the issues of a team, the last changed first. */
export const sync: Action<IssuesSyncParams, Page<Issue>> = {
  name: "issues.sync",
  traits: actionTraits.list,
  params: ["team", "after", "per_page"],
  validate: syncParams,
  operation: {
    kind: "graphql-list",
    document: "query IssuesSync($team:ID$first:Int!$after:String){issues(filter:{team:{id:{eq:$team}}}orderBy:updatedAt includeArchived:true first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}",
    variables: ["team"],
    path: ["issues"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    record: issuePlan,
  },
};

/** Issues of the teams. */
export const entity: Entity = {
  actions: { get, list, api_search: apiSearch, create, update, archive: archiveAction },
  record: issuePlan,
  store: issuesStore,
  brief: ["identifier", "title", "state.name", "assignee.name", "priority", "updatedAt"],
  sync: [
    {
      scope: "team",
      action: sync,
      size: { param: "per_page", value: 100 },
      cursor: { field: "updatedAt", overlap: 60 },
    },
  ],
  relations: [{ table: "teams", on: "teams.id = issues.team" }],
};
