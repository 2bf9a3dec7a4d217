import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import { createCaller, deriveKeys, fullGrant } from "../../runtime/accounts/index.ts";
import { withAccounts } from "./support/accounts.ts";
import { compat, credentials, sent, tokenPath } from "./support/compat.ts";
import { mcpCaller, textOf } from "./support/mcp-calls.ts";
import { alone, authorized, bad, executePath, good, list, type Options, type Tenon, until } from "./support/service.ts";

// What callers may use, and syncs that they start.

const syncPath = executePath.replace("execute", "sync");
const repository = { scopes: ["repository=octocat/hello-world"], entities: ["labels"] };
const at = { owner: "octocat", repo: "hello-world" };
const secretKey = "canary-secret-key-of-the-limit-tests";
const viewer = (tenon: Tenon) => tenon.run("viewer", "get", { fields: ["login"] });

describe("a caller", () => {
  it.concurrent("with limits sees what is left, and gets 429 with the time to wait beyond them", () =>
    alone({ callerRequests: 3 }, async ({ tenon }) => {
      const replies = [];
      for (let count = 0; count < 4; count++) replies.push(await viewer(tenon));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
      expect(replies.map(({ headers }) => headers.get("ratelimit-remaining"))).toEqual(["2", "1", "0", "0"]);
      const last = replies[3];
      expect([last?.headers.get("ratelimit-limit"), last?.body["code"], last?.body["retryable"]]).toEqual([
        "3",
        "too_many_requests",
        true,
      ]);
      expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(Number(last?.headers.get("ratelimit-reset"))).toBeGreaterThan(0);
    }));

  it.concurrent("without limits gets no such headers", () =>
    alone({}, async ({ tenon }) => {
      expect((await viewer(tenon)).headers.get("ratelimit-limit")).toBeNull();
    }));

  it.concurrent("may write so often, read so many points, and search so long", () =>
    alone({ callerWrites: 1, callerPoints: 6, callerSearchSeconds: 1 }, async ({ platform, tenon }) => {
      good(await tenon.run("comments", "create", { ...at, issue_number: 1, body: "a" }));
      bad(await tenon.run("comments", "create", { ...at, issue_number: 1, body: "b" }), 429, "too_many_requests");
      // A write costs five points and a read one.
      good(await viewer(tenon));
      const problem = bad(await viewer(tenon), 429, "too_many_requests");
      expect(problem["detail"]).toBe("This caller may have 6 points of the platform's limit a minute.");
      expect(platform.requests).toHaveLength(2);
      good(await tenon.run("labels", "context_store_search", { query: {} }));
    }));

  it.concurrent("may have so many requests at once", () =>
    alone({ callerConcurrent: 1, timeoutMs: 100_000 }, async ({ platform, tenon }) => {
      const held = Promise.withResolvers<void>();
      platform.fail({ kind: "held", until: held.promise });
      const first = viewer(tenon);
      await until(() => platform.arrived === 1);
      bad(await viewer(tenon), 429, "too_many_requests");
      held.resolve();
      good(await first);
      good(await viewer(tenon));
    }));
});

/** As {@link alone}, in a folder that is there after the service has ended. */
async function inFolder(options: Options, test: Parameters<typeof alone>[1]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "tenon-limits-"));
  await alone({ ...options, dataDir }, test).finally(() => rmSync(dataDir, { recursive: true, force: true }));
}

describe("an address", () => {
  const requests = (tenon: Tenon, message: string) =>
    tenon.log.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === message);

  it.concurrent("that sends invalid tokens gets 429, and one line in the log, while a valid key of it works", async () => {
    await alone({}, async ({ tenon }) => {
      const wrong = { ...authorized, authorization: "Bearer wrong" };
      const statuses = [];
      for (let nth = 0; nth < 60; nth++) statuses.push((await tenon.send("POST", executePath, "{}", wrong)).status);
      expect(statuses).toEqual([...Array(20).fill(401), ...Array(40).fill(429)]);
      const last = await tenon.send("POST", executePath, "{}", wrong);
      expect([bad(last, 429, "too_many_requests")["retryable"], Number(last.headers.get("retry-after")) > 0]).toEqual([
        true,
        true,
      ]);
      good(await viewer(tenon));
      await until(() => requests(tenon, "request").length === 3);
      await tenon.service.close();
      const each = requests(tenon, "request").map(({ code, caller, network, status }) => [code, caller, network, status]);
      expect(each).toEqual([
        ["unauthorized", undefined, "127.0.0.1", 401],
        ["too_many_requests", undefined, "127.0.0.1", 429],
        [undefined, "operator", undefined, 200],
      ]);
      const more = requests(tenon, "more requests of this kind").map(({ code, network, times }) => [code, network, times]);
      expect(more).toEqual([
        ["unauthorized", "127.0.0.1", 19],
        ["too_many_requests", "127.0.0.1", 40],
      ]);
    });
  });

  it.concurrent("gives a client so many tokens a minute, with one entry in the audit log", () =>
    inFolder({ secretKey: [secretKey] }, async ({ tenon }) => {
      const keys = deriveKeys([secretKey]);
      const newClient = { kind: "client", name: "n", grant: fullGrant, expiresAt: null } as const;
      const { caller, secret } = await withAccounts(tenon.dataDir, (store) => createCaller(store, keys, newClient));
      const credentials = JSON.stringify({ client_id: caller.id, client_secret: secret });
      const ask = () => tenon.send("POST", "/api/v1/account/applications/token", credentials);
      const statuses: number[] = [];
      for (let turn = 0; turn < 31; turn++)
        statuses.push(...(await Promise.all(Array.from({ length: 20 }, ask))).map(({ status }) => status));
      expect([statuses.filter((one) => one === 200).length, statuses.filter((one) => one === 429).length]).toEqual([600, 20]);
      await tenon.service.close();
      const entries = await withAccounts(tenon.dataDir, (store) => store.audited(0, 0, 1_000));
      expect(entries.map(({ action, caller: who, outcome, times }) => [action, who, outcome, times])).toEqual([
        ["token.issue", caller.id, "done", 1],
        ["token.issue", caller.id, "too_many_requests", 1],
        ["token.issue", caller.id, "done", 599],
        ["token.issue", caller.id, "too_many_requests", 19],
      ]);
      expect(requests(tenon, "request").length).toBe(2);
    }));

  it.concurrent("whose caller is refused any number of times leaves two entries of each kind in a minute", () =>
    inFolder({}, async ({ tenon }) => {
      const ask = (params: object) => tenon.run("labels", "get", params);
      for (let nth = 0; nth < 5; nth++) bad(await ask({ wrong: nth }), 422, "invalid_request");
      for (let nth = 0; nth < 3; nth++) bad(await ask({ ...at, name: `missing ${nth}` }), 404, "not_found");
      const reads = Array.from({ length: 4 }, () => ({ entity: "labels", action: "get", params: {} }));
      await mcpCaller({})(tenon, "tools/call", { name: "read", arguments: { reads } });
      good(await viewer(tenon));
      good(await viewer(tenon));
      await tenon.service.close();
      const entries = await withAccounts(tenon.dataDir, (store) => store.audited(0, 0, 1_000));
      expect(entries.map(({ action, outcome, times }) => [action, outcome, times])).toEqual([
        ["labels.get", "invalid_request", 1],
        ["labels.get", "not_found", 1],
        ["viewer.get", "done", 1],
        ["viewer.get", "done", 1],
        ["labels.get", "invalid_request", 8],
        ["labels.get", "not_found", 2],
      ]);
      // Each line of the log has the id of its request.
      expect(requests(tenon, "request").filter(({ code }) => code === "invalid_request")).toHaveLength(6);
    }));

  it.concurrent("leaves reads that succeeded out of the audit log where the settings say so", () =>
    inFolder({ auditReads: false }, async ({ tenon }) => {
      good(await viewer(tenon));
      bad(await tenon.run("labels", "get", {}), 422, "invalid_request");
      good(await tenon.run("issues", "create", { ...at, title: "audited" }));
      await tenon.service.close();
      const entries = await withAccounts(tenon.dataDir, (store) => store.audited(0, 0, 1_000));
      expect(entries.map(({ action, outcome }) => [action, outcome])).toEqual([
        ["labels.get", "invalid_request"],
        ["issues.create", "begun"],
        ["issues.create", "done"],
      ]);
    }));

  it.concurrent("gives the client of another service so many tokens a minute, too", () =>
    alone(compat, async ({ tenon }) => {
      const ask = async () => (await sent(tenon.url, "POST", tokenPath, credentials)).status;
      const statuses: number[] = [];
      for (let turn = 0; turn < 31; turn++) statuses.push(...(await Promise.all(Array.from({ length: 20 }, ask))));
      expect([statuses.filter((one) => one === 200).length, statuses.filter((one) => one === 429).length]).toEqual([600, 20]);
      const refused = await sent(tenon.url, "POST", tokenPath, credentials);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }));

  it.concurrent("that sends several reads in one message of MCP sends as many requests, each with its entry in the audit log", () =>
    inFolder({ callerRequests: 3 }, async ({ tenon }) => {
      const own = { entity: "viewer", action: "get", fields: ["login"] };
      const missing = { entity: "issues", action: "get", params: { ...at, number: 999_999 } };
      const reads = [own, missing, own, own, own];
      const { result } = await mcpCaller({})(tenon, "tools/call", { name: "read", arguments: { reads } });
      const outcomes = textOf(result).match(/"login"|not_found|too_many_requests/g);
      expect(outcomes).toEqual(['"login"', "not_found", '"login"', "too_many_requests", "too_many_requests"]);
      await tenon.service.close();
      const entries = await withAccounts(tenon.dataDir, (store) => store.audited(0, 0, 1_000));
      expect(entries.map(({ action, outcome }) => `${action} ${outcome}`).sort()).toEqual([
        "issues.get not_found",
        "viewer.get done",
        "viewer.get done",
      ]);
    }));

  it.concurrent("whose tool fails has the failure in the audit log", () =>
    inFolder({}, async ({ tenon }) => {
      const changes = { entity: "labels", action: "changes", cursor: "none" };
      await mcpCaller({})(tenon, "tools/call", { name: "read", arguments: changes });
      await tenon.service.close();
      const entries = await withAccounts(tenon.dataDir, (store) => store.audited(0, 0, 1_000));
      expect(entries.map(({ action, outcome }) => [action, outcome])).toEqual([["changes.read", "bad_cursor"]]);
    }));

  it.concurrent("whose caller is over a limit has one entry in the audit log for writes that are refused", () =>
    inFolder({ callerWrites: 1 }, async ({ tenon }) => {
      for (let nth = 0; nth < 10; nth++) await tenon.run("comments", "create", { ...at, issue_number: 1, body: "a" });
      await tenon.service.close();
      const entries = await withAccounts(tenon.dataDir, (store) => store.audited(0, 0, 1_000));
      expect(entries.map(({ action, outcome, times }) => [action, outcome, times])).toEqual([
        ["comments.create", "begun", 1],
        ["comments.create", "done", 1],
        ["comments.create", "too_many_requests", 1],
        ["comments.create", "too_many_requests", 8],
      ]);
    }));
});

describe("the description of a connector", () => {
  const path = executePath.replace("/execute", "");

  it.concurrent("has entities, actions, schemas, limits, quota and the state of the cache, and a tag that changes with them", () =>
    alone({ callerWrites: 7 }, async ({ tenon }) => {
      const first = await tenon.send("GET", path, undefined);
      const { data } = first.body;
      expect(data).toMatchObject({
        id: "github",
        connector: "github",
        workspace_name: "default",
        organization_id: null,
        rights: ["read", "write", "sync", "metrics", "approve", "admin"],
        limits: { writes: 7 },
        quota_left: { graphql: null, rest: null },
        cache: [],
      });
      expect(Object.keys(data?.["entities"] ?? {})).toEqual(Object.keys(github.entities));
      const actions = list(data?.["entities"]).flatMap((entity) => list(entity["actions"]));
      const schemas = Object.keys(data?.["schemas"] ?? {});
      for (const { params, answer } of actions) expect(schemas).toEqual(expect.arrayContaining([params, answer]));
      const tag = String(first.headers.get("etag"));
      const again = await tenon.send("GET", path, undefined, { ...authorized, "if-none-match": `"x", ${tag}` });
      expect([again.status, again.text]).toEqual([304, ""]);
      await viewer(tenon);
      const changed = await tenon.send("GET", path, undefined, { ...authorized, "if-none-match": tag });
      expect([changed.status, changed.body["data"]?.["quota_left"]?.["graphql"]]).toEqual([200, expect.any(Number)]);
    }));

  it.concurrent("has a tag as the OpenAPI documents have, and whoever has what it names gets 304", () =>
    alone({}, async ({ tenon }) => {
      for (const address of [path, "/openapi.json", "/openapi/github.json"]) {
        const first = await tenon.send("GET", address, undefined);
        const tag = String(first.headers.get("etag"));
        expect([address, first.status, tag]).toEqual([address, 200, expect.stringMatching(/^"[\w-]{43}"$/)]);
        const same = await tenon.send("GET", address, undefined, { ...authorized, "if-none-match": tag });
        expect([address, same.status, same.text, same.headers.get("etag")]).toEqual([address, 304, "", tag]);
        const other = await tenon.send("GET", address, undefined, { ...authorized, "if-none-match": '"another"' });
        expect([address, other.status, other.text]).toEqual([address, 200, first.text]);
      }
    }));

  it.concurrent("does not exist for an unknown id", () =>
    alone({}, async ({ tenon }) => void bad(await tenon.send("GET", `${path}x`, undefined), 404, "unknown_connector")));
});

describe("a sync over HTTP", () => {
  const states = async (tenon: Tenon) => list((await tenon.send("GET", syncPath, undefined)).body["data"]);
  const count = async (tenon: Tenon) =>
    good(await tenon.run("labels", "context_store_search", { query: {}, count: true }))["meta"]?.["total_count"];

  it.concurrent("is started, shows its progress, and what it read is forgotten when asked", () =>
    alone({}, async ({ tenon }) => {
      const started = await tenon.send("POST", syncPath, JSON.stringify(repository));
      expect([started.status, started.body["data"]]).toEqual([
        202,
        { status: "started", scopes: expect.arrayContaining(["repository=octocat/hello-world"]) },
      ]);
      for (;;) {
        const state = (await states(tenon)).find(({ entity }) => String(entity) === "labels");
        if (String(state?.["state"]) === "complete") break;
      }
      expect(await count(tenon)).toBeGreaterThan(0);
      const scope = `${syncPath}/scopes/${encodeURIComponent("repository=octocat/hello-world")}`;
      let forgotten = await tenon.send("DELETE", scope, undefined);
      // The lease is given back a moment after the last page.
      while (forgotten.status === 409) forgotten = await tenon.send("DELETE", scope, undefined);
      expect(forgotten.body["data"]).toMatchObject({ scope: "repository=octocat/hello-world" });
      expect(await count(tenon)).toBe(0);
      expect((await tenon.send("DELETE", scope, undefined)).status).toBe(422);
    }));

  it.concurrent("runs once at a time, and is stopped when asked", () =>
    alone({}, async ({ platform, tenon }) => {
      const held = Promise.withResolvers<void>();
      platform.fail({ kind: "held", until: held.promise });
      expect((await tenon.send("POST", syncPath, JSON.stringify(repository))).status).toBe(202);
      await until(() => platform.arrived > 0);
      bad(await tenon.send("POST", syncPath, JSON.stringify(repository)), 409, "sync_running");
      expect((await tenon.send("DELETE", syncPath, undefined)).body["data"]).toEqual({ status: "stopped" });
      expect((await tenon.send("DELETE", syncPath, undefined)).body["data"]).toEqual({ status: "not_running" });
      held.resolve();
    }));

  it.concurrent("tells everything that is wrong with the request", () =>
    alone({}, async ({ platform, tenon }) => {
      const wrong = { scopes: "all", entities: [5], full: 1, scope: "x" };
      const problem = bad(await tenon.send("POST", syncPath, JSON.stringify(wrong)), 422, "invalid_request");
      expect(list(problem["errors"]).map(({ pointer }) => pointer)).toEqual(["/scope", "/scopes", "/entities", "/full"]);
      bad(await tenon.send("POST", syncPath, '{"scopes":["repo=a/b"]}'), 422, "invalid_request");
      bad(await tenon.send("POST", syncPath, "[]"), 422, "invalid_request");
      bad(await tenon.send("POST", syncPath, "{"), 400, "invalid_json");
      const other = await tenon.send("PUT", syncPath, "{}", authorized);
      expect([other.status, other.headers.get("allow")]).toEqual([405, "GET, HEAD, POST, DELETE"]);
      expect(platform.requests).toEqual([]);
    }));
});
