import { describe, expect, it } from "vitest";
import { bareToken, expiredToken, limitedToken, ownerToken } from "../../runtime/simulated/github/tokens.ts";
import type { Fault } from "../support/github/start.ts";
import { reads } from "./support/calls.ts";
import { apiKey, bad, good, usePlatform } from "./support/service.ts";
import { found, hello, repository } from "./support/world.ts";

// Refusals: scopes, permissions, the credential itself, cursors; and what of the platform's words reaches a caller.

const running = usePlatform();
const at = { owner: "octocat", repo: "hello-world" };
const issue = { ...at, number: 1, fields: ["number"] };
const fail = (fault: Fault) => running.platform.fail(fault);

describe("a token without a scope", () => {
  const cases: [entity: string, action: string, params: object, scope: string][] = [
    ["users", "get", { username: "octocat", fields: ["email"] }, "user:email"],
    ["teams", "list", { org: "tenon-labs" }, "read:org"],
    ["projects", "get", { org: "tenon-labs", project_number: 1 }, "read:project"],
    ["project_items", "list", { org: "tenon-labs", project_number: 1 }, "read:project"],
  ];
  it.each(cases)("gets an error that names the scope that %s.%s needs, at once", async (entity, action, params, scope) => {
    const tenon = await running.start({ token: limitedToken });
    const problem = bad(await tenon.run(entity, action, params), 403, "platform_forbidden");
    expect(problem["detail"]).toContain(scope);
    expect(reads(running.platform).length).toBe(1);
  });

  it("may still read what needs none", async () => {
    const tenon = await running.start({ token: bareToken });
    good(await tenon.run("users", "get", { username: "octocat" }));
    bad(await tenon.run("issues", "create", { ...at, title: "x" }), 404, "not_found");
  });
});

describe("what is forbidden", () => {
  it.each([
    ["issues", "get", issue],
    ["issues", "list", at],
    ["issues", "api_search", { query: "x" }],
    ["pr_comments", "list", { ...at, number: 5 }],
    ["issues", "create", { ...at, title: "x" }],
  ])("%s.%s is reported in the platform's words", async (entity, action, params) => {
    const tenon = await running.shared();
    fail({ kind: "forbidden", message: "Because the organization says so." });
    const problem = bad(await tenon.run(entity, action, params), 403, "platform_forbidden");
    expect(problem["detail"]).toContain("Because the organization says so.");
    expect(running.platform.requests.length).toBe(1);
  });

  it("is reported on one line, with a bounded length", async () => {
    const tenon = await running.shared();
    fail({ kind: "forbidden", message: `first\n\r\tsecond \u0000\u001b[31m third ${"x".repeat(100_000)}` });
    const detail = String(bad(await tenon.run("issues", "get", issue), 403, "platform_forbidden")["detail"]);
    expect(detail).toMatch(/first second .*third/);
    expect(detail).not.toMatch(/\p{Cc}/u);
    expect(detail.length).toBeLessThan(1000);
  });

  const others = [
    "ghp_0123456789abcdefABCDEF0123456789abcd",
    "github_pat_11AAAAAAA0abcdefghijklmnop_qrstuvwxyz",
    "ghs_abcdefghijklmnop",
  ];
  it.each(["graphql", "rest"] as const)("is reported without tokens, whatever the platform says (%s)", async (on) => {
    const tenon = await running.shared();
    const message = `no: ${ownerToken}, ${apiKey}, Authorization: bearer abcdefghijklmnop1234, ${others.join(" ")}`;
    const run = () => (on === "rest" ? tenon.run("issues", "create", { ...at, title: "x" }) : tenon.run("issues", "get", issue));
    fail({ kind: "forbidden", message });
    const { text } = await run();
    expect(text).toContain("no: ");
    // The harness looks for the service's key and the platform's token in every answer and log line.
    for (const secret of [...others, "abcdefghijklmnop1234"]) expect(text + tenon.log.join("")).not.toContain(secret);
  });
});

describe("a credential that the platform refuses", () => {
  it.each([
    ["issues", "get", issue],
    ["issues", "create", { ...at, title: "x" }],
  ])("fails %s.%s at once", async (entity, action, params) => {
    const tenon = await running.start({ token: expiredToken });
    const problem = bad(await tenon.run(entity, action, params), 403, "platform_unauthorized");
    expect(problem["retryable"]).toBe(false);
    expect(running.platform.requests.length).toBe(1);
  });

  it("is not tried again for a while after three refusals", async () => {
    const tenon = await running.start({ token: expiredToken });
    for (let count = 0; count < 5; count++) bad(await tenon.run("issues", "get", issue), 403, "platform_unauthorized");
    bad(await tenon.run("issues", "create", { ...at, title: "x" }), 403, "platform_unauthorized");
    expect(running.platform.requests.length).toBe(3);
  });

  it("is tried again when refusals do not follow on each other", async () => {
    const tenon = await running.shared();
    for (let count = 0; count < 4; count++) {
      fail({ kind: "unauthorized" });
      bad(await tenon.run("issues", "get", issue), 403, "platform_unauthorized");
      good(await tenon.run("issues", "get", issue));
    }
  });
});

describe("a cursor", () => {
  const cursorOf = async (entity: string, params: object) => {
    const tenon = await running.shared();
    const { meta } = good(await tenon.run(entity, "list", { ...params, per_page: 1 }));
    running.platform.reset();
    return meta?.["end_cursor"];
  };
  const expectBad = async (entity: string, action: string, params: object) => {
    const tenon = await running.shared();
    const problem = bad(await tenon.run(entity, action, params), 422, "bad_cursor");
    expect(problem["errors"]).toMatchObject([{ pointer: "/params/after", code: "bad_cursor" }]);
    expect(running.platform.requests.length).toBeLessThanOrEqual(1);
  };

  it.each([
    ["issues", "list", at],
    ["stargazers", "list", at],
    ["commits", "list", at],
    ["issues", "api_search", { query: "repo:octocat/hello-world" }],
    ["users", "api_search", { query: "octocat" }],
  ])("that nobody gave out is refused by %s.%s", async (entity, action, params) => {
    await expectBad(entity, action, { ...params, after: "nonsense" });
  });

  it("of another list is refused", async () => {
    await expectBad("issues", "list", { ...at, after: await cursorOf("pull_requests", at) });
    await expectBad("issues", "list", { owner: "tenon-labs", repo: "widgets", after: await cursorOf("issues", at) });
    await expectBad("issues", "list", { ...at, states: ["OPEN"], after: await cursorOf("issues", at) });
  });

  const threads = () => found(hello(running.platform.world).pullRequests.find((one) => one.reviewThreads.length > 3)).number;
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const made: unknown[] = [
    [1, "nonsense"],
    [1, null, "PRRT_none", "a", "b"],
    [2],
    [1],
    [1, 2, 3],
    {},
    null,
    5,
    "x",
    [1, null, 5, 5, 5],
  ];
  it.each(["nonsense", "%%%", ...made.map(encoded)])("that nobody gave out is refused by pr_comments.list: %s", async (after) => {
    await expectBad("pr_comments", "list", { ...at, number: threads(), after });
  });

  it("into another kind of thing is refused by pr_comments.list", async () => {
    const { id } = found(hello(running.platform.world).issues[0]);
    await expectBad("pr_comments", "list", { ...at, number: threads(), after: encoded([1, null, id, "a", ""]) });
  });

  it("of another pull request is refused by pr_comments.list", async () => {
    // The cursor stands in the middle of a thread.
    const after = await cursorOf("pr_comments", { ...at, number: threads() });
    const [other] = repository(running.platform.world, "octocat/hello-world").pullRequests.filter(
      (one) => one.number !== threads(),
    );
    await expectBad("pr_comments", "list", { ...at, number: found(other).number, per_page: 1, after });
  });
});
