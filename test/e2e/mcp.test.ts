import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { responseBytes } from "../../runtime/mcp/budget.ts";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { command } from "../support/command.ts";
import { endsWithTests } from "../support/ends-with-tests.ts";
import { apiKey, authorized, expectNoSecret, useTenon } from "./support/service.ts";

const running = useTenon({ mcpWrites: true });
const golden = join(import.meta.dirname, "../runtime/mcp/tools.json");
const repository = { owner: "octocat", repo: "hello-world" };

const clients: Client[] = [];
const folders: string[] = [];
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function connected(transport: StdioClientTransport | StreamableHTTPClientTransport): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  clients.push(client);
  return client;
}

function stdio(env: Readonly<Record<string, string>>, ...flags: string[]): Promise<Client> {
  const cwd = mkdtempSync(join(tmpdir(), "tenon-mcp-"));
  folders.push(cwd);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [command, "mcp", ...flags],
    env: { ...env },
    cwd,
    stderr: "ignore",
  });
  return connected(transport);
}

function http(key = apiKey, url = running.tenon.url): Promise<Client> {
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  return connected(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
}

const local = () => ({
  GITHUB_TOKEN: ownerToken,
  GITHUB_API_URL: running.platform.url,
  GITHUB_GRAPHQL_URL: running.platform.graphqlUrl,
});
const hosted = () => ({ TENON_URL: running.tenon.url, TENON_API_KEY: apiKey });

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<CallToolResult> {
  const result = (await client.callTool({ name, arguments: args, _meta: { "tenon/structuredContent": true } })) as CallToolResult;
  expectNoSecret(JSON.stringify(result));
  return result;
}

const structured = (result: CallToolResult) => result.structuredContent as { data: never; meta: Record<string, unknown> };
const problem = (result: CallToolResult) => {
  expect(result.isError).toBe(true);
  const [first] = result.content;
  return JSON.parse(first?.type === "text" ? first.text : "");
};

describe.each([
  ["over HTTP", () => http()],
  ["over stdio, in its own process", () => stdio(local(), "--write")],
  ["over stdio, on a service", () => stdio(hosted(), "--write")],
])("MCP %s", (way, open) => {
  let client: Client;
  beforeAll(async () => {
    client = await open();
  });

  it("has few tools, whose schemas are those of the golden file", async () => {
    const { tools } = await client.listTools();
    // A sync goes on after the call, for which there has to be a service over HTTP.
    const isWhole = tools.some(({ name }) => name === "sync");
    if (process.env["UPDATE_GOLDEN"] === "1" && isWhole) writeFileSync(golden, `${JSON.stringify(tools, null, 2)}\n`);
    const known: { name: string }[] = JSON.parse(readFileSync(golden, "utf8"));
    expect(tools).toEqual(known.filter((tool) => way === "over HTTP" || tool.name !== "sync"));
    // No tokenizer makes more than one token of two characters of such text: fewer than 6,000 tokens.
    expect(JSON.stringify(tools).length).toBeLessThan(12_000);
  });

  it("leads from the list of entities to a record", async () => {
    const list = await call(client, "list_entities", {});
    expect(list.structuredContent).toMatchObject({ connectors: [{ id: "github", title: "GitHub" }] });
    const described = await call(client, "describe_entity", { entity: "issues", action: "get" });
    expect(described.structuredContent).toMatchObject({
      actions: [{ name: "get", params: { required: ["number", "owner", "repo"] } }],
    });
    const read = await call(client, "read", {
      entity: "issues",
      action: "get",
      params: { ...repository, number: 1 },
      fields: ["number", "state"],
    });
    expect(structured(read)).toEqual({ data: { number: 1, state: "open" }, meta: { has_next_page: false, end_cursor: null } });
  });

  it("says how many records a live list has, for which a model pays nothing", async () => {
    const list = { entity: "labels", action: "list", params: { ...repository, per_page: 2 } };
    const { content } = await call(client, "read", list);
    const [first = ""] = content.map((part) => (part.type === "text" ? part.text : ""));
    // A service elsewhere gives programs what the interface has, and no total.
    expect(first).toMatch(way === "over stdio, on a service" ? /^labels: 2, more follow\n/ : /^labels: 2 of \d+\n/);
    const { text } = await running.tenon.run("labels", "list", list.params);
    expect([text.includes("total_count"), JSON.stringify(running.platform.requests.at(-1)).includes("totalCount")]).toEqual([
      false,
      false,
    ]);
  });

  it("searches the cache", async () => {
    const found = await call(client, "search", { entity: "issues", filter: { eq: { state: "open" } }, count: true });
    expect(structured(found)).toMatchObject({ data: [], meta: { has_more: false, total_count: 0, synced_at: null } });
  });

  it("writes", async () => {
    const made = await call(client, "write", {
      entity: "issues",
      action: "create",
      params: { ...repository, title: "By a model" },
      fields: ["title"],
    });
    expect(structured(made).data).toEqual({ title: "By a model" });
    expect(
      problem(await call(client, "write", { entity: "issues", action: "list", params: repository })).error.errors[0].allowed,
    ).toEqual(["create", "update"]);
  });

  it("does a write with the same key once, and marks the repetition", async () => {
    const args = {
      entity: "issues",
      action: "create",
      params: { ...repository, title: "Once" },
      idempotency_key: globalThis.crypto.randomUUID(),
      fields: ["number"],
    };
    const [first, second] = [await call(client, "write", args), await call(client, "write", args)];
    expect(structured(first).meta).not.toHaveProperty("replayed");
    expect(structured(second)).toEqual({ data: structured(first).data, meta: { ...structured(first).meta, replayed: true } });
    const other = await call(client, "write", { ...args, idempotency_key: globalThis.crypto.randomUUID() });
    expect(structured(other).data).not.toEqual(structured(first).data);
  });

  it.each(["", "  ", "two words", "x".repeat(256), "ключ"])("refuses the key %j, and writes nothing", async (key) => {
    const before = running.platform.requests.length;
    const args = { entity: "issues", action: "create", params: { ...repository, title: "Keyless" }, idempotency_key: key };
    expect(problem(await call(client, "write", args)).error.errors).toEqual([
      { pointer: "/idempotency_key", code: "wrong_form", message: expect.stringContaining("1 to 255 visible ASCII characters") },
    ]);
    expect(running.platform.requests.length).toBe(before);
  });

  it("tells a model what to do after an error", async () => {
    const missing = problem(
      await call(client, "read", { entity: "issues", action: "get", params: { ...repository, number: 999_999 } }),
    );
    expect(missing).toMatchObject({
      error: { code: "not_found", retryable: false },
      what_to_do: expect.stringContaining("Check the parameters"),
    });
    const wrong = problem(await call(client, "read", { entity: "isues", action: "list", params: repository }));
    expect(wrong.error.errors[0]).toMatchObject({ code: "unknown_entity", suggestion: "issues" });
    const param = problem(
      await call(client, "read", { entity: "issues", action: "list", params: { ...repository, state: "OPEN" } }),
    );
    expect(param.error.errors[0]).toMatchObject({ pointer: "/params/state", suggestion: "states" });
  });

  it("refuses arguments that it does not know, or of another type, instead of leaving them out", async () => {
    const unknown = problem(await call(client, "search", { entity: "issues", filters: { eq: { state: "open" } } }));
    expect(unknown.error.errors[0]).toMatchObject({ pointer: "/filters", suggestion: "filter" });
    const args = { entity: "issues", action: "create", params: { ...repository, title: "Twice" }, idempotency_key: 123 };
    expect(problem(await call(client, "write", args)).error.errors[0]).toMatchObject({ pointer: "/idempotency_key" });
  });

  it("describes a search by values and by meaning as one action", async () => {
    const { structuredContent } = await call(client, "describe_entity", { entity: "issues", action: "context_store_search" });
    const [action] = (structuredContent as { actions: { params: { properties: object } }[] }).actions;
    expect(Object.keys(action?.params.properties ?? {})).toEqual(expect.arrayContaining(["query", "semantic", "limit"]));
  });

  it("has the documentation of each entity as a resource", async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain("tenon://github/pull_requests");
    const { contents } = await client.readResource({ uri: "tenon://github/issues" });
    expect(contents[0]).toMatchObject({ mimeType: "text/markdown", text: expect.stringContaining("# Issues") });
    await expect(client.readResource({ uri: "tenon://github/../../package.json" })).rejects.toThrow("no resource");
  });
});

describe("MCP over HTTP", () => {
  it("takes only callers with a token", async () => {
    await expect(http("wrong")).rejects.toThrow("401");
    const { status } = await running.tenon.send("POST", "/mcp", "{}", { "content-type": "application/json" });
    expect(status).toBe(401);
    expect((await running.tenon.send("GET", "/mcp", undefined, authorized)).status).toBe(405);
  });

  it("takes one message in a request", async () => {
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const headers = { ...authorized, "content-type": "application/json", accept: "application/json, text/event-stream" };
    const { status, body } = await running.tenon.send("POST", "/mcp", JSON.stringify([message, message]), headers);
    expect([status, body["code"]]).toEqual([422, "invalid_request"]);
    const _meta = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`name${index}`, 1]));
    const large = await running.tenon.send("POST", "/mcp", JSON.stringify({ ...message, params: { _meta } }), headers);
    expect([large.status, large.body["detail"]]).toEqual([422, "/params/_meta: _meta may have at most 100 members."]);
  });

  it("cuts a long answer, and says so", async () => {
    const client = await http();
    const params = { ...repository, per_page: 100 };
    const long = await call(client, "read", { entity: "issues", action: "list", params, format: "json" });
    const { data, meta } = structured(long) as { data: unknown[]; meta: Record<string, unknown> };
    const [cut] = meta["cuts"] as { path: string; left_out: number; unit: string }[];
    expect(cut).toMatchObject({ path: "data", unit: "records" });
    expect(data.length + (cut?.left_out ?? 0)).toBe(100);
    expect(Buffer.byteLength(JSON.stringify(long.content))).toBeLessThanOrEqual(responseBytes);
    expect(meta).toMatchObject({
      has_next_page: true,
      end_cursor: expect.any(String),
      advice: expect.stringContaining("cursor"),
    });
  });
});

describe("MCP over stdio, whose input ends at once", () => {
  const request = (id: number, method: string, params: object) => JSON.stringify({ jsonrpc: "2.0", id, method, params });
  const initialize = request(0, "initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  });

  it.each([
    ["in its own process", local],
    ["on a service", hosted],
  ])("answers everything that it has read %s, the last line without an end too, and exits with 0", async (_where, env) => {
    const get = { entity: "issues", action: "get", params: { ...repository, number: 1 }, fields: ["number"] };
    const calls = [1, 2, 3, 4].map((id) => request(id, "tools/call", { name: "read", arguments: get }));
    const lines = [initialize, JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }), ...calls];
    const cwd = mkdtempSync(join(tmpdir(), "tenon-mcp-"));
    folders.push(cwd);
    const child = endsWithTests(
      spawn(process.execPath, [command, "mcp"], { cwd, env: { ...env() }, stdio: ["pipe", "pipe", "ignore"] }),
    );
    const closed = once(child, "close");
    child.stdin.end(lines.join("\n"));
    const responses = (await text(child.stdout)).trim().split("\n");
    expect(responses.map((line) => JSON.parse(line).id).sort()).toEqual([0, 1, 2, 3, 4]);
    const values = responses.map((line) => JSON.parse(line)).filter(({ id }) => id > 0);
    for (const { result } of values) expect(JSON.parse(result.content[0].text).data).toEqual({ number: 1 });
    expect((await closed)[0]).toBe(0);
  });
});

describe("MCP without writes", () => {
  it("has no tool that writes, and refuses its name", async () => {
    const client = await stdio(local());
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(["list_entities", "describe_entity", "read", "search", "semantic_search", "sql"]);
    await expect(client.callTool({ name: "write", arguments: {} })).rejects.toThrow('no tool "write"');
    const described = await call(client, "describe_entity", { entity: "issues" });
    expect(JSON.stringify(described.structuredContent)).not.toContain('"create"');
    expect(problem(await call(client, "read", { entity: "issues", action: "create", params: {} })).error.code).toBe(
      "invalid_request",
    );
  });
});
