import { connectionOf, type PageArguments } from "../../../simulator/graphql/connection.ts";
import { refusal } from "../../../simulator/graphql/refusal.ts";
import { canRead } from "../access.ts";
import { notFound } from "../graphql/refusal.ts";
import type { Context, Fields } from "../resolver.ts";
import { type SearchType, searchWorld } from "../search/search.ts";
import { findNode } from "../world/nodes.ts";
import { organizationNamed, ownerNamed, repositoryNamed, userNamed } from "../world/world.ts";

/** A search counts everything that matches and lets the first thousand be walked. */
const walkable = 1000;

/** Ids that `nodes` takes at most. */
const mostIds = 100;

interface SearchArguments extends PageArguments {
  readonly query: string;
  readonly type: SearchType;
}

function node(id: string, context: Context) {
  const found = findNode(context.world, context.viewer, id);
  if (found === undefined) throw notFound(`Could not resolve to a node with the global id of '${id}'.`);
  return found;
}

function quotaOf(context: Context) {
  const { reset, ...budget } = context.budget();
  return { ...budget, resetAt: new Date(reset).toISOString() };
}

const query: Fields = {
  viewer: (_source, _args, context: Context) => context.viewer.user,
  repository: (_source, args: { owner: string; name: string; followRenames?: boolean }, context: Context) => {
    const fullName = `${args.owner}/${args.name}`;
    const moved = args.followRenames === false ? undefined : context.world.renames.get(fullName.toLowerCase());
    const found = repositoryNamed(context.world, fullName) ?? moved;
    if (found !== undefined && canRead(context.viewer, found)) return found;
    throw notFound(`Could not resolve to a Repository with the name '${fullName}'.`);
  },
  user: (_source, { login }: { login: string }, context: Context) => {
    const found = userNamed(context.world, login);
    if (found === undefined) throw notFound(`Could not resolve to a User with the login of '${login}'.`);
    return found;
  },
  organization: (_source, { login }: { login: string }, context: Context) => {
    const found = organizationNamed(context.world, login);
    if (found === undefined) throw notFound(`Could not resolve to an Organization with the login of '${login}'.`);
    return found;
  },
  repositoryOwner: (_source, { login }: { login: string }, context: Context) => ownerNamed(context.world, login),
  node: (_source, { id }: { id: string }, context: Context) => node(id, context),
  nodes: (_source, { ids }: { ids: readonly string[] }, context: Context) => {
    if (ids.length > mostIds)
      throw refusal("ARGUMENT_LIMIT", `You may not provide more than ${mostIds} node ids; you provided ${ids.length}.`);
    return ids.map((id) => {
      try {
        return node(id, context);
      } catch (error) {
        // An error in the list takes the place of its element only.
        return error;
      }
    });
  },
  search: (_source, args: SearchArguments, context: Context, info) => {
    const found = searchWorld(context.world, context.viewer, args.type, args.query);
    const more = {
      issueCount: args.type === "ISSUE" ? found.length : 0,
      repositoryCount: args.type === "REPOSITORY" ? found.length : 0,
      userCount: args.type === "USER" ? found.length : 0,
      discussionCount: args.type === "DISCUSSION" ? found.length : 0,
      codeCount: 0,
      wikiCount: 0,
    };
    return connectionOf(found.slice(0, walkable), args, info, { parent: "", more, edge: () => ({ textMatches: [] }) });
  },
  rateLimit: (_source, _args, context: Context) => ({
    ...quotaOf(context),
    cost: context.cost.points,
    nodeCount: context.cost.nodes,
  }),
};

export const queryTables = { Query: query };
