// Generated from spec/github/directory_content.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  actionTraits,
} from "../../runtime/contract/index.ts";
import { listParams } from "./validators/directory_content.js";

/** What an entry is. */
export type EntryType = "blob" | "commit" | "tree";

/** The entries of one directory: files, directories and submodules. */
export interface DirectoryEntry {
  /** The repository as `owner/name`. */
  readonly repository: string;
  /** Branch, tag or commit that was read. */
  readonly ref: string;
  /** Path within the repository. */
  readonly path: string | null;
  /** Extension with its dot; empty when there is none. */
  readonly extension: string | null;
  /** File mode as a decimal number. */
  readonly mode: number;
  /** Name. */
  readonly name: string;
  /** SHA of the object. */
  readonly oid: string;
  /** Size in bytes; 0 for directories. */
  readonly size: number;
  /** `blob` for files, `tree` for directories, `commit` for submodules. */
  readonly type: EntryType;
  /** Whether GitHub thinks that a program made it. */
  readonly isGenerated?: boolean;
  /** Programming language. */
  readonly language?: string | null;
  /** Number of lines. */
  readonly lineCount?: number | null;
}

export interface DirectoryContentListParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Path within the repository. */
  readonly path: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Branch, tag or commit SHA; `HEAD` is the default branch. Default `HEAD`. */
  readonly ref?: string;
  readonly fields?: readonly FieldPath[];
}

export const directoryEntryPlan: RecordPlan = {
  name: "DirectoryEntry",
  on: "TreeEntry",
  fields: {
    repository: { select: "repository{nameWithOwner}", read: "repository.nameWithOwner" },
    ref: { param: "ref" },
    path: { select: "path", read: "path" },
    extension: { select: "extension", read: "extension" },
    mode: { select: "mode", read: "mode" },
    name: { select: "name", read: "name" },
    oid: { select: "oid", read: "oid" },
    size: { select: "size", read: "size" },
    type: { select: "type", read: "type", values: ["blob", "commit", "tree"] },
    isGenerated: { select: "isGenerated", read: "isGenerated", onRequest: true },
    language: { select: "language{name}", read: "language.name", onRequest: true },
    lineCount: { select: "lineCount", read: "lineCount", onRequest: true },
  },
};

/** Lists one directory. The root is the empty path. It is never cut into pages. */
export const list: Action<DirectoryContentListParams, Page<DirectoryEntry>> = {
  name: "directory_content.list",
  traits: actionTraits.list,
  params: ["owner", "path", "repo", "ref"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query DirectoryContentList($owner:String!$repo:String!$expression:String){repository(owner:$owner name:$repo){object(expression:$expression){...on Tree{entries{...record}}}}}",
    variables: ["owner", "repo"],
    computed: { expression: { template: ["", "ref", ":", "path", ""] } },
    path: ["repository", "object", "entries"],
    record: directoryEntryPlan,
  },
};

/** The entries of one directory: files, directories and submodules. */
export const entity: Entity = {
  actions: { list },
  record: directoryEntryPlan,
  store: {
    key: ["repository", "ref", "path"],
    fields: {
      repository: { type: "string", index: "name" },
      ref: { type: "string", index: "exact" },
      path: { type: "string", index: "name", nullable: true },
      extension: { type: "string", index: "exact", nullable: true },
      mode: { type: "integer", index: "exact" },
      name: { type: "string", index: "name" },
      oid: { type: "string", index: "exact" },
      size: { type: "integer", index: "exact" },
      type: { type: "string", index: "exact", values: ["blob", "commit", "tree"] },
    },
  },
  sync: [
    {
      scope: "repository",
      action: list,
      each: {
        entity: "directory_content",
        params: { path: "path" },
        root: { path: "" },
        where: { type: "tree" },
        changed: "oid",
      },
    },
  ],
};
