import { describe, expect, it } from "vitest";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { withProcesses } from "./support/process.ts";
import { apiKey, authorized, executePath, until } from "./support/service.ts";

// `tenon serve --no-sync` and `tenon work`: two processes over the files of one machine.

describe("a service without syncs, and a worker beside it", () => {
  it("share one folder: the worker fills the cache that the service answers from", () =>
    withProcesses(async ({ platform, start, folder }) => {
      const env = {
        ...{ GITHUB_TOKEN: ownerToken, GITHUB_API_URL: platform.url, GITHUB_GRAPHQL_URL: platform.graphqlUrl },
        ...{ TENON_API_KEY: apiKey, TENON_DATA_DIR: folder(), TENON_SYNC_SCOPES: "user=octocat" },
      };
      const service = start(env, ["serve", "--no-sync"]);
      const url = await service.url();
      await service.told("ready");
      const body = JSON.stringify({ entity: "users", action: "context_store_search", params: { query: {}, fields: ["login"] } });
      const found = async () => {
        const response = await fetch(url + executePath, { method: "POST", headers: authorized, body });
        return (await response.json()) as { readonly data: unknown; readonly meta: { readonly synced_at: string | null } };
      };
      expect(await found()).toMatchObject({ data: [], meta: { synced_at: null } });
      const worker = start(env, ["work"]);
      const probes = await worker.url();
      await worker.told("/readyz");
      expect((await fetch(`${probes}/healthz`)).status).toBe(200);
      expect((await fetch(`${probes}/readyz`)).status).toBe(200);
      const refused = await fetch(probes + executePath, { method: "POST", headers: authorized, body });
      expect([refused.status, (await refused.json())["code"]]).toEqual([404, "unknown_route"]);
      await until(() => /"entity":"users","msg":"synced"|"entity":"users"[^\n]*"msg":"synced"/.test(worker.out()));
      expect(await found()).toMatchObject({ data: [{ login: "octocat" }] });
      expect(service.out()).not.toContain('"msg":"synced"');
      for (const { child, exit } of [worker, service]) {
        child.kill("SIGTERM");
        expect(await exit).toBe(0);
      }
    }));
});
