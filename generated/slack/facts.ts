// Generated from spec/slack/connector.yaml by `make generate`. Do not edit.

import type { ConnectorFacts, StorePlan } from "../../runtime/contract/public.ts";

export const channelsStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    archived: { type: "boolean", index: "exact" },
    created: { type: "timestamp", index: "exact" },
    creator: { type: "string", index: "exact", nullable: true },
    member: { type: "boolean", index: "exact" },
    members: { type: "integer", index: "exact", nullable: true },
    name: { type: "string", index: "name" },
    private: { type: "boolean", index: "exact" },
    purpose: { type: "string", index: "text", nullable: true },
    topic: { type: "string", index: "text", nullable: true },
  },
  semantic: { fields: { purpose: { window: 1024 } }, hit: { id: "id", name: "name" } },
};

export const messagesStore: StorePlan = {
  key: ["channel", "ts"],
  fields: {
    channel: { type: "string", index: "exact" },
    ts: { type: "string", index: "exact" },
    editedAt: { type: "timestamp", index: "exact", nullable: true },
    latestReply: { type: "string", index: "exact", nullable: true },
    reactions: { type: "string", index: "name", list: { by: ["name"] } },
    replies: { type: "integer", index: "exact", nullable: true },
    sentAt: { type: "timestamp", index: "exact" },
    subtype: { type: "string", index: "exact", nullable: true },
    text: { type: "string", index: "text", nullable: true },
    user: { type: "string", index: "exact", nullable: true },
  },
  semantic: { fields: { text: { window: 2048 } }, hit: { channel: "channel", sent_at: "sentAt", ts: "ts" } },
};

export const reactionsStore: StorePlan = { key: [], fields: {} };

export const repliesStore: StorePlan = {
  key: ["channel", "thread", "ts"],
  fields: {
    channel: { type: "string", index: "exact" },
    thread: { type: "string", index: "exact" },
    ts: { type: "string", index: "exact" },
    editedAt: { type: "timestamp", index: "exact", nullable: true },
    reactions: { type: "string", index: "name", list: { by: ["name"] } },
    sentAt: { type: "timestamp", index: "exact" },
    subtype: { type: "string", index: "exact", nullable: true },
    text: { type: "string", index: "text", nullable: true },
    user: { type: "string", index: "exact", nullable: true },
  },
  semantic: { fields: { text: { window: 2048 } }, hit: { channel: "channel", thread: "thread", ts: "ts" } },
};

export const usersStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    admin: { type: "boolean", index: "exact", nullable: true },
    bot: { type: "boolean", index: "exact" },
    deleted: { type: "boolean", index: "exact" },
    email: { type: "string", index: "name", nullable: true },
    name: { type: "string", index: "name" },
    realName: { type: "string", index: "name", nullable: true },
    timezone: { type: "string", index: "exact", nullable: true },
    title: { type: "string", index: "name", nullable: true },
    updated: { type: "timestamp", index: "exact" },
  },
};

export const stores: ConnectorFacts["stores"] = {
  channels: channelsStore,
  messages: messagesStore,
  reactions: reactionsStore,
  replies: repliesStore,
  users: usersStore,
};

export const facts: ConnectorFacts["facts"] = {
  name: "slack",
  title: "Slack",
  example: { action: "list", entity: "messages", params: { channel: "C01GENERAL", fields: ["ts", "user", "text"], per_page: 2 } },
  platform: {
    title: "Slack",
    auth: {
      kinds: [
        {
          name: "token",
          values: { token: "SLACK_TOKEN" },
          doc: "A bot or user token. Its scopes and the channels of its owner decide what every action may see and change.",
          place: { in: "header", name: "Authorization", template: ["Bearer ", "token", ""] },
        },
      ],
      secrets: ["xox[a-z](-[A-Za-z0-9]+){1,8}", "xapp(-[A-Za-z0-9]+){1,8}"],
    },
    rest: { url: "https://slack.com/api", env: "SLACK_API_URL" },
    rateLimit: {
      calls: {
        "GET /conversations.history": 50,
        "GET /conversations.info": 50,
        "GET /conversations.list": 20,
        "GET /conversations.replies": 50,
        "GET /users.info": 100,
        "GET /users.list": 20,
        "POST /chat.delete": 50,
        "POST /chat.update": 50,
        "POST /reactions.add": 50,
        "POST /reactions.remove": 20,
      },
      concurrent: 4,
      requestId: "x-slack-req-id",
      writes: { perHour: 3600, perMinute: 60, spacing: 1000 },
      background: { concurrent: 1, reserve: 0 },
    },
    errors: {
      graphql: {},
      rest: {
        account_inactive: { code: "platform_unauthorized" },
        cant_delete_message: { code: "platform_forbidden" },
        cant_update_message: { code: "platform_forbidden" },
        channel_not_found: { code: "not_found" },
        fatal_error: { code: "platform_failed", retry: true },
        internal_error: { code: "platform_failed", retry: true },
        invalid_auth: { code: "platform_unauthorized" },
        invalid_blocks: { code: "platform_rejected" },
        invalid_cursor: { code: "bad_cursor" },
        message_not_found: { code: "not_found" },
        missing_scope: { code: "platform_forbidden" },
        not_authed: { code: "platform_unauthorized" },
        not_in_channel: { code: "platform_forbidden" },
        ratelimited: { code: "rate_limited" },
        service_unavailable: { code: "platform_failed", retry: true },
        thread_not_found: { code: "not_found" },
        token_expired: { code: "platform_unauthorized" },
        token_revoked: { code: "platform_unauthorized" },
        user_not_found: { code: "not_found" },
      },
      when: [{ ok: false }],
      places: { code: ["error"], message: ["response_metadata.messages", "error"] },
    },
  },
  simulator: new URL("../../spec/slack/simulator/platform.yaml", import.meta.url),
  openapi: new URL("./openapi.json", import.meta.url),
  scopes: {
    workspace: { params: [], doc: "The workspace of the token with the channels that its owner is in. It is part of every sync." },
  },
};
