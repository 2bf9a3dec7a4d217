// Generated from spec/github/connector.yaml by `make generate`. Do not edit.

import { type Client, type ClientPlan, type ConnectorClass, connectorClass } from "../../runtime/client/index.ts";
import type * as branches from "./branches.ts";
import type * as code from "./code.ts";
import type * as comments from "./comments.ts";
import type * as commits from "./commits.ts";
import type * as directoryContent from "./directory_content.ts";
import type * as discussions from "./discussions.ts";
import type * as fileContent from "./file_content.ts";
import type * as gists from "./gists.ts";
import type * as issues from "./issues.ts";
import type * as labels from "./labels.ts";
import type * as milestones from "./milestones.ts";
import type * as notifications from "./notifications.ts";
import type * as orgRepositories from "./org_repositories.ts";
import type * as organizations from "./organizations.ts";
import type * as prComments from "./pr_comments.ts";
import type * as projectItems from "./project_items.ts";
import type * as projects from "./projects.ts";
import type * as pullRequests from "./pull_requests.ts";
import type * as releases from "./releases.ts";
import type * as repositories from "./repositories.ts";
import type * as reviews from "./reviews.ts";
import type * as stargazers from "./stargazers.ts";
import type * as tags from "./tags.ts";
import type * as teams from "./teams.ts";
import type * as users from "./users.ts";
import type * as viewer from "./viewer.ts";
import type * as viewerRepositories from "./viewer_repositories.ts";
import type * as webhookDeliveries from "./webhook_deliveries.ts";
import type * as webhooks from "./webhooks.ts";
import type * as workflowJobs from "./workflow_jobs.ts";
import type * as workflowRuns from "./workflow_runs.ts";

export * from "../../runtime/client/index.ts";
export type { Branch, BranchesGetParams, BranchesListParams } from "./branches.ts";
export type { CodeApiSearchParams, CodeMatch } from "./code.ts";
export type { Comment, CommentRecord, CommentsCreateParams, CommentsGetParams, CommentsListParams } from "./comments.ts";
export type { CheckState, Commit, CommitsGetParams, CommitsListParams } from "./commits.ts";
export type { DirectoryContentListParams, DirectoryEntry, EntryType } from "./directory_content.ts";
export type { Discussion, DiscussionAnswer, DiscussionCategory, DiscussionStateReason, DiscussionsApiSearchParams, DiscussionsGetParams, DiscussionsListParams } from "./discussions.ts";
export type { FileContent, FileContentGetParams, FileContentPutParams, FileWritten } from "./file_content.ts";
export type { Gist, GistDone, GistsCreateParams, GistsDeleteParams, GistsGetParams, GistsListParams, GistsUpdateParams } from "./gists.ts";
export type { Issue, IssueRecord, IssueReference, IssueStateReason, IssueStateReasonChange, IssuesApiSearchParams, IssuesCreateParams, IssuesGetParams, IssuesListParams, IssuesUpdateParams, SubIssues } from "./issues.ts";
export type { Label, LabelsGetParams, LabelsListParams } from "./labels.ts";
export type { Milestone, MilestonesGetParams, MilestonesListParams } from "./milestones.ts";
export type { Notification, NotificationDone, NotificationsGetParams, NotificationsListParams, NotificationsMarkDoneParams, NotificationsMarkReadParams } from "./notifications.ts";
export type { OrgRepositoriesListParams } from "./org_repositories.ts";
export type { Organization, OrganizationsGetParams, OrganizationsListParams } from "./organizations.ts";
export type { PrCommentsGetParams, PrCommentsListParams, ReviewComment } from "./pr_comments.ts";
export type { ProjectItem, ProjectItemContent, ProjectItemKind, ProjectItemValue, ProjectItemsListParams } from "./project_items.ts";
export type { Project, ProjectField, ProjectsGetParams, ProjectsListParams } from "./projects.ts";
export type { MergeMethod, MergeResult, Mergeable, PullRequest, PullRequestRecord, PullRequestStatesFilter, PullRequestsApiSearchParams, PullRequestsCreateParams, PullRequestsGetParams, PullRequestsListParams, PullRequestsMergeParams, PullRequestsUpdateParams, ReviewDecision, Reviewer } from "./pull_requests.ts";
export type { Release, ReleaseAsset, ReleaseRecord, ReleasesCreateParams, ReleasesGetParams, ReleasesListParams } from "./releases.ts";
export type { Language, License, RepositoriesApiSearchParams, RepositoriesGetParams, RepositoriesListParams, Repository, RepositoryOwner, RepositoryPermission, RepositoryVisibility, Topic } from "./repositories.ts";
export type { Review, ReviewEvent, ReviewRecord, ReviewState, ReviewsCreateParams, ReviewsListParams } from "./reviews.ts";
export type { Stargazer, StargazersListParams } from "./stargazers.ts";
export type { Annotation, Tag, TagsGetParams, TagsListParams } from "./tags.ts";
export type { Team, TeamPrivacy, TeamsGetParams, TeamsListParams } from "./teams.ts";
export type { User, UsersApiSearchParams, UsersGetParams, UsersListParams } from "./users.ts";
export type { ViewerGetParams } from "./viewer.ts";
export type { ViewerRepositoriesListParams } from "./viewer_repositories.ts";
export type { WebhookDeliveriesListParams, WebhookDeliveriesRedeliverParams, WebhookDelivery } from "./webhook_deliveries.ts";
export type { Webhook, WebhooksCreateParams, WebhooksDeleteParams, WebhooksGetParams, WebhooksListParams, WebhooksPingParams, WebhooksUpdateParams } from "./webhooks.ts";
export type { WorkflowJob, WorkflowJobsGetParams, WorkflowJobsListParams, WorkflowJobsLogsParams, WorkflowStep } from "./workflow_jobs.ts";
export type { WorkflowRun, WorkflowRunDone, WorkflowRunsCancelParams, WorkflowRunsGetParams, WorkflowRunsListParams, WorkflowRunsLogsParams, WorkflowRunsRerunFailedParams, WorkflowRunsRerunParams } from "./workflow_runs.ts";
export type { Account, Actor, AuthorAssociation, CommitReference, Done, GitPerson, LabelReference, LogAddress, MilestoneReference, OpenClosed, OpenClosedFilter } from "./shared.ts";

/** What the methods of {@link GitHub} take and return. */
export interface GitHubEntities {
  /** Branches of a repository. */
  branches: {
    name: "branches";
    actions: Pick<typeof branches, "get" | "list">;
    record: branches.Branch;
    search: { repository: "string"; name: "string" };
  };
  /** Files whose content has certain words, as GitHub's code search finds them. */
  code: {
    name: "code";
    actions: Pick<typeof code, "apiSearch">;
    record: code.CodeMatch;
    search: {  };
  };
  /** Comments on issues and on the conversation of pull requests. Comments on lines of code are `pr_comments`. */
  comments: {
    name: "comments";
    actions: Pick<typeof comments, "get" | "list" | "create">;
    record: comments.Comment;
    search: { id: "string"; body: "string"; createdAt: "timestamp"; databaseId: "integer"; number: "integer"; repository: "string"; updatedAt: "timestamp"; url: "string"; authorLogin: "string" };
    semantic: "body";
  };
  /** Commits of a repository. */
  commits: {
    name: "commits";
    actions: Pick<typeof commits, "get" | "list">;
    record: commits.Commit;
    search: { additions: "integer"; committedAt: "timestamp"; createdAt: "timestamp"; deletions: "integer"; message: "string"; messageHeadline: "string"; parents: "string[]"; repository: "string"; sha: "string"; url: "string"; authorLogin: "string"; authorName: "string" };
  };
  /** The entries of one directory: files, directories and submodules. */
  directoryContent: {
    name: "directory_content";
    actions: Pick<typeof directoryContent, "list">;
    record: directoryContent.DirectoryEntry;
    search: { repository: "string"; ref: "string"; path: "string"; extension: "string"; mode: "integer"; name: "string"; oid: "string"; size: "integer"; type: "string" };
  };
  /** Discussions of a repository. */
  discussions: {
    name: "discussions";
    actions: Pick<typeof discussions, "get" | "list" | "apiSearch">;
    record: discussions.Discussion;
    search: { id: "string"; answerChosenAt: "timestamp"; body: "string"; closedAt: "timestamp"; commentCount: "integer"; createdAt: "timestamp"; databaseId: "integer"; isAnswered: "boolean"; labels: "string[]"; locked: "boolean"; number: "integer"; repository: "string"; state: "string"; stateReason: "string"; title: "string"; updatedAt: "timestamp"; upvoteCount: "integer"; url: "string"; authorLogin: "string"; categorySlug: "string" };
  };
  /** The text of one file. A binary file does not fail: `text` is null and `isBinary` is true. */
  fileContent: {
    name: "file_content";
    actions: Pick<typeof fileContent, "get"> & { put: typeof fileContent.putAction };
    record: fileContent.FileContent;
    search: { repository: "string"; ref: "string"; path: "string"; byteSize: "integer"; isBinary: "boolean"; isTruncated: "boolean"; oid: "string"; text: "string" };
  };
  /** Gists of the token's owner. */
  gists: {
    name: "gists";
    actions: Pick<typeof gists, "get" | "list" | "create" | "update"> & { delete: typeof gists.deleteAction };
    record: gists.Gist;
    search: {  };
  };
  /** Issues of a repository. GitHub numbers issues and pull requests together; this entity has only the issues. */
  issues: {
    name: "issues";
    actions: Pick<typeof issues, "get" | "list" | "apiSearch" | "create" | "update">;
    record: issues.Issue;
    search: { id: "string"; assignees: "string[]"; body: "string"; closedAt: "timestamp"; commentCount: "integer"; createdAt: "timestamp"; databaseId: "integer"; labels: "string[]"; locked: "boolean"; number: "integer"; repository: "string"; state: "string"; stateReason: "string"; title: "string"; updatedAt: "timestamp"; url: "string"; authorLogin: "string"; milestoneTitle: "string" };
    semantic: "body";
  };
  /** Labels of a repository. */
  labels: {
    name: "labels";
    actions: Pick<typeof labels, "get" | "list">;
    record: labels.Label;
    search: { id: "string"; color: "string"; description: "string"; isDefault: "boolean"; name: "string"; repository: "string"; url: "string" };
  };
  /** Milestones of a repository. */
  milestones: {
    name: "milestones";
    actions: Pick<typeof milestones, "get" | "list">;
    record: milestones.Milestone;
    search: { id: "string"; closedAt: "timestamp"; createdAt: "timestamp"; description: "string"; dueOn: "timestamp"; number: "integer"; repository: "string"; state: "string"; title: "string"; updatedAt: "timestamp" };
  };
  /** Notifications for the owner of the token. It needs a classic personal access token. */
  notifications: {
    name: "notifications";
    actions: Pick<typeof notifications, "get" | "list"> & { markDone: typeof notifications.markDoneAction; markRead: typeof notifications.markReadAction };
    record: notifications.Notification;
    search: {  };
  };
  /** Repositories that an organization owns. */
  orgRepositories: {
    name: "org_repositories";
    actions: Pick<typeof orgRepositories, "list">;
    record: repositories.Repository;
    search: { id: "string"; createdAt: "timestamp"; databaseId: "integer"; defaultBranch: "string"; description: "string"; forkCount: "integer"; isArchived: "boolean"; isFork: "boolean"; isPrivate: "boolean"; name: "string"; nameWithOwner: "string"; ownerLogin: "string"; pushedAt: "timestamp"; stargazerCount: "integer"; topics: "string[]"; updatedAt: "timestamp"; url: "string"; visibility: "string"; languages: "string[]"; licenseKey: "string"; organization: "string"; primaryLanguageName: "string"; repository: "string" };
  };
  /** Organizations, one by login or those of a user. */
  organizations: {
    name: "organizations";
    actions: Pick<typeof organizations, "get" | "list">;
    record: organizations.Organization;
    search: { id: "string"; createdAt: "timestamp"; databaseId: "integer"; description: "string"; email: "string"; isVerified: "boolean"; location: "string"; login: "string"; member: "string[]"; name: "string" };
  };
  /** Comments on lines of code of a pull request. Comments on its conversation are `comments`. */
  prComments: {
    name: "pr_comments";
    actions: Pick<typeof prComments, "get" | "list">;
    record: prComments.ReviewComment;
    search: { id: "string"; body: "string"; createdAt: "timestamp"; databaseId: "integer"; line: "integer"; number: "integer"; outdated: "boolean"; path: "string"; repository: "string"; updatedAt: "timestamp"; url: "string"; authorLogin: "string" };
  };
  /** Items of a project: issues, pull requests and draft issues, each with its values of the project's fields. */
  projectItems: {
    name: "project_items";
    actions: Pick<typeof projectItems, "list">;
    record: projectItems.ProjectItem;
    search: { id: "string"; createdAt: "timestamp"; isArchived: "boolean"; kind: "string"; organization: "string"; project: "integer"; updatedAt: "timestamp"; values: "string[]"; assignees: "string[]"; labels: "string[]"; repository: "string"; title: "string" };
  };
  /** Projects (the current kind, Projects V2) of an organization. Needs a token with the scope `read:project`. */
  projects: {
    name: "projects";
    actions: Pick<typeof projects, "get" | "list">;
    record: projects.Project;
    search: { id: "string"; closed: "boolean"; createdAt: "timestamp"; number: "integer"; organization: "string"; public: "boolean"; shortDescription: "string"; title: "string"; updatedAt: "timestamp"; url: "string"; readme: "string" };
  };
  /** Pull requests of a repository. A merged one is `closed` and has `mergedAt`. */
  pullRequests: {
    name: "pull_requests";
    actions: Pick<typeof pullRequests, "get" | "list" | "apiSearch" | "create" | "update"> & { merge: typeof pullRequests.mergeAction };
    record: pullRequests.PullRequest;
    search: { id: "string"; assignees: "string[]"; baseRefName: "string"; body: "string"; closedAt: "timestamp"; createdAt: "timestamp"; databaseId: "integer"; headRefName: "string"; isDraft: "boolean"; labels: "string[]"; locked: "boolean"; mergedAt: "timestamp"; number: "integer"; repository: "string"; state: "string"; title: "string"; updatedAt: "timestamp"; url: "string"; authorLogin: "string"; commentCount: "integer"; mergedByLogin: "string"; milestoneTitle: "string"; reviewRequests: "string[]" };
    semantic: "body";
  };
  /** Releases of a repository, with their notes and files. */
  releases: {
    name: "releases";
    actions: Pick<typeof releases, "get" | "list" | "create">;
    record: releases.Release;
    search: { id: "string"; createdAt: "timestamp"; databaseId: "integer"; description: "string"; isDraft: "boolean"; isLatest: "boolean"; isPrerelease: "boolean"; name: "string"; publishedAt: "timestamp"; repository: "string"; tagName: "string"; updatedAt: "timestamp"; url: "string"; assets: "string[]"; authorLogin: "string" };
  };
  /** Repositories of a user, one by name, and search over all of GitHub. */
  repositories: {
    name: "repositories";
    actions: Pick<typeof repositories, "get" | "list" | "apiSearch">;
    record: repositories.Repository;
    search: { id: "string"; createdAt: "timestamp"; databaseId: "integer"; defaultBranch: "string"; description: "string"; forkCount: "integer"; isArchived: "boolean"; isFork: "boolean"; isPrivate: "boolean"; name: "string"; nameWithOwner: "string"; ownerLogin: "string"; pushedAt: "timestamp"; stargazerCount: "integer"; topics: "string[]"; updatedAt: "timestamp"; url: "string"; visibility: "string"; languages: "string[]"; licenseKey: "string"; organization: "string"; primaryLanguageName: "string"; repository: "string" };
  };
  /** Reviews of a pull request. */
  reviews: {
    name: "reviews";
    actions: Pick<typeof reviews, "list" | "create">;
    record: reviews.Review;
    search: { id: "string"; body: "string"; createdAt: "timestamp"; databaseId: "integer"; number: "integer"; repository: "string"; state: "string"; submittedAt: "timestamp"; updatedAt: "timestamp"; url: "string"; authorLogin: "string"; commentCount: "integer" };
  };
  /** People who starred a repository, and when. */
  stargazers: {
    name: "stargazers";
    actions: Pick<typeof stargazers, "list">;
    record: stargazers.Stargazer;
    search: { repository: "string"; starredAt: "timestamp"; userLogin: "string" };
  };
  /** Tags of a repository, annotated and lightweight ones. */
  tags: {
    name: "tags";
    actions: Pick<typeof tags, "get" | "list">;
    record: tags.Tag;
    search: { repository: "string"; name: "string" };
  };
  /** Teams of an organization. Needs a token with the scope `read:org`. */
  teams: {
    name: "teams";
    actions: Pick<typeof teams, "get" | "list">;
    record: teams.Team;
    search: { id: "string"; databaseId: "integer"; description: "string"; name: "string"; organization: "string"; privacy: "string"; slug: "string"; url: "string" };
  };
  /** Users, one by login, the members of an organization, and search over all of GitHub. */
  users: {
    name: "users";
    actions: Pick<typeof users, "get" | "list" | "apiSearch">;
    record: users.User;
    search: { id: "string"; databaseId: "integer"; login: "string"; name: "string"; organization: "string[]"; url: "string" };
  };
  /** The account that the platform token belongs to. */
  viewer: {
    name: "viewer";
    actions: Pick<typeof viewer, "get">;
    record: users.User;
    search: { id: "string"; databaseId: "integer"; login: "string"; name: "string"; organization: "string[]"; url: "string" };
  };
  /** Repositories that the token's account owns. */
  viewerRepositories: {
    name: "viewer_repositories";
    actions: Pick<typeof viewerRepositories, "list">;
    record: repositories.Repository;
    search: { id: "string"; createdAt: "timestamp"; databaseId: "integer"; defaultBranch: "string"; description: "string"; forkCount: "integer"; isArchived: "boolean"; isFork: "boolean"; isPrivate: "boolean"; name: "string"; nameWithOwner: "string"; ownerLogin: "string"; pushedAt: "timestamp"; stargazerCount: "integer"; topics: "string[]"; updatedAt: "timestamp"; url: "string"; visibility: "string"; languages: "string[]"; licenseKey: "string"; organization: "string"; primaryLanguageName: "string"; repository: "string" };
  };
  /** What GitHub sent to a webhook in the last days, and how the address responded. */
  webhookDeliveries: {
    name: "webhook_deliveries";
    actions: Pick<typeof webhookDeliveries, "list"> & { redeliver: typeof webhookDeliveries.redeliverAction };
    record: webhookDeliveries.WebhookDelivery;
    search: {  };
  };
  /** Addresses that GitHub calls when something happens in a repository. `tenon webhook` manages those that lead to Tenon. */
  webhooks: {
    name: "webhooks";
    actions: Pick<typeof webhooks, "get" | "list" | "create" | "update"> & { delete: typeof webhooks.deleteAction; ping: typeof webhooks.pingAction };
    record: webhooks.Webhook;
    search: {  };
  };
  /** Jobs of a workflow run, with their steps. */
  workflowJobs: {
    name: "workflow_jobs";
    actions: Pick<typeof workflowJobs, "get" | "list"> & { logs: typeof workflowJobs.logsAction };
    record: workflowJobs.WorkflowJob;
    search: {  };
  };
  /** Runs of GitHub Actions workflows in a repository. */
  workflowRuns: {
    name: "workflow_runs";
    actions: Pick<typeof workflowRuns, "get" | "list"> & { cancel: typeof workflowRuns.cancelAction; logs: typeof workflowRuns.logsAction; rerun: typeof workflowRuns.rerunAction; rerunFailed: typeof workflowRuns.rerunFailedAction };
    record: workflowRuns.WorkflowRun;
    search: {  };
  };
}

/** The credentials that GitHub takes. */
export type GitHubCredential =
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "app"; readonly appId: string; readonly installationId: string; readonly privateKey: string }
  | { readonly kind: "user"; readonly clientId: string; readonly clientSecret: string; readonly refreshToken: string };
export type ClientOptions = import("../../runtime/client/index.ts").ClientOptions<GitHubCredential>;
export type LocalOptions = import("../../runtime/client/index.ts").LocalOptions<GitHubCredential>;

/** Entities and actions of GitHub, for both modes of its client. */
export const plan: ClientPlan = {
  name: "github",
  title: "GitHub",
  entities: {
    branches: { get: {}, list: { cursor: "after" } },
    code: { api_search: { cursor: "after" } },
    comments: { get: {}, list: { cursor: "after" }, create: { writes: true } },
    commits: { get: {}, list: { cursor: "after" } },
    directory_content: { list: {} },
    discussions: { get: {}, list: { cursor: "after" }, api_search: { cursor: "after" } },
    file_content: { get: {}, put: { writes: true } },
    gists: { get: {}, list: { cursor: "after" }, create: { writes: true }, update: { writes: true }, delete: { writes: true } },
    issues: {
      get: {},
      list: { cursor: "after" },
      api_search: { cursor: "after" },
      create: { writes: true },
      update: { writes: true },
    },
    labels: { get: {}, list: { cursor: "after" } },
    milestones: { get: {}, list: { cursor: "after" } },
    notifications: { get: {}, list: { cursor: "after" }, mark_done: { writes: true }, mark_read: { writes: true } },
    org_repositories: { list: { cursor: "after" } },
    organizations: { get: {}, list: { cursor: "after" } },
    pr_comments: { get: {}, list: { cursor: "after" } },
    project_items: { list: { cursor: "after" } },
    projects: { get: {}, list: { cursor: "after" } },
    pull_requests: {
      get: {},
      list: { cursor: "after" },
      api_search: { cursor: "after" },
      create: { writes: true },
      update: { writes: true },
      merge: { writes: true },
    },
    releases: { get: {}, list: { cursor: "after" }, create: { writes: true } },
    repositories: { get: {}, list: { cursor: "after" }, api_search: { cursor: "after" } },
    reviews: { list: { cursor: "after" }, create: { writes: true } },
    stargazers: { list: { cursor: "after" } },
    tags: { get: {}, list: { cursor: "after" } },
    teams: { get: {}, list: { cursor: "after" } },
    users: { get: {}, list: { cursor: "after" }, api_search: { cursor: "after" } },
    viewer: { get: {} },
    viewer_repositories: { list: { cursor: "after" } },
    webhook_deliveries: { list: { cursor: "after" }, redeliver: { writes: true } },
    webhooks: {
      get: {},
      list: { cursor: "after" },
      create: { writes: true },
      update: { writes: true },
      delete: { writes: true },
      ping: { writes: true },
    },
    workflow_jobs: { get: {}, list: { cursor: "after" }, logs: {} },
    workflow_runs: {
      get: {},
      list: { cursor: "after" },
      cancel: { writes: true },
      logs: {},
      rerun: { writes: true },
      rerun_failed: { writes: true },
    },
  },
};

/** Client of GitHub, in hosted mode only, as browsers use it. Repositories, issues, pull requests, discussions, projects, people and files of a GitHub account. Reads go through GitHub's GraphQL API, writes through its REST API. For GitHub Enterprise Server, set `GITHUB_API_URL` to `https://HOST/api/v3`. */
export const GitHub: ConnectorClass<GitHubEntities, GitHubCredential> = connectorClass(plan);

export type GitHub = Client<GitHubEntities>;
