// Generated from spec/figma/files.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { filesStore } from "./facts.ts";
import { type User, userPlan } from "./shared.ts";
import { getParams, listParams } from "./validators/files.js";

/** Design files and boards. */
export interface File {
  /** Key. */
  readonly key: string;
  /** Id of the folder, where the file was found in its folder. */
  readonly folder: string | null;
  /** When it was last changed. */
  readonly lastModified: string;
  /** Name. */
  readonly name: string;
  /** Address of a small picture. */
  readonly thumbnailUrl: string | null;
}

/** What Figma returns for one file. */
export interface FileDetails {
  /** Who may open it with its link. */
  readonly access: string | null;
  /** Who changed it last. */
  readonly changedBy: User | null;
  /** Who created it. */
  readonly creator: User;
  /** What it is edited with: `figma`, `figjam`, `slides`, `buzz`, `sites` or `make`. */
  readonly editor: string;
  /** Name of its folder. */
  readonly folder: string | null;
  /** When it was last changed. */
  readonly lastModified: string;
  /** Name. */
  readonly name: string;
  /** What the token's user may do with it. */
  readonly role: string | null;
  /** Address of its web page. */
  readonly url: string | null;
  /** Its present version. */
  readonly version: string | null;
}

export interface FilesGetParams {
  /** Key of the file. */
  readonly file: string;
  readonly fields?: readonly FieldPath[];
}

export interface FilesListParams {
  /** Id of the folder. */
  readonly folder: string;
  readonly fields?: readonly FieldPath[];
}

export const filePlan: RecordPlan = {
  name: "File",
  fields: {
    key: { read: "key", always: true },
    folder: { param: "folder" },
    lastModified: { read: "last_modified", always: true, is: "timestamp" },
    name: { read: "name", always: true },
    thumbnailUrl: { read: "thumbnail_url" },
  },
};

export const fileDetailsPlan: RecordPlan = {
  name: "FileDetails",
  fields: {
    access: { read: "link_access" },
    changedBy: { read: "last_touched_by", of: () => userPlan },
    creator: { read: "creator", always: true, of: () => userPlan },
    editor: { read: "editorType", always: true },
    folder: { read: "folder_name" },
    lastModified: { read: "last_touched_at", always: true, is: "timestamp" },
    name: { read: "name", always: true },
    role: { read: "role" },
    url: { read: "url" },
    version: { read: "version" },
  },
};

/** Reads the details of one file. */
export const get: Action<FilesGetParams, Single<FileDetails>> = {
  name: "files.get",
  traits: actionTraits.get,
  params: ["file"],
  validate: getParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/v1/files/{file}/meta",
    query: [],
    body: [],
    answer: "file",
    record: fileDetailsPlan,
  },
};

/** Lists the files in a folder. */
export const list: Action<FilesListParams, Page<File>> = {
  name: "files.list",
  traits: actionTraits.list,
  params: ["folder"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/v2/folders/{folder}/files",
    query: [],
    body: [],
    answer: "files",
    list: { by: { kind: "single" } },
    record: filePlan,
  },
};

/** Design files and boards. */
export const entity: Entity = {
  actions: { get, list },
  record: filePlan,
  store: filesStore,
  brief: ["key", "name", "folder", "lastModified"],
  sync: [{ scope: "team", action: list, each: { entity: "folders", params: { folder: "id" } } }],
  relations: [{ table: "folders", on: "folders.id = files.folder" }],
};
