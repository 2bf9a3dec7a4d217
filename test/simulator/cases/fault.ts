import { describe, expect, it } from "vitest";
import type { Fault } from "../../support/github/fault.ts";
import { type Reply, rest } from "../client.ts";
import { ask, errorTypes, hello, inHello, list, platform } from "./setup.ts";

const viewer = () => ask("{ viewer { login } }");
const user = () => rest(platform(), "GET", "/user");
const fail = (fault: Fault) => platform().fail(fault);
const create = () => rest(platform(), "POST", "/repos/octocat/hello-world/issues", { title: "fault" });
const header = (reply: Reply, name: string) => reply.headers.get(name);
const secondsAhead = (reply: Reply) => Number(header(reply, "x-ratelimit-reset")) - Date.now() / 1000;
const fine = async () => {
  expect((await viewer()).body["data"]?.["viewer"]).toEqual({ login: "octocat" });
  expect((await user()).status).toBe(200);
};

describe("limits", () => {
  it("plays the primary limit of GraphQL in both forms", async () => {
    fail({ kind: "primary-limit", resetIn: 20 });
    const first = await viewer();
    expect([first.status, first.body["data"], errorTypes(first.body)]).toEqual([200, undefined, ["RATE_LIMITED"]]);
    expect(header(first, "x-ratelimit-remaining")).toBe("0");
    expect(secondsAhead(first)).toBeGreaterThan(10);
    expect(secondsAhead(first)).toBeLessThan(21.1);
    fail({ kind: "primary-limit", form: "RATE_LIMIT" });
    const second = await viewer();
    expect([second.status, second.body["data"]]).toEqual([200, undefined]);
    expect(list(second.body["errors"])[0]).toMatchObject({ type: "RATE_LIMIT", extensions: { code: "graphql_rate_limit" } });
    await fine();
  });

  it.each([403, 429] as const)("plays the primary limit of REST as %i", async (status) => {
    fail({ kind: "primary-limit", status, resetIn: 1 });
    const reply = await user();
    expect([reply.status, header(reply, "x-ratelimit-remaining"), header(reply, "x-ratelimit-resource")]).toEqual([
      status,
      "0",
      "core",
    ]);
    expect(reply.body["message"]).toContain("API rate limit exceeded for user ID");
    await fine();
  });

  it.each([200, 403, 429] as const)("plays the secondary limit as %i, with and without retry-after", async (status) => {
    fail({ kind: "secondary-limit", status, retryAfter: 1 });
    fail({ kind: "secondary-limit", status, remaining: 0, resetIn: 1 });
    const [told, silent] = [await viewer(), await user()];
    expect([told.status, header(told, "retry-after")]).toEqual([status, "1"]);
    expect([silent.status, header(silent, "retry-after"), header(silent, "x-ratelimit-remaining")]).toEqual([status, null, "0"]);
    for (const reply of [told, silent]) expect(reply.text).toContain("secondary rate limit");
    expect(told.body["data"]).toBeUndefined();
    await fine();
  });

  it("really refuses when the quota is used up, until the reset, each budget for itself", async () => {
    fail({ kind: "quota", on: "graphql", remaining: 2, resetIn: 3 });
    expect(header(await viewer(), "x-ratelimit-remaining")).toBe("1");
    expect(errorTypes((await viewer()).body)).toEqual([]);
    const refused = await viewer();
    expect(errorTypes(refused.body)).toEqual(["RATE_LIMITED"]);
    expect((await user()).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, secondsAhead(refused) * 1000 + 20));
    expect(errorTypes((await viewer()).body)).toEqual([]);
  });

  it("charges what a document costs", async () => {
    const query = (size: number) =>
      inHello(`issues(first: 100) { nodes { comments(first: ${size}) { nodes { reactions(first: 1) { nodes { id } } } } } }`);
    const { body } = await ask(`{ rateLimit { cost nodeCount remaining } ${query(10).slice(1)}`);
    // 1 + 100 + 100 × 10 connections; 100 + 1,000 + 1,000 nodes.
    expect(body["data"]?.["rateLimit"]).toEqual({ cost: 11, nodeCount: 2100, remaining: 4989 });
  });
});

describe("a platform that is down", () => {
  it.each([502, 503, 504] as const)("plays %i with a page instead of JSON", async (status) => {
    fail({ kind: "gateway", status, on: "graphql" });
    expect((await user()).status).toBe(200);
    const reply = await viewer();
    expect([reply.status, header(reply, "content-type")]).toEqual([status, "text/html; charset=utf-8"]);
    expect(reply.text).toContain("<html>");
    await fine();
  });

  it.each([
    [{ kind: "gateway", status: 502 }, 0],
    [{ kind: "gateway", status: 502, effect: true }, 1],
    [{ kind: "drop", when: "before" }, 0],
    [{ kind: "drop", when: "after" }, 1],
    [{ kind: "truncated-json" }, 1],
  ] satisfies [Fault, number][])("does with %j what it says to a write", async (fault, written) => {
    const before = hello().issues.length;
    fail(fault);
    const reply = await create().catch((error: unknown) => error);
    if (fault.kind === "drop") {
      expect(reply).toBeInstanceOf(TypeError);
      expect(platform().requests.at(-1)).toMatchObject({ method: "POST", status: 0 });
    }
    expect(hello().issues.length - before).toBe(written);
    await fine();
  });

  it("answers late", async () => {
    fail({ kind: "slow", ms: 120 });
    const start = performance.now();
    expect((await viewer()).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThan(115);
  });

  it("stops in the middle of its JSON", async () => {
    fail({ kind: "truncated-json" });
    const reply = await viewer();
    expect(reply.status).toBe(200);
    expect(() => JSON.parse(reply.text)).toThrow(SyntaxError);
  });

  it.each(["RESOURCE_LIMITS_EXCEEDED", 502] as const)("finds pages above a size too large (%s)", async (form) => {
    fail({ kind: "page-too-large", above: 25, form, times: 2 });
    const page = (first: number) =>
      ask("query($first: Int!) { viewer { repositories(first: $first) { nodes { id } } } }", { first });
    const large = await page(50);
    expect(form === 502 ? large.status : errorTypes(large.body)[0]).toBe(form);
    expect(errorTypes((await page(25)).body)).toEqual([]);
    expect((await page(26)).text).toBe(large.text);
    expect(errorTypes((await page(100)).body)).toEqual([]);
  });

  it.each(["SERVICE_UNAVAILABLE", "INTERNAL", "INSUFFICIENT_SCOPES", "MAX_NODE_LIMIT_EXCEEDED"] as const)(
    "answers %s",
    async (type) => {
      fail({ kind: "graphql-error", type });
      expect((await user()).status).toBe(200);
      const reply = await viewer();
      expect([reply.status, reply.body["data"], errorTypes(reply.body)]).toEqual([200, null, [type]]);
    },
  );

  it("answers that something went wrong", async () => {
    fail({ kind: "server-error", status: 500, times: 2 });
    expect([(await viewer()).status, (await user()).status]).toEqual([500, 500]);
    await fine();
  });
});

describe("parts that are missing", () => {
  const query = inHello("issues(first: 5) { nodes { number author { login } milestone { title } } }");
  const nodes = (reply: Reply) => list(reply.body["data"]?.["repository"]?.["issues"]?.["nodes"]);

  it("has null in the middle of a list", async () => {
    fail({ kind: "null-nodes" });
    const one = await ask(query);
    expect(nodes(one).map((node) => node === null)).toEqual([false, false, true, false, false]);
    expect(list(one.body["errors"])).toMatchObject([{ type: "SERVICE_UNAVAILABLE", path: ["repository", "issues", "nodes", 2] }]);
    fail({ kind: "null-nodes", at: [0, 4], type: "FORBIDDEN" });
    const two = await ask(query);
    expect(nodes(two).filter((node) => node === null).length).toBe(2);
    expect(errorTypes(two.body)).toEqual(["FORBIDDEN", "FORBIDDEN"]);
  });

  it("has null edges", async () => {
    fail({ kind: "null-nodes", at: [1] });
    const reply = await ask(inHello("stargazers(first: 3) { edges { starredAt node { login } } }"));
    expect(list(reply.body["data"]?.["repository"]?.["stargazers"]?.["edges"])[1]).toBeNull();
  });

  it("has nothing but null", async () => {
    fail({ kind: "all-nodes-null" });
    const reply = await ask(query);
    expect(nodes(reply)).toEqual([null, null, null, null, null]);
    expect(list(reply.body["errors"]).length).toBe(5);
  });

  it("has an error below a record", async () => {
    fail({ kind: "field-error", field: "milestone", at: 1 });
    const reply = await ask(query);
    expect(nodes(reply)[1]).toMatchObject({ milestone: null });
    expect(list(reply.body["errors"])).toMatchObject([{ path: ["repository", "issues", "nodes", 1, "milestone"] }]);
    fail({ kind: "field-error", field: "author" });
    const { body } = await ask(inHello("issue(number: 1) { title author { login } }"));
    expect(body).toMatchObject({
      data: { repository: { issue: { title: "Found a bug", author: null } } },
      errors: [{ path: ["repository", "issue", "author"] }],
    });
  });

  it("waits for a request that it can strike", async () => {
    fail({ kind: "null-nodes" });
    await fine();
    expect((await ask(query)).body["errors"]).toBeDefined();
  });
});

describe("refusals", () => {
  it("forbids", async () => {
    fail({ kind: "forbidden", times: 2 });
    expect(errorTypes((await viewer()).body)).toEqual(["FORBIDDEN"]);
    expect((await user()).status).toBe(403);
    await fine();
  });

  it("demands single sign-on", async () => {
    fail({ kind: "saml", times: 2, url: "https://example.com/sso?a=1" });
    const [one, two] = [await viewer(), await user()];
    expect(list(one.body["errors"])[0]).toMatchObject({ type: "FORBIDDEN", extensions: { saml_failure: true } });
    expect(two.status).toBe(403);
    for (const reply of [one, two]) expect(header(reply, "x-github-sso")).toBe("required; url=https://example.com/sso?a=1");
  });

  it("leaves out in silence what single sign-on guards", async () => {
    fail({ kind: "sso-partial", organizations: [1, 2] });
    const reply = await viewer();
    expect(header(reply, "x-github-sso")).toBe("partial-results; organizations=1,2");
    expect(reply.body["errors"]).toBeUndefined();
  });

  it("forgets a token", async () => {
    fail({ kind: "unauthorized", times: 2 });
    expect([(await viewer()).status, (await user()).status]).toEqual([401, 401]);
    await fine();
  });

  it("strikes in order, as often as told, after as many as told", async () => {
    fail({ kind: "gateway", status: 502, times: 2, on: "graphql" });
    fail({ kind: "gateway", status: 504, skip: 1, on: "graphql" });
    const statuses: number[] = [];
    for (let count = 0; count < 5; count++) statuses.push((await viewer()).status);
    expect(statuses).toEqual([502, 502, 200, 504, 200]);
    fail({ kind: "gateway", status: 503, times: Number.POSITIVE_INFINITY });
    expect((await viewer()).status).toBe(503);
    platform().reset();
    await fine();
  });
});
