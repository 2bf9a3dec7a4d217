import { describe, expect, it } from "vitest";
import type { Json } from "../simulator/client.ts";
import type { Fault } from "../support/github/start.ts";
import { issueRecord } from "./records/issue.ts";
import { reads, sizes } from "./support/calls.ts";
import { bad, good, list, usePlatform } from "./support/service.ts";
import { found, hello, sorted, user } from "./support/world.ts";

// Answers with holes: what is there is given, what is missing is named, and an empty page is never made of errors.

const running = usePlatform();
const at = { owner: "octocat", repo: "hello-world" };
const fail = (fault: Fault) => running.platform.fail(fault);
const always = Number.POSITIVE_INFINITY;
const newest = () => sorted(hello(running.platform.world).issues, (one) => one.createdAt, "DESC");
const warning = (path: string, code: string) => ({ path, code, message: expect.stringMatching(/\w/) });
const warnings = (body: Json) => list(body["meta"]?.["warnings"]);

describe("an error below a record", () => {
  const cases: [action: string, params: object, fault: Fault, expected: unknown][] = [
    ["get", { number: 1 }, { kind: "field-error", field: "author" }, warning("data.author", "platform_failed")],
    [
      "get",
      { number: 1 },
      { kind: "field-error", field: "author", type: "FORBIDDEN" },
      warning("data.author", "platform_forbidden"),
    ],
    ["list", { per_page: 3 }, { kind: "field-error", field: "milestone", at: 1 }, warning("data.1.milestone", "platform_failed")],
    [
      "list",
      { per_page: 3, fields: ["parent", "number"] },
      { kind: "field-error", field: "parent", at: 2, type: "FORBIDDEN" },
      warning("data.2.parent", "platform_forbidden"),
    ],
  ];
  it.each(cases)("issues.%s %j with %j keeps the record and warns", async (action, params, fault, expected) => {
    const tenon = await running.shared();
    fail(fault);
    const body = good(await tenon.run("issues", action, { ...at, ...params }));
    expect(warnings(body)).toEqual([expected]);
    expect(reads(running.platform).length).toBe(1);
  });

  it("leaves everything else of the records unchanged", async () => {
    const tenon = await running.shared();
    fail({ kind: "field-error", field: "author" });
    const { data, meta } = good(await tenon.run("issues", "list", { ...at, per_page: 5 }));
    const expected = newest()
      .slice(0, 5)
      .map((one) => ({ ...issueRecord(one).defaults, author: null }));
    expect(data).toEqual(expected);
    const missing = [0, 1, 2, 3, 4].filter((index) => newest()[index]?.author !== null);
    expect(meta).toEqual({
      has_next_page: true,
      end_cursor: expect.any(String),
      warnings: missing.map((index) => warning(`data.${index}.author`, "platform_failed")),
    });
  });

  it("names the place in our answer when records before it were dropped", async () => {
    const tenon = await running.shared();
    // The second record has too many labels, and the first is missing.
    const [, second] = newest();
    const one = found(second);
    one.labels = Array.from({ length: 101 }, (_, index) => ({
      ...found(one.repository.labels[0]),
      id: `LA_${index}`,
      name: `l${index}`,
    }));
    fail({ kind: "null-nodes", at: [0] });
    const body = good(await tenon.run("issues", "list", { ...at, per_page: 3, fields: ["number", "labels.name"] }));
    expect(list(body["data"]).map((row) => row["number"])).toEqual(
      newest()
        .slice(1, 4)
        .map((row) => row.number),
    );
    expect(warnings(body)).toContainEqual(warning("data.0.labels", "list_cut"));
  });

  it("in the element of a nested list drops the element and names it", async () => {
    const tenon = await running.shared();
    const issue = found(hello(running.platform.world).issues.find((one) => one.labels.length === 3));
    fail({ kind: "null-nodes", at: [1] });
    const body = good(await tenon.run("issues", "get", { ...at, number: issue.number, fields: ["labels.name"] }));
    const [first, , third] = issue.labels;
    expect(body["data"]).toEqual({ labels: [{ name: first?.name }, { name: third?.name }] });
    expect(warnings(body)).toEqual([warning("data.labels.1", "platform_failed")]);
  });

  it("is reported for fifty of many, with the number of further ones", async () => {
    const tenon = await running.shared();
    for (const one of hello(running.platform.world).issues) one.milestone = found(one.repository.milestones[0]);
    fail({ kind: "field-error", field: "milestone" });
    const told = warnings(good(await tenon.run("issues", "list", { ...at, per_page: 100, fields: ["milestone.title"] })));
    expect(told.length).toBe(51);
    expect(told.at(-1)).toMatchObject({ message: expect.stringContaining("50") });
  });
});

describe("a page that cost GitHub too much, of which it gave a part", () => {
  const parts: Fault[] = [
    { kind: "null-nodes", at: [1, 3] },
    { kind: "field-error", field: "milestone", at: 2 },
    { kind: "field-error", field: "pageInfo" },
  ];
  it.each(parts)("is read again in smaller pages after %j", async (fault) => {
    const tenon = await running.shared();
    fail({ ...fault, type: "RESOURCE_LIMITS_EXCEEDED" } as Fault);
    const body = good(await tenon.run("issues", "list", { ...at, per_page: 4 }));
    expect(list(body["data"]).map((row) => row["number"])).toEqual(
      newest()
        .slice(0, 4)
        .map((row) => row.number),
    );
    expect(warnings(body)).toEqual([]);
    expect(sizes(running.platform)).toEqual([4, 2, 2]);
  });

  it("is given as it is where a single record costs too much", async () => {
    const tenon = await running.shared();
    fail({ kind: "field-error", field: "milestone", type: "RESOURCE_LIMITS_EXCEEDED", times: always } as Fault);
    const body = good(await tenon.run("issues", "list", { ...at, per_page: 1 }));
    expect(warnings(body)).toEqual([warning("data.0.milestone", "platform_too_complex")]);
  });
});

describe("an error at a record or above it", () => {
  const cases: [entity: string, action: string, params: object, field: string][] = [
    ["issues", "get", { number: 1 }, "issue"],
    ["issues", "get", { number: 1 }, "repository"],
    // A larger page would be halved.
    ["issues", "list", { per_page: 1 }, "issues"],
    ["issues", "list", { per_page: 1 }, "pageInfo"],
    ["pr_comments", "list", { number: 5, per_page: 1 }, "pageInfo"],
    ["issues", "list", { per_page: 1 }, "repository"],
    // Null here without an error means an empty repository.
    ["commits", "list", { per_page: 1 }, "defaultBranchRef"],
    ["branches", "get", { branch: "main" }, "ref"],
    ["directory_content", "list", { path: "" }, "object"],
    ["comments", "list", { number: 1, per_page: 1 }, "issueOrPullRequest"],
  ];
  it.each(cases)("%s.%s %j fails when %s is refused", async (entity, action, params, field) => {
    const tenon = await running.shared();
    fail({ kind: "field-error", field, type: "FORBIDDEN" });
    bad(await tenon.run(entity, action, { ...at, ...params }), 403, "platform_forbidden");
    expect(reads(running.platform).length).toBe(1);
  });

  it.each(cases)("%s.%s %j is tried again when %s failed", async (entity, action, params, field) => {
    const tenon = await running.shared();
    fail({ kind: "field-error", field });
    expect(good(await tenon.run(entity, action, { ...at, ...params }))["meta"]).not.toHaveProperty("warnings");
    expect(reads(running.platform).length).toBe(2);
  });
});

describe("null in a list", () => {
  it("is dropped and reported, and the page is filled up", async () => {
    const tenon = await running.shared();
    fail({ kind: "null-nodes", at: [0, 4], type: "FORBIDDEN" });
    const body = good(await tenon.run("issues", "list", { ...at, per_page: 5, fields: ["number"] }));
    const kept = newest().filter((_, index) => index !== 0 && index !== 4);
    expect(list(body["data"]).map((one) => one["number"])).toEqual(kept.slice(0, 5).map((one) => one.number));
    expect(warnings(body)).toEqual([warning("data", "platform_forbidden"), warning("data", "platform_forbidden")]);
    expect(body["meta"]).toMatchObject({ has_next_page: true, end_cursor: expect.any(String) });
  });

  it("of edges is dropped and reported too", async () => {
    const tenon = await running.shared();
    fail({ kind: "null-nodes", at: [1] });
    const body = good(await tenon.run("stargazers", "list", { ...at, per_page: 3, fields: ["user.login"] }));
    const stars = [...hello(running.platform.world).stargazers].reverse();
    const kept = stars.filter((_, index) => index !== 1).slice(0, 3);
    expect(body["data"]).toEqual(kept.map(({ user: { login } }) => ({ user: { login } })));
    expect(warnings(body)).toEqual([warning("data", "platform_failed")]);
  });

  const lists: [entity: string, params: object][] = [
    ["issues", at],
    ["stargazers", at],
    ["project_items", { org: "tenon-labs", project_number: 1 }],
    ["pr_comments", at],
  ];
  const withNumber = (entity: string, params: object) => {
    const pull = hello(running.platform.world).pullRequests.find((one) => one.reviewThreads.length > 2);
    return entity === "pr_comments" ? { ...params, number: found(pull).number } : params;
  };
  it.each(lists)("of %s that has nothing else fails the call and is not an empty page", async (entity, params) => {
    const tenon = await running.shared();
    fail({ kind: "all-nodes-null", type: "FORBIDDEN", times: always });
    bad(await tenon.run(entity, "list", withNumber(entity, params)), 403, "platform_forbidden");
  });

  it.each(lists)("of %s that has nothing else is tried again when the platform failed", async (entity, params) => {
    const tenon = await running.shared();
    fail({ kind: "all-nodes-null" });
    const body = good(await tenon.run(entity, "list", withNumber(entity, params)));
    expect(list(body["data"]).length).toBeGreaterThan(0);
    expect(warnings(body)).toEqual([]);
  });

  it("of threads is reported, and the comments of the others are given", async () => {
    const tenon = await running.shared();
    const pull = found(hello(running.platform.world).pullRequests.find((one) => one.reviewThreads.length > 2));
    const rest = pull.reviewThreads.filter((_, index) => index !== 1).flatMap((thread) => thread.comments.map((one) => one.id));
    fail({ kind: "null-nodes", at: [1] });
    const body = good(await tenon.run("pr_comments", "list", { ...at, number: pull.number, per_page: 100, fields: ["id"] }));
    expect(list(body["data"]).map((one) => one["id"])).toEqual(rest.slice(0, 100));
    expect(warnings(body)).toEqual([warning("data", "platform_failed")]);
  });
});

describe("single sign-on", () => {
  const url = "https://github.com/orgs/tenon-labs/sso?authorization_request=AZ12";

  it("that a read requires is reported with its address", async () => {
    const tenon = await running.shared();
    fail({ kind: "saml", url });
    const problem = bad(await tenon.run("issues", "list", at), 403, "platform_forbidden");
    expect(problem["detail"]).toContain(url);
    expect(reads(running.platform).length).toBe(1);
  });

  it("that a write requires is reported with its address", async () => {
    const tenon = await running.shared();
    fail({ kind: "saml", url });
    expect(bad(await tenon.run("issues", "create", { ...at, title: "x" }), 403, "platform_forbidden")["detail"]).toContain(url);
    expect(running.platform.requests.length).toBe(1);
  });

  it.each(["javascript:alert(1)", "http://evil.example.com/", "not an address"])(
    "with the address %j is reported without the address",
    async (wrong) => {
      const tenon = await running.shared();
      fail({ kind: "saml", url: wrong });
      expect(bad(await tenon.run("issues", "create", { ...at, title: "x" }), 403, "platform_forbidden")["detail"]).not.toContain(
        wrong,
      );
    },
  );

  it.each([
    ["issues", "list", at],
    ["repositories", "api_search", { query: "tenon" }],
    ["directory_content", "list", { ...at, path: "" }],
    ["organizations", "get", { org: "tenon-labs" }],
  ])("that hides a part causes a warning in %s.%s", async (entity, action, params) => {
    const tenon = await running.shared();
    fail({ kind: "sso-partial" });
    expect(warnings(good(await tenon.run(entity, action, params)))).toEqual([warning("data", "partial_results")]);
  });

  it("that hides a part of several pages causes one warning", async () => {
    const tenon = await running.shared();
    const { world } = running.platform;
    for (let index = 0; index < 210; index++)
      world.users.push({
        ...user(world, "hubot"),
        id: `U_crowd${index}`,
        databaseId: 70_000_000 + index,
        login: `crowd-${index}`,
      });
    fail({ kind: "sso-partial", times: 3 });
    const body = good(await tenon.run("users", "api_search", { query: "crowd", limit: 210, fields: ["login"] }));
    expect(list(body["data"]).length).toBe(210);
    expect(warnings(body)).toEqual([warning("data", "partial_results")]);
  });
});
