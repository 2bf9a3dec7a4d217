// Generated from spec/slack/replies.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { repliesStore } from "./facts.ts";
import { type Reaction, reactionPlan } from "./shared.ts";
import { listParams } from "./validators/replies.js";

/** Messages of threads. The first one is the message that the others answer. */
export interface Reply {
  /** Id of the channel. */
  readonly channel: string;
  /** The `ts` of the message that began the thread. */
  readonly thread: string;
  /** Id within the channel. */
  readonly ts: string;
  /** When it was last edited. */
  readonly editedAt: string | null;
  /** Reactions to it. */
  readonly reactions: readonly Reaction[];
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

export interface RepliesListParams {
  /** Id of the channel. */
  readonly channel: string;
  /** The `ts` of the message that began the thread. */
  readonly ts: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 200. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const replyPlan: RecordPlan = {
  name: "Reply",
  fields: {
    channel: { param: "channel" },
    thread: { param: "ts" },
    ts: { read: "ts", always: true },
    editedAt: { read: "edited.ts", as: { kind: "seconds" }, is: "timestamp" },
    reactions: { read: "reactions", list: "empty", of: () => reactionPlan },
    sentAt: { read: "ts", always: true, as: { kind: "seconds" }, is: "timestamp" },
    subtype: { read: "subtype" },
    text: { read: "text" },
    user: { read: "user" },
    blockText: { read: "blocks", as: { kind: "text" }, onRequest: true },
  },
};

/** Lists a thread, oldest first. The first record is the message that the others answer. */
export const list: Action<RepliesListParams, Page<Reply>> = {
  name: "replies.list",
  traits: actionTraits.list,
  params: ["channel", "ts", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/conversations.replies",
    query: ["channel", "ts", { param: "per_page", name: "limit" }],
    body: [],
    limit: "GET /conversations.replies",
    answer: "messages",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "cursor", param: "cursor", next: "response_metadata.next_cursor", end: { more: "has_more" } },
    },
    record: replyPlan,
  },
};

/** Messages of threads. The first one is the message that the others answer. */
export const entity: Entity = {
  actions: { list },
  record: replyPlan,
  store: repliesStore,
  brief: ["thread", "ts", "user", "text"],
  sync: [
    {
      scope: "workspace",
      action: list,
      size: { param: "per_page", value: 100 },
      each: {
        entity: "messages",
        params: { channel: "channel", ts: "ts" },
        unless: { latestReply: null },
        changed: "latestReply",
      },
    },
  ],
  relations: [{ table: "messages", on: "messages.channel = replies.channel AND messages.ts = replies.thread" }],
};
