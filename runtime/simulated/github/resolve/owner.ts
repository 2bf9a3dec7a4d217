import { connectionOf, type PageArguments } from "../../../simulator/graphql/connection.ts";
import { type Order, ordered } from "../../../simulator/graphql/order.ts";
import { affiliated, canRead, membershipOf } from "../access.ts";
import { notFound } from "../graphql/refusal.ts";
import type { Context, Fields } from "../resolver.ts";
import { hasScope } from "../tokens.ts";
import type { Bot, Membership, Organization, Owner, Team, User } from "../world/account.ts";
import type { Repository } from "../world/repository.ts";
import { repositoryNamed } from "../world/world.ts";
import { resourcePath, url } from "./shared.ts";

export interface RepositoryArguments extends PageArguments {
  readonly ownerAffiliations?: readonly string[] | null;
  readonly affiliations?: readonly string[] | null;
  readonly privacy?: "PRIVATE" | "PUBLIC" | null;
  readonly visibility?: string | null;
  readonly isFork?: boolean | null;
  readonly isArchived?: boolean | null;
  readonly isLocked?: boolean | null;
  readonly hasIssuesEnabled?: boolean | null;
  readonly orderBy?: Order | null;
}

export const repositoryKeys = {
  CREATED_AT: (repository: Repository) => repository.createdAt,
  NAME: (repository: Repository) => repository.name.toLowerCase(),
  PUSHED_AT: (repository: Repository) => repository.pushedAt,
  STARGAZERS: (repository: Repository) => repository.stargazers.length,
  UPDATED_AT: (repository: Repository) => repository.updatedAt,
};

/** Filters that several lists of repositories share. */
export function chosenRepositories(
  repositories: readonly Repository[],
  args: RepositoryArguments,
  context: Context,
): Repository[] {
  const same = <T>(wanted: T | null | undefined, value: T) => wanted === null || wanted === undefined || wanted === value;
  const visibility = (repository: Repository) => (repository.isPrivate ? "PRIVATE" : "PUBLIC");
  const found = repositories.filter(
    (repository) =>
      canRead(context.viewer, repository) &&
      same(args.privacy, visibility(repository)) &&
      same(args.visibility, visibility(repository)) &&
      same(args.isFork, repository.parent !== null) &&
      same(args.isArchived, repository.isArchived) &&
      same(args.isLocked, repository.isLocked) &&
      same(args.hasIssuesEnabled, repository.hasIssuesEnabled),
  );
  return ordered(found, args.orderBy, repositoryKeys);
}

export const avatarUrl = (account: User | Bot | Organization | Team) =>
  `https://avatars.githubusercontent.com/u/${account.databaseId}?v=4`;

export const owner: Fields = {
  avatarUrl,
  url,
  resourcePath,
  // The platform's default adds the repositories that an account only collaborates on.
  repositories: (account: Owner, args: RepositoryArguments, context: Context, info) => {
    const own = affiliated(context.world.repositories, account, args.ownerAffiliations ?? ["OWNER", "COLLABORATOR"]);
    const mine = args.affiliations ?? null;
    const seen = mine === null ? own : own.filter((one) => affiliated([one], context.viewer.user, mine).length > 0);
    const chosen = chosenRepositories(seen, args, context);
    const totalDiskUsage = chosen.reduce((sum, repository) => sum + repository.diskUsage, 0);
    return connectionOf(chosen, args, info, { parent: account.id, more: { totalDiskUsage } });
  },
  repository: (account: Owner, args: { name: string }, context: Context) => {
    const found = repositoryNamed(context.world, `${account.login}/${args.name}`);
    if (found !== undefined && canRead(context.viewer, found)) return found;
    throw notFound(`Could not resolve to a Repository with the name '${account.login}/${args.name}'.`);
  },
};

/** Memberships that the viewer may know of: all of their own organizations, else the public ones. */
export function visibleMembers(organization: Organization, context: Context): Membership[] {
  const inside = membershipOf(context.viewer.user, organization) !== undefined && hasScope(context.viewer.token, "read:org");
  return organization.memberships.filter((membership) => inside || membership.public);
}
