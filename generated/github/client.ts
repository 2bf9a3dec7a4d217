// Generated from spec/github/connector.yaml by `make generate`. Do not edit.

import { type Client, type ConnectorClass, connectorClass } from "../../runtime/client/index.ts";
import { localMode } from "../../runtime/client/local-mode.ts";
import { type GitHubCredential, type GitHubEntities, plan } from "./hosted.ts";

export * from "../../runtime/client/index.ts";
export type * from "./hosted.ts";
export type { ClientOptions, LocalOptions } from "./hosted.ts";

/** Client of GitHub. Repositories, issues, pull requests, discussions, projects, people and files of a GitHub account. Reads go through GitHub's GraphQL API, writes through its REST API. For GitHub Enterprise Server, set `GITHUB_API_URL` to `https://HOST/api/v3`. */
export const GitHub: ConnectorClass<GitHubEntities, GitHubCredential> = connectorClass(plan, localMode(async () => (await import("./index.ts")).github));

export type GitHub = Client<GitHubEntities>;
