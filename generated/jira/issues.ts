// Generated from spec/jira/issues.yaml by `make generate`. Do not edit.

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
  apiSearchParams,
  createParams,
  deleteActionParams,
  getParams,
  listParams,
  transitionActionParams,
  updateParams,
} from "./validators/issues.js";

/** Issues of a project. */
export interface Issue {
  /** Id. */
  readonly id: string;
  /** Who works on it. */
  readonly assignee: string | null;
  /** Account id of who works on it. */
  readonly assigneeId: string | null;
  /** When it was created. */
  readonly createdAt: string;
  /** Text of its description. */
  readonly description: string | null;
  /** When it is due. */
  readonly dueDate: string | null;
  /** Key. */
  readonly key: string;
  /** Its type, such as `Bug`. */
  readonly kind: string;
  /** Labels. */
  readonly labels: readonly string[];
  /** Key of the issue or epic that it belongs to. */
  readonly parent: string | null;
  /** Name of its priority. */
  readonly priority: string | null;
  /** Key of its project. */
  readonly project: string;
  /** Who reported it. */
  readonly reporter: Person | null;
  /** How it was resolved. */
  readonly resolution: string | null;
  /** When it was resolved. */
  readonly resolvedAt: string | null;
  /** Name of its status. */
  readonly status: string;
  /** `new`, `indeterminate` or `done`. */
  readonly statusCategory: string | null;
  /** Summary. */
  readonly summary: string;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Its description in the Atlassian Document Format. */
  readonly document?: Readonly<Record<string, unknown>> | null;
}

/** Says what was created. */
export interface Created {
  /** Id. */
  readonly id: string;
  /** Key. */
  readonly key: string;
}

/** A user in short. */
export interface Person {
  /** Account id. */
  readonly accountId: string;
  /** Name. */
  readonly displayName: string;
}

export interface IssuesGetParams {
  /** Key or id of the issue. */
  readonly issue: string;
  readonly fields?: readonly FieldPath[];
}

export interface IssuesListParams {
  /** Key of the project. */
  readonly project: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface IssuesApiSearchParams {
  /** Query in JQL. It must restrict what is found. */
  readonly jql: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface IssuesCreateParams {
  /** Name of the type. */
  readonly kind: string;
  /** Key of the project. */
  readonly project: string;
  /** Summary in one line. */
  readonly summary: string;
  /** Account id of who works on it; null for nobody. */
  readonly assignee?: string | null;
  /** Description, of which each line becomes a paragraph. */
  readonly description?: string;
  /** When it is due. */
  readonly dueDate?: string | null;
  /** Labels. They replace those that the issue has. */
  readonly labels?: readonly string[];
  /** Key of the issue or epic that it belongs to. */
  readonly parent?: string;
  /** Name of the priority. */
  readonly priority?: string;
  readonly fields?: readonly FieldPath[];
}

export interface IssuesUpdateParams {
  /** Key or id of the issue. */
  readonly issue: string;
  /** Account id of who works on it; null for nobody. */
  readonly assignee?: string | null;
  /** Description, of which each line becomes a paragraph. */
  readonly description?: string;
  /** When it is due. */
  readonly dueDate?: string | null;
  /** Labels. They replace those that the issue has. */
  readonly labels?: readonly string[];
  /** Name of the priority. */
  readonly priority?: string;
  /** Summary in one line. */
  readonly summary?: string;
  readonly fields?: readonly FieldPath[];
}

export interface IssuesDeleteParams {
  /** Key or id of the issue. */
  readonly issue: string;
  readonly fields?: readonly FieldPath[];
}

export interface IssuesTransitionParams {
  /** Key or id of the issue. */
  readonly issue: string;
  /** Id of the transition; `transitions` lists those of an issue. */
  readonly transition: string;
  readonly fields?: readonly FieldPath[];
}

export const issuePlan: RecordPlan = {
  name: "Issue",
  fields: {
    id: { read: "id", always: true },
    assignee: { read: "fields.assignee.displayName" },
    assigneeId: { read: "fields.assignee.accountId" },
    createdAt: { read: "fields.created", always: true, is: "timestamp" },
    description: { read: "fields.description", as: { kind: "text" } },
    dueDate: { read: "fields.duedate", is: "timestamp" },
    key: { read: "key", always: true },
    kind: { read: "fields.issuetype.name", always: true },
    labels: { read: "fields.labels", list: "empty" },
    parent: { read: "fields.parent.key" },
    priority: { read: "fields.priority.name" },
    project: { read: "fields.project.key", always: true },
    reporter: { read: "fields.reporter", of: () => personPlan },
    resolution: { read: "fields.resolution.name" },
    resolvedAt: { read: "fields.resolutiondate", is: "timestamp" },
    status: { read: "fields.status.name", always: true },
    statusCategory: { read: "fields.status.statusCategory.key" },
    summary: { read: "fields.summary", always: true },
    updatedAt: { read: "fields.updated", always: true, is: "timestamp" },
    document: { read: "fields.description", open: true, onRequest: true },
  },
};

export const createdPlan: RecordPlan = { name: "Created", fields: { id: { read: "id", always: true }, key: { read: "key", always: true } } };

export const personPlan: RecordPlan = {
  name: "Person",
  fields: { accountId: { read: "accountId", always: true }, displayName: { read: "displayName", always: true } },
};

/** Reads one issue. */
export const get: Action<IssuesGetParams, Single<Issue>> = {
  name: "issues.get",
  traits: actionTraits.get,
  params: ["issue"],
  validate: getParams,
  operation: { kind: "rest", method: "GET", path: "/rest/api/3/issue/{issue}", query: [], body: [], record: issuePlan },
};

/** Lists the issues of a project, the last changed first. */
export const list: Action<IssuesListParams, Page<Issue>> = {
  name: "issues.list",
  traits: actionTraits.list,
  params: ["project", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/rest/api/3/search/jql",
    query: [],
    body: [
      { param: "project", name: "jql", as: "project = \"{text}\" ORDER BY updated DESC" },
      { param: "per_page", name: "maxResults" },
    ],
    fixed: {
      body: {
        fields: [
          "project",
          "summary",
          "description",
          "status",
          "issuetype",
          "priority",
          "assignee",
          "reporter",
          "labels",
          "parent",
          "resolution",
          "created",
          "updated",
          "resolutiondate",
          "duedate",
        ],
      },
    },
    answer: "issues",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "cursor", param: "nextPageToken", body: true, next: "nextPageToken" },
    },
    record: issuePlan,
  },
};

/** Finds issues by a query in JQL. */
export const apiSearch: Action<IssuesApiSearchParams, Page<Issue>> = {
  name: "issues.api_search",
  traits: actionTraits.api_search,
  params: ["jql", "after", "per_page"],
  validate: apiSearchParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/rest/api/3/search/jql",
    query: [],
    body: ["jql", { param: "per_page", name: "maxResults" }],
    fixed: {
      body: {
        fields: [
          "project",
          "summary",
          "description",
          "status",
          "issuetype",
          "priority",
          "assignee",
          "reporter",
          "labels",
          "parent",
          "resolution",
          "created",
          "updated",
          "resolutiondate",
          "duedate",
        ],
      },
    },
    answer: "issues",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "cursor", param: "nextPageToken", body: true, next: "nextPageToken" },
    },
    record: issuePlan,
  },
};

/** Creates an issue. */
export const create: Action<IssuesCreateParams, Answer<Created>> = {
  name: "issues.create",
  traits: actionTraits.create,
  params: ["kind", "project", "summary", "assignee", "description", "dueDate", "labels", "parent", "priority"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/rest/api/3/issue",
    query: [],
    body: [
      { param: "kind", name: "issuetype.name" },
      { param: "project", name: "project.key" },
      "summary",
      { param: "assignee", name: "assignee.id" },
      {
        param: "description",
        name: "description",
        as: { content: [{ content: [{ text: "{line}", type: "text" }], type: "paragraph" }], type: "doc", version: 1 },
      },
      { param: "dueDate", name: "duedate" },
      "labels",
      { param: "parent", name: "parent.key" },
      { param: "priority", name: "priority.name" },
    ],
    bodyAt: "fields",
    record: createdPlan,
  },
};

/** Changes an issue. Jira returns nothing. */
export const update: Action<IssuesUpdateParams, Answer<Issue>> = {
  name: "issues.update",
  traits: actionTraits.update,
  params: ["issue", "assignee", "description", "dueDate", "labels", "priority", "summary"],
  validate: updateParams,
  operation: {
    kind: "rest",
    method: "PUT",
    path: "/rest/api/3/issue/{issue}",
    query: [],
    body: [
      { param: "assignee", name: "assignee.id" },
      {
        param: "description",
        name: "description",
        as: { content: [{ content: [{ text: "{line}", type: "text" }], type: "paragraph" }], type: "doc", version: 1 },
      },
      { param: "dueDate", name: "duedate" },
      "labels",
      { param: "priority", name: "priority.name" },
      "summary",
    ],
    bodyAt: "fields",
    record: issuePlan,
  },
  changes: ["assignee", "description", "dueDate", "labels", "priority", "summary"],
};

/** Removes an issue with its comments. */
export const deleteAction: Action<IssuesDeleteParams, Answer<Issue>> = {
  name: "issues.delete",
  traits: { writes: true, list: false, updates: false, idempotent: true },
  params: ["issue"],
  validate: deleteActionParams,
  operation: { kind: "rest", method: "DELETE", path: "/rest/api/3/issue/{issue}", query: [], body: [], record: issuePlan },
};

/** Moves an issue to another status. */
export const transitionAction: Action<IssuesTransitionParams, Answer<Issue>> = {
  name: "issues.transition",
  traits: { writes: true, list: false, updates: false, idempotent: true },
  params: ["issue", "transition"],
  validate: transitionActionParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/rest/api/3/issue/{issue}/transitions",
    query: [],
    body: [{ param: "transition", name: "transition.id" }],
    record: issuePlan,
  },
};

/** Issues of a project. */
export const entity: Entity = {
  actions: { get, list, api_search: apiSearch, create, update, delete: deleteAction, transition: transitionAction },
  record: issuePlan,
  store: issuesStore,
  brief: ["key", "summary", "status", "assignee", "updatedAt"],
  sync: [
    {
      scope: "project",
      action: list,
      size: { param: "per_page", value: 100 },
      cursor: { field: "updatedAt", overlap: 60 },
    },
  ],
};
