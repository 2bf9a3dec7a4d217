import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GitHub } from "../../generated/github/client.ts";
import { greeting } from "../../runtime/cli/greeting.ts";
import { command } from "../support/command.ts";
import { startPlatform } from "../support/github/start.ts";
import { shaped } from "../support/shaped.ts";
import { bash, openProcesses } from "./support/process.ts";
import { apiKey, authorized, executePath, startTenon, type Tenon } from "./support/service.ts";

// Whoever gets invented data is told so, by every way in. Real data has no such mark.

const none = { credential: undefined, rest: undefined, graphql: undefined };
const repository = { owner: "octocat", repo: "hello-world" };
const connectorPath = "/api/v1/integrations/connectors/github";
let simulated: Tenon;
let real: Tenon;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const platform = await startPlatform();
  const compat = { compatClientId: "compat", compatClientSecret: "secret-of-the-compat-client-01" };
  simulated = await startTenon(platform, { platforms: { github: none }, admin: true, ...compat });
  real = await startTenon(platform, { admin: true, ...compat });
  ends.push(simulated.service.close, real.service.close, platform.close);
});
afterAll(async () => {
  for (const end of ends) await end();
});

/** Bodies by what was requested. */
async function bodies({ run, send }: Tenon): Promise<Record<string, { readonly data: unknown; readonly meta: object }>> {
  const write = { ...repository, title: "A new issue" };
  const replies = {
    get: await run("issues", "get", { ...repository, number: 1 }),
    list: await run("issues", "list", repository),
    api_search: await run("issues", "api_search", { query: "repo:octocat/hello-world" }),
    create: await run("issues", "create", write),
    "create once": await run("issues", "create", write, { headers: { "idempotency-key": "one" } }),
    "the dry run": await run("issues", "list", { ...repository, dryRun: true }),
    search: await run("issues", "context_store_search", { query: {} }),
    groups: await run("issues", "context_store_search", { query: {}, groupBy: ["state"] }),
    sync: await send("GET", `${connectorPath}/sync`, undefined),
    stop: await send("DELETE", `${connectorPath}/sync`, undefined),
    describe: await send("GET", connectorPath, undefined),
  };
  return Object.fromEntries(Object.entries(replies).map(([name, { body }]) => [name, body as never]));
}

async function page({ url }: Tenon): Promise<string> {
  const form = {
    method: "POST",
    redirect: "manual",
    headers: { origin: url },
    body: new URLSearchParams({ key: apiKey }),
  } as const;
  const cookie = (await fetch(`${url}/admin/login`, form)).headers.get("set-cookie") ?? "";
  return (await fetch(`${url}/admin`, { headers: { cookie: cookie.split(";")[0] ?? "" } })).text();
}

async function overMcp({ url }: Tenon) {
  const requestInit = { headers: { Authorization: `Bearer ${apiKey}` } };
  return talk(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
}

async function talk(transport: StdioClientTransport | StreamableHTTPClientTransport) {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  const text = async (name: string, args: object) => {
    const { content } = await client.callTool({ name, arguments: { ...args } });
    return JSON.parse((content as { text: string }[])[0]?.text ?? "") as Record<string, never>;
  };
  const said = {
    instructions: client.getInstructions(),
    entities: await text("list_entities", { connector: "github" }),
    read: await text("read", { connector: "github", entity: "viewer", action: "get" }),
    search: await text("search", { connector: "github", entity: "issues", format: "json" }),
  };
  await client.close();
  return said;
}

describe("a simulated connector", () => {
  it("is named as such in the meta of every response, and in the list and the description", async () => {
    for (const [name, { meta }] of Object.entries(await bodies(simulated))) expect(meta, name).toMatchObject({ simulated: true });
    const list = await simulated.send("GET", "/api/v1/integrations/connectors", undefined);
    expect(shaped<{ id: string }[]>(list.body["data"]).find(({ id }) => id === "github")).toMatchObject({
      simulated: true,
    });
    expect((await simulated.send("GET", connectorPath, undefined)).body["data"]).toMatchObject({ simulated: true });
    expect((await simulated.send("GET", "/readyz", undefined)).body).toMatchObject({
      simulated: expect.arrayContaining(["github"]),
    });
  });

  it("is named as such by the tools for models, and in their instructions", async () => {
    const said = await overMcp(simulated);
    expect(said.instructions).toMatch(/SIMULATED: .*github.* invented/);
    expect(said.entities).toMatchObject({ connectors: [{ id: "github", simulated: true }] });
    expect([said.read["meta"], said.search["meta"]]).toMatchObject([{ simulated: true }, { simulated: true }]);
  });

  it("is named as such on the operator's page, by the client, and in the first line of the greeting", async () => {
    expect(await page(simulated)).toContain("Simulated: all its data is invented.");
    const { meta } = await new GitHub({ baseUrl: simulated.url, apiKey }).viewer.get();
    expect(meta.simulated).toBe(true);
    expect(greeting(simulated.service, { apiKey, dataDir: "data" })).toMatch(/^SIMULATED: .*GitHub.*GITHUB_TOKEN/);
  });

  it("is named as such by the envelope for another client, where that has room for it", async () => {
    const body = JSON.stringify({ client_id: "compat", client_secret: "secret-of-the-compat-client-01" });
    const login = { method: "POST", headers: authorized, body };
    const token = await fetch(`${simulated.url}/compat/api/v1/account/applications/token`, login).then((reply) => reply.json());
    const headers = { ...authorized, authorization: `Bearer ${String((token as { access_token: unknown }).access_token)}` };
    const list = JSON.stringify({ entity: "issues", action: "list", params: repository });
    const reply = await fetch(`${simulated.url}/compat${executePath}`, { method: "POST", headers, body: list });
    expect(await reply.json()).toMatchObject({ connector_metadata: { has_next_page: expect.anything(), simulated: true } });
  });
});

describe("a real connector", () => {
  it("is never called simulated", async () => {
    const said = [
      await bodies(real),
      await overMcp(real),
      (await real.send("GET", "/api/v1/integrations/connectors", undefined)).text,
    ];
    expect(JSON.stringify(said)).not.toMatch(/"simulated":true|SIMULATED/);
    expect(await page(real)).not.toContain("Simulated");
    expect(
      greeting(
        { ...real.service, instances: real.service.instances.filter(({ id }) => id === "github") },
        { apiKey, dataDir: "data" },
      ),
    ).not.toContain("SIMULATED");
  });
});

describe("the greeting of a service that listens on all addresses", () => {
  it.each([
    ["http://0.0.0.0:8787", "http://127.0.0.1:8787"],
    ["http://[::]:8787", "http://[::1]:8787"],
  ])("of %s has an address that can be called", (url, called) => {
    const told = greeting({ ...real.service, url }, { apiKey, dataDir: "data" });
    expect(told).toContain(`Tenon is ready at ${called} `);
    expect(told).not.toContain(url);
  });
});

describe("a command", () => {
  const { start, folder, close } = openProcesses();
  afterAll(close);
  const get = ["execute", "github", "viewer", "get"];

  it.concurrent("says in the first line on standard error that its data is invented", async () => {
    const running = start({}, get);
    expect(await running.exit).toBe(0);
    expect(running.err()).toMatch(/^SIMULATED: GitHub\..*GITHUB_TOKEN/);
    expect(JSON.parse(running.out()).meta).toMatchObject({ simulated: true });
  });

  it.concurrent("says it of a service elsewhere too, and of a sync there", async () => {
    const env = { TENON_URL: simulated.url, TENON_API_KEY: apiKey };
    for (const args of [get, ["sync", "github", "--status"]]) {
      const running = start(env, args);
      expect(await running.exit).toBe(0);
      expect(running.err()).toMatch(/^SIMULATED: github\. /);
    }
  });

  it.concurrent("says nothing of the kind about a real platform", async () => {
    const running = start({ TENON_URL: real.url, TENON_API_KEY: apiKey }, get);
    expect(await running.exit).toBe(0);
    expect(running.err() + running.out()).not.toMatch(/simulated/i);
  });

  it.concurrent("that serves tools says it there and to the model", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "tenon-mcp-"));
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [command, "mcp"],
      env: {},
      cwd,
      stderr: "pipe",
    });
    let err = "";
    transport.stderr?.on("data", (chunk) => (err += String(chunk)));
    const said = await talk(transport);
    rmSync(cwd, { recursive: true, force: true });
    expect(said.instructions).toMatch(/SIMULATED: .*github/);
    expect(said.read["meta"]).toMatchObject({ simulated: true });
    expect(err).toMatch(/^SIMULATED: .*GitHub/);
  });

  it.concurrent("that serves nothing but a pipe keeps standard output clean", async () => {
    const { out } = await bash(`cd ${folder()} && ${process.execPath} ${command} ${get.join(" ")} 2>/dev/null`);
    expect(Object.keys(JSON.parse(out))).toEqual(["data", "meta"]);
  });
});
