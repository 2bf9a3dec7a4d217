import { connectionOf, type PageArguments } from "../../../simulator/graphql/connection.ts";
import { type Order, ordered } from "../../../simulator/graphql/order.ts";
import { canSeeProject, canSeeTeam, membershipOf } from "../access.ts";
import { notFound } from "../graphql/refusal.ts";
import type { Context, Fields } from "../resolver.ts";
import type { Membership, Organization, Team } from "../world/account.ts";
import type { Project } from "../world/project.ts";
import { owner, visibleMembers } from "./owner.ts";
import { always, html } from "./shared.ts";

interface TeamArguments extends PageArguments {
  readonly privacy?: string | null;
  readonly query?: string | null;
  readonly orderBy?: Order | null;
  readonly rootTeamsOnly?: boolean;
  readonly userLogins?: readonly string[] | null;
}

function hasMember(team: Team, logins: readonly string[]): boolean {
  return logins.length === 0 || team.members.some((member) => logins.includes(member.user.login));
}

const organization: Fields = {
  ...owner,
  descriptionHTML: (record: Organization) => html(record.description),
  teamsUrl: (record: Organization, _args, context: Context) => `${context.web}/orgs/${record.login}/teams`,
  teamsResourcePath: (record: Organization) => `/orgs/${record.login}/teams`,
  requiresTwoFactorAuthentication: (record: Organization, _args, context: Context) =>
    membershipOf(context.viewer.user, record)?.role === "ADMIN" ? false : null,
  newTeamUrl: (record: Organization, _args, context: Context) => `${context.web}/orgs/${record.login}/new-team`,
  newTeamResourcePath: (record: Organization) => `/orgs/${record.login}/new-team`,
  projectsUrl: (record: Organization, _args, context: Context) => `${context.web}/orgs/${record.login}/projects`,
  projectsResourcePath: (record: Organization) => `/orgs/${record.login}/projects`,
  hasSponsorsListing: always(false),
  viewerCanSponsor: always(false),
  viewerIsSponsoring: always(false),
  isSponsoringViewer: always(false),
  membersCanForkPrivateRepositories: always(false),
  webCommitSignoffRequired: always(false),
  viewerCanAdminister: (record: Organization, _args, context: Context) =>
    membershipOf(context.viewer.user, record)?.role === "ADMIN",
  viewerIsAMember: (record: Organization, _args, context: Context) => membershipOf(context.viewer.user, record) !== undefined,
  viewerCanCreateProjects: (record: Organization, _args, context: Context) =>
    membershipOf(context.viewer.user, record) !== undefined,
  viewerCanCreateRepositories: (record: Organization, _args, context: Context) =>
    membershipOf(context.viewer.user, record) !== undefined,
  viewerCanCreateTeams: (record: Organization, _args, context: Context) =>
    membershipOf(context.viewer.user, record)?.role === "ADMIN",
  viewerIsFollowing: always(false),
  membersWithRole: (record: Organization, args: PageArguments, context: Context, info) => {
    const edge = (membership: Membership) => ({ role: membership.role, hasTwoFactorEnabled: null });
    return connectionOf(visibleMembers(record, context), args, info, {
      parent: record.id,
      node: (membership) => membership.user,
      edge,
    });
  },
  teams: (record: Organization, args: TeamArguments, context: Context, info) => {
    const found = record.teams.filter(
      (team) =>
        canSeeTeam(context.viewer, team) &&
        (args.privacy ?? team.privacy) === team.privacy &&
        team.name.toLowerCase().includes((args.query ?? "").toLowerCase()) &&
        (args.rootTeamsOnly !== true || team.parentTeam === null) &&
        hasMember(team, args.userLogins ?? []),
    );
    return connectionOf(ordered(found, args.orderBy, { NAME: (team) => team.name.toLowerCase() }), args, info, {
      parent: record.id,
    });
  },
  team: (record: Organization, args: { slug: string }, context: Context) =>
    record.teams.find((team) => team.slug === args.slug.toLowerCase() && canSeeTeam(context.viewer, team)),
  projectsV2: (record: Organization, args: PageArguments & { orderBy?: Order; query?: string }, context: Context, info) => {
    const query = (args.query ?? "").toLowerCase();
    const seen = record.projects.filter((one) => canSeeProject(context.viewer, one) && one.title.toLowerCase().includes(query));
    return connectionOf(ordered(seen, args.orderBy, projectKeys), args, info, { parent: record.id });
  },
  projectV2: (record: Organization, args: { number: number }, context: Context) => {
    const found = record.projects.find((one) => one.number === args.number && canSeeProject(context.viewer, one));
    if (found !== undefined) return found;
    throw notFound(`Could not resolve to a ProjectV2 with the number ${args.number}.`);
  },
};

const projectKeys = {
  NUMBER: (one: Project) => one.number,
  TITLE: (one: Project) => one.title.toLowerCase(),
  CREATED_AT: (one: Project) => one.createdAt,
  UPDATED_AT: (one: Project) => one.updatedAt,
};

export const organizationTables = { Organization: organization };
