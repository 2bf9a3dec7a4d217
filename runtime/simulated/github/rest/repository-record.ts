import { permission, type Viewer } from "../access.ts";
import type { Repository } from "../world/repository.ts";
import { nameWithOwner } from "../world/world.ts";
import { accountRecord } from "./account-record.ts";

/** Address templates below the address of a repository. */
const templates = {
  archive_url: "/{archive_format}{/ref}",
  assignees_url: "/assignees{/user}",
  blobs_url: "/git/blobs{/sha}",
  branches_url: "/branches{/branch}",
  collaborators_url: "/collaborators{/collaborator}",
  comments_url: "/comments{/number}",
  commits_url: "/commits{/sha}",
  compare_url: "/compare/{base}...{head}",
  contents_url: "/contents/{+path}",
  contributors_url: "/contributors",
  deployments_url: "/deployments",
  downloads_url: "/downloads",
  events_url: "/events",
  forks_url: "/forks",
  git_commits_url: "/git/commits{/sha}",
  git_refs_url: "/git/refs{/sha}",
  git_tags_url: "/git/tags{/sha}",
  hooks_url: "/hooks",
  issue_comment_url: "/issues/comments{/number}",
  issue_events_url: "/issues/events{/number}",
  issues_url: "/issues{/number}",
  keys_url: "/keys{/key_id}",
  labels_url: "/labels{/name}",
  languages_url: "/languages",
  merges_url: "/merges",
  milestones_url: "/milestones{/number}",
  notifications_url: "/notifications{?since,all,participating}",
  pulls_url: "/pulls{/number}",
  releases_url: "/releases{/id}",
  stargazers_url: "/stargazers",
  statuses_url: "/statuses/{sha}",
  subscribers_url: "/subscribers",
  subscription_url: "/subscription",
  tags_url: "/tags",
  teams_url: "/teams",
  trees_url: "/git/trees{/sha}",
} as const;

export function repositoryUrl(rest: string, repository: Repository): string {
  return `${rest}/repos/${nameWithOwner(repository)}`;
}

/** A repository as REST writes it inside a pull request. */
export function repositoryRecord(rest: string, repository: Repository, viewer: Viewer) {
  const fullName = nameWithOwner(repository);
  const url = repositoryUrl(rest, repository);
  const web = `https://github.com/${fullName}`;
  const open = [...repository.issues, ...repository.pullRequests].filter((one) => one.state === "OPEN").length;
  const links = Object.fromEntries(Object.entries(templates).map(([name, template]) => [name, `${url}${template}`]));
  return {
    id: repository.databaseId,
    node_id: repository.id,
    name: repository.name,
    full_name: fullName,
    private: repository.isPrivate,
    owner: accountRecord(rest, repository.owner),
    html_url: web,
    description: repository.description,
    fork: repository.parent !== null,
    url,
    ...links,
    git_url: `git://github.com/${fullName}.git`,
    ssh_url: `git@github.com:${fullName}.git`,
    clone_url: `${web}.git`,
    svn_url: web,
    mirror_url: null,
    homepage: repository.homepageUrl,
    language: repository.languages[0]?.language.name ?? null,
    license: licenseRecord(rest, repository),
    size: repository.diskUsage,
    stargazers_count: repository.stargazers.length,
    watchers_count: repository.stargazers.length,
    watchers: repository.stargazers.length,
    forks_count: repository.forks.length,
    forks: repository.forks.length,
    open_issues_count: open,
    open_issues: open,
    default_branch: repository.defaultBranch,
    topics: repository.topics.map((topic) => topic.name),
    has_issues: repository.hasIssuesEnabled,
    has_projects: repository.hasProjectsEnabled,
    has_wiki: repository.hasWikiEnabled,
    has_pages: false,
    has_downloads: true,
    has_discussions: repository.hasDiscussionsEnabled,
    is_template: repository.isTemplate,
    archived: repository.isArchived,
    disabled: repository.isDisabled,
    visibility: repository.isPrivate ? "private" : "public",
    pushed_at: repository.pushedAt,
    created_at: repository.createdAt,
    updated_at: repository.updatedAt,
    permissions: permissions(repository, viewer),
  };
}

function permissions(repository: Repository, viewer: Viewer) {
  const ranks = ["READ", "TRIAGE", "WRITE", "MAINTAIN", "ADMIN"];
  const rank = ranks.indexOf(permission(viewer, repository) ?? "");
  return { admin: rank >= 4, maintain: rank >= 3, push: rank >= 2, triage: rank >= 1, pull: rank >= 0 };
}

function licenseRecord(rest: string, { licenseInfo }: Repository) {
  if (licenseInfo === null) return null;
  const { key, name, spdxId, id } = licenseInfo;
  return { key, name, spdx_id: spdxId, url: `${rest}/licenses/${key}`, node_id: id };
}
