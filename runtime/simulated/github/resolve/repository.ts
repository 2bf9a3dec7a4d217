import { connectionOf, type PageArguments } from "../../../simulator/graphql/connection.ts";
import { type Order, oneOf, ordered } from "../../../simulator/graphql/order.ts";
import { refusal } from "../../../simulator/graphql/refusal.ts";
import { canPush, canRead, permission, userPermission } from "../access.ts";
import { notFound } from "../graphql/refusal.ts";
import type { Context, Fields } from "../resolver.ts";
import type { Discussion } from "../world/discussion.ts";
import type { Ref } from "../world/git.ts";
import { branch, defaultBranch, peel, resolveExpression, resolveRef } from "../world/head.ts";
import { globalId } from "../world/identity.ts";
import type { Label, Milestone } from "../world/issue.ts";
import { webPath } from "../world/path.ts";
import type { Collaborator, Release, Repository, Stargazer } from "../world/repository.ts";
import { nameWithOwner } from "../world/world.ts";
import { chosenRepositories, type RepositoryArguments } from "./owner.ts";
import { repositoryConstants } from "./repository-constants.ts";
import { html, resourcePath, url } from "./shared.ts";
import { chosenIssues, chosenPullRequests, type IssueArguments, type PullRequestArguments } from "./thread-list.ts";

type Ordered = PageArguments & { readonly orderBy?: Order | null; readonly query?: string | null };
interface RefArguments extends Ordered {
  readonly refPrefix: string;
  readonly direction?: "ASC" | "DESC" | null;
}
interface DiscussionArguments extends Ordered {
  readonly answered?: boolean | null;
  readonly categoryId?: string | null;
  readonly states?: readonly ("OPEN" | "CLOSED")[] | null;
}

const contains = (text: string, query: string | null | undefined) => text.toLowerCase().includes((query ?? "").toLowerCase());

/** Issues, pull requests and discussions share one sequence of numbers, but each is found only among its own kind. */
const byNumber = <T extends { readonly number: number }>(items: readonly T[], number: number, what: string): T => {
  const found = items.find((item) => item.number === number);
  if (found === undefined) throw notFound(`Could not resolve to ${what} with the number of ${number}.`);
  return found;
};

const threads: Fields = {
  issues: (record: Repository, args: IssueArguments, _context, info) =>
    connectionOf(chosenIssues(record.issues, args), args, info, { parent: record.id }),
  pullRequests: (record: Repository, args: PullRequestArguments, _context, info) =>
    connectionOf(chosenPullRequests(record.pullRequests, args), args, info, { parent: record.id }),
  issue: (record: Repository, { number }: { number: number }) => byNumber(record.issues, number, "an Issue"),
  pullRequest: (record: Repository, { number }: { number: number }) => byNumber(record.pullRequests, number, "a PullRequest"),
  issueOrPullRequest: (record: Repository, { number }: { number: number }) =>
    byNumber([...record.issues, ...record.pullRequests], number, "an issue or pull request"),
  discussion: (record: Repository, { number }: { number: number }) => byNumber(record.discussions, number, "a Discussion"),
  discussions: (record: Repository, args: DiscussionArguments, _context, info) => {
    const found = record.discussions.filter(
      (one) =>
        oneOf(args.states, one.closed ? "CLOSED" : "OPEN") &&
        (args.answered == null || (one.category.isAnswerable && (one.answer !== null) === args.answered)) &&
        (args.categoryId == null || one.category.id === args.categoryId),
    );
    return connectionOf(ordered(found, args.orderBy, dated<Discussion>()), args, info, { parent: record.id });
  },
  discussionCategories: (record: Repository, args: PageArguments, _context, info) =>
    connectionOf(record.discussionCategories, args, info, { parent: record.id }),
  discussionCategory: (record: Repository, { slug }: { slug: string }) =>
    record.discussionCategories.find((category) => category.slug === slug),
};

function dated<T extends { readonly createdAt: string; readonly updatedAt: string }>() {
  return { CREATED_AT: (one: T) => one.createdAt, UPDATED_AT: (one: T) => one.updatedAt };
}

const refs: Fields = {
  defaultBranchRef: (record: Repository) => defaultBranch(record),
  ref: (record: Repository, args: { qualifiedName: string }) => resolveRef(record, args.qualifiedName),
  refs: (record: Repository, args: RefArguments, _context, info) => {
    const prefix = args.refPrefix.endsWith("/") ? args.refPrefix : `${args.refPrefix}/`;
    const found = record.refs.filter((one) => one.prefix === prefix && contains(one.name, args.query));
    const order = args.orderBy ?? { field: "ALPHABETICAL", direction: args.direction ?? "ASC" };
    const keys = { ALPHABETICAL: (one: Ref) => one.name, TAG_COMMIT_DATE: (one: Ref) => peel(one.target)?.committer.date };
    return connectionOf(ordered(found, order, keys), args, info, { parent: record.id });
  },
  object: (record: Repository, args: { expression?: string | null; oid?: string | null }) => {
    if (args.oid != null) return record.objects.get(args.oid.toLowerCase());
    if (args.expression != null) return resolveExpression(record, args.expression);
    throw refusal("ARGUMENT_ERROR", "Either `oid` or `expression` must be provided.");
  },
};

/** A draft release is seen by those who may push. */
const releasesFor = (record: Repository, context: Context) =>
  record.releases.filter((release) => !release.isDraft || canPush(context.viewer, record));

const lists: Fields = {
  labels: (record: Repository, args: Ordered, _context, info) => {
    const found = record.labels.filter((label) => contains(label.name, args.query));
    const keys = { CREATED_AT: (label: Label) => label.createdAt, NAME: (label: Label) => label.name.toLowerCase() };
    return connectionOf(ordered(found, args.orderBy, keys), args, info, { parent: record.id });
  },
  label: (record: Repository, args: { name: string }) =>
    record.labels.find((label) => label.name.toLowerCase() === args.name.toLowerCase()),
  milestones: (record: Repository, args: Ordered & { states?: readonly Milestone["state"][] }, _context, info) => {
    const found = record.milestones.filter((one) => oneOf(args.states, one.state) && contains(one.title, args.query));
    const keys = { ...dated<Milestone>(), DUE_DATE: (one: Milestone) => one.dueOn, NUMBER: (one: Milestone) => one.number };
    return connectionOf(ordered(found, args.orderBy, keys), args, info, { parent: record.id });
  },
  milestone: (record: Repository, args: { number: number }) => record.milestones.find((one) => one.number === args.number),
  releases: (record: Repository, args: Ordered, context: Context, info) => {
    const keys = { CREATED_AT: (release: Release) => release.createdAt, NAME: (release: Release) => release.name };
    return connectionOf(ordered(releasesFor(record, context), args.orderBy, keys), args, info, { parent: record.id });
  },
  release: (record: Repository, args: { tagName: string }, context: Context) =>
    releasesFor(record, context).find((release) => release.tagName === args.tagName),
  latestRelease: (record: Repository) => record.releases.filter((release) => !release.isDraft && !release.isPrerelease).at(-1),
  stargazers: (record: Repository, args: Ordered, _context, info) => {
    const found = ordered(record.stargazers, args.orderBy, { STARRED_AT: (one) => one.starredAt });
    const edge = (one: Stargazer) => ({ starredAt: one.starredAt });
    return connectionOf(found, args, info, { parent: record.id, node: (one) => one.user, edge });
  },
  watchers: (record: Repository, args: PageArguments, _context, info) =>
    connectionOf(record.watchers, args, info, { parent: record.id }),
  forks: (record: Repository, args: RepositoryArguments, context: Context, info) =>
    connectionOf(chosenRepositories(record.forks, args, context), args, info, { parent: record.id, more: { totalDiskUsage: 0 } }),
  languages: (record: Repository, args: Ordered, _context, info) => {
    const found = ordered(record.languages, args.orderBy, { SIZE: (one) => one.size });
    const totalSize = found.reduce((sum, one) => sum + one.size, 0);
    const edge = (one: Repository["languages"][number]) => ({ size: one.size });
    return connectionOf(found, args, info, { parent: record.id, node: (one) => one.language, edge, more: { totalSize } });
  },
  repositoryTopics: (record: Repository, args: PageArguments, context: Context, info) => {
    const found = record.topics.map((topic) => ({
      __typename: "RepositoryTopic",
      id: globalId("RT", `${record.databaseId}:${topic.name}`),
      topic,
      url: `${context.web}${webPath(topic)}`,
      resourcePath: webPath(topic),
    }));
    return connectionOf(found, args, info, { parent: record.id });
  },
  // Only those who may push to a repository see its collaborators.
  collaborators: (record: Repository, args: PageArguments, context: Context, info) => {
    if (!canPush(context.viewer, record))
      throw refusal("FORBIDDEN", "You do not have permission to view repository collaborators.");
    const edge = (one: Collaborator) => ({ permission: one.permission });
    return connectionOf(record.collaborators, args, info, { parent: record.id, node: (one) => one.user, edge });
  },
  mentionableUsers: (record: Repository, args: PageArguments & { query?: string }, context: Context, info) => {
    const found = context.world.users.filter(
      (user) => contains(user.login, args.query) && userPermission(user, record) !== undefined,
    );
    return connectionOf(found, args, info, { parent: record.id });
  },
  assignableUsers: (record: Repository, args: PageArguments, context: Context, info) =>
    connectionOf(
      context.world.users.filter((user) => canPush({ ...context.viewer, user }, record)),
      args,
      info,
      { parent: record.id },
    ),
};

export const repository: Fields = {
  ...repositoryConstants,
  ...threads,
  ...refs,
  ...lists,
  url,
  resourcePath,
  nameWithOwner,
  sshUrl: (record: Repository) => `git@github.com:${nameWithOwner(record)}.git`,
  descriptionHTML: (record: Repository) => `<div>${html(record.description)}</div>`,
  shortDescriptionHTML: (record: Repository) => html(record.description),
  projectsUrl: (record: Repository, _args, context: Context) => `${context.web}${webPath(record)}/projects`,
  projectsResourcePath: (record: Repository) => `${webPath(record)}/projects`,
  openGraphImageUrl: (record: Repository) => `https://opengraph.githubassets.com/1${webPath(record)}`,
  visibility: (record: Repository) => (record.isPrivate ? "PRIVATE" : "PUBLIC"),
  isEmpty: (record: Repository) => branch(record, record.defaultBranch) === undefined,
  isFork: (record: Repository) => record.parent !== null,
  isInOrganization: (record: Repository) => record.owner.__typename === "Organization",
  forkCount: (record: Repository) => record.forks.length,
  stargazerCount: (record: Repository) => record.stargazers.length,
  primaryLanguage: (record: Repository) => [...record.languages].sort((a, b) => b.size - a.size)[0]?.language,
  // For a viewer who may not see the parent of a fork, it has none.
  parent: (record: Repository, _args, context: Context) =>
    record.parent !== null && canRead(context.viewer, record.parent) ? record.parent : null,
  viewerPermission: (record: Repository, _args, context: Context) => permission(context.viewer, record),
  viewerCanAdminister: (record: Repository, _args, context: Context) => permission(context.viewer, record) === "ADMIN",
  viewerCanUpdateTopics: (record: Repository, _args, context: Context) => permission(context.viewer, record) === "ADMIN",
  viewerCanCreateProjects: (record: Repository, _args, context: Context) => canPush(context.viewer, record),
  viewerHasStarred: (record: Repository, _args, context: Context) =>
    record.stargazers.some((one) => one.user === context.viewer.user),
};
