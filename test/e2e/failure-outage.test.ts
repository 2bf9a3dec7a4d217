import { describe, expect, it, vi } from "vitest";
import type { Fault, Platform } from "../support/github/start.ts";
import { reads, sizes, variables, writes } from "./support/calls.ts";
import { alone, bad, good, list, pause, until } from "./support/service.ts";
import { type Answer, among } from "./support/stranger.ts";
import { found, hello, user } from "./support/world.ts";

// A platform that is down, slow or breaks off: reads are tried again, writes are sent once.

// Most of these tests wait.
vi.setConfig({ maxConcurrency: 15 });

const at = { owner: "octocat", repo: "hello-world" };
const issue = { ...at, number: 1, fields: ["number"] };
const always = Number.POSITIVE_INFINITY;
/** Nobody listens there. */
const nowhere = "http://127.0.0.1:1";

const outages: Fault[] = [
  { kind: "gateway", status: 502 },
  { kind: "gateway", status: 503 },
  { kind: "gateway", status: 504 },
  { kind: "drop", when: "before" },
  { kind: "drop", when: "after" },
  { kind: "truncated-json" },
  { kind: "server-error", status: 500 },
  { kind: "server-error", status: 503 },
];

describe("a read", () => {
  const inside: Fault[] = [
    { kind: "graphql-error", type: "SERVICE_UNAVAILABLE" },
    { kind: "graphql-error", type: "INTERNAL" },
    { kind: "server-error", status: 200 },
  ];
  it.concurrent.each([...outages, ...inside])("is tried again after %j", (fault) =>
    alone({}, async ({ platform, tenon }) => {
      platform.fail({ ...fault, times: 2 });
      expect(good(await tenon.run("issues", "get", issue))).toMatchObject({ data: { number: 1 } });
      expect(reads(platform).length).toBe(3);
    }),
  );

  it.concurrent.each([outages[0], outages[3], inside[0]] as Fault[])("fails in the end when %j does not stop", (fault) =>
    alone({}, async ({ platform, tenon }) => {
      platform.fail({ ...fault, times: always });
      const problem = bad(await tenon.run("issues", "get", issue), 502, "platform_failed");
      expect(problem["retryable"]).toBe(true);
      expect(String(problem["detail"])).not.toMatch(/<html|ECONN|fetch failed|undici/i);
      expect(reads(platform).length).toBe(4);
    }),
  );

  it.concurrent("asks for the same page again", () =>
    alone({}, async ({ platform, tenon }) => {
      const first = good(await tenon.run("stargazers", "list", { ...at, per_page: 1 }));
      platform.fail({ kind: "drop", when: "after" });
      const after = first["meta"]?.["end_cursor"];
      good(await tenon.run("stargazers", "list", { ...at, per_page: 1, after }));
      const asked = reads(platform)
        .slice(1)
        .map(({ body }) => variables(body));
      expect(asked.map((one) => one["after"])).toEqual([after, after]);
    }));

  it.concurrent("of a slow platform ends at the deadline", () =>
    alone({ timeoutMs: 300 }, async ({ platform, tenon }) => {
      platform.fail({ kind: "slow", ms: 2000 });
      expect(bad(await tenon.run("issues", "get", issue), 504, "deadline_exceeded")["retryable"]).toBe(true);
    }));

  it.concurrent("of an unreachable platform fails", () =>
    alone({ rest: nowhere, graphql: `${nowhere}/graphql` }, async ({ tenon }) => {
      const problem = bad(await tenon.run("issues", "get", issue), 502, "platform_failed");
      expect(JSON.stringify(problem)).not.toContain("127.0.0.1");
    }));

  it.concurrent("whose caller has gone is aborted", async () => {
    let closed = false;
    let calls = 0;
    // The second try is not answered.
    const answer: Answer = (_request, response) => {
      if (++calls === 1) response.writeHead(502).end();
      else response.once("close", () => (closed = true));
    };
    await among(answer, { timeoutMs: 100_000 }, async ({ tenon, seen }) => {
      const gone = new AbortController();
      const reply = expect(tenon.run("issues", "get", issue, { signal: gone.signal })).rejects.toThrow();
      await until(() => seen.length === 2);
      gone.abort();
      await reply;
      // A single try would be given up after 15 s anyway.
      await until(() => closed, 10_000);
      await until(() => tenon.log.some((line) => line.includes('"aborted":true')));
      await pause(1500);
      expect(seen.length).toBe(2);
    });
  });
});

describe("a write", () => {
  const writesOnce: [entity: string, action: string, params: object][] = [
    ["issues", "create", { ...at, title: "once" }],
    ["issues", "update", { ...at, issue_number: 1, title: "once" }],
    ["comments", "create", { ...at, issue_number: 1, body: "once" }],
    ["pull_requests", "create", { owner: "tenon-labs", repo: "widgets", title: "once", head: "octocat:my-change", base: "main" }],
  ];
  const made = ({ world }: Platform) => hello(world).issues.filter((one) => one.title === "once").length;
  const doubtful: [fault: Fault, effect: boolean][] = [
    [{ kind: "gateway", status: 502 }, false],
    [{ kind: "gateway", status: 502, effect: true }, true],
    [{ kind: "gateway", status: 503 }, false],
    [{ kind: "gateway", status: 503, effect: true }, true],
    [{ kind: "gateway", status: 504 }, false],
    [{ kind: "gateway", status: 504, effect: true }, true],
    [{ kind: "drop", when: "before" }, false],
    [{ kind: "drop", when: "after" }, true],
    [{ kind: "truncated-json" }, true],
    [{ kind: "server-error", status: 500 }, false],
    [{ kind: "server-error", status: 503 }, false],
  ];
  it.concurrent.each(doubtful)("is sent once and in doubt after %j", (fault, effect) =>
    alone({}, async ({ platform, tenon }) => {
      platform.fail(fault);
      const problem = bad(await tenon.run("issues", "create", { ...at, title: "once" }), 502, "write_in_doubt");
      expect(problem["retryable"]).toBe(false);
      expect(problem["detail"]).toMatch(/read/i);
      expect([writes(platform).length, made(platform)]).toEqual([1, effect ? 1 : 0]);
    }),
  );

  it.concurrent.each(writesOnce)("%s.%s is sent once", (entity, action, params) =>
    alone({}, async ({ platform, tenon }) => {
      platform.fail({ kind: "drop", when: "after" });
      bad(await tenon.run(entity, action, params), 502, "write_in_doubt");
      expect(writes(platform).length).toBe(1);
    }),
  );

  it.concurrent("to a slow platform is in doubt at the deadline, but done", () =>
    alone({ timeoutMs: 5000 }, async ({ platform, tenon }) => {
      const held = Promise.withResolvers<void>();
      platform.fail({ kind: "held", until: held.promise });
      const problem = bad(await tenon.run("issues", "create", { ...at, title: "once" }), 504, "write_deadline_exceeded");
      expect(problem["retryable"]).toBe(false);
      held.resolve();
      await until(() => made(platform) === 1);
      expect(writes(platform).length).toBe(1);
    }));

  it.concurrent("whose caller has gone is not aborted", () =>
    alone({}, async ({ platform, tenon }) => {
      const held = Promise.withResolvers<void>();
      platform.fail({ kind: "held", until: held.promise });
      const gone = new AbortController();
      const reply = expect(tenon.run("issues", "create", { ...at, title: "once" }, { signal: gone.signal })).rejects.toThrow();
      await until(() => platform.arrived === 1);
      gone.abort();
      await reply;
      held.resolve();
      await until(() => writes(platform).some((one) => one.status === 201));
      expect(made(platform)).toBe(1);
    }));

  it.concurrent("after one in doubt is sent", () =>
    alone({}, async ({ platform, tenon }) => {
      platform.fail({ kind: "drop", when: "before" });
      bad(await tenon.run("issues", "create", { ...at, title: "once" }), 502, "write_in_doubt");
      good(await tenon.run("issues", "create", { ...at, title: "once" }));
      expect(made(platform)).toBe(1);
    }));
});

describe("a page that is too large", () => {
  const numbers = ({ world }: Platform) => [...hello(world).issues].map((one) => one.number).reverse();

  it.concurrent.each(["RESOURCE_LIMITS_EXCEEDED", 502, 504] as const)("is halved from the same cursor (%s)", (form) =>
    alone({}, async ({ platform, tenon }) => {
      const { meta } = good(await tenon.run("issues", "list", { ...at, per_page: 2, fields: ["number"] }));
      platform.fail({ kind: "page-too-large", above: 25, form, times: always });
      const after = meta?.["end_cursor"];
      const body = good(await tenon.run("issues", "list", { ...at, per_page: 100, after, fields: ["number"] }));
      expect(list(body["data"]).map((one) => one["number"])).toEqual(numbers(platform).slice(2, 102));
      expect(body["meta"]).toEqual({ has_next_page: true, end_cursor: expect.any(String) });
      expect(sizes(platform).slice(1)).toEqual([100, 50, 25, 25, 25, 25]);
      const cursors = reads(platform)
        .slice(1)
        .map(({ body: sent }) => variables(sent)["after"]);
      expect(new Set(cursors.slice(0, 3))).toEqual(new Set([after]));
      expect(new Set(cursors).size).toBe(4);
    }),
  );

  it.concurrent("that ends early is followed by a last small one", () =>
    alone({}, async ({ platform, tenon }) => {
      platform.fail({ kind: "page-too-large", above: 40, form: "RESOURCE_LIMITS_EXCEEDED", times: always });
      const rows = list(good(await tenon.run("issues", "list", { ...at, per_page: 60, fields: ["number"] }))["data"]);
      expect(rows.map((one) => one["number"])).toEqual(numbers(platform).slice(0, 60));
      expect(sizes(platform)).toEqual([60, 30, 30]);
    }));

  it.concurrent("is an error when one record is too much", () =>
    alone({}, async ({ platform, tenon }) => {
      platform.fail({ kind: "graphql-error", type: "RESOURCE_LIMITS_EXCEEDED", times: always });
      bad(await tenon.run("issues", "list", { ...at, per_page: 100 }), 422, "platform_too_complex");
      expect(sizes(platform)).toEqual([100, 50, 25, 13, 7, 4, 2, 1]);
    }));

  it.concurrent("is an error for one record", () =>
    alone({}, async ({ platform, tenon }) => {
      platform.fail({ kind: "graphql-error", type: "RESOURCE_LIMITS_EXCEEDED", times: always });
      bad(await tenon.run("issues", "get", issue), 422, "platform_too_complex");
      platform.reset();
      platform.fail({ kind: "graphql-error", type: "MAX_NODE_LIMIT_EXCEEDED" });
      bad(await tenon.run("issues", "list", { ...at, per_page: 100 }), 422, "platform_too_complex");
      expect(reads(platform).length).toBe(1);
    }));

  it.concurrent("of comments in threads is halved too, and none is lost", () =>
    alone({}, async ({ platform, tenon }) => {
      const { world } = platform;
      const pull = found(
        hello(world).pullRequests.find((one) => one.reviewThreads.some((thread) => thread.comments.length > 100)),
      );
      const ids = pull.reviewThreads.flatMap((thread) => thread.comments.map((comment) => comment.id));
      platform.fail({ kind: "page-too-large", above: 25, form: "RESOURCE_LIMITS_EXCEEDED", times: always });
      const params = { ...at, number: pull.number, per_page: 100, fields: ["id"] };
      const first = good(await tenon.run("pr_comments", "list", params));
      const second = good(await tenon.run("pr_comments", "list", { ...params, after: first["meta"]?.["end_cursor"] }));
      expect([...list(first["data"]), ...list(second["data"])].map((one) => one["id"])).toEqual(ids);
      expect([first["meta"]?.["has_next_page"], second["meta"]?.["has_next_page"]]).toEqual([true, false]);
    }));
});

describe("a walk through several pages", () => {
  it.concurrent("answers the records it has when the platform fails midway, with a cursor for the rest", () =>
    alone({}, async ({ platform, tenon }) => {
      const { world } = platform;
      for (let index = 0; index < 250; index++)
        world.users.push({
          ...user(world, "hubot"),
          id: `U_crowd${index}`,
          databaseId: 70_000_000 + index,
          login: `crowd-${index}`,
        });
      const params = { query: "crowd", limit: 250, fields: ["login"] };
      platform.fail({ kind: "gateway", status: 502, skip: 2, times: 4 });
      const first = good(await tenon.run("users", "api_search", params));
      expect(list(first["data"]).length).toBe(200);
      expect(first["meta"]).toEqual({
        has_next_page: true,
        end_cursor: expect.any(String),
        total_count: 250,
        warnings: [{ path: "data", code: "short_page", message: expect.any(String) }],
      });
      const second = good(await tenon.run("users", "api_search", { ...params, after: first["meta"]?.["end_cursor"] }));
      const logins = [...list(first["data"]), ...list(second["data"])].map((one) => one["login"]);
      expect(logins).toEqual(Array.from({ length: 250 }, (_, index) => `crowd-${index}`));
    }));
});
