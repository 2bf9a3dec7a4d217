// Generated from spec/github/gists.yaml by `make generate`. Do not edit.

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
import { gistsStore } from "./facts.ts";
import { createParams, deleteActionParams, getParams, listParams, updateParams } from "./validators/gists.js";

/** Gists of the token's owner. */
export interface Gist {
  /** ID. */
  readonly id: string;
  /** Number of comments. */
  readonly commentCount: number;
  /** When it was created. */
  readonly createdAt: string;
  /** What it is. */
  readonly description: string | null;
  /** Its files by name, each with `type`, `size`, `raw_url` and, except in lists, `content`. */
  readonly files: Readonly<Record<string, unknown>>;
  /** Login of its owner. */
  readonly ownerLogin: string | null;
  /** Whether everybody may find it. */
  readonly public: boolean;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Address of its web page. */
  readonly url: string;
}

/** Names the gist. */
export interface GistDone {
  /** ID of the gist. */
  readonly gist_id: string;
}

export interface GistsGetParams {
  /** ID of the gist. */
  readonly gist_id: string;
  readonly fields?: readonly FieldPath[];
}

export interface GistsListParams {
  /** Only those that changed after this time. */
  readonly since?: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface GistsCreateParams {
  /** Its files by name, each with its `content`. */
  readonly files: Readonly<Record<string, unknown>>;
  /** What it is. */
  readonly description?: string;
  /** Whether everybody may find it. */
  readonly public?: boolean;
  readonly fields?: readonly FieldPath[];
}

export interface GistsUpdateParams {
  /** ID of the gist. */
  readonly gist_id: string;
  /** What it is. */
  readonly description?: string;
  /** Files to change by name: a new `content`, a new `filename`, or null to remove it. */
  readonly files?: Readonly<Record<string, unknown>>;
  readonly fields?: readonly FieldPath[];
}

export interface GistsDeleteParams {
  /** ID of the gist. */
  readonly gist_id: string;
  readonly fields?: readonly FieldPath[];
}

export const gistPlan: RecordPlan = {
  name: "Gist",
  fields: {
    id: { read: "id", always: true },
    commentCount: { read: "comments", always: true, is: "integer" },
    createdAt: { read: "created_at", always: true, is: "timestamp" },
    description: { read: "description" },
    files: { read: "files", always: true, open: true },
    ownerLogin: { read: "owner.login" },
    public: { read: "public", always: true, is: "boolean" },
    updatedAt: { read: "updated_at", always: true, is: "timestamp" },
    url: { read: "html_url", always: true },
  },
};

export const gistDonePlan: RecordPlan = { name: "GistDone", fields: { gist_id: { param: "gist_id" } } };

/** Reads one gist with the content of its files. */
export const get: Action<GistsGetParams, Single<Gist>> = {
  name: "gists.get",
  traits: actionTraits.get,
  params: ["gist_id"],
  validate: getParams,
  operation: { kind: "rest", method: "GET", path: "/gists/{gist_id}", query: [], body: [], record: gistPlan },
};

/** Lists the gists of the token's owner, the last changed first. */
export const list: Action<GistsListParams, Page<Gist>> = {
  name: "gists.list",
  traits: actionTraits.list,
  params: ["since", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/gists",
    query: ["since", "per_page"],
    body: [],
    list: { page: { size: "per_page", cursor: "after", max: 100 }, by: { kind: "link" } },
    record: gistPlan,
  },
};

/** Creates a gist. */
export const create: Action<GistsCreateParams, Answer<Gist>> = {
  name: "gists.create",
  traits: actionTraits.create,
  params: ["files", "description", "public"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/gists",
    query: [],
    body: ["files", "description", "public"],
    record: gistPlan,
  },
};

/** Changes a gist. */
export const update: Action<GistsUpdateParams, Answer<Gist>> = {
  name: "gists.update",
  traits: actionTraits.update,
  params: ["gist_id", "description", "files"],
  validate: updateParams,
  operation: {
    kind: "rest",
    method: "PATCH",
    path: "/gists/{gist_id}",
    query: [],
    body: ["description", "files"],
    record: gistPlan,
  },
  changes: ["description", "files"],
};

/** Removes a gist. */
export const deleteAction: Action<GistsDeleteParams, Answer<GistDone>> = {
  name: "gists.delete",
  traits: { writes: true, list: false, updates: false, idempotent: true },
  params: ["gist_id"],
  validate: deleteActionParams,
  operation: { kind: "rest", method: "DELETE", path: "/gists/{gist_id}", query: [], body: [], record: gistDonePlan },
};

/** Gists of the token's owner. */
export const entity: Entity = {
  actions: { get, list, create, update, delete: deleteAction },
  record: gistPlan,
  store: gistsStore,
  aliases: ["gist", "snippets"],
  brief: ["id", "description", "public", "url", "updatedAt"],
  sync: [],
};
