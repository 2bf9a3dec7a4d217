import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCaller, deriveKeys, fullGrant } from "../../runtime/accounts/index.ts";
import { startPlatform } from "../support/github/start.ts";
import { shaped } from "../support/shaped.ts";
import { withAccounts } from "./support/accounts.ts";
import { startIssuer } from "./support/issuer.ts";
import { executePath, startTenon, type Tenon } from "./support/service.ts";

// Clients that find out by themselves how they get a token: at an authorization server where users log in, and at the service itself.

/** Where the clients believe that they reach the service, as behind a proxy. */
const publicUrl = "https://tenon.example";
const secretKey = ["canary-secret-key-of-the-oauth-tests"];
const closing: (() => unknown)[] = [];
let issuer: Awaited<ReturnType<typeof startIssuer>>;
let tenon: Tenon;

beforeAll(async () => {
  const platform = await startPlatform();
  issuer = await startIssuer(documents);
  const dataDir = mkdtempSync(join(tmpdir(), "tenon-oauth-"));
  const settings = { oauthIssuer: issuer.url, oauthJwksUrl: `${issuer.url}/keys` };
  tenon = await startTenon(platform, { ...settings, publicUrl, secretKey, dataDir, mcpWrites: true });
  closing.push(() => platform.close(), issuer.close, tenon.service.close);
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

/** A proxy that has the public address. */
const throughProxy: typeof globalThis.fetch = (address, init) => {
  const url = String(address instanceof Request ? address.url : address);
  return fetch(url.startsWith(publicUrl) ? `${tenon.url}${url.slice(publicUrl.length)}` : url, init);
};

/**
 * How clients log their users in: where they listen for the code, and the address of their metadata for issuers that read these. Inspector
 * registers itself; Claude Code and VS Code do so where an issuer reads no metadata.
 */
const clients = {
  inspector: { redirectUrl: "http://127.0.0.1:6276/oauth/callback", clientMetadataUrl: undefined },
  "Claude Code": {
    redirectUrl: "http://localhost:54321/callback",
    clientMetadataUrl: "https://claude.ai/oauth/claude-code-client-metadata",
  },
  "VS Code": { redirectUrl: "http://127.0.0.1:33418/", clientMetadataUrl: "https://vscode.dev/oauth/client-metadata.json" },
} as const;
const documents = {
  [clients["Claude Code"].clientMetadataUrl]: { redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"] },
  [clients["VS Code"].clientMetadataUrl]: { redirect_uris: ["http://127.0.0.1:33418/", "https://vscode.dev/redirect"] },
};

/** What a client with a user keeps: its user agrees as soon as the page is open. */
function newUser({ redirectUrl, clientMetadataUrl }: (typeof clients)[keyof typeof clients] = clients.inspector) {
  const kept = new Map<string, unknown>();
  const pages: URL[] = [];
  const keep = (name: string) => (value: unknown) => void kept.set(name, value);
  const provider = {
    redirectUrl,
    clientMetadataUrl,
    clientMetadata: { client_name: "test", redirect_uris: [redirectUrl], token_endpoint_auth_method: "none" },
    clientInformation: () => kept.get("client"),
    saveClientInformation: keep("client"),
    tokens: () => kept.get("tokens"),
    saveTokens: keep("tokens"),
    codeVerifier: () => kept.get("verifier"),
    saveCodeVerifier: keep("verifier"),
    discoveryState: () => kept.get("discovery"),
    saveDiscoveryState: keep("discovery"),
    redirectToAuthorization: async (url: URL) => {
      pages.push(url);
      const { headers } = await fetch(url, { redirect: "manual" });
      kept.set("code", new URL(headers.get("location") ?? "").searchParams.get("code"));
    },
  };
  return { pages, provider: provider as never, code: () => String(kept.get("code")) };
}

const newModern = () => new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });

const metadata = async (path: string) => {
  const { status, body } = await tenon.send("GET", path, undefined, {});
  expect(status).toBe(200);
  return body;
};

describe("a service that accepts tokens of an authorization server", () => {
  it("names it in its metadata, to which a 401 leads", async () => {
    for (const [path, wanted] of [
      ["/mcp", "/mcp"],
      [executePath, ""],
    ] as const) {
      const { status, headers } = await tenon.send("POST", path, "{}", { "content-type": "application/json" });
      const address = `${publicUrl}/.well-known/oauth-protected-resource${wanted}`;
      expect([status, headers.get("www-authenticate")]).toEqual([401, `Bearer realm="tenon", resource_metadata="${address}"`]);
      expect(await metadata(address.slice(publicUrl.length))).toEqual({
        resource: `${publicUrl}${wanted}`,
        authorization_servers: [issuer.url, publicUrl],
        scopes_supported: ["tenon:read", "tenon:write", "tenon:sync"],
        bearer_methods_supported: ["header"],
        resource_name: "Tenon",
      });
    }
    expect(await metadata("/.well-known/oauth-authorization-server")).toMatchObject({
      issuer: publicUrl,
      token_endpoint: `${publicUrl}/api/v1/account/applications/token`,
      grant_types_supported: ["client_credentials"],
    });
  });

  it.each([
    [
      "2026-07-28",
      (authProvider: never) =>
        new StreamableHTTPClientTransport(new URL(`${publicUrl}/mcp`), { authProvider, fetch: throughProxy }),
      () => new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } }),
    ],
    [
      "2025-11-25",
      (authProvider: never) => new OlderTransport(new URL(`${publicUrl}/mcp`), { authProvider, fetch: throughProxy }),
      () => new OlderClient({ name: "test", version: "1" }),
    ],
  ])("lets a user of a client with revision %s log in", async (_revision, newTransport, newClient) => {
    const { pages, provider, code } = newUser();
    const first = newTransport(provider);
    await expect(newClient().connect(first as never)).rejects.toThrow();
    expect(pages.map(({ origin, searchParams }) => [origin, searchParams.get("resource")])).toEqual([
      [issuer.url, `${publicUrl}/mcp`],
    ]);
    await first.finishAuth(code());
    const client = newClient();
    await client.connect(newTransport(provider) as never);
    const { tools } = await client.listTools();
    // The user did not agree to the scope that writes.
    expect(tools.map(({ name }) => name)).toContain("read");
    expect(tools.map(({ name }) => name)).not.toContain("write");
    await client.close();
  });

  it.each(Object.entries(clients))("lets a user log in as %s does it", async (_name, client) => {
    const { pages, provider, code } = newUser(client);
    const first = new StreamableHTTPClientTransport(new URL(`${publicUrl}/mcp`), { authProvider: provider, fetch: throughProxy });
    await expect(newModern().connect(first)).rejects.toThrow();
    const [page] = pages;
    expect(Object.fromEntries(page?.searchParams ?? [])).toMatchObject({
      client_id: client.clientMetadataUrl ?? expect.any(String),
      redirect_uri: client.redirectUrl,
      code_challenge_method: "S256",
      resource: `${publicUrl}/mcp`,
      scope: "tenon:read tenon:write tenon:sync",
    });
    await first.finishAuth(code());
    const user = newModern();
    await user.connect(
      new StreamableHTTPClientTransport(new URL(`${publicUrl}/mcp`), { authProvider: provider, fetch: throughProxy }),
    );
    expect((await user.listTools()).tools.map(({ name }) => name)).toContain("search");
    await user.close();
  });

  it("gives a user the rights of the scopes on every route, and says in the log who it was", async () => {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer.url, aud: publicUrl, sub: "user-2", exp: now + 600 };
    const run = async (scope: string, action: string, params: object) => {
      const authorization = `Bearer ${await issuer.sign({ ...claims, scope })}`;
      const headers = { authorization, "content-type": "application/json" };
      const reply = await tenon.send("POST", executePath, JSON.stringify({ entity: "issues", action, params }), headers);
      // A client asks its user for the scopes that are missing.
      expect(reply.headers.get("www-authenticate")).toBe(
        reply.status !== 403
          ? null
          : `Bearer realm="tenon", error="insufficient_scope", scope="tenon:read tenon:write tenon:sync", resource_metadata="${publicUrl}/.well-known/oauth-protected-resource"`,
      );
      return reply.status;
    };
    const place = { owner: "octocat", repo: "hello-world" };
    expect(await run("tenon:read", "get", { ...place, number: 1 })).toBe(200);
    expect(await run("tenon:read", "create", { ...place, title: "By a user" })).toBe(403);
    expect(await run("tenon:write", "create", { ...place, title: "By a user" })).toBe(200);
    expect(await run("openid", "get", { ...place, number: 1 })).toBe(403);
    const reader = { authorization: `Bearer ${await issuer.sign({ ...claims, scope: "tenon:read" })}` };
    expect((await tenon.send("GET", executePath.replace("execute", "changes"), undefined, reader)).status).toBe(200);
    expect(tenon.log.join("")).toContain('"oauth:user-2"');
  });

  it("gives a client of its own a token by the metadata alone", async () => {
    const { caller, secret } = await withAccounts(tenon.dataDir, (store) =>
      createCaller(store, deriveKeys(secretKey), { kind: "client", name: "n", grant: fullGrant, expiresAt: null }),
    );
    const [, own = ""] = shaped<string[]>((await metadata("/.well-known/oauth-protected-resource/mcp"))["authorization_servers"]);
    const found = await metadata(`${own.slice(publicUrl.length)}/.well-known/oauth-authorization-server`);
    expect(found["token_endpoint_auth_methods_supported"]).toContain("client_secret_basic");
    const { body } = await tenon.send(
      "POST",
      String(found["token_endpoint"]).slice(publicUrl.length),
      "grant_type=client_credentials",
      {
        "content-type": "application/x-www-form-urlencoded",
        authorization: `Basic ${Buffer.from(`${caller.id}:${secret}`).toString("base64")}`,
      },
    );
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
    const requestInit = { headers: { authorization: `Bearer ${String(body["access_token"])}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${tenon.url}/mcp`), { requestInit }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("write");
    await client.close();
  });
});
