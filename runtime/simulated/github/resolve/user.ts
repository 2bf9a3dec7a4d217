import { connectionOf, type PageArguments } from "../../../simulator/graphql/connection.ts";
import { type Order, ordered } from "../../../simulator/graphql/order.ts";
import { canRead, membershipOf } from "../access.ts";
import type { Context, Fields } from "../resolver.ts";
import type { Star, User } from "../world/account.ts";
import { avatarUrl, owner, visibleMembers } from "./owner.ts";
import { always, html, resourcePath, url } from "./shared.ts";

const user: Fields = {
  ...owner,
  bioHTML: (record: User) => html(record.bio),
  companyHTML: (record: User) => html(record.company),
  isViewer: (record: User, _args, context: Context) => record === context.viewer.user,
  isBountyHunter: always(false),
  isCampusExpert: always(false),
  isDeveloperProgramMember: always(false),
  isEmployee: always(false),
  isGitHubStar: always(false),
  isFollowingViewer: (record: User, _args, context: Context) => record.following.includes(context.viewer.user),
  viewerIsFollowing: (record: User, _args, context: Context) => record.followers.includes(context.viewer.user),
  viewerCanFollow: (record: User, _args, context: Context) => record !== context.viewer.user,
  hasSponsorsListing: always(false),
  userViewType: always("PUBLIC"),
  viewerCanSponsor: always(false),
  viewerIsSponsoring: always(false),
  isSponsoringViewer: always(false),
  projectsUrl: (record: User, _args, context: Context) => `${context.web}/users/${record.login}/projects`,
  projectsResourcePath: (record: User) => `/users/${record.login}/projects`,
  viewerCanCreateProjects: (record: User, _args, context: Context) => record === context.viewer.user,
  status: always(null),
  followers: (record: User, args: PageArguments, _context, info) =>
    connectionOf(record.followers, args, info, { parent: record.id }),
  following: (record: User, args: PageArguments, _context, info) =>
    connectionOf(record.following, args, info, { parent: record.id }),
  organizations: (record: User, args: PageArguments, context: Context, info) => {
    const found = context.world.organizations.filter((one) =>
      visibleMembers(one, context).some((member) => member.user === record),
    );
    return connectionOf(found, args, info, { parent: record.id });
  },
  organization: (record: User, args: { login: string }, context: Context) =>
    context.world.organizations.find((one) => one.login === args.login && membershipOf(record, one) !== undefined),
  starredRepositories: (record: User, args: PageArguments & { orderBy?: Order }, context: Context, info) => {
    const seen = record.starred.filter((star) => canRead(context.viewer, star.repository));
    const found = ordered(seen, args.orderBy, { STARRED_AT: (star) => star.starredAt });
    const edge = (star: Star) => ({ starredAt: star.starredAt });
    return connectionOf(found, args, info, {
      parent: record.id,
      node: (star) => star.repository,
      edge,
      more: { isOverLimit: false },
    });
  },
};

export const userTables = { User: user, Bot: { avatarUrl, url, resourcePath } satisfies Fields };
