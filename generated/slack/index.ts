// Generated from spec/slack/connector.yaml by `make generate`. Do not edit.

import type { Connector } from "../../runtime/contract/public.ts";
import { entity as channels } from "./channels.ts";
import { entity as messages } from "./messages.ts";
import { entity as replies } from "./replies.ts";
import { entity as users } from "./users.ts";

/** Channels, messages, threads and users of a Slack workspace. */
export const slack: Connector = {
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
        internal_error: { code: "platform_failed", retry: true },
        invalid_auth: { code: "platform_unauthorized" },
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
      when: { ok: false },
      places: { code: ["error"], message: ["error"] },
    },
  },
  simulator: new URL("../../spec/slack/simulator/platform.yaml", import.meta.url),
  openapi: new URL("./openapi.json", import.meta.url),
  scopes: {
    workspace: { params: [], doc: "The workspace of the token with the channels that its owner is in. It is part of every sync." },
  },
  entities: { channels, messages, replies, users },
};
