// Generated from spec/slack/connector.yaml by `make generate`. Do not edit.

import { type Client, type ClientPlan, type ConnectorClass, connectorClass } from "../../runtime/client/index.ts";
import type * as channels from "./channels.ts";
import type * as messages from "./messages.ts";
import type * as reactions from "./reactions.ts";
import type * as replies from "./replies.ts";
import type * as users from "./users.ts";

export * from "../../runtime/client/index.ts";
export type { Channel, ChannelsGetParams, ChannelsListParams } from "./channels.ts";
export type { Message, MessagesCreateParams, MessagesDeleteParams, MessagesListParams, MessagesUpdateParams, Sent } from "./messages.ts";
export type { Done, ReactionsAddParams, ReactionsRemoveParams } from "./reactions.ts";
export type { RepliesListParams, Reply } from "./replies.ts";
export type { User, UsersGetParams, UsersListParams } from "./users.ts";
export type { Reaction } from "./shared.ts";

/** What the methods of {@link Slack} take and return. */
export interface SlackEntities {
  /** Public and private channels that the token sees. */
  channels: {
    name: "channels";
    actions: Pick<typeof channels, "get" | "list">;
    record: channels.Channel;
    search: { id: "string"; archived: "boolean"; created: "timestamp"; creator: "string"; member: "boolean"; members: "integer"; name: "string"; private: "boolean"; purpose: "string"; topic: "string" };
    semantic: "purpose";
  };
  /** Messages of channels, without the replies in their threads. */
  messages: {
    name: "messages";
    actions: Pick<typeof messages, "list" | "create" | "update"> & { delete: typeof messages.deleteAction };
    record: messages.Message;
    search: { channel: "string"; ts: "string"; editedAt: "timestamp"; latestReply: "string"; reactions: "string[]"; replies: "integer"; sentAt: "timestamp"; subtype: "string"; text: "string"; user: "string" };
    semantic: "text";
  };
  /** Emojis that people put on messages. Those of a message stand in it; this adds and removes them. */
  reactions: {
    name: "reactions";
    actions: Pick<typeof reactions, never> & { add: typeof reactions.addAction; remove: typeof reactions.removeAction };
    record: reactions.Done;
    search: {  };
  };
  /** Messages of threads. The first one is the message that the others answer. */
  replies: {
    name: "replies";
    actions: Pick<typeof replies, "list">;
    record: replies.Reply;
    search: { channel: "string"; thread: "string"; ts: "string"; editedAt: "timestamp"; reactions: "string[]"; sentAt: "timestamp"; subtype: "string"; text: "string"; user: "string" };
    semantic: "text";
  };
  /** People and bots of the workspace. */
  users: {
    name: "users";
    actions: Pick<typeof users, "get" | "list">;
    record: users.User;
    search: { id: "string"; admin: "boolean"; bot: "boolean"; deleted: "boolean"; email: "string"; name: "string"; realName: "string"; timezone: "string"; title: "string"; updated: "timestamp" };
  };
}

/** The credentials that Slack takes. */
export type SlackCredential =
  | { readonly kind: "token"; readonly token: string };
export type ClientOptions = import("../../runtime/client/index.ts").ClientOptions<SlackCredential>;
export type LocalOptions = import("../../runtime/client/index.ts").LocalOptions<SlackCredential>;

/** Entities and actions of Slack, for both modes of its client. */
export const plan: ClientPlan = {
  name: "slack",
  title: "Slack",
  entities: {
    channels: { get: {}, list: { cursor: "after" } },
    messages: { list: { cursor: "after" }, create: { writes: true }, update: { writes: true }, delete: { writes: true } },
    reactions: { add: { writes: true }, remove: { writes: true } },
    replies: { list: { cursor: "after" } },
    users: { get: {}, list: { cursor: "after" } },
  },
};

/** Client of Slack, in hosted mode only, as browsers use it. Channels, messages, threads and users of a Slack workspace. */
export const Slack: ConnectorClass<SlackEntities, SlackCredential> = connectorClass(plan);

export type Slack = Client<SlackEntities>;
