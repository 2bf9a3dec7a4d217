import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, describe, expect, it } from "vitest";
import { GitHub } from "../../generated/github/client.ts";
import type { Warning } from "../../runtime/contract/index.ts";
import { shaped } from "../support/shaped.ts";
import { openProcesses } from "./support/process.ts";
import { apiKey, good, type Tenon, useTenon } from "./support/service.ts";

// A cache that is empty does not look like a platform that is: whoever searches it is told that nothing was synced, and how to sync it.

const at = useTenon();
const syncPath = "/api/v1/integrations/connectors/github/sync";
const scope = "repository=octocat/hello-world";
const { start, close } = openProcesses();
afterAll(close);

async function search(params: object = { query: {} }): Promise<{ synced: unknown; data: unknown; warnings: readonly Warning[] }> {
  const { data, meta } = shaped<{
    data: unknown;
    meta: { synced_at: unknown; warnings?: readonly Warning[] };
  }>(good(await at.tenon.run("labels", "context_store_search", params)));
  return { synced: meta.synced_at, data, warnings: meta.warnings ?? [] };
}

const inRepository = (repository: string) => ({ query: { filter: { eq: { repository } } } });

async function toolText({ url }: Tenon): Promise<string> {
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { Authorization: `Bearer ${apiKey}` } };
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  const { content } = await client.callTool({ name: "search", arguments: { connector: "github", entity: "labels" } });
  await client.close();
  return (content as { text: string }[])[0]?.text ?? "";
}

describe("a search of an empty cache", () => {
  it("says by every way that nothing was synced, with the command that syncs it", async () => {
    const how = "tenon sync github --scope repository=owner/repo";
    const found = await search();
    expect(found).toMatchObject({ synced: null, data: [], warnings: [{ code: "not_synced" }] });
    expect(found.warnings[0]?.message).toContain(how);
    expect((await search({ query: {}, groupBy: ["name"], count: true })).warnings).toMatchObject([{ code: "not_synced" }]);
    expect(await toolText(at.tenon)).toContain(how);
    const { meta } = await new GitHub({ baseUrl: at.tenon.url, apiKey }).labels.contextStoreSearch({ query: {} });
    expect(meta.warnings?.map(({ code }) => code)).toEqual(["not_synced"]);
    const command = start({ TENON_URL: at.tenon.url, TENON_API_KEY: apiKey }, ["search", "github", "labels"]);
    expect(await command.exit).toBe(0);
    expect(command.err()).toMatch(/^warning: not_synced: .*tenon sync github/);
  });

  it("says it no longer when the scope was synced, but of a scope that was not", async () => {
    const body = JSON.stringify({ scopes: [scope], entities: ["labels"] });
    expect((await at.tenon.send("POST", syncPath, body)).status).toBe(202);
    let found = await search();
    while (found.synced === null) found = await search();
    expect(found.warnings).toEqual([]);
    expect((await search(inRepository("octocat/hello-world"))).warnings).toEqual([]);
    const other = await search(inRepository("octocat/other"));
    expect(other).toMatchObject({ data: [], warnings: [{ code: "not_synced" }] });
    expect(other.warnings[0]?.message).toContain("--scope repository=octocat/other");
  });
});
