import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { command } from "../support/command.ts";
import { openProcesses } from "./support/process.ts";
import { apiKey, authorized, useTenon } from "./support/service.ts";

// Revision 2026-07-28: each request stands for itself.

const revision = "2026-07-28";
const running = useTenon({ mcpWrites: true });
const processes = openProcesses();
const get = { entity: "issues", action: "get", params: { owner: "octocat", repo: "hello-world", number: 1 }, fields: ["number"] };

let env: Record<string, string>;
let other: string;
beforeAll(async () => {
  const { url, graphqlUrl } = running.platform;
  env = { GITHUB_TOKEN: ownerToken, GITHUB_API_URL: url, GITHUB_GRAPHQL_URL: graphqlUrl, TENON_API_KEY: apiKey };
  other = await processes.start({ ...env, TENON_MCP_WRITES: "true" }).url();
});
afterAll(() => processes.close());

function newClient(): Client {
  return new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
}

/** What the client does with each way in. */
async function use(client: Client): Promise<void> {
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  expect(client.getInstructions()).toContain("Tenon gives access");
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("read");
  for (let time = 0; time < 2; time++) {
    const { content } = await client.callTool({ name: "read", arguments: get });
    expect(JSON.parse(content[0]?.type === "text" ? content[0].text : "").data).toEqual({ number: 1 });
  }
  await expect(client.callTool({ name: "reed", arguments: {} })).rejects.toThrow('There is no tool "reed". Did you mean read?');
  const { resources } = await client.listResources();
  const { contents } = await client.readResource({ uri: resources[0]?.uri ?? "" });
  expect(contents[0]).toMatchObject({ mimeType: "text/markdown" });
}

const meta = {
  "io.modelcontextprotocol/protocolVersion": revision,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

async function send(method: string, params: object = {}, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${running.tenon.url}/mcp`, {
    method: "POST",
    headers: {
      ...authorized,
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": revision,
      "mcp-method": method,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { _meta: meta, ...params } }),
  });
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.has("mcp-session-id")).toBe(false);
  return { status: response.status, ...(await response.json()) };
}

describe("MCP 2026-07-28", () => {
  it("serves one client from two processes in turn", async () => {
    const urls = [running.tenon.url, other];
    const used: string[] = [];
    const client = newClient();
    const transport = new StreamableHTTPClientTransport(new URL(`${other}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${apiKey}` } },
      fetch: (_url, init) => {
        const url = urls[used.length % 2] ?? "";
        used.push(url);
        return fetch(`${url}/mcp`, init);
      },
    });
    await client.connect(transport);
    await use(client);
    await client.close();
    expect(used.filter((url) => url === other).length).toBeGreaterThanOrEqual(3);
  });

  it("serves a client on standard input", async () => {
    const client = newClient();
    const options = {
      stderr: "ignore" as const,
      command: process.execPath,
      args: [command, "mcp"],
      env,
      cwd: processes.folder(),
    };
    await client.connect(new StdioClientTransport(options));
    await use(client);
    await client.close();
  });

  it("says what it is, and how long each result may be kept", async () => {
    const found = await send("server/discover");
    expect(found.result).toMatchObject({
      resultType: "complete",
      supportedVersions: [revision],
      capabilities: { tools: {}, resources: {} },
      instructions: expect.stringContaining("Tenon gives access"),
      ttlMs: 300_000,
      cacheScope: "private",
    });
    for (const method of ["tools/list", "resources/list"])
      expect((await send(method)).result).toMatchObject({ resultType: "complete", ttlMs: 300_000, cacheScope: "private" });
    const uri = "tenon://github/issues";
    const page = await send("resources/read", { uri }, { "mcp-name": uri });
    expect(page.result).toMatchObject({ resultType: "complete", ttlMs: 3_600_000, cacheScope: "private" });
    const called = await send("tools/call", { name: "read", arguments: get }, { "mcp-name": "read" });
    expect(called.result).toMatchObject({ resultType: "complete" });
    expect(called.result).not.toHaveProperty("ttlMs");
  });

  it("refuses another revision, and a header that contradicts the message", async () => {
    const next = { ...meta, "io.modelcontextprotocol/protocolVersion": "2027-01-01" };
    const unknown = await send("tools/list", { _meta: next }, { "mcp-protocol-version": "2027-01-01" });
    expect([unknown.status, unknown.error]).toMatchObject([400, { code: -32022, data: { supported: [revision] } }]);
    const mixed = await send("tools/list", {}, { "mcp-method": "tools/call" });
    expect([mixed.status, mixed.error.code]).toEqual([400, -32020]);
  });

  it("confirms a subscription and ends it, because nothing changes while a client listens", async () => {
    const method = "subscriptions/listen";
    const headers = { accept: "application/json, text/event-stream", "mcp-protocol-version": revision, "mcp-method": method };
    const params = { _meta: meta, notifications: { toolsListChanged: true } };
    const response = await fetch(`${running.tenon.url}/mcp`, {
      method: "POST",
      headers: { ...authorized, ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const messages = (await response.text())
      .split("\n")
      .flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6))] : []));
    expect(messages).toMatchObject([
      { method: "notifications/subscriptions/acknowledged", params: { notifications: {} } },
      { id: 1, result: { resultType: "complete" } },
    ]);
  });
});
