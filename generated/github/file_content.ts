// Generated from spec/github/file_content.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Answer,
  type Entity,
  type FieldPath,
  type RecordPlan,
  type Single,
  type SyncBatch,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { fileContentStore } from "./facts.ts";
import { getParams, putActionParams } from "./validators/file_content.js";

/** The text of one file. A binary file does not fail: `text` is null and `isBinary` is true. */
export interface FileContent {
  /** The repository as `owner/name`. */
  readonly repository: string;
  /** Branch, tag or commit that was read. */
  readonly ref: string;
  /** Path within the repository. */
  readonly path: string;
  /** Size in bytes. */
  readonly byteSize: number;
  /** Whether the file is binary. */
  readonly isBinary: boolean | null;
  /** Whether the text was cut: GitHub gives at most 512,000 bytes. */
  readonly isTruncated: boolean;
  /** SHA of the content. */
  readonly oid: string;
  /** The text; null for a binary file. */
  readonly text: string | null;
  /** GraphQL node ID. */
  readonly id?: string;
}

/** The response when a file was written. */
export interface FileWritten {
  /** SHA of the commit. */
  readonly commit_sha: string | null;
  /** Address of its web page. */
  readonly html_url: string | null;
  /** Path within the repository. */
  readonly path: string | null;
  /** SHA of the content. */
  readonly sha: string | null;
}

export interface FileContentGetParams {
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

export interface FileContentPutParams {
  /** The whole content in base64. */
  readonly content: string;
  /** Message of the commit. */
  readonly message: string;
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Path within the repository. */
  readonly path: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Branch to write to; the default branch without it. */
  readonly branch?: string;
  /** SHA of the content that is replaced (`oid` of `get`). A file that exists is not changed without it. */
  readonly sha?: string;
  readonly fields?: readonly FieldPath[];
}

export const fileContentPlan: RecordPlan = {
  name: "FileContent",
  on: "Blob",
  fields: {
    repository: { select: "repository{nameWithOwner}", read: "repository.nameWithOwner" },
    ref: { param: "ref" },
    path: { param: "path" },
    byteSize: { select: "byteSize", read: "byteSize", is: "integer" },
    isBinary: { select: "isBinary", read: "isBinary", is: "boolean" },
    isTruncated: { select: "isTruncated", read: "isTruncated", is: "boolean" },
    oid: { select: "oid", read: "oid" },
    text: { select: "text textCut:isTruncated", read: "text", cut: "textCut" },
    id: { select: "id", read: "id", onRequest: true },
  },
};

export const fileWrittenPlan: RecordPlan = {
  name: "FileWritten",
  brief: ["path", "sha", "commit_sha"],
  fields: {
    commit_sha: { read: "commit.sha" },
    html_url: { read: "content.html_url" },
    path: { read: "content.path" },
    sha: { read: "content.sha" },
  },
};

/** Reads the text of one file. */
export const get: Action<FileContentGetParams, Single<FileContent>> = {
  name: "file_content.get",
  traits: actionTraits.get,
  params: ["owner", "path", "repo", "ref"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query FileContentGet($owner:String!$repo:String!$expression:String){repository(owner:$owner name:$repo){object(expression:$expression){__typename ...record}}}",
    variables: ["owner", "repo"],
    computed: { expression: { template: ["", "ref", ":", "path", ""] } },
    narrow: ["Blob"],
    path: ["repository", "object"],
    record: fileContentPlan,
  },
};

/** Writes a file in a new commit. Needs push access. */
export const putAction: Action<FileContentPutParams, Answer<FileWritten>> = {
  name: "file_content.put",
  traits: { writes: true, list: false, updates: false, idempotent: false },
  params: ["content", "message", "owner", "path", "repo", "branch", "sha"],
  validate: putActionParams,
  operation: {
    kind: "rest",
    method: "PUT",
    path: "/repos/{owner}/{repo}/contents/{path}",
    query: [],
    body: ["content", "message", "branch", "sha"],
    record: fileWrittenPlan,
  },
};

/** How a sync reads for several parents. */
export const getBatch: SyncBatch = {
  size: 20,
  document: {
    frame: ["query FileContentGetBatch($owner:String!$repo:String!", "){repository(owner:$owner name:$repo){", "}}"],
    variables: ["$expression_", ":String"],
    parent: ["p", ":object(expression:$expression_", "){__typename ...record}"],
    own: ["expression"],
    alias: 1,
  },
};

/** The text of one file. A binary file does not fail: `text` is null and `isBinary` is true. */
export const entity: Entity = {
  actions: { get, put: putAction },
  record: fileContentPlan,
  store: fileContentStore,
  aliases: ["file", "files", "contents", "file_contents", "blob"],
  brief: ["path", "ref", "byteSize", "text"],
  sync: [
    {
      scope: "repository",
      action: get,
      each: {
        entity: "directory_content",
        params: { path: "path" },
        where: { type: "blob" },
        atMost: { size: 512000 },
        paths: {
          field: "path",
          include: ["**"],
          exclude: ["**/node_modules/**", "**/vendor/**", "**/dist/**", "**/*.min.*", "**/*.lock", "**/package-lock.json"],
        },
        changed: "oid",
        batch: getBatch,
      },
    },
  ],
  relations: [
    {
      table: "directory_content",
      on: "directory_content.repository = file_content.repository AND directory_content.path = file_content.path",
    },
    { table: "repositories", on: "repositories.nameWithOwner = file_content.repository" },
  ],
};
