// Generated from spec/slack/channels.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { channelsStore } from "./facts.ts";
import { getParams, listParams } from "./validators/channels.js";

/** Public and private channels that the token sees. */
export interface Channel {
  /** Id. */
  readonly id: string;
  /** Whether it is archived. */
  readonly archived: boolean;
  /** When it was created. */
  readonly created: string;
  /** Id of who created it. */
  readonly creator: string | null;
  /** Whether the owner of the token is in it. */
  readonly member: boolean;
  /** Number of its members. */
  readonly members: number | null;
  /** Name without the hash sign. */
  readonly name: string;
  /** Whether only its members see it. */
  readonly private: boolean;
  /** What it is for. */
  readonly purpose: string | null;
  /** Topic. */
  readonly topic: string | null;
}

export interface ChannelsGetParams {
  /** Id of the channel. */
  readonly channel: string;
  readonly fields?: readonly FieldPath[];
}

export interface ChannelsListParams {
  /** Leaves out archived ones. */
  readonly active?: boolean;
  /** Kinds between commas: `public_channel`, `private_channel`, `im`, `mpim`. Default `public_channel,private_channel`. */
  readonly types?: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 200. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const channelPlan: RecordPlan = {
  name: "Channel",
  fields: {
    id: { read: "id", always: true },
    archived: { read: "is_archived", always: true, is: "boolean" },
    created: { read: "created", always: true, as: { kind: "seconds" }, is: "timestamp" },
    creator: { read: "creator" },
    member: { read: "is_member", always: true, is: "boolean" },
    members: { read: "num_members", is: "integer" },
    name: { read: "name", always: true },
    private: { read: "is_private", always: true, is: "boolean" },
    purpose: { read: "purpose.value" },
    topic: { read: "topic.value" },
  },
};

/** Reads one channel. */
export const get: Action<ChannelsGetParams, Single<Channel>> = {
  name: "channels.get",
  traits: actionTraits.get,
  params: ["channel"],
  validate: getParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/conversations.info",
    query: ["channel"],
    body: [],
    limit: "GET /conversations.info",
    answer: "channel",
    record: channelPlan,
  },
};

/** Lists channels. */
export const list: Action<ChannelsListParams, Page<Channel>> = {
  name: "channels.list",
  traits: actionTraits.list,
  params: ["active", "types", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/conversations.list",
    query: [{ param: "active", name: "exclude_archived" }, "types", { param: "per_page", name: "limit" }],
    body: [],
    limit: "GET /conversations.list",
    answer: "channels",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "cursor", param: "cursor", next: "response_metadata.next_cursor" },
    },
    record: channelPlan,
  },
};

/** Public and private channels that the token sees. */
export const entity: Entity = {
  actions: { get, list },
  record: channelPlan,
  store: channelsStore,
  brief: ["id", "name", "topic", "members"],
  sync: [{ scope: "workspace", action: list, size: { param: "per_page", value: 100 } }],
};
