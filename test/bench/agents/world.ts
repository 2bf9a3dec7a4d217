import { connectors } from "../../../generated/index.ts";
import { ownerToken } from "../../../runtime/simulated/github/tokens.ts";
import { apiKey, startTenon } from "../../e2e/support/service.ts";
import { tokenCredential } from "../../support/credential.ts";
import { startPlatform } from "../../support/github/start.ts";
import { shaped } from "../../support/shaped.ts";

/** A service over the simulated platforms, whose cache holds the examples of every connector. */
export interface World {
  readonly url: string;
  readonly key: string;
  /** What GitHub itself answers to a GraphQL query. */
  platform(query: string): Promise<string>;
  close(): Promise<void>;
}

/** What is read of `meta` in the report of a sync. */
interface SyncMeta {
  readonly running: boolean;
  readonly semantic: readonly { readonly ready: boolean }[];
}

const none = { credential: undefined, rest: undefined, graphql: undefined };

export async function openWorld(): Promise<World> {
  const platform = await startPlatform();
  const simulated = connectors.map(({ name }) => name).filter((name) => name !== "github");
  const { url, service, send } = await startTenon(platform, {
    mcpWrites: true,
    platforms: {
      github: { credential: tokenCredential(ownerToken), rest: platform.url, graphql: platform.graphqlUrl },
      ...Object.fromEntries(simulated.map((name) => [name, none])),
    },
    simulate: simulated,
  });
  for (const { name, scopes } of connectors) {
    const path = `/api/v1/integrations/connectors/${name}/sync`;
    const examples = Object.entries(scopes).flatMap(([kind, { example }]) =>
      example === undefined ? [] : [`${kind}=${example}`],
    );
    await send("POST", path, JSON.stringify({ scopes: examples }));
    for (;;) {
      const { status, body } = await send("GET", path, undefined);
      if (status !== 200) throw new Error(JSON.stringify(body));
      const { running, semantic } = shaped<SyncMeta>(body["meta"]);
      if (!running && semantic.every(({ ready }) => ready)) break;
      await new Promise((resume) => setTimeout(resume, 50));
    }
  }
  return {
    url,
    key: apiKey,
    platform: async (query) => {
      const headers = { authorization: `Bearer ${ownerToken}`, "user-agent": "tenon-bench" };
      const response = await fetch(platform.graphqlUrl, { method: "POST", headers, body: JSON.stringify({ query }) });
      return response.text();
    },
    close: async () => {
      await service.close();
      await platform.close();
    },
  };
}
