// Generated from spec/jira/attachments.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Answer,
  type Entity,
  type FieldPath,
  type RecordPlan,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { attachmentsStore } from "./facts.ts";
import { createParams } from "./validators/attachments.js";

/** A file of an issue. */
export interface Attachment {
  /** Address of its content. */
  readonly content: string;
  /** When it was added. */
  readonly createdAt: string;
  /** Its name. */
  readonly filename: string;
  /** Its id. */
  readonly id: string;
  /** Media type. */
  readonly mimeType: string;
  /** Size in bytes. */
  readonly size: number;
}

export interface AttachmentsCreateParams {
  /** The file. */
  readonly file: { readonly name: string; readonly content: string; readonly contentType?: string };
  /** Key or id of the issue. */
  readonly issue: string;
  readonly fields?: readonly FieldPath[];
}

export const attachmentPlan: RecordPlan = {
  name: "Attachment",
  brief: ["filename", "size"],
  fields: {
    content: { read: "content", always: true },
    createdAt: { read: "created", always: true, is: "timestamp" },
    filename: { read: "filename", always: true },
    id: { read: "id", always: true },
    mimeType: { read: "mimeType", always: true },
    size: { read: "size", always: true, is: "integer" },
  },
};

/** Adds a file to an issue. */
export const create: Action<AttachmentsCreateParams, Answer<Attachment>> = {
  name: "attachments.create",
  traits: actionTraits.create,
  params: ["file", "issue"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/rest/api/3/issue/{issue}/attachments",
    query: [],
    body: [{ param: "file", name: "file", file: true }],
    multipart: true,
    answer: "[0]",
    record: attachmentPlan,
  },
};

/** Files of issues. */
export const entity: Entity = {
  actions: { create },
  record: attachmentPlan,
  store: attachmentsStore,
  brief: ["content", "createdAt", "filename", "id", "mimeType", "size"],
  sync: [],
};
