import { hasScope, type Token } from "./tokens.ts";
import type { Author, Organization, Owner, Team, User } from "./world/account.ts";
import type { Project } from "./world/project.ts";
import type { Permission, Repository } from "./world/repository.ts";

/** On whose behalf a request is made. */
export interface Viewer {
  readonly user: User;
  readonly token: Token;
}

const ranks: readonly Permission[] = ["READ", "TRIAGE", "WRITE", "MAINTAIN", "ADMIN"];

/** The highest permission of the viewer in a repository; undefined where the viewer may not know of it. */
export function permission(viewer: Viewer, repository: Repository): Permission | undefined {
  if (repository.isPrivate && !hasScope(viewer.token, "repo")) return undefined;
  return userPermission(viewer.user, repository);
}

export function userPermission(user: User, repository: Repository): Permission | undefined {
  const found: Permission[] = repository.isPrivate ? [] : ["READ"];
  if (repository.owner.id === user.id) found.push("ADMIN");
  for (const collaborator of repository.collaborators) if (collaborator.user === user) found.push(collaborator.permission);
  if (repository.owner.__typename === "Organization") {
    const membership = membershipOf(user, repository.owner);
    if (membership?.role === "ADMIN") found.push("ADMIN");
    else if (membership !== undefined) found.push(repository.owner.basePermission);
  }
  return found.sort((a, b) => ranks.indexOf(b) - ranks.indexOf(a))[0];
}

export function canRead(viewer: Viewer, repository: Repository): boolean {
  return permission(viewer, repository) !== undefined;
}

export function canPush(viewer: Viewer, repository: Repository): boolean {
  return ranks.indexOf(permission(viewer, repository) ?? "READ") >= ranks.indexOf("WRITE");
}

export function canTriage(viewer: Viewer, repository: Repository): boolean {
  return ranks.indexOf(permission(viewer, repository) ?? "READ") >= ranks.indexOf("TRIAGE");
}

export function membershipOf(user: User, organization: Organization) {
  return organization.memberships.find((membership) => membership.user === user);
}

/** Secret teams are seen by their members and by owners of the organization; people outside see no team. */
export function canSeeTeam(viewer: Viewer, team: Team): boolean {
  const membership = membershipOf(viewer.user, team.organization);
  if (membership === undefined) return false;
  return team.privacy === "VISIBLE" || membership.role === "ADMIN" || team.members.some((member) => member.user === viewer.user);
}

export function canSeeProject(viewer: Viewer, project: Project): boolean {
  return project.public || membershipOf(viewer.user, project.owner) !== undefined;
}

/** How an author is related to a repository. Null is a deleted account. */
export function association(author: Author, repository: Repository): string {
  if (author === null || author.__typename === "Bot") return author === null ? "NONE" : "CONTRIBUTOR";
  if (repository.owner.id === author.id) return "OWNER";
  if (repository.owner.__typename === "Organization" && membershipOf(author, repository.owner) !== undefined) return "MEMBER";
  if (repository.collaborators.some((collaborator) => collaborator.user === author)) return "COLLABORATOR";
  const merged = repository.pullRequests.some((pullRequest) => pullRequest.author === author && pullRequest.state === "MERGED");
  return merged ? "CONTRIBUTOR" : "NONE";
}

/** The repositories an account is connected to in the given ways, as the platform's affiliations mean it. */
export function affiliated(repositories: readonly Repository[], account: Owner, affiliations: readonly string[]): Repository[] {
  return repositories.filter((repository) => affiliations.includes(affiliationOf(repository, account) ?? ""));
}

function affiliationOf(repository: Repository, account: Owner): string | undefined {
  if (repository.owner.id === account.id) return "OWNER";
  if (account.__typename === "Organization") return undefined;
  if (repository.collaborators.some((collaborator) => collaborator.user === account)) return "COLLABORATOR";
  if (repository.owner.__typename === "Organization" && membershipOf(account, repository.owner) !== undefined)
    return "ORGANIZATION_MEMBER";
  return undefined;
}
