import type { User } from "./account.ts";
import type { Repository } from "./repository.ts";

export interface GitPerson {
  name: string;
  email: string;
  date: string;
  user: User | null;
}

export interface FileChange {
  path: string;
  additions: number;
  deletions: number;
  changeType: "ADDED" | "DELETED" | "MODIFIED";
}

export interface Commit {
  readonly __typename: "Commit";
  readonly id: string;
  readonly oid: string;
  readonly repository: Repository;
  message: string;
  author: GitPerson;
  committer: GitPerson;
  parents: Commit[];
  tree: Tree;
  changes: FileChange[];
  signed: boolean;
}

export interface Blob {
  readonly __typename: "Blob";
  readonly id: string;
  readonly oid: string;
  readonly repository: Repository;
  readonly bytes: Buffer;
  readonly isBinary: boolean;
}

export interface Submodule {
  name: string;
  path: string;
  gitUrl: string;
  branch: string | null;
  subprojectCommitOid: string;
}

export interface TreeEntry {
  name: string;
  path: string;
  mode: number;
  type: "blob" | "tree" | "commit";
  oid: string;
  repository: Repository;
  /** Null for a submodule: its commit lives elsewhere. */
  object: Blob | Tree | null;
  submodule: Submodule | null;
}

export interface Tree {
  readonly __typename: "Tree";
  readonly id: string;
  readonly oid: string;
  readonly repository: Repository;
  entries: TreeEntry[];
}

/** An annotated tag. A lightweight one is a Ref straight to a commit. */
export interface Tag {
  readonly __typename: "Tag";
  readonly id: string;
  readonly oid: string;
  readonly repository: Repository;
  name: string;
  message: string;
  tagger: GitPerson;
  target: Commit;
}

export interface Ref {
  readonly __typename: "Ref";
  readonly id: string;
  readonly repository: Repository;
  prefix: "refs/heads/" | "refs/tags/";
  name: string;
  target: Commit | Tag;
}

export type GitObject = Commit | Tree | Blob | Tag;
