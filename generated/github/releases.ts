// Generated from spec/github/releases.yaml by `make generate`. Do not edit.

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
import { releasesStore } from "./facts.ts";
import { type Account, type CommitReference, accountPlan, commitReferencePlan } from "./shared.ts";
import { createParams, getParams, listParams } from "./validators/releases.js";

/** Releases of a repository, with their notes and files. */
export interface Release {
  /** GraphQL node ID. */
  readonly id: string;
  /** Who made it; null when the account was deleted. */
  readonly author: Account | null;
  /** When it was created. */
  readonly createdAt: string;
  /** Numeric ID of the REST API. */
  readonly databaseId: number | null;
  /** Notes in Markdown. */
  readonly description: string | null;
  /** Whether it is a draft. */
  readonly isDraft: boolean;
  /** Whether it is the latest release. */
  readonly isLatest: boolean;
  /** Whether it is a prerelease. */
  readonly isPrerelease: boolean;
  /** Title. */
  readonly name: string | null;
  /** When it was published; null for a draft. */
  readonly publishedAt: string | null;
  /** The repository as `owner/name`. */
  readonly repository: string;
  /** Name of its tag. */
  readonly tagName: string;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Address of its web page. */
  readonly url: string;
  /** Its files. */
  readonly assets?: readonly ReleaseAsset[];
  /** Login of the account that wrote it, for cached search. */
  readonly authorLogin?: string | null;
  /** The commit of its tag. */
  readonly commit?: CommitReference | null;
  /** Number of reactions. */
  readonly reactionCount?: number;
}

/** A file of a release. */
export interface ReleaseAsset {
  /** Media type. */
  readonly contentType: string;
  /** How often it was downloaded. */
  readonly downloadCount: number;
  /** Address to download it. */
  readonly downloadUrl: string;
  /** GraphQL node ID. */
  readonly id: string;
  /** File name. */
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
}

/** The response when a release is created. Names are those of GitHub's REST API. */
export interface ReleaseRecord {
  /** Who made it. */
  readonly author: Readonly<Record<string, unknown>>;
  /** Notes in Markdown. */
  readonly body: string | null;
  /** When it was created. */
  readonly created_at: string;
  /** Whether it is a draft. */
  readonly draft: boolean;
  /** Address of its web page. */
  readonly html_url: string;
  /** Numeric ID. */
  readonly id: number;
  /** Title. */
  readonly name: string | null;
  /** GraphQL node ID. */
  readonly node_id: string;
  /** Whether it is a prerelease. */
  readonly prerelease: boolean;
  /** When it was published; null for a draft. */
  readonly published_at: string | null;
  /** Name of its tag. */
  readonly tag_name: string;
  /** Branch or commit of its tag. */
  readonly target_commitish: string;
}

export interface ReleasesGetParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Name of the release's tag. */
  readonly tag: string;
  readonly fields?: readonly FieldPath[];
}

export interface ReleasesListParams {
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

export interface ReleasesCreateParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Name of the tag. */
  readonly tag_name: string;
  /** Notes in Markdown. */
  readonly body?: string;
  /** Whether it stays a draft. */
  readonly draft?: boolean;
  /** Title. */
  readonly name?: string;
  /** Whether it is a prerelease. */
  readonly prerelease?: boolean;
  /** Branch or commit of a new tag; the default branch without it. */
  readonly target_commitish?: string;
  readonly fields?: readonly FieldPath[];
}

export const releasePlan: RecordPlan = {
  name: "Release",
  on: "Release",
  fields: {
    id: { select: "id", read: "id" },
    author: { select: ["author{", "}"], read: "author", of: () => accountPlan },
    createdAt: { select: "createdAt", read: "createdAt", is: "timestamp" },
    databaseId: { select: "databaseId", read: "databaseId", as: { kind: "integer" }, is: "integer" },
    description: { select: "description", read: "description" },
    isDraft: { select: "isDraft", read: "isDraft", is: "boolean" },
    isLatest: { select: "isLatest", read: "isLatest", is: "boolean" },
    isPrerelease: { select: "isPrerelease", read: "isPrerelease", is: "boolean" },
    name: { select: "name", read: "name" },
    publishedAt: { select: "publishedAt", read: "publishedAt", is: "timestamp" },
    repository: { select: "repository{nameWithOwner}", read: "repository.nameWithOwner" },
    tagName: { select: "tagName", read: "tagName" },
    updatedAt: { select: "updatedAt", read: "updatedAt", is: "timestamp" },
    url: { select: "url", read: "url" },
    assets: {
      select: ["assets:releaseAssets(first:100){nodes{", "}pageInfo{hasNextPage endCursor}}"],
      read: "assets.nodes",
      list: "empty",
      cut: "assets.pageInfo.hasNextPage",
      next: "assets.pageInfo.endCursor",
      onRequest: true,
      of: () => releaseAssetPlan,
    },
    authorLogin: { select: "authorLogin:author{login}", read: "authorLogin.login", onRequest: true },
    commit: { select: ["commit:tagCommit{", "}"], read: "commit", onRequest: true, of: () => commitReferencePlan },
    reactionCount: { select: "reactionCount:reactions{totalCount}", read: "reactionCount.totalCount", is: "integer", onRequest: true },
  },
  overflow: {
    id: "id",
    batch: 50,
    frame: ["query ReleasesOverflow(", "){", "}"],
    variables: ["$id_", ":ID!$after_", ":String"],
    lists: {
      assets: [
        "p",
        ":node(id:$id_",
        "){...on Release{assets:releaseAssets(first:100 after:$after_",
        "){nodes{contentType downloadCount downloadUrl id name size}pageInfo{hasNextPage endCursor}}}}",
      ],
    },
  },
};

export const releaseAssetPlan: RecordPlan = {
  name: "ReleaseAsset",
  on: "ReleaseAsset",
  fields: {
    contentType: { select: "contentType", read: "contentType" },
    downloadCount: { select: "downloadCount", read: "downloadCount", is: "integer" },
    downloadUrl: { select: "downloadUrl", read: "downloadUrl" },
    id: { select: "id", read: "id" },
    name: { select: "name", read: "name" },
    size: { select: "size", read: "size", is: "integer" },
  },
};

export const releaseRecordPlan: RecordPlan = {
  name: "ReleaseRecord",
  brief: ["id", "tag_name", "name", "html_url"],
  fields: {
    author: { read: "author", always: true, open: true },
    body: { read: "body" },
    created_at: { read: "created_at", always: true, is: "timestamp" },
    draft: { read: "draft", always: true, is: "boolean" },
    html_url: { read: "html_url", always: true },
    id: { read: "id", always: true, is: "integer" },
    name: { read: "name" },
    node_id: { read: "node_id", always: true },
    prerelease: { read: "prerelease", always: true, is: "boolean" },
    published_at: { read: "published_at", is: "timestamp" },
    tag_name: { read: "tag_name", always: true },
    target_commitish: { read: "target_commitish", always: true },
  },
};

/** Reads one release by the name of its tag. */
export const get: Action<ReleasesGetParams, Single<Release>> = {
  name: "releases.get",
  traits: actionTraits.get,
  params: ["owner", "repo", "tag"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query ReleasesGet($owner:String!$repo:String!$tag:String!){repository(owner:$owner name:$repo){release(tagName:$tag){...record}}}",
    variables: ["owner", "repo", "tag"],
    path: ["repository", "release"],
    record: releasePlan,
  },
};

/** Lists the releases of a repository, newest first. */
export const list: Action<ReleasesListParams, Page<Release>> = {
  name: "releases.list",
  traits: actionTraits.list,
  params: ["owner", "repo", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query ReleasesList($owner:String!$repo:String!$first:Int!$after:String){repository(owner:$owner name:$repo){releases(orderBy:{field:CREATED_AT direction:DESC}first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["owner", "repo"],
    path: ["repository", "releases"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    counts: true,
    record: releasePlan,
  },
};

/** Publishes a release, and makes its tag where there is none. Needs push access. */
export const create: Action<ReleasesCreateParams, Answer<ReleaseRecord>> = {
  name: "releases.create",
  traits: actionTraits.create,
  params: ["owner", "repo", "tag_name", "body", "draft", "name", "prerelease", "target_commitish"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/repos/{owner}/{repo}/releases",
    query: [],
    body: ["tag_name", "body", "draft", "name", "prerelease", "target_commitish"],
    record: releaseRecordPlan,
  },
};

/** Releases of a repository, with their notes and files. */
export const entity: Entity = {
  actions: { get, list, create },
  record: releasePlan,
  store: releasesStore,
  brief: ["tagName", "name", "isPrerelease", "publishedAt"],
  sync: [{ scope: "repository", action: list, size: { param: "per_page", value: 100 } }],
  relations: [{ table: "repositories", on: "repositories.nameWithOwner = releases.repository" }],
};
