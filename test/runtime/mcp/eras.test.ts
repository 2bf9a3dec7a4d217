import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../../runtime/server/app.ts";
import { listen } from "../../../runtime/server/connections/listen.ts";
import { appOptions, key } from "../../support/http.ts";

// The bytes that clients of the earlier revisions get. They were recorded with the first generation of the protocol's library; only the
// errors of messages that are not valid have other texts since.

const golden = join(import.meta.dirname, "eras.json");
const headers = {
  authorization: `Bearer ${key}`,
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};
const call = (id: number | string, method: string, params?: object) => ({ jsonrpc: "2.0", id, method, params });
const initialize = (protocolVersion: string) =>
  call(1, "initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } });

const requests: Readonly<Record<string, { readonly body: object; readonly headers?: Readonly<Record<string, string>> }>> = {
  "initialize 2024-11-05": { body: initialize("2024-11-05") },
  "initialize 2025-03-26": { body: initialize("2025-03-26") },
  "initialize 2025-06-18": { body: initialize("2025-06-18") },
  "initialize 2025-11-25": { body: initialize("2025-11-25") },
  "initialize, a revision that does not exist": { body: initialize("2019-01-01") },
  "initialize without params": { body: call(1, "initialize") },
  initialized: { body: { jsonrpc: "2.0", method: "notifications/initialized" } },
  ping: { body: call("p", "ping") },
  "tools/call": { body: call(3, "tools/call", { name: "list_entities", arguments: {} }) },
  "tools/call, an error of a tool": { body: call(3, "tools/call", { name: "read", arguments: { entity: "isues" } }) },
  "tools/call, no such tool": { body: call(4, "tools/call", { name: "reed", arguments: {} }) },
  "tools/call without a name": { body: call(4, "tools/call", {}) },
  "resources/read, no such resource": { body: call(5, "resources/read", { uri: "tenon://github/nothing" }) },
  "no such method": { body: call(6, "nothing/here", {}) },
  "a revision that does not exist in the header": { body: call(7, "ping"), headers: { "mcp-protocol-version": "2019-01-01" } },
  "a client that takes JSON only": { body: call(8, "ping"), headers: { accept: "application/json" } },
  "a response": { body: { jsonrpc: "2.0", id: 1, result: {} } },
  "no message": { body: { hello: "world" } },
};

let url: string;
const closing: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  const app = createApp(appOptions(new Map()));
  const log = pino({ level: "silent" });
  const running = await listen(app, { host: "127.0.0.1", port: 0, maxConnections: 10, writeTimeout: 5_000, log });
  url = running.url;
  closing.push(async () => {
    running.server.closeAllConnections();
    running.server.close();
    await once(running.server, "close");
  });
});
afterAll(async () => {
  for (const close of closing) await close();
});

describe("a client of an earlier revision", () => {
  it("gets the same bytes as ever", async () => {
    const found: Record<string, unknown> = {};
    for (const [name, { body, headers: own = {} }] of Object.entries(requests)) {
      const response = await fetch(`${url}/mcp`, { method: "POST", headers: { ...headers, ...own }, body: JSON.stringify(body) });
      const { status } = response;
      found[name] = { status, type: response.headers.get("content-type"), text: await response.text() };
    }
    if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(golden, `${JSON.stringify(found, null, 2)}\n`);
    expect(found).toEqual(JSON.parse(readFileSync(golden, "utf8")));
  });
});
