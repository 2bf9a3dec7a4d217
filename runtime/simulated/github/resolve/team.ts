import { connectionOf, type PageArguments } from "../../../simulator/graphql/connection.ts";
import { type Order, ordered } from "../../../simulator/graphql/order.ts";
import { canSeeTeam, membershipOf } from "../access.ts";
import type { Context, Fields } from "../resolver.ts";
import type { Team } from "../world/account.ts";
import { webPath } from "../world/path.ts";
import { avatarUrl, chosenRepositories, repositoryKeys } from "./owner.ts";
import { always, resourcePath, url } from "./shared.ts";

const team: Fields = {
  avatarUrl,
  url,
  resourcePath,
  combinedSlug: (record: Team) => `${record.organization.login}/${record.slug}`,
  membersUrl: (record: Team, _args, context: Context) => `${context.web}${webPath(record)}/members`,
  membersResourcePath: (record: Team) => `${webPath(record)}/members`,
  repositoriesUrl: (record: Team, _args, context: Context) => `${context.web}${webPath(record)}/repositories`,
  repositoriesResourcePath: (record: Team) => `${webPath(record)}/repositories`,
  teamsUrl: (record: Team, _args, context: Context) => `${context.web}${webPath(record)}/teams`,
  teamsResourcePath: (record: Team) => `${webPath(record)}/teams`,
  editTeamUrl: (record: Team, _args, context: Context) => `${context.web}${webPath(record)}/edit`,
  editTeamResourcePath: (record: Team) => `${webPath(record)}/edit`,
  viewerCanAdminister: (record: Team, _args, context: Context) =>
    membershipOf(context.viewer.user, record.organization)?.role === "ADMIN",
  reviewRequestDelegationEnabled: always(false),
  reviewRequestDelegationNotifyTeam: always(false),
  reviewRequestDelegationAlgorithm: always(null),
  reviewRequestDelegationMemberCount: always(null),
  members: (record: Team, args: PageArguments & { role?: string; query?: string }, context: Context, info) => {
    const found = record.members.filter(
      (member) => (args.role ?? member.role) === member.role && member.user.login.includes(args.query ?? ""),
    );
    const path = `${webPath(record)}/members`;
    const edge = (member: Team["members"][number]) => ({
      role: member.role,
      memberAccessResourcePath: path,
      memberAccessUrl: `${context.web}${path}`,
    });
    return connectionOf(found, args, info, { parent: record.id, node: (member) => member.user, edge });
  },
  repositories: (record: Team, args: PageArguments & { orderBy?: Order }, context: Context, info) => {
    const found = chosenRepositories(record.repositories, {}, context);
    return connectionOf(ordered(found, args.orderBy, repositoryKeys), args, info, {
      parent: record.id,
      edge: () => ({ permission: "READ" }),
    });
  },
  childTeams: (record: Team, args: PageArguments & { orderBy?: Order }, context: Context, info) => {
    const found = record.organization.teams.filter((one) => one.parentTeam === record && canSeeTeam(context.viewer, one));
    return connectionOf(ordered(found, args.orderBy, { NAME: (one) => one.name.toLowerCase() }), args, info, {
      parent: record.id,
    });
  },
};

export const teamTables = { Team: team };
