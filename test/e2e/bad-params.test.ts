import { describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import type { Json } from "../simulator/client.ts";
import { authorized, bad, executePath, good, list, useTenon } from "./support/service.ts";

// Requests that are JSON and still wrong. Nothing of them reaches the platform.

const running = useTenon();
const at = { owner: "octocat", repo: "hello-world" };
const entities =
  "branches code comments commits directory_content discussions file_content gists issues labels milestones notifications " +
  "org_repositories organizations " +
  "pr_comments project_items projects pull_requests releases repositories reviews stargazers tags teams users viewer viewer_repositories " +
  "webhook_deliveries webhooks workflow_jobs workflow_runs";

async function refuse(body: unknown, code = "invalid_request"): Promise<Json[]> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const problem = bad(await running.tenon.send("POST", executePath, text), 422, code);
  expect(running.platform.requests).toEqual([]);
  return list(problem["errors"]);
}
const pointers = (faults: readonly Json[]) => faults.map((fault) => String(fault["pointer"])).sort();
const sortedAllowed = (fault: Json | undefined) => list(fault?.["allowed"]).map(String).sort();

describe("names", () => {
  it.each([
    ["isues", "issues"],
    ["Issue", "issues"],
    ["pullRequests", "pull_requests"],
    ["repository", "repositories"],
    ["zzzzzz", undefined],
    ["", undefined],
    ["__proto__", undefined],
    ["constructor", undefined],
    ["toString", undefined],
  ])("the entity %j", async (entity, suggestion) => {
    const faults = await refuse({ entity, action: "list" });
    expect(pointers(faults)).toEqual(["/entity"]);
    expect(faults[0]?.["code"]).toBe("unknown_entity");
    expect(sortedAllowed(faults[0])).toEqual(entities.split(" "));
    expect(faults[0]?.["suggestion"]).toBe(suggestion);
  });

  it("an unknown entity and an unknown action", async () => {
    const faults = await refuse({ entity: "isues", action: "lst" });
    expect(pointers(faults)).toEqual(["/action", "/entity"]);
    const fault = faults.find((one) => String(one["pointer"]) === "/action");
    expect(fault).toMatchObject({ code: "unknown_action", suggestion: "list" });
    expect(sortedAllowed(fault)).toEqual([
      "api_search",
      "cancel",
      "context_store_search",
      "context_store_sql_query",
      "create",
      "delete",
      "get",
      "list",
      "logs",
      "mark_done",
      "mark_read",
      "merge",
      "ping",
      "put",
      "redeliver",
      "rerun",
      "rerun_failed",
      "update",
    ]);
  });

  it("an unknown entity, and an action that is not a text", async () => {
    const faults = await refuse({ entity: "isues", action: ["get"] });
    expect(faults.map((one) => `${String(one["pointer"])} ${String(one["code"])}`).sort()).toEqual([
      "/action wrong_type",
      "/entity unknown_entity",
    ]);
  });

  it("a value of an enumeration that allows null", async () => {
    const issue = { owner: "octocat", repo: "hello-world", issue_number: 1, state: "closed", state_reason: "done" };
    const [fault] = await refuse({ entity: "issues", action: "update", params: issue });
    expect(fault?.["message"]).toBe("state_reason must be one of completed, not_planned, reopened, null.");
  });

  it.each([
    [
      "issues",
      "lst",
      "list",
      ["api_search", "context_store_search", "context_store_sql_query", "create", "get", "list", "update"],
    ],
    [
      "issues",
      "search",
      undefined,
      ["api_search", "context_store_search", "context_store_sql_query", "create", "get", "list", "update"],
    ],
    ["viewer", "list", undefined, ["context_store_search", "context_store_sql_query", "get"]],
    [
      "pull_requests",
      "updat",
      "update",
      ["api_search", "context_store_search", "context_store_sql_query", "create", "get", "list", "merge", "update"],
    ],
    ["reviews", "__proto__", undefined, ["context_store_search", "context_store_sql_query", "create", "list"]],
    ["reviews", "constructor", undefined, ["context_store_search", "context_store_sql_query", "create", "list"]],
  ])("the action %s.%s", async (entity, action, suggestion, allowed) => {
    const faults = await refuse({ entity, action });
    expect(pointers(faults)).toEqual(["/action"]);
    expect(faults[0]?.["code"]).toBe("unknown_action");
    expect(sortedAllowed(faults[0])).toEqual(allowed);
    if (suggestion !== undefined) expect(faults[0]?.["suggestion"]).toBe(suggestion);
  });

  it.each([
    ["onwer", "owner"],
    ["perPage", "per_page"],
    ["field", "fields"],
    ["zzz", undefined],
    ["constructor", undefined],
    ["a/b~c", undefined],
  ])("the parameter %s", async (name, suggestion) => {
    const faults = await refuse({ entity: "issues", action: "list", params: { ...at, [name]: "x" } });
    expect(pointers(faults)).toEqual([`/params/${name.replace("~", "~0").replace("/", "~1")}`]);
    expect(faults[0]?.["code"]).toBe("unknown_param");
    expect(sortedAllowed(faults[0])).toEqual(["after", "dryRun", "fields", "owner", "per_page", "repo", "states"]);
    expect(faults[0]?.["suggestion"]).toBe(suggestion);
  });

  it.each([
    ["tilte", "title", "/params/fields/1"],
    ["author.lgin", "login", "/params/fields/1"],
    [["author", "Login", "x"], undefined, "/params/fields/1"],
    ["title.x", undefined, "/params/fields/1"],
    ["__proto__", undefined, "/params/fields/1"],
    ["constructor", undefined, "/params/fields/1"],
    ["id } viewer { login", undefined, "/params/fields/1"],
    ["", undefined, "/params/fields/1"],
    [".", undefined, "/params/fields/1"],
  ])("the field %j", async (field, suggestion, pointer) => {
    const faults = await refuse({ entity: "issues", action: "list", params: { ...at, fields: ["number", field] } });
    expect(pointers(faults)).toEqual([pointer]);
    expect(faults[0]?.["code"]).toBe("unknown_field");
    if (suggestion !== undefined) expect(faults[0]?.["suggestion"]).toBe(suggestion);
  });

  it("of the body's members, with the right one", async () => {
    const faults = await refuse({ entity: "viewer", action: "get", parms: {} });
    expect(faults).toMatchObject([
      { pointer: "/parms", allowed: ["entity", "action", "params", "intent"], suggestion: "params" },
    ]);
  });

  it("that JavaScript objects come with, in raw JSON", async () => {
    expect(pointers(await refuse('{"entity":"viewer","action":"get","__proto__":{"admin":true}}'))).toEqual(["/__proto__"]);
    const params = '{"owner":"octocat","repo":"hello-world","__proto__":{"per_page":5},"constructor":1}';
    const faults = await refuse(`{"entity":"issues","action":"list","params":${params}}`);
    expect(pointers(faults)).toEqual(["/params/__proto__", "/params/constructor"]);
    // A missing parameter is not found on a prototype that the caller sent.
    const hidden = await refuse(
      '{"entity":"issues","action":"list","params":{"__proto__":{"owner":"octocat","repo":"hello-world"}}}',
    );
    expect(pointers(hidden)).toEqual(["/params/__proto__", "/params/owner", "/params/repo"]);
    expect(Object(Object.prototype)).not.toHaveProperty("admin");
  });
});

describe("values", () => {
  const issue = { ...at, issue_number: 1 };
  const cases: [call: string, params: object, pointer: string, code: string][] = [
    ["issues.list", { repo: "x" }, "/params/owner", "missing_param"],
    ["issues.list", { owner: "", repo: "x" }, "/params/owner", "out_of_range"],
    ["issues.list", { owner: "x".repeat(101), repo: "x" }, "/params/owner", "out_of_range"],
    ["issues.list", { owner: 5, repo: "x" }, "/params/owner", "wrong_type"],
    ["issues.list", { owner: null, repo: "x" }, "/params/owner", "wrong_type"],
    ["issues.list", { ...at, per_page: 0 }, "/params/per_page", "out_of_range"],
    ["issues.list", { ...at, per_page: 101 }, "/params/per_page", "out_of_range"],
    ["issues.list", { ...at, per_page: -1 }, "/params/per_page", "out_of_range"],
    ["issues.list", { ...at, per_page: 1.5 }, "/params/per_page", "wrong_type"],
    ["issues.list", { ...at, per_page: "30" }, "/params/per_page", "wrong_type"],
    ["issues.list", { ...at, per_page: null }, "/params/per_page", "wrong_type"],
    ["issues.list", { ...at, after: 5 }, "/params/after", "wrong_type"],
    ["issues.list", { ...at, after: "x".repeat(2049) }, "/params/after", "out_of_range"],
    ["issues.list", { ...at, states: "OPEN" }, "/params/states", "wrong_type"],
    ["issues.list", { ...at, states: [] }, "/params/states", "out_of_range"],
    ["issues.list", { ...at, states: ["open"] }, "/params/states/0", "not_allowed"],
    ["issues.list", { ...at, states: ["OPEN", "MERGED"] }, "/params/states/1", "not_allowed"],
    ["issues.list", { ...at, fields: "title" }, "/params/fields", "wrong_type"],
    ["issues.list", { ...at, fields: [] }, "/params/fields", "out_of_range"],
    ["issues.list", { ...at, fields: null }, "/params/fields", "wrong_type"],
    ["issues.list", { ...at, fields: [5] }, "/params/fields/0", "wrong_type"],
    ["issues.list", { ...at, fields: [{}] }, "/params/fields/0", "wrong_type"],
    ["issues.list", { ...at, fields: [[]] }, "/params/fields/0", "wrong_type"],
    ["issues.list", { ...at, fields: Array.from({ length: 201 }, () => "title") }, "/params/fields", "out_of_range"],
    ["issues.list", { ...at, fields: Array.from({ length: 1001 }, () => "title") }, "/params/fields", "out_of_range"],
    ["issues.get", { ...at, number: 0 }, "/params/number", "out_of_range"],
    ["issues.get", { ...at, number: 2 ** 31 }, "/params/number", "out_of_range"],
    ["issues.get", { ...at, number: "1" }, "/params/number", "wrong_type"],
    ["issues.get", { ...at, number: true }, "/params/number", "wrong_type"],
    ["issues.get", at, "/params/number", "missing_param"],
    ["discussions.list", { ...at, answered: "true" }, "/params/answered", "wrong_type"],
    ["repositories.api_search", { query: "x", limit: 0 }, "/params/limit", "out_of_range"],
    ["repositories.api_search", { query: "x", limit: 1001 }, "/params/limit", "out_of_range"],
    ["repositories.api_search", { query: "" }, "/params/query", "out_of_range"],
    ["repositories.api_search", { query: "x", per_page: 5 }, "/params/per_page", "unknown_param"],
    ["issues.api_search", { query: "x", limit: 5 }, "/params/limit", "unknown_param"],
    ["directory_content.list", at, "/params/path", "missing_param"],
    ["file_content.get", { ...at, path: "" }, "/params/path", "out_of_range"],
    ["viewer.get", { after: "x" }, "/params/after", "unknown_param"],
    ["issues.create", { ...at, title: "" }, "/params/title", "out_of_range"],
    ["issues.create", { ...at, title: "x", labels: "bug" }, "/params/labels", "wrong_type"],
    ["issues.create", { ...at, title: "x", labels: ["bug", 5] }, "/params/labels/1", "wrong_type"],
    ["issues.create", { ...at, title: "x", labels: null }, "/params/labels", "wrong_type"],
    ["issues.create", { ...at, title: "x", milestone: "1" }, "/params/milestone", "wrong_type"],
    ["issues.create", { ...at, title: "x", state: "open" }, "/params/state", "unknown_param"],
    ["issues.update", { ...issue, state: "OPEN" }, "/params/state", "not_allowed"],
    ["issues.update", { ...issue, state: null }, "/params/state", "wrong_type"],
    ["issues.update", { ...issue, state: "closed", state_reason: "duplicate" }, "/params/state_reason", "not_allowed"],
    ["issues.update", { ...issue, title: null }, "/params/title", "wrong_type"],
    ["comments.create", { ...issue, body: "" }, "/params/body", "out_of_range"],
    ["comments.create", { ...issue, body: "x".repeat(65_537) }, "/params/body", "out_of_range"],
    ["pull_requests.create", { ...at, title: "x", head: "a", base: "b", draft: "yes" }, "/params/draft", "wrong_type"],
  ];
  it.each(cases)("%s with %j", async (call, params, pointer, code) => {
    const [entity, action] = call.split(".");
    const faults = await refuse({ entity, action, params });
    expect(faults.map((fault) => [fault["pointer"], fault["code"]])).toContainEqual([pointer, code]);
    // A value that is wrong in type may be wrong in more ways, but nothing else is.
    expect(new Set(pointers(faults))).toEqual(new Set([pointer]));
    for (const fault of faults) expect(String(fault["message"])).toMatch(/\w/);
  });

  it.each([null, [], "x", 5, true])("params %j are not an object", async (params) => {
    expect(await refuse({ entity: "viewer", action: "get", params })).toMatchObject([{ pointer: "/params", code: "wrong_type" }]);
  });

  it.each([
    [{ entity: 5, action: "get" }, [["/entity", "wrong_type"]]],
    [{ entity: null, action: "get" }, [["/entity", "wrong_type"]]],
    [{ entity: "viewer", action: ["get"] }, [["/action", "wrong_type"]]],
    [{ entity: "viewer" }, [["/action", "missing_action"]]],
    [{ action: "get" }, [["/entity", "missing_entity"]]],
    [
      {},
      [
        ["/entity", "missing_entity"],
        ["/action", "missing_action"],
      ],
    ],
  ])("the body %j", async (body, expected) => {
    const faults = await refuse(body);
    expect(faults.map((fault) => [fault["pointer"], fault["code"]])).toEqual(expected);
  });

  it("of an enumeration are listed", async () => {
    const faults = await refuse({ entity: "pull_requests", action: "list", params: { ...at, states: ["OPENED"] } });
    expect(sortedAllowed(faults[0])).toEqual(["CLOSED", "MERGED", "OPEN"]);
  });

  it("count characters, not code units", async () => {
    // 1,024 characters outside of the basic plane are 2,048 code units.
    const title = "🎉".repeat(1024);
    bad(await running.tenon.run("issues", "create", { owner: "octocat", repo: "nowhere", title }), 404, "not_found");
    running.platform.reset();
    expect(pointers(await refuse({ entity: "issues", action: "create", params: { ...at, title: `${title}x` } }))).toEqual([
      "/params/title",
    ]);
  });
});

describe("several faults", () => {
  it("are reported together", async () => {
    const params = { repo: 5, number: 0, tilte: "x", fields: ["numbr", "title", "nope"] };
    const faults = await refuse({ entity: "issues", action: "get", params });
    expect(pointers(faults)).toEqual([
      "/params/fields/0",
      "/params/fields/2",
      "/params/number",
      "/params/owner",
      "/params/repo",
      "/params/tilte",
    ]);
  });

  it("of the body and of its names are reported together", async () => {
    const faults = await refuse({ entity: "isues", action: "list", parms: {} });
    expect(pointers(faults)).toEqual(["/entity", "/parms"]);
  });

  it("of values and of transitions are reported together", async () => {
    const params = { ...at, issue_number: 1, state: "closed", state_reason: "reopened", titel: "x" };
    expect(pointers(await refuse({ entity: "issues", action: "update", params }))).toEqual([
      "/params/state_reason",
      "/params/titel",
    ]);
  });

  it("are at most twenty", async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`wrong${index}`, 1]));
    expect((await refuse({ entity: "issues", action: "list", params: { ...at, ...many } })).length).toBe(20);
    const fields = Array.from({ length: 50 }, (_, index) => `wrong${index}`);
    expect((await refuse({ entity: "issues", action: "list", params: { ...at, fields } })).length).toBe(20);
  });

  it("stay small, however large the names are", async () => {
    const name = "x".repeat(100_000);
    const reply = await running.tenon.run("issues", "list", { ...at, [name]: 1, fields: [name], states: [name] });
    expect(reply.status).toBe(422);
    expect(reply.text.length).toBeLessThan(10_000);
  });
});

describe("what is not supported yet", () => {
  it.each(entities.split(" ").filter((one) => (github.entities[one]?.sync ?? []).length > 0))(
    "does not include cached search, which finds nothing in %s before a sync",
    async (entity) => {
      const reply = await running.tenon.run(entity, "context_store_search", { query: {} });
      expect(reply.body).toMatchObject({ data: [], meta: { has_more: false, cursor: null, synced_at: null } });
      expect(running.platform.requests).toEqual([]);
    },
  );

  it("does not hide an unknown entity", async () => {
    expect(pointers(await refuse({ entity: "isues", action: "context_store_search" }))).toEqual(["/entity"]);
  });

  it.each(["", " ", "two words", "x".repeat(256), "caf\u00e9"])(
    "Idempotency-Key %j is refused, and nothing is sent",
    async (key) => {
      const headers = { ...authorized, "idempotency-key": key };
      bad(await running.tenon.run("issues", "create", { ...at, title: "x" }, { headers }), 422, "invalid_request");
      expect(running.platform.requests).toEqual([]);
    },
  );

  it("Idempotency-Key does not hide an unknown entity", async () => {
    const headers = { ...authorized, "idempotency-key": "x" };
    const problem = bad(await running.tenon.run("isues", "create", {}, { headers }), 422, "invalid_request");
    expect(problem["errors"]).toMatchObject([{ pointer: "/entity", suggestion: "issues" }]);
  });

  it("Idempotency-Key on a read is ignored", async () => {
    const headers = { "idempotency-key": "x" };
    expect(good(await running.tenon.run("viewer", "get", { fields: ["login"] }, { headers }))["data"]).toEqual({
      login: "octocat",
    });
    running.platform.reset();
  });
});
