import { connectionOf, type PageArguments } from "../../../simulator/graphql/connection.ts";
import { type Order, ordered } from "../../../simulator/graphql/order.ts";
import type { Fields } from "../resolver.ts";
import type { Reaction, ReactionContent } from "../world/issue.ts";

const groups: readonly ReactionContent[] = ["THUMBS_UP", "THUMBS_DOWN", "LAUGH", "HOORAY", "CONFUSED", "HEART", "ROCKET", "EYES"];
interface Reacted {
  readonly id: string;
  readonly reactions: Reaction[];
}

const reactable: Fields = {
  reactions: (record: Reacted, args: PageArguments & { content?: ReactionContent; orderBy?: Order }, context, info) => {
    const found = record.reactions.filter((reaction) => args.content === undefined || reaction.content === args.content);
    const mine = found.some((reaction) => reaction.user === context.viewer.user);
    const sorted = ordered(found, args.orderBy, { CREATED_AT: (reaction) => reaction.createdAt });
    return connectionOf(sorted, args, info, { parent: record.id, more: { viewerHasReacted: mine } });
  },
  reactionGroups: (record: Reacted) => groups.map((content) => ({ content, subject: record })),
  viewerCanReact: () => true,
};

interface Group {
  readonly content: ReactionContent;
  readonly subject: Reacted;
}

const ofGroup = (group: Group) => group.subject.reactions.filter((reaction) => reaction.content === group.content);

const group: Fields = {
  createdAt: (record: Group) => ofGroup(record)[0]?.createdAt,
  viewerHasReacted: (record: Group, _args, context) => ofGroup(record).some((reaction) => reaction.user === context.viewer.user),
  reactors: (record: Group, args: PageArguments, _context, info) => {
    const parent = `${record.subject.id}:${record.content}`;
    return connectionOf(ofGroup(record), args, info, {
      parent,
      node: (one) => one.user,
      edge: (one) => ({ reactedAt: one.createdAt }),
    });
  },
};

export const reactionTables = { Reactable: reactable, ReactionGroup: group };
