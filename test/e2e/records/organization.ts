import { canRead, membershipOf, type Viewer } from "../../../runtime/simulated/github/access.ts";
import type { Organization, Team, User } from "../../../runtime/simulated/github/world/account.ts";
import type { World } from "../../../runtime/simulated/github/world/world.ts";
import { type Expected, picture, web } from "./shared.ts";

const owned = (owner: { readonly id: string }, world: World, viewer: Viewer) =>
  world.repositories.filter((one) => one.owner.id === owner.id && canRead(viewer, one)).length;

/** @param member whose organizations were listed */
export function organizationRecord(one: Organization, world: World, viewer: Viewer, member: string | null = null): Expected {
  const membership = membershipOf(viewer.user, one);
  return {
    defaults: {
      member: member === null ? [] : [member],
      id: one.id,
      databaseId: one.databaseId,
      login: one.login,
      name: one.name,
      description: one.description,
      email: one.email,
      location: one.location,
      isVerified: one.isVerified,
      websiteUrl: one.websiteUrl,
      avatarUrl: picture(one),
      url: web(one),
      createdAt: one.createdAt,
      updatedAt: one.updatedAt,
    },
    extras: {
      archivedAt: one.archivedAt,
      // Outsiders see public members only.
      memberCount: one.memberships.filter((other) => membership !== undefined || other.public).length,
      repositoryCount: owned(one, world, viewer),
      viewerCanAdminister: membership?.role === "ADMIN",
    },
  };
}

/** @param of organization whose members were listed */
export function userRecord(one: User, world: World, viewer: Viewer, of: string | null = null): Expected {
  return {
    defaults: {
      organization: of === null ? [] : [of],
      id: one.id,
      databaseId: one.databaseId,
      login: one.login,
      name: one.name,
      bio: one.bio,
      company: one.company,
      location: one.location,
      websiteUrl: one.websiteUrl,
      avatarUrl: picture(one),
      url: web(one),
      createdAt: one.createdAt,
      updatedAt: one.updatedAt,
    },
    extras: {
      email: one.email,
      followerCount: one.followers.length,
      followingCount: one.following.length,
      isHireable: one.isHireable,
      isSiteAdmin: one.isSiteAdmin,
      pronouns: one.pronouns,
      repositoryCount: owned(one, world, viewer),
      twitterUsername: one.twitterUsername,
    },
  };
}

export function teamRecord(one: Team): Expected {
  return {
    defaults: {
      id: one.id,
      databaseId: one.databaseId,
      slug: one.slug,
      name: one.name,
      organization: one.organization.login,
      description: one.description,
      privacy: one.privacy === "SECRET" ? "secret" : "closed",
      parent: one.parentTeam?.slug ?? null,
      url: web(one),
      createdAt: one.createdAt,
      updatedAt: one.updatedAt,
    },
    extras: { memberCount: one.members.length, repositoryCount: one.repositories.length },
  };
}
