import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { createCaller, deriveKeys, fullGrant } from "../../runtime/accounts/index.ts";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { withAccounts } from "./support/accounts.ts";
import { withProcesses } from "./support/process.ts";
import { alone, authorized, bad, executePath, good, type Tenon } from "./support/service.ts";

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

// What the service tells of itself: audit log, metrics, and what browsers and proxies see.

const at = { owner: "octocat", repo: "hello-world" };
const bearer = { authorization: authorized.authorization };

describe("the audit log", () => {
  it.concurrent("holds who did what, when and why, survives SIGKILL for writes, and is exported as JSON lines", () =>
    withProcesses(async ({ platform, start, folder }) => {
      const key = "key-of-the-operator-of-this-test";
      const env = { TENON_DATA_DIR: folder(), TENON_API_KEY: key, GITHUB_TOKEN: ownerToken, GITHUB_API_URL: platform.url };
      const service = start(env);
      await service.told("ready");
      const body = {
        entity: "issues",
        action: "create",
        params: { ...at, title: "secret title" },
        // Characters that turn the direction of text, or that nobody sees, are not stored.
        intent: "because \u{202E}of the\u{2066}\u{E0061} test",
      };
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "x-request-id": "the-request" };
      const reply = await fetch((await service.url()) + executePath, { method: "POST", headers, body: JSON.stringify(body) });
      expect(reply.status).toBe(200);
      service.child.kill("SIGKILL");
      await service.exit;
      const audit = start(env, ["audit", "--since", "1h"]);
      expect(await audit.exit).toBe(0);
      const [begun, entry, ...others] = audit.log();
      expect(others).toEqual([]);
      expect(begun).toEqual({ ...entry, at: begun?.["at"], outcome: "begun" });
      const [row] = await withAccounts(env.TENON_DATA_DIR, (store) => store.lastAudited(1));
      expect(row?.intent).toBe("because of the test");
      expect(entry).toEqual({
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        caller: "operator",
        action: "issues.create",
        target: "github",
        outcome: "done",
        times: 1,
        intent: "because of the test",
        fields: ["title"],
        request_id: "the-request",
      });
    }));

  it.concurrent("holds reads, refusals and commands too, and nothing of the requests", () =>
    withProcesses(async (processes) => {
      const { platform, start, folder } = processes;
      const key = "key-of-the-operator-of-this-test";
      const secret = { TENON_SECRET_KEY: "secret-key-of-the-audit-tests-000000", TENON_DATA_DIR: folder() };
      const env = { ...secret, TENON_API_KEY: key, GITHUB_TOKEN: ownerToken, GITHUB_API_URL: platform.url };
      const service = start(env);
      await service.told("ready");
      const url = await service.url();
      const run = (body: object) => {
        const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
        return fetch(url + executePath, { method: "POST", headers, body: JSON.stringify(body) });
      };
      await run({ entity: "viewer", action: "get" });
      await run({ entity: "canary-entity", action: "canary-action" });
      await run({ entity: "issues", action: "create", params: { ...at, repo: "canary-repo", title: "canary-title" } });
      service.child.kill("SIGTERM");
      await service.exit;
      const create = ["key", "create", "n", "--right", "read", "--right", "admin"];
      expect(await start({ ...secret, SUDO_USER: "alice" }, create).exit).toBe(0);
      const audit = start(secret, ["audit"]);
      await audit.exit;
      expect(audit.log().map(({ caller, action, outcome }) => [caller, action, outcome])).toEqual([
        ["operator", "viewer.get", "done"],
        ["operator", "unknown.unknown", "invalid_request"],
        ["operator", "issues.create", "begun"],
        ["operator", "issues.create", "not_found"],
        ["command line of alice", "key.create", "done"],
      ]);
      expect(audit.log().at(-1)).toMatchObject({ target_name: "n", target_rights: ["read", "admin"] });
      expect(audit.out() + service.out()).not.toContain("canary");
    }));

  it.concurrent("is printed with the name of a caller, and without characters that turn the direction of text, as earlier versions stored", () =>
    withProcesses(async ({ start, folder }) => {
      const env = { TENON_DATA_DIR: folder() };
      const made = { kind: "key" as const, name: "nightly", grant: fullGrant, expiresAt: null };
      const entry = { at: Date.now(), action: "a", target: null, outcome: "done", times: 1, requestId: null };
      await withAccounts(env.TENON_DATA_DIR, async (store) => {
        const { caller } = await createCaller(store, deriveKeys(["a secret key of at least 32 characters"]), made);
        await store.audit([{ ...entry, caller: caller.id, intent: "\u{202E}was stored\u{2069}" }]);
      });
      const audit = start(env, ["audit"]);
      expect(await audit.exit).toBe(0);
      expect(audit.out()).toContain('"was stored"');
      expect(audit.log()).toMatchObject([{ caller_name: "nightly" }]);
    }));
});

describe("an intent", () => {
  it.concurrent("is a text of at most 512 characters", () =>
    alone({}, async ({ tenon }) => {
      const send = (intent: unknown) =>
        tenon.send("POST", executePath, JSON.stringify({ entity: "viewer", action: "get", intent }));
      good(await send("x".repeat(512)));
      for (const wrong of ["x".repeat(513), 5, null, []]) bad(await send(wrong), 422, "invalid_request");
    }));
});

describe("the metrics", () => {
  const metrics = async (tenon: Tenon) => (await tenon.send("GET", "/metrics", undefined, bearer)).text;

  it.concurrent("count requests, actions, calls to the platform and errors, by names of the specs alone", () =>
    alone({}, async ({ tenon }) => {
      good(await tenon.run("viewer", "get", { fields: ["login"] }));
      good(await tenon.run("labels", "context_store_search", { query: {} }));
      bad(await tenon.run("canary", "canary"), 422, "invalid_request");
      await tenon.send("GET", "/canary", undefined);
      const text = await metrics(tenon);
      expect(text).toMatch(/tenon_request_seconds_count\{route="[^"]*execute",method="POST",status="200"\} 2/);
      expect(text).toContain('tenon_request_seconds_count{route="none",method="GET",status="404"} 1');
      expect(text).toContain('tenon_action_seconds_count{connector="github",entity="viewer",action="get",outcome="done"} 1');
      expect(text).toContain('tenon_search_seconds_count{connector="github"} 1');
      expect(text).toContain('tenon_platform_call_seconds_count{connector="github",api="graphql",outcome="good"} 1');
      expect(text).toMatch(/tenon_platform_quota_left\{instance="github",api="graphql"\} \d+/);
      expect(text).toContain('tenon_errors_total{code="invalid_request"} 1');
      expect(text).toContain('tenon_warnings_total{connector="github",entity="labels",code="not_synced"} 1');
      expect(text).toMatch(/process_resident_memory_bytes \d+/);
      expect(text).not.toContain("canary");
    }));

  it.concurrent("have a port of their own where a setting says so, with nothing else on it, and end with the service", async () => {
    const metricsPort = await freePort();
    const url = `http://127.0.0.1:${metricsPort}`;
    await alone({ metricsPort }, async ({ tenon }) => {
      good(await tenon.run("viewer", "get", { fields: ["login"] }));
      const reply = await fetch(`${url}/metrics`);
      expect([reply.status, reply.headers.get("content-type")]).toEqual([200, expect.stringContaining("text/plain")]);
      expect(await reply.text()).toContain("tenon_request_seconds_count");
      for (const [method, path] of [
        ["GET", "/healthz"],
        ["POST", "/metrics"],
        ["POST", executePath],
        ["GET", "/api/v1/integrations/connectors"],
      ] as const) {
        const other = await fetch(url + path, { method, headers: authorized });
        expect([path, other.status, ((await other.json()) as { code: string }).code]).toEqual([path, 404, "unknown_route"]);
      }
      bad(await tenon.send("GET", "/metrics", undefined, {}), 401, "unauthorized");
    });
    await expect(fetch(`${url}/metrics`)).rejects.toThrow();
  });

  it.concurrent("keep the service from starting when their port is taken, and leave nothing behind", async () => {
    const holder = createServer().listen(0, "127.0.0.1");
    await once(holder, "listening");
    const { port } = holder.address() as AddressInfo;
    const message = `port ${port} is taken; choose another one with TENON_METRICS_PORT`;
    await expect(alone({ metricsPort: port }, async () => undefined)).rejects.toThrow(message);
    holder.close();
  });

  it.concurrent("are not there without a token", () =>
    alone({}, async ({ tenon }) => void bad(await tenon.send("GET", "/metrics", undefined, {}), 401, "unauthorized")));
});

describe("a web page", () => {
  const origin = "https://app.example";
  const preflight = { "access-control-request-method": "POST", "access-control-request-headers": "authorization" };
  const allowed = (reply: { headers: Headers }) => reply.headers.get("access-control-allow-origin");

  it.concurrent("of an allowed origin may call the service, and one of another may not", () =>
    alone({ corsOrigins: [origin] }, async ({ tenon }) => {
      const before = await tenon.send("OPTIONS", executePath, undefined, { origin, ...preflight });
      expect([before.status, allowed(before)]).toEqual([204, origin]);
      const reply = await tenon.send("GET", "/healthz", undefined, { origin });
      expect([allowed(reply), reply.headers.get("vary")]).toEqual([origin, expect.stringContaining("Origin")]);
      expect(reply.headers.get("access-control-expose-headers")).toContain("Retry-After");
      for (const other of ["https://evil.example", "null", "https://app.example.evil"]) {
        expect(allowed(await tenon.send("OPTIONS", executePath, undefined, { origin: other, ...preflight }))).toBeNull();
        expect(allowed(await tenon.send("GET", "/healthz", undefined, { origin: other }))).toBeNull();
      }
    }));

  it.concurrent("of any origin may not, unless the operator says so", () =>
    alone({}, async ({ tenon }) => {
      expect(allowed(await tenon.send("GET", "/healthz", undefined, { origin }))).toBeNull();
      const before = await tenon.send("OPTIONS", executePath, undefined, { origin, ...preflight });
      expect([before.status, allowed(before)]).toEqual([405, null]);
    }));
});

describe("every answer", () => {
  it.concurrent("has the headers that keep browsers from doing anything with it", () =>
    alone({}, async ({ tenon }) => {
      for (const reply of [await tenon.send("GET", "/healthz", undefined), await tenon.send("GET", "/nowhere", undefined)]) {
        expect(reply.headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
        expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
        expect(reply.headers.get("referrer-policy")).toBe("no-referrer");
        expect(reply.headers.get("strict-transport-security")).toBeNull();
        expect(reply.headers.get("x-powered-by")).toBeNull();
      }
    }));

  it.concurrent("demands TLS only when a trusted proxy says that there is TLS", async () => {
    const header = { "x-forwarded-proto": "https" };
    const demand = async (tenon: Tenon) =>
      (await tenon.send("GET", "/healthz", undefined, header)).headers.get("strict-transport-security");
    await alone({ trustProxy: ["loopback"] }, async ({ tenon }) => expect(await demand(tenon)).toBe("max-age=31536000"));
    await alone({ trustProxy: ["10.0.0.0/8"] }, async ({ tenon }) => expect(await demand(tenon)).toBeNull());
    await alone({}, async ({ tenon }) => expect(await demand(tenon)).toBeNull());
  });

  it.concurrent("that is an error fits the schema of errors that the service shows", () =>
    alone({}, async ({ tenon }) => {
      const schema = (await tenon.send("GET", "/api/v1/problem.schema.json", undefined)).body;
      const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
      for (const reply of [
        await tenon.run("isues", "get"),
        await tenon.send("POST", executePath, "{"),
        await tenon.send("GET", "/nowhere", undefined),
        await tenon.send("GET", "/metrics", undefined, {}),
      ])
        expect([fits(reply.body), fits.errors]).toEqual([true, null]);
    }));
});
