// Generated from spec/slack/connector.yaml by `make generate`. Do not edit.

import type { Connector } from "../../runtime/contract/public.ts";
import { entity as channels } from "./channels.ts";
import { facts } from "./facts.ts";
import { entity as messages } from "./messages.ts";
import { entity as reactions } from "./reactions.ts";
import { entity as replies } from "./replies.ts";
import { entity as users } from "./users.ts";

/** Channels, messages, threads and users of a Slack workspace. */
export const slack: Connector = {
  ...facts,
  entities: { channels, messages, reactions, replies, users },
};
