// Generated from spec/scans.yaml by `make generate`. Do not edit.

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
import { scansStore } from "./facts.ts";
import { createParams, listParams, pictureActionParams } from "./validators/scans.js";

/** When a parcel passed a scanner. */
export interface Scan {
  /** Its id. */
  readonly id: string;
  /** Where its job is. */
  readonly state: string;
}

/** Where a file is. */
export interface Address {
  /** Its address. */
  readonly url: string;
}

export interface ScansListParams {
  /** From. Default `2026-05-01T00:00:00Z`. */
  readonly since?: string;
  /** To. */
  readonly until?: string;
  /** Cursor. */
  readonly after?: string;
  /** Records per page. Default 10. 1 to 10. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface ScansCreateParams {
  /** Picture. */
  readonly picture: { readonly name: string; readonly content: string; readonly contentType?: string };
  readonly fields?: readonly FieldPath[];
}

export interface ScansPictureParams {
  /** Id. */
  readonly scan: string;
  readonly fields?: readonly FieldPath[];
}

export const scanPlan: RecordPlan = { name: "Scan", fields: { id: { read: "id", always: true }, state: { read: "state", always: true } } };

export const addressPlan: RecordPlan = { name: "Address", fields: { url: { read: "url", always: true } } };

/** Lists scans by spans of time. */
export const list: Action<ScansListParams, Page<Scan>> = {
  name: "scans.list",
  traits: actionTraits.list,
  params: ["since", "until", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/scans",
    query: [{ param: "since", name: "from" }, { param: "until", name: "to" }, { param: "per_page", name: "limit" }],
    body: [],
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "window", param: "from", until: "to", since: "since", before: "until", length: 86400000, as: "timestamp" },
    },
    record: scanPlan,
  },
};

/** Uploads a picture, and waits until it was read. */
export const create: Action<ScansCreateParams, Answer<Scan>> = {
  name: "scans.create",
  traits: actionTraits.create,
  params: ["picture"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/scans",
    query: [],
    body: [{ param: "picture", name: "picture", file: true }],
    multipart: true,
    limit: "POST /scans",
    poll: {
      path: "/scans/{scan}",
      places: { scan: { answer: "id" } },
      every: 2000,
      until: [{ state: "done" }],
      failed: [{ state: "lost" }],
      message: "reason",
    },
    record: scanPlan,
  },
};

/** Gives the address of a picture. */
export const pictureAction: Action<ScansPictureParams, Single<Address>> = {
  name: "scans.picture",
  traits: { writes: false, list: false, updates: false, idempotent: true },
  params: ["scan"],
  validate: pictureActionParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/scans/{scan}/picture",
    query: [],
    body: [],
    redirect: "url",
    record: addressPlan,
  },
};

/** When a parcel passed a scanner. */
export const entity: Entity = {
  actions: { list, create, picture: pictureAction },
  record: scanPlan,
  store: scansStore,
  brief: ["id", "state"],
  sync: [],
};
