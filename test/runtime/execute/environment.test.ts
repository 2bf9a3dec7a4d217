import { describe, expect, it } from "vitest";
import { warning } from "../../../runtime/contract/index.ts";
import { Warnings } from "../../../runtime/execute/environment.ts";
import { fakeInstance, run } from "../../support/fake-instance.ts";

/** A page with one issue that has this many assignees. */
function issueWith(assignees: number) {
  const nodes = Array.from({ length: assignees }, () => ({ login: "x" }));
  const { instance } = fakeInstance(() => ({
    data: {
      repository: {
        issues: {
          nodes: [{ number: 1, assignees: { nodes } }],
          edges: [{ cursor: "a", node: { number: 1, assignees: { nodes } } }],
          pageInfo: { hasNextPage: false, endCursor: null },
        },
      },
    },
  }));
  const params = { owner: "a", repo: "b", fields: ["number", "assignees.login"] };
  // With time for a busy machine: the values are what is limited here.
  return run(instance, { entity: "issues", action: "list", params }, 120_000);
}

describe("the lists inside the records of one answer", () => {
  it("may have 100,000 values together", async () => {
    expect((await issueWith(100_000)).data).toHaveLength(1);
  });

  it("make the answer a failure of the platform when they have more", async () => {
    await expect(issueWith(100_001)).rejects.toMatchObject({
      code: "platform_failed",
      message: "GitHub sent records whose lists have more than 100000 values.",
    });
  });
});

describe("the warnings about values of another type than declared", () => {
  it("name each field once, with how often it was so", () => {
    const warnings = new Warnings();
    for (let record = 0; record < 1_000; record++)
      for (const field of ["customer", "lines.3.price"])
        warnings.add(warning(`data.${record}.${field}`, "unexpected_type", `${field} is a text.`));
    warnings.add(warning("data.1.other", "unexpected_type", "other is a text."));
    expect(warnings.meta.warnings?.map(({ path, message }) => [path, message])).toEqual([
      ["data.0.customer", "customer is a text. So it is 1000 times in this response."],
      ["data.0.lines.3.price", "lines.3.price is a text. So it is 1000 times in this response."],
      ["data.1.other", "other is a text."],
    ]);
  });
});

it("a warning of something that is missing takes the place of a harmless one, where there are too many to list all", () => {
  const warnings = new Warnings();
  const missing = (at: number) => warning(`data.${at}`, "record_missing", "It is missing.");
  warnings.add(warning("data", "broken_text"));
  for (let at = 1; at < 50; at++) warnings.add(missing(at));
  warnings.add(warning("data", "field_removed"));
  expect(warnings.meta.warnings?.at(0)).toMatchObject({ code: "broken_text" });
  warnings.add(missing(50));
  warnings.add(missing(51));
  const { warnings: given = [] } = warnings.meta;
  expect([given.length, given[0]?.path, given[1]?.path]).toEqual([51, "data.50", "data.1"]);
  expect(given.at(-1)).toEqual({ path: "", code: "more_warnings", message: "There are 3 more warnings." });
});

describe("bytes of the platform that are not UTF-8", () => {
  const bytes = (json: string) => new Response(Buffer.from(json, "latin1"));
  const message = "GitHub sent bytes that are not UTF-8, which were read as U+FFFD.";

  it.each([
    [
      { entity: "viewer", action: "get", params: { fields: ["login"] } },
      '{"data":{"viewer":{"login":"caf\u00e9"}}}',
      { login: "caf\uFFFD" },
    ],
    [
      { entity: "issues", action: "create", params: { owner: "octocat", repo: "hello-world", title: "a", fields: ["title"] } },
      '{"id":1,"title":"caf\u00e9"}',
      { title: "caf\uFFFD" },
    ],
  ])("have one warning: %j", async (request, json, data) => {
    const { instance } = fakeInstance(() => bytes(json));
    const { data: read, meta } = await run(instance, request);
    expect([read, meta["warnings"]]).toEqual([data, [{ path: "data", code: "broken_text", message }]]);
  });
});

it.each([
  [true, [{ path: "data", code: "record_missing", message: expect.stringContaining("incomplete_results") }]],
  [false, undefined],
])("a search that the platform did not finish says so: %s", async (incomplete, warnings) => {
  const { instance } = fakeInstance(() => Response.json({ total_count: 9, incomplete_results: incomplete, items: [] }));
  const { data, meta } = await run(instance, { entity: "code", action: "api_search", params: { query: "tenon" } });
  expect([data, meta.warnings]).toEqual([[], warnings]);
});
