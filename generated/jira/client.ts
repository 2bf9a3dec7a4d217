// Generated from spec/jira/connector.yaml by `make generate`. Do not edit.

import { type Client, type ConnectorClass, connectorClass } from "../../runtime/client/index.ts";
import { localMode } from "../../runtime/client/local-mode.ts";
import { type JiraCloudCredential, type JiraCloudEntities, plan } from "./hosted.ts";

export * from "../../runtime/client/index.ts";
export type * from "./hosted.ts";
export type { ClientOptions, LocalOptions } from "./hosted.ts";

/** Client of Jira Cloud. Projects, issues, comments, transitions and users of a Jira Cloud site. */
export const JiraCloud: ConnectorClass<JiraCloudEntities, JiraCloudCredential> = connectorClass(plan, localMode(async () => (await import("./index.ts")).jira));

export type JiraCloud = Client<JiraCloudEntities>;
