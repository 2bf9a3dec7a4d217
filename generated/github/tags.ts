// Generated from spec/github/tags.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { tagsStore } from "./facts.ts";
import { type CommitReference, type GitPerson, commitReferencePlan, gitPersonPlan } from "./shared.ts";
import { getParams, listParams } from "./validators/tags.js";

/** Tags of a repository, annotated and lightweight ones. */
export interface Tag {
  /** The repository as `owner/name`. */
  readonly repository: string;
  /** Name without `refs/tags/`. */
  readonly name: string;
  /** Message and author of an annotated tag; null when it is lightweight. */
  readonly annotation: Annotation | null;
  /** The commit of a lightweight tag; null when the tag is annotated. */
  readonly commit: CommitReference | null;
  /** GraphQL node ID. */
  readonly id: string;
  /** The commit that an annotated tag points to; null when it is lightweight. */
  readonly taggedCommit: CommitReference | null;
}

/** What an annotated tag says. */
export interface Annotation {
  /** Message. */
  readonly message: string | null;
  /** SHA of the tag object. */
  readonly sha: string;
  /** Who made it. */
  readonly tagger: GitPerson | null;
}

export interface TagsGetParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Name of the tag. */
  readonly tag: string;
  readonly fields?: readonly FieldPath[];
}

export interface TagsListParams {
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

export const tagPlan: RecordPlan = {
  name: "Tag",
  on: "Ref",
  fields: {
    repository: { select: "repository{nameWithOwner}", read: "repository.nameWithOwner" },
    name: { select: "name", read: "name" },
    annotation: { select: ["annotation:target{... on Tag{", "}}"], read: "annotation", of: () => annotationPlan },
    commit: { select: ["commit:target{... on Commit{", "}}"], read: "commit", of: () => commitReferencePlan },
    id: { select: "id", read: "id" },
    taggedCommit: {
      select: ["taggedCommit:target{... on Tag{target{... on Commit{", "}}}}"],
      read: "taggedCommit.target",
      of: () => commitReferencePlan,
    },
  },
};

export const annotationPlan: RecordPlan = {
  name: "Annotation",
  on: "Tag",
  fields: {
    message: { select: "message", read: "message" },
    sha: { select: "sha:oid", read: "sha" },
    tagger: { select: ["tagger{", "}"], read: "tagger", of: () => gitPersonPlan },
  },
};

/** Reads one tag by its name. */
export const get: Action<TagsGetParams, Single<Tag>> = {
  name: "tags.get",
  traits: actionTraits.get,
  params: ["owner", "repo", "tag"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query TagsGet($owner:String!$repo:String!$qualifiedName:String!){repository(owner:$owner name:$repo){ref(qualifiedName:$qualifiedName){...record}}}",
    variables: ["owner", "repo"],
    computed: { qualifiedName: { template: ["refs/tags/", "tag", ""] } },
    path: ["repository", "ref"],
    record: tagPlan,
  },
};

/** Lists the tags of a repository, the latest commit first. */
export const list: Action<TagsListParams, Page<Tag>> = {
  name: "tags.list",
  traits: actionTraits.list,
  params: ["owner", "repo", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query TagsList($owner:String!$repo:String!$first:Int!$after:String){repository(owner:$owner name:$repo){refs(refPrefix:\"refs/tags/\" orderBy:{field:TAG_COMMIT_DATE direction:DESC}first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["owner", "repo"],
    path: ["repository", "refs"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    counts: true,
    record: tagPlan,
  },
};

/** Tags of a repository, annotated and lightweight ones. */
export const entity: Entity = {
  actions: { get, list },
  record: tagPlan,
  store: tagsStore,
  brief: ["name", "commit.sha", "commit.committedDate", "repository"],
  sync: [{ scope: "repository", action: list, size: { param: "per_page", value: 100 } }],
  relations: [{ table: "repositories", on: "repositories.nameWithOwner = tags.repository" }],
};
