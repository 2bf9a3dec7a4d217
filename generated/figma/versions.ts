// Generated from spec/figma/versions.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { versionsStore } from "./facts.ts";
import { type User, userPlan } from "./shared.ts";
import { listParams } from "./validators/versions.js";

/** Saved versions of a file. */
export interface Version {
  /** Key of the file. */
  readonly file: string;
  /** Id. */
  readonly id: string;
  /** When it was created. */
  readonly createdAt: string;
  /** Description. */
  readonly description: string | null;
  /** Name that a person gave the version. */
  readonly label: string | null;
  /** Address of a small picture. */
  readonly thumbnailUrl: string | null;
  /** Who saved it. */
  readonly user: User;
  /** Name of the user. */
  readonly userHandle: string;
}

export interface VersionsListParams {
  /** Key of the file. */
  readonly file: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 50. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const versionPlan: RecordPlan = {
  name: "Version",
  fields: {
    file: { param: "file" },
    id: { read: "id", always: true },
    createdAt: { read: "created_at", always: true, is: "timestamp" },
    description: { read: "description" },
    label: { read: "label" },
    thumbnailUrl: { read: "thumbnail_url" },
    user: { read: "user", always: true, of: () => userPlan },
    userHandle: { read: "user.handle", always: true },
  },
};

/** Lists the versions of a file, newest first. */
export const list: Action<VersionsListParams, Page<Version>> = {
  name: "versions.list",
  traits: actionTraits.list,
  params: ["file", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/v1/files/{file}/versions",
    query: [{ param: "per_page", name: "page_size" }],
    body: [],
    answer: "versions",
    list: { page: { size: "per_page", cursor: "after", max: 100 }, by: { kind: "address", next: "pagination.next_page" } },
    record: versionPlan,
  },
};

/** Saved versions of a file. */
export const entity: Entity = {
  actions: { list },
  record: versionPlan,
  store: versionsStore,
  brief: ["id", "label", "userHandle", "createdAt"],
  sync: [
    {
      scope: "team",
      action: list,
      size: { param: "per_page", value: 50 },
      each: { entity: "files", params: { file: "key" }, changed: "lastModified" },
    },
  ],
  relations: [{ table: "files", on: "files.key = versions.file" }],
};
