import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { pointsOf } from "../../../runtime/platform/points.ts";
import { fakeInstance, run } from "../../support/fake-instance.ts";

const rule = { connection: 0.01, least: 1 };
const repo = { owner: "octocat", repo: "hello-world" };

describe("the points of a call", () => {
  it("are those of the example in GitHub's documentation", () => {
    const document = `query { viewer { login repositories(first: 100) { edges { node { id issues(first: 50) { edges { node { id
      labels(first: 60) { edges { node { id name } } } } } } } } } } }`;
    expect(pointsOf(document, {}, rule)).toBe(51);
  });

  it("count variables, fragments and lists that are read from their end", () => {
    const document = `query($n: Int!) { a(first: $n) { nodes { ...inner } } b { ... on C { c(last: 300) { totalCount } } } }
      fragment inner on D { d(first: 5) { nodes { e(first: 1) { totalCount } } } }`;
    // 1 for a, 200 for d, 1,000 for e, 1 for c.
    expect(pointsOf(document, { n: 200 }, rule)).toBe(12);
    expect(pointsOf("{ viewer { login } }", {}, rule)).toBe(1);
  });
});

describe("a dry run", () => {
  it.each([
    ["issues", "get", { ...repo, number: 1, fields: ["title", "labels"] }],
    ["issues", "list", { ...repo, per_page: 7, after: "Y3Vyc29y", states: ["OPEN"] }],
    ["users", "api_search", { query: "x", limit: 250 }],
    ["pr_comments", "list", { ...repo, number: 1, per_page: 3 }],
    ["directory_content", "list", { ...repo, path: "" }],
    ["viewer", "get", {}],
  ])(
    "of %s.%s sends nothing, and tells the document and the variables that are sent without it",
    async (entity, action, params) => {
      const { instance, seen } = fakeInstance(() => ({ errors: [{ type: "NOT_FOUND", message: "Gone.", path: [] }] }));
      const { data, meta } = await run(instance, { entity, action, params: { ...params, dryRun: true } });
      expect([data, seen]).toEqual([null, []]);
      await run(instance, { entity, action, params: { ...params, dryRun: false } }).catch(() => undefined);
      const [sent] = seen;
      expect(sent?.body).toEqual({ query: meta["document"], variables: meta["variables"] });
      expect(meta["points"]).toBeGreaterThanOrEqual(1);
    },
  );

  it("of a read is checked like the read itself", async () => {
    const { instance, seen } = fakeInstance(() => ({}));
    await expect(run(instance, { entity: "issues", action: "get", params: { ...repo, dryRun: true } })).rejects.toMatchObject({
      code: "invalid_request",
      faults: [expect.objectContaining({ pointer: "/params/number" })],
    });
    await expect(run(instance, { entity: "viewer", action: "get", params: { dryRun: "yes" } })).rejects.toMatchObject({
      faults: [{ pointer: "/params/dryRun", code: "wrong_type", message: "dryRun must be true or false." }],
    });
    expect(seen).toEqual([]);
  });

  it("of a write does not exist: the write is refused and not done", async () => {
    const writes = Object.entries(github.entities).flatMap(([entity, { actions }]) =>
      Object.entries(actions).flatMap(([action, { traits }]) => (traits.writes ? [{ entity, action }] : [])),
    );
    expect(writes.length).toBeGreaterThan(3);
    for (const write of writes) {
      const { instance, seen } = fakeInstance(() => ({}));
      const params = { ...repo, issue_number: 1, title: "x", body: "x", head: "a", base: "b", dryRun: true };
      await expect(run(instance, { ...write, params })).rejects.toMatchObject({
        code: "invalid_request",
        faults: expect.arrayContaining([expect.objectContaining({ pointer: "/params/dryRun", code: "unknown_param" })]),
      });
      expect(seen).toEqual([]);
    }
  });
});
