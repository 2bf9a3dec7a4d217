// Generated from spec/github/webhooks.yaml by `make generate`. Do not edit.

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
import { webhooksStore } from "./facts.ts";
import { type Done, donePlan } from "./shared.ts";
import {
  createParams,
  deleteActionParams,
  getParams,
  listParams,
  pingActionParams,
  updateParams,
} from "./validators/webhooks.js";

/** Addresses that GitHub calls when something happens in a repository. `tenon webhook` manages those that lead to Tenon. */
export interface Webhook {
  /** Numeric ID. */
  readonly id: number;
  /** Whether it is called. */
  readonly active: boolean;
  /** `json`, or `form`. */
  readonly contentType: string | null;
  /** When it was created. */
  readonly createdAt: string;
  /** Events for which it is called; `*` means all. */
  readonly events: readonly string[];
  /** HTTP status with which the address responded last. */
  readonly lastStatus: number | null;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Address that is called. */
  readonly url: string;
}

export interface WebhooksGetParams {
  /** ID of the webhook. */
  readonly hook_id: number;
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  readonly fields?: readonly FieldPath[];
}

export interface WebhooksListParams {
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

export interface WebhooksCreateParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Address to call. */
  readonly url: string;
  /** `json`, or `form`. Default `json`. */
  readonly contentType?: string;
  /** Events for which it is called; `*` means all. Default *. */
  readonly events?: readonly string[];
  /** Text with which GitHub signs what it sends. */
  readonly secret?: string;
  readonly fields?: readonly FieldPath[];
}

export interface WebhooksUpdateParams {
  /** ID of the webhook. */
  readonly hook_id: number;
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Whether it is called. */
  readonly active?: boolean;
  /** `json`, or `form`. */
  readonly contentType?: string;
  /** Events for which it is called; `*` means all. */
  readonly events?: readonly string[];
  /** New secret. Give the address with it. */
  readonly secret?: string;
  /** New address. Give the secret with it. */
  readonly url?: string;
  readonly fields?: readonly FieldPath[];
}

export interface WebhooksDeleteParams {
  /** ID of the webhook. */
  readonly hook_id: number;
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  readonly fields?: readonly FieldPath[];
}

export interface WebhooksPingParams {
  /** ID of the webhook. */
  readonly hook_id: number;
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  readonly fields?: readonly FieldPath[];
}

export const webhookPlan: RecordPlan = {
  name: "Webhook",
  fields: {
    id: { read: "id", always: true, is: "integer" },
    active: { read: "active", always: true, is: "boolean" },
    contentType: { read: "config.content_type" },
    createdAt: { read: "created_at", always: true, is: "timestamp" },
    events: { read: "events", list: "empty" },
    lastStatus: { read: "last_response.code", is: "integer" },
    updatedAt: { read: "updated_at", always: true, is: "timestamp" },
    url: { read: "config.url", always: true },
  },
};

/** Reads one webhook. */
export const get: Action<WebhooksGetParams, Single<Webhook>> = {
  name: "webhooks.get",
  traits: actionTraits.get,
  params: ["hook_id", "owner", "repo"],
  validate: getParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/repos/{owner}/{repo}/hooks/{hook_id}",
    query: [],
    body: [],
    record: webhookPlan,
  },
};

/** Lists the webhooks of a repository. The token has to administer it. */
export const list: Action<WebhooksListParams, Page<Webhook>> = {
  name: "webhooks.list",
  traits: actionTraits.list,
  params: ["owner", "repo", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/repos/{owner}/{repo}/hooks",
    query: ["per_page"],
    body: [],
    list: { page: { size: "per_page", cursor: "after", max: 100 }, by: { kind: "link" } },
    record: webhookPlan,
  },
};

/** Has an address called when something happens in a repository. */
export const create: Action<WebhooksCreateParams, Answer<Webhook>> = {
  name: "webhooks.create",
  traits: actionTraits.create,
  params: ["owner", "repo", "url", "contentType", "events", "secret"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/repos/{owner}/{repo}/hooks",
    query: [],
    body: [
      { param: "url", name: "config.url" },
      { param: "contentType", name: "config.content_type" },
      "events",
      { param: "secret", name: "config.secret" },
    ],
    record: webhookPlan,
  },
};

/** Changes a webhook. */
export const update: Action<WebhooksUpdateParams, Answer<Webhook>> = {
  name: "webhooks.update",
  traits: actionTraits.update,
  params: ["hook_id", "owner", "repo", "active", "contentType", "events", "secret", "url"],
  validate: updateParams,
  operation: {
    kind: "rest",
    method: "PATCH",
    path: "/repos/{owner}/{repo}/hooks/{hook_id}",
    query: [],
    body: [
      "active",
      { param: "contentType", name: "config.content_type" },
      "events",
      { param: "secret", name: "config.secret" },
      { param: "url", name: "config.url" },
    ],
    record: webhookPlan,
  },
  changes: ["active", "contentType", "events", "secret", "url"],
};

/** Removes a webhook. */
export const deleteAction: Action<WebhooksDeleteParams, Answer<Done>> = {
  name: "webhooks.delete",
  traits: { writes: true, list: false, updates: false, idempotent: true },
  params: ["hook_id", "owner", "repo"],
  validate: deleteActionParams,
  operation: {
    kind: "rest",
    method: "DELETE",
    path: "/repos/{owner}/{repo}/hooks/{hook_id}",
    query: [],
    body: [],
    record: donePlan,
  },
};

/** Has GitHub call the webhook with the event `ping`. */
export const pingAction: Action<WebhooksPingParams, Answer<Done>> = {
  name: "webhooks.ping",
  traits: { writes: true, list: false, updates: false, idempotent: true },
  params: ["hook_id", "owner", "repo"],
  validate: pingActionParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/repos/{owner}/{repo}/hooks/{hook_id}/pings",
    query: [],
    body: [],
    record: donePlan,
  },
};

/** Addresses that GitHub calls when something happens in a repository. `tenon webhook` manages those that lead to Tenon. */
export const entity: Entity = {
  actions: { get, list, create, update, delete: deleteAction, ping: pingAction },
  record: webhookPlan,
  store: webhooksStore,
  brief: ["id", "url", "active", "events"],
  sync: [],
};
