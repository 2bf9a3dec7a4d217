// Generated from spec/github/directory_content.yaml by `make generate`. Do not edit.

import { type Entity, type FieldPath, type RecordPlan, listAction } from "../../runtime/contract/index.ts";
import { listParams } from "./validators/directory_content.js";

/** What an entry is. */
export type EntryType = "blob" | "tree" | "commit";

/** The entries of one directory: files, directories and submodules. */
export interface DirectoryEntry {
  /** Name. */
  readonly name: string;
  /** Path within the repository. */
  readonly path: string | null;
  /** `blob` for files, `tree` for directories, `commit` for submodules. */
  readonly type: EntryType;
  /** SHA of the object. */
  readonly oid: string;
  /** Size in bytes; 0 for directories. */
  readonly size: number;
  /** File mode as a decimal number. */
  readonly mode: number;
  /** Extension with its dot; empty when there is none. */
  readonly extension: string | null;
  /** The repository as `owner/name`. */
  readonly repository: string;
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
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Path within the repository. */
  readonly path: string;
  /** Branch, tag or commit SHA; `HEAD` is the default branch. Default `HEAD`. */
  readonly ref?: string;
  readonly fields?: readonly FieldPath[];
}


export const directoryEntryPlan: RecordPlan = {
  name: "DirectoryEntry",
  on: "TreeEntry",
  fields: {
    name: { select: "name", read: "name" },
    path: { select: "path", read: "path" },
    type: { select: "type", read: "type" },
    oid: { select: "oid", read: "oid" },
    size: { select: "size", read: "size" },
    mode: { select: "mode", read: "mode" },
    extension: { select: "extension", read: "extension" },
    repository: { select: "repository{nameWithOwner}", read: "repository.nameWithOwner" },
    isGenerated: { select: "isGenerated", read: "isGenerated", onRequest: true },
    language: { select: "language{name}", read: "language.name", onRequest: true },
    lineCount: { select: "lineCount", read: "lineCount", onRequest: true },
  },
};

/** Lists one directory. The root is the empty path. It is never cut into pages. */
export const list = listAction<DirectoryContentListParams, DirectoryEntry>({
  name: "directory_content.list",
  params: ["owner", "repo", "path", "ref"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query DirectoryContentList($owner:String!$repo:String!$expression:String){repository(owner:$owner name:$repo){object(expression:$expression){...on Tree{entries{...record}}}}}",
    variables: ["owner", "repo"],
    computed: { expression: { template: ["", "ref", ":", "path", ""] } },
    path: ["repository", "object", "entries"],
    record: directoryEntryPlan,
  },
});

/** The entries of one directory: files, directories and submodules. */
export const entity: Entity = { actions: { list } };
