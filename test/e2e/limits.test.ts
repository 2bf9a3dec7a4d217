import { describe, expect, it } from "vitest";
import { alone, authorized, bad, executePath, good, list, type Tenon, until } from "./support/service.ts";

// What callers may use, and syncs that they start.

const syncPath = executePath.replace("execute", "sync");
const repository = { scopes: ["repository=octocat/hello-world"], entities: ["labels"] };
const at = { owner: "octocat", repo: "hello-world" };
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
        rights: ["read", "write", "sync", "metrics", "admin"],
        limits: { writes: 7 },
        quota_left: { graphql: null, rest: null },
        cache: [],
      });
      expect(Object.keys(data?.["entities"] ?? {})).toHaveLength(24);
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
