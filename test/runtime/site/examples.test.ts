import { expect, it } from "vitest";
import { exampleTabs, isProblem, ways } from "../../../runtime/site/examples.ts";
import type { SampleRequest } from "../../../runtime/site/request.ts";

const target = { name: "github", client: "GitHub" };
const code = (way: string, request: SampleRequest) =>
  ways.find(({ name }) => name === way)?.code(target, request, undefined) ?? "";
const statement = { entity: "issues", action: "context_store_sql_query", params: { sql: "SELECT 1" } };

it("knows an error by its code and whether it may be retried", () => {
  expect(isProblem({ code: "not_found", retryable: false })).toBe(true);
  for (const answer of [undefined, null, "code", { data: [] }, { code: "x" }, { retryable: true }])
    expect(isProblem(answer)).toBe(false);
});

it("sends a statement by the method of the client and by the tool that are for statements", () => {
  expect(code("typescript", statement)).toContain('await client.sql("SELECT 1");');
  expect(JSON.parse(String(code("mcp", statement))).params).toEqual({
    name: "sql",
    arguments: { connector: "github", sql: "SELECT 1", format: "json" },
  });
});

it("sends any other action by the method of its name and with its entity", () => {
  const request = { entity: "pull_requests", action: "list", params: { owner: "octocat" } };
  expect(code("typescript", request)).toContain("await client.pullRequests.list({");
  expect(JSON.parse(String(code("mcp", request))).params).toEqual({
    name: "read",
    arguments: { connector: "github", entity: "pull_requests", action: "list", params: { owner: "octocat" }, format: "json" },
  });
});

it("makes tabs for a request without a recorded answer", () => {
  expect(exampleTabs(target, statement, undefined, 1)).toContain("client");
});
