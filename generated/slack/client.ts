// Generated from spec/slack/connector.yaml by `make generate`. Do not edit.

import { type Client, type ConnectorClass, connectorClass } from "../../runtime/client/index.ts";
import { localMode } from "../../runtime/client/local-mode.ts";
import { type SlackCredential, type SlackEntities, plan } from "./hosted.ts";

export * from "../../runtime/client/index.ts";
export type * from "./hosted.ts";
export type { ClientOptions, LocalOptions } from "./hosted.ts";

/** Client of Slack. Channels, messages, threads and users of a Slack workspace. */
export const Slack: ConnectorClass<SlackEntities, SlackCredential> = connectorClass(plan, localMode(async () => (await import("./index.ts")).slack));

export type Slack = Client<SlackEntities>;
