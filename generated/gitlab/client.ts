// Generated from spec/gitlab/connector.yaml by `make generate`. Do not edit.

import { type Client, type ConnectorClass, connectorClass } from "../../runtime/client/index.ts";
import { localMode } from "../../runtime/client/local-mode.ts";
import { type GitLabCredential, type GitLabEntities, plan } from "./hosted.ts";

export * from "../../runtime/client/index.ts";
export type * from "./hosted.ts";
export type { ClientOptions, LocalOptions } from "./hosted.ts";

/** Client of GitLab. Projects, issues, merge requests, their notes, pipelines and users of GitLab.com or of a GitLab server of your own. */
export const GitLab: ConnectorClass<GitLabEntities, GitLabCredential> = connectorClass(plan, localMode(async () => (await import("./index.ts")).gitlab));

export type GitLab = Client<GitLabEntities>;
