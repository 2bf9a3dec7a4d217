import { userPermission } from "../../../runtime/simulated/github/access.ts";
import type { User } from "../../../runtime/simulated/github/world/account.ts";
import { defaultBranch } from "../../../runtime/simulated/github/world/head.ts";
import type { Label, Milestone } from "../../../runtime/simulated/github/world/issue.ts";
import type { Repository } from "../../../runtime/simulated/github/world/repository.ts";
import { nameWithOwner } from "../../../runtime/simulated/github/world/world.ts";
import { account, actor, type Expected, web } from "./shared.ts";

const open = (things: readonly { readonly state: string }[]) => things.filter((one) => one.state === "OPEN").length;

/** @param viewer whom the service's token belongs to */
export function repositoryRecord(one: Repository, viewer: User): Expected {
  const languages = one.languages.map(({ language: { name, color } }) => ({ name, color }));
  const bySize = [...one.languages].sort((a, b) => b.size - a.size)[0]?.language;
  const { licenseInfo } = one;
  return {
    defaults: {
      id: one.id,
      databaseId: one.databaseId,
      name: one.name,
      nameWithOwner: nameWithOwner(one),
      owner: actor(one.owner),
      ownerLogin: one.owner.login,
      description: one.description,
      url: web(one),
      homepageUrl: one.homepageUrl,
      visibility: one.isPrivate ? "PRIVATE" : "PUBLIC",
      isPrivate: one.isPrivate,
      isFork: one.parent !== null,
      isArchived: one.isArchived,
      isTemplate: one.isTemplate,
      primaryLanguage: bySize === undefined ? null : { name: bySize.name, color: bySize.color },
      topics: one.topics.map(({ name }) => ({ name })),
      defaultBranch: defaultBranch(one)?.name ?? null,
      license: licenseInfo === null ? null : { key: licenseInfo.key, name: licenseInfo.name, spdxId: licenseInfo.spdxId },
      stargazerCount: one.stargazers.length,
      forkCount: one.forks.length,
      createdAt: one.createdAt,
      updatedAt: one.updatedAt,
      pushedAt: one.pushedAt,
    },
    extras: {
      diskUsage: one.diskUsage,
      hasDiscussionsEnabled: one.hasDiscussionsEnabled,
      hasIssuesEnabled: one.hasIssuesEnabled,
      hasWikiEnabled: one.hasWikiEnabled,
      isEmpty: one.refs.length === 0,
      languages,
      licenseKey: licenseInfo?.key ?? null,
      organization: one.owner.__typename === "Organization" ? one.owner.login : null,
      primaryLanguageName: bySize?.name ?? null,
      repository: nameWithOwner(one),
      openIssueCount: open(one.issues),
      openPullRequestCount: open(one.pullRequests),
      parent: one.parent === null ? null : nameWithOwner(one.parent),
      sshUrl: `git@github.com:${nameWithOwner(one)}.git`,
      viewerPermission: userPermission(viewer, one) ?? null,
      watcherCount: one.watchers.length,
    },
  };
}

/** @param rest address of the platform's REST API */
export function labelRecord(one: Label, rest: string): Expected {
  const { repository } = one;
  return {
    defaults: {
      id: one.id,
      repository: nameWithOwner(repository),
      name: one.name,
      color: one.color,
      description: one.description,
      isDefault: one.isDefault,
      url: `${rest}/repos/${nameWithOwner(repository)}/labels/${encodeURIComponent(one.name)}`,
      createdAt: one.createdAt,
      updatedAt: one.updatedAt,
    },
    extras: { htmlUrl: web(one), openIssueCount: open(repository.issues.filter((issue) => issue.labels.includes(one))) },
  };
}

export function milestoneRecord(one: Milestone): Expected {
  const { issues, pullRequests } = one.repository;
  const own = [...issues, ...pullRequests].filter((thread) => thread.milestone === one);
  const ownIssues = issues.filter((issue) => issue.milestone === one);
  return {
    defaults: {
      id: one.id,
      repository: nameWithOwner(one.repository),
      number: one.number,
      title: one.title,
      description: one.description,
      state: one.state.toLowerCase(),
      creator: actor(one.creator),
      dueOn: one.dueOn,
      createdAt: one.createdAt,
      updatedAt: one.updatedAt,
      closedAt: one.closedAt,
      url: web(one),
    },
    extras: {
      closedIssueCount: ownIssues.length - open(ownIssues),
      openIssueCount: open(ownIssues),
      progressPercentage: own.length === 0 ? 0 : (100 * (own.length - open(own))) / own.length,
    },
  };
}

export function stargazerRecord(
  { starredAt, user }: { readonly starredAt: string; readonly user: User },
  repository: string,
): Expected {
  return { defaults: { repository, starredAt, user: account(user) }, extras: { userLogin: user.login } };
}
