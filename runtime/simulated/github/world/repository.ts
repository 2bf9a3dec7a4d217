import type { Owner, User } from "./account.ts";
import type { Discussion, DiscussionCategory } from "./discussion.ts";
import type { Blob, Commit, Ref, Tag, Tree } from "./git.ts";
import type { Issue, Label, Milestone, PullRequest, Reaction } from "./issue.ts";

export type Permission = "READ" | "TRIAGE" | "WRITE" | "MAINTAIN" | "ADMIN";

export interface Language {
  readonly __typename: "Language";
  readonly id: string;
  name: string;
  color: string | null;
}

export interface Topic {
  readonly __typename: "Topic";
  readonly id: string;
  name: string;
}

export interface License {
  readonly __typename: "License";
  readonly id: string;
  key: string;
  name: string;
  spdxId: string;
  nickname: string | null;
  url: string;
}

export interface ReleaseAsset {
  readonly __typename: "ReleaseAsset";
  readonly id: string;
  name: string;
  contentType: string;
  size: number;
  downloadCount: number;
  uploadedBy: User;
  createdAt: string;
  updatedAt: string;
}

export interface Release {
  readonly __typename: "Release";
  readonly id: string;
  readonly databaseId: number;
  repository: Repository;
  tagName: string;
  name: string | null;
  description: string | null;
  author: User | null;
  isDraft: boolean;
  isPrerelease: boolean;
  /** Null while it is a draft. */
  publishedAt: string | null;
  createdAt: string;
  updatedAt: string;
  assets: ReleaseAsset[];
  reactions: Reaction[];
}

export interface Stargazer {
  user: User;
  starredAt: string;
}

export interface Collaborator {
  user: User;
  permission: Permission;
}

export interface Repository {
  readonly __typename: "Repository";
  readonly id: string;
  readonly databaseId: number;
  owner: Owner;
  name: string;
  description: string | null;
  homepageUrl: string | null;
  isPrivate: boolean;
  isArchived: boolean;
  archivedAt: string | null;
  isTemplate: boolean;
  isDisabled: boolean;
  isLocked: boolean;
  hasIssuesEnabled: boolean;
  hasDiscussionsEnabled: boolean;
  hasProjectsEnabled: boolean;
  hasWikiEnabled: boolean;
  parent: Repository | null;
  forks: Repository[];
  licenseInfo: License | null;
  languages: { language: Language; size: number }[];
  topics: Topic[];
  diskUsage: number;
  createdAt: string;
  updatedAt: string;
  /** Null for a repository that nobody ever pushed to. */
  pushedAt: string | null;
  defaultBranch: string;
  collaborators: Collaborator[];
  stargazers: Stargazer[];
  watchers: User[];
  labels: Label[];
  milestones: Milestone[];
  issues: Issue[];
  pullRequests: PullRequest[];
  discussions: Discussion[];
  discussionCategories: DiscussionCategory[];
  releases: Release[];
  refs: Ref[];
  /** Every git object by its full SHA. */
  objects: Map<string, Commit | Tree | Blob | Tag>;
  /** The last number given: numbers are unique across issues, pull requests and discussions. */
  lastNumber: number;
}
