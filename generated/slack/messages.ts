// Generated from spec/slack/messages.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Answer,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { messagesStore } from "./facts.ts";
import { type Reaction, reactionPlan } from "./shared.ts";
import { createParams, deleteActionParams, listParams, updateParams } from "./validators/messages.js";

/** Messages of channels, without the replies in their threads. */
export interface Message {
  /** Id of the channel. */
  readonly channel: string;
  /** Id within the channel. */
  readonly ts: string;
  /** When it was last edited. */
  readonly editedAt: string | null;
  /** The `ts` of the newest reply. */
  readonly latestReply: string | null;
  /** Reactions to it. */
  readonly reactions: readonly Reaction[];
  /** Number of replies. */
  readonly replies: number | null;
  /** When it was sent. */
  readonly sentAt: string;
  /** What it is, where it is no plain message, such as `channel_join`. */
  readonly subtype: string | null;
  /** Text in Slack's own markup. */
  readonly text: string | null;
  /** Id of who sent it. */
  readonly user: string | null;
  /** Text of its blocks. */
  readonly blockText?: string | null;
}

/** Says which message was changed or removed. */
export interface Sent {
  /** Id of the channel. */
  readonly channel: string;
  /** Id of the message. */
  readonly ts: string;
}

export interface MessagesListParams {
  /** Id of the channel. */
  readonly channel: string;
  /** Only those before this `ts`. */
  readonly latest?: string;
  /** Only those after this `ts`. */
  readonly oldest?: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 200. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface MessagesCreateParams {
  /** Id of the channel. */
  readonly channel: string;
  /** Text in Slack's own markup. */
  readonly text: string;
  /** Text of a block in place of `blocks`. Nothing in it is markup. */
  readonly blockText?: string;
  /** Blocks as Slack has them; notifications show `text`. */
  readonly blocks?: readonly (Readonly<Record<string, unknown>>)[];
  /** Whether a reply is shown in the channel too. */
  readonly broadcast?: boolean;
  /** The `ts` of the message to answer. */
  readonly thread?: string;
  readonly fields?: readonly FieldPath[];
}

export interface MessagesUpdateParams {
  /** Id of the channel. */
  readonly channel: string;
  /** The message's `ts`, which is its id within the channel. */
  readonly ts: string;
  /** Text of a block in place of `blocks`. Nothing in it is markup. */
  readonly blockText?: string;
  /** Blocks as Slack has them; notifications show `text`. */
  readonly blocks?: readonly (Readonly<Record<string, unknown>>)[];
  /** Text in Slack's own markup. */
  readonly text?: string;
  readonly fields?: readonly FieldPath[];
}

export interface MessagesDeleteParams {
  /** Id of the channel. */
  readonly channel: string;
  /** The message's `ts`, which is its id within the channel. */
  readonly ts: string;
  readonly fields?: readonly FieldPath[];
}

export const messagePlan: RecordPlan = {
  name: "Message",
  fields: {
    channel: { param: "channel" },
    ts: { read: "ts", always: true },
    editedAt: { read: "edited.ts", as: { kind: "seconds" }, is: "timestamp" },
    latestReply: { read: "latest_reply" },
    reactions: { read: "reactions", list: "empty", of: () => reactionPlan },
    replies: { read: "reply_count", is: "integer" },
    sentAt: { read: "ts", always: true, as: { kind: "seconds" }, is: "timestamp" },
    subtype: { read: "subtype" },
    text: { read: "text" },
    user: { read: "user" },
    blockText: { read: "blocks", as: { kind: "text" }, onRequest: true },
  },
};

export const sentPlan: RecordPlan = { name: "Sent", fields: { channel: { read: "channel", always: true }, ts: { read: "ts", always: true } } };

/** Lists the messages of a channel, newest first. */
export const list: Action<MessagesListParams, Page<Message>> = {
  name: "messages.list",
  traits: actionTraits.list,
  params: ["channel", "latest", "oldest", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/conversations.history",
    query: ["channel", "latest", "oldest", { param: "per_page", name: "limit" }],
    body: [],
    limit: "GET /conversations.history",
    answer: "messages",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "cursor", param: "cursor", next: "response_metadata.next_cursor", end: { more: "has_more" } },
    },
    record: messagePlan,
  },
};

/** Posts a message, or with `thread` a reply. */
export const create: Action<MessagesCreateParams, Answer<Message>> = {
  name: "messages.create",
  traits: actionTraits.create,
  params: ["channel", "text", "blockText", "blocks", "broadcast", "thread"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/chat.postMessage",
    query: [],
    body: [
      "channel",
      "text",
      { param: "blockText", name: "blocks", as: [{ text: { text: "{text}", type: "plain_text" }, type: "section" }] },
      "blocks",
      { param: "broadcast", name: "reply_broadcast" },
      { param: "thread", name: "thread_ts" },
    ],
    answer: "message",
    record: messagePlan,
  },
};

/** Changes the text of a message of the token's owner. */
export const update: Action<MessagesUpdateParams, Answer<Sent>> = {
  name: "messages.update",
  traits: actionTraits.update,
  params: ["channel", "ts", "blockText", "blocks", "text"],
  validate: updateParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/chat.update",
    query: [],
    body: [
      "channel",
      "ts",
      { param: "blockText", name: "blocks", as: [{ text: { text: "{text}", type: "plain_text" }, type: "section" }] },
      "blocks",
      "text",
    ],
    limit: "POST /chat.update",
    record: sentPlan,
  },
  changes: ["blockText", "blocks", "text"],
};

/** Removes a message of the token's owner. */
export const deleteAction: Action<MessagesDeleteParams, Answer<Sent>> = {
  name: "messages.delete",
  traits: { writes: true, list: false, updates: false, idempotent: true },
  params: ["channel", "ts"],
  validate: deleteActionParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/chat.delete",
    query: [],
    body: ["channel", "ts"],
    limit: "POST /chat.delete",
    record: sentPlan,
  },
};

/** Messages of channels, without the replies in their threads. */
export const entity: Entity = {
  actions: { list, create, update, delete: deleteAction },
  record: messagePlan,
  store: messagesStore,
  brief: ["ts", "user", "text", "replies"],
  sync: [
    {
      scope: "workspace",
      action: list,
      size: { param: "per_page", value: 100 },
      each: { entity: "channels", params: { channel: "id" }, where: { member: true } },
    },
  ],
  relations: [{ table: "channels", on: "channels.id = messages.channel" }],
};
