import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { freePort } from "../support/postgres/cluster.ts";
import { alone, apiKey, type Tenon } from "./support/service.ts";

// Pages of other sites, and names that lead here although they are not those of the service.

type Headers = Readonly<Record<string, string>>;

/** The status for a request with these headers; `fetch` does not send a `Host` of its own. */
async function statusOf({ url }: Pick<Tenon, "url">, path: string, headers: Headers): Promise<number | undefined> {
  const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const isMcp = path === "/mcp";
  const sent = request(`${url}${path}`, {
    method: isMcp ? "POST" : "GET",
    headers: {
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
  });
  sent.end(isMcp ? message : undefined);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

const portOf = ({ url }: Pick<Tenon, "url">) => new URL(url).port;

describe("a service that listens on its own machine", () => {
  it.concurrent("answers on /mcp and /admin to the names of the machine and to those of its settings", () =>
    alone({ admin: true, hosts: ["tenon.example.com"], publicUrl: "https://public.example.com" }, async ({ tenon }) => {
      const known = [
        "localhost",
        "127.0.0.1",
        "[::1]",
        "LOCALHOST",
        "tenon.example.com",
        "Tenon.Example.COM",
        "public.example.com",
      ];
      for (const name of known)
        for (const host of [name, `${name}:${portOf(tenon)}`]) {
          expect([host, await statusOf(tenon, "/mcp", { host })]).toEqual([host, 200]);
          expect([host, await statusOf(tenon, "/admin", { host })]).toEqual([host, 303]);
        }
      for (const host of ["evil.example", `evil.example:${portOf(tenon)}`, "localhost.evil.example", "x.tenon.example.com"])
        for (const path of ["/mcp", "/MCP/", "/admin", "/admin/login", "/admin/admin.css"])
          expect([host, path, await statusOf(tenon, path, { host })]).toEqual([host, path, 403]);
      // A page cannot make itself known by a header of proxies.
      expect(await statusOf(tenon, "/mcp", { host: "evil.example", "x-forwarded-host": "localhost" })).toBe(403);
      expect(await statusOf(tenon, "/healthz", { host: "evil.example" })).toBe(200);
    }));
});

describe("a service that listens on its own machine by another spelling of the address", () => {
  it.concurrent("answers to no name of others either", () =>
    alone({ host: "::ffff:127.0.0.1" }, async ({ tenon }) => {
      const at = { url: `http://127.0.0.1:${portOf(tenon)}` };
      expect(await statusOf(at, "/mcp", { host: "localhost" })).toBe(200);
      expect(await statusOf(at, "/mcp", { host: "evil.example", origin: "http://evil.example" })).toBe(403);
    }));
});

describe("the port of the metrics", () => {
  it.concurrent("answers to the names of the machine only, unless it is there for other machines", async () => {
    const [near, far] = [await freePort(), await freePort()];
    await alone({ metricsPort: near, hosts: ["tenon.example.com"] }, async () => {
      const tried = (headers: Headers) => statusOf({ url: `http://127.0.0.1:${near}` }, "/metrics", headers);
      for (const host of ["localhost", `127.0.0.1:${near}`, "tenon.example.com"])
        expect([host, await tried({ host })]).toEqual([host, 200]);
      expect(await tried({ host: `evil.example:${near}` })).toBe(403);
      expect(await tried({ host: "localhost", origin: "http://evil.example" })).toBe(403);
    });
    await alone({ metricsPort: far, metricsHost: "0.0.0.0", hosts: ["tenon.example.com"] }, async () => {
      expect(await statusOf({ url: `http://127.0.0.1:${far}` }, "/metrics", { host: "scraped-by-this-name:9464" })).toBe(200);
    });
  });
});

describe("a service that listens for other machines", () => {
  const host = "0.0.0.0";

  it.concurrent("answers to any name, but only to pages of the same name", () =>
    alone({ host, admin: true, corsOrigins: ["https://app.example"] }, async ({ tenon }) => {
      const named = { host: "tenon.example.com" };
      expect(await statusOf(tenon, "/mcp", named)).toBe(200);
      expect(await statusOf(tenon, "/mcp", { ...named, origin: "https://tenon.example.com" })).toBe(200);
      expect(await statusOf(tenon, "/mcp", { ...named, origin: "https://app.example" })).toBe(200);
      expect(await statusOf(tenon, "/mcp", { ...named, origin: "null", "sec-fetch-site": "same-origin" })).toBe(200);
      for (const origin of ["https://evil.example", "https://tenon.example.com.evil.example", "null", "nonsense"])
        for (const path of ["/mcp", "/admin"])
          expect([origin, path, await statusOf(tenon, path, { ...named, origin })]).toEqual([origin, path, 403]);
    }));

  it.concurrent("answers only to the names of TENON_HOSTS where it has any, and to addresses", () =>
    alone({ host, hosts: ["tenon.example.com"] }, async ({ tenon }) => {
      for (const name of ["tenon.example.com", "10.0.0.5:8787", "localhost"])
        expect([name, await statusOf(tenon, "/mcp", { host: name })]).toEqual([name, 200]);
      expect(await statusOf(tenon, "/mcp", { host: "evil.example", origin: "http://evil.example" })).toBe(403);
    }));

  it.concurrent("takes the name that a trusted proxy gives for the one that a browser has asked for", () =>
    alone({ host, trustProxy: ["loopback"] }, async ({ tenon }) => {
      const forwarded = { host: "inside:8787", "x-forwarded-host": "tenon.example.com" };
      expect(await statusOf(tenon, "/mcp", { ...forwarded, origin: "https://tenon.example.com" })).toBe(200);
      expect(await statusOf(tenon, "/mcp", { ...forwarded, origin: "https://evil.example" })).toBe(403);
    }));
});

describe("a request with two headers Host", () => {
  /** What comes back for bytes that no HTTP client would send. */
  async function raw(port: number, text: string): Promise<string> {
    const socket = connect(port, "127.0.0.1");
    socket.end(text);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString();
  }

  it.concurrent("is refused on every route, and ends its connection", () =>
    alone({ admin: true }, async ({ tenon }) => {
      for (const path of ["/healthz", "/mcp", "/admin", "/openapi.json", "/nothing"])
        for (const hosts of ["Host: a\r\nHost: b", "Host: a\r\nhOsT: a", "Host: a\r\nX: y\r\nHost: "]) {
          const answer = await raw(
            Number(portOf(tenon)),
            `GET ${path} HTTP/1.1\r\n${hosts}\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n`,
          );
          expect(answer.match(/^HTTP\/1\.1 \d+/gm)).toEqual(["HTTP/1.1 400"]);
          expect(answer).toContain('"invalid_http"');
          expect(answer).toMatch(/^Connection: close\r$/m);
        }
      const one = "Host: a\r\nX-Host: b\r\nConnection: close";
      expect(await raw(Number(portOf(tenon)), `GET /healthz HTTP/1.1\r\n${one}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200/);
    }));
});
