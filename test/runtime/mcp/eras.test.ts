import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, describe, expect, it } from "vitest";
import { visibleText } from "../../../runtime/base/visible-text.ts";
import { referencePage } from "../../../runtime/manual/page.ts";
import { type AppOptions, createApp } from "../../../runtime/server/app.ts";
import { listen } from "../../../runtime/server/connections/listen.ts";
import { fakeInstance } from "../../support/fake-instance.ts";
import { appOptions, key } from "../../support/http.ts";
import { tiny } from "../../support/tiny-connector.ts";

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

/** What a client of every earlier revision asks of a service with a connector. */
const revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const withConnector: Readonly<Record<string, object>> = {
  "tools/call, a record": call(10, "tools/call", {
    name: "read",
    arguments: { entity: "viewer", action: "get", fields: ["login"] },
  }),
  "tools/call, an error of the platform": call(11, "tools/call", {
    name: "read",
    arguments: { entity: "users", action: "get", params: { username: "nobody" } },
  }),
  "resources/list": call(12, "resources/list"),
  "resources/templates/list": call(14, "resources/templates/list"),
  "prompts/list": call(15, "prompts/list"),
  "prompts/get": call(16, "prompts/get", { name: "count_records", arguments: { entity: "users", field: "login" } }),
  "prompts/get without an argument": call(17, "prompts/get", { name: "count_records", arguments: { entity: "users" } }),
  "completion/complete": call(18, "completion/complete", {
    ref: { type: "ref/prompt", name: "count_records" },
    argument: { name: "entity", value: "" },
  }),
};

const closing: (() => Promise<unknown>)[] = [];
/** Starts a service. @returns its address */
async function start(more: Partial<AppOptions> = {}): Promise<string> {
  const log = pino({ level: "silent" });
  const options = { host: "127.0.0.1", port: 0, maxConnections: 10, writeTimeout: 5_000, log };
  const { server, url } = await listen(createApp({ ...appOptions(new Map()), ...more }), options);
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return url;
}

let shared: Promise<string> | undefined;
const sharedPlace = () => (shared ??= start());

async function post(url: string, body: object, own: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${url}/mcp`, { method: "POST", headers: { ...headers, ...own }, body: JSON.stringify(body) });
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
}

afterAll(async () => {
  for (const close of closing) await close();
});

describe("a client of an earlier revision", () => {
  it("gets the same bytes as ever", async () => {
    const found: Record<string, unknown> = {};
    const url = await start();
    for (const [name, { body, headers: own }] of Object.entries(requests)) found[name] = await post(url, body, own);
    const { instance } = fakeInstance(
      ({ body }) =>
        JSON.stringify(body).includes("nobody")
          ? { data: { user: null }, errors: [{ type: "NOT_FOUND", path: ["user"], message: "Could not resolve to a User" }] }
          : { data: { viewer: { login: "octocat" } } },
      undefined,
      tiny,
    );
    const place = await start({
      instances: { instances: new Map([["github", instance]]) },
      list: async () => [
        { id: "github", connector: "tiny", title: "Tiny", workspace: "default", organization: null, status: "ready" },
      ],
      connectors: new Map([["tiny", tiny]]),
    });
    const listed = JSON.parse(readFileSync(join(import.meta.dirname, "tools.json"), "utf8"));
    for (const revision of revisions) {
      const own = { "mcp-protocol-version": revision };
      for (const [name, body] of Object.entries(withConnector)) {
        const response = await post(place, body, own);
        // Each revision gets the same bytes.
        found[name] ??= response;
        expect([revision, response]).toEqual([revision, found[name]]);
      }
      // Nothing here may be written, and this connector has no texts to search by meaning.
      const tools = listed.filter((tool: { name: string }) => !["write", "semantic_search"].includes(tool.name));
      const uri = "tenon://github/viewer";
      const contents = [{ uri, mimeType: "text/markdown", text: visibleText((await referencePage(tiny, "viewer")) ?? "") }];
      const [asked, read] = [call(19, "tools/list"), call(19, "resources/read", { uri })];
      const texts = [(await post(place, asked, own)).text, (await post(place, read, own)).text];
      const results = [{ tools }, { contents }].map((result) => JSON.stringify({ result, jsonrpc: "2.0", id: 19 }));
      expect([revision, ...texts]).toEqual([revision, ...results]);
    }
    if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(golden, `${JSON.stringify(found, null, 2)}\n`);
    expect(found).toEqual(JSON.parse(readFileSync(golden, "utf8")));
  });

  it.each<[string, object | undefined, string]>([
    ["prompts/get", {}, "name is required"],
    ["prompts/get", undefined, "name is required"],
    ["prompts/get", { name: 5 }, "name must be a string"],
    ["prompts/get", { name: "count_records", arguments: { entity: 5 } }, "The argument entity must be a string."],
    ["prompts/get", { name: "count_records", arguments: [] }, "arguments must be an object."],
    ["resources/read", {}, "uri is required"],
    ["completion/complete", { ref: { type: "ref/prompt" } }, "argument.name is required, argument.value is required"],
  ])("learns which params of %s %j are wrong", async (method, params, message) => {
    const { text } = await post(await sharedPlace(), call(1, method, params));
    const { error } = JSON.parse(text);
    expect([error.code, error.message]).toEqual([-32602, expect.stringContaining(message)]);
  });
});
