import { describe, expect, it } from "vitest";
import { fakeInstance, run } from "../../support/fake-instance.ts";

// A list ends only where the platform says so: a sync removes what it did not see.

const params = { owner: "o", repo: "r" };
const unclear = [
  ["is missing", undefined],
  ["is null", null],
  ["says nothing", {}],
  ["has null", { hasNextPage: null }],
  ["has a text", { hasNextPage: "true" }],
  ["has a number", { hasNextPage: 1 }],
] as const;
const refused = { code: "unexpected_response", retryable: false, message: expect.stringContaining("pageInfo.hasNextPage") };

describe("the pageInfo of a list", () => {
  it.each(unclear)("that %s is no last page", async (_title, pageInfo) => {
    const { instance, seen } = fakeInstance(() => ({ data: { repository: { issues: { nodes: [{ number: 1 }], pageInfo } } } }));
    const failed = run(instance, { entity: "issues", action: "list", params: { ...params, fields: ["number"] } });
    await expect(failed).rejects.toMatchObject(refused);
    expect(seen).toHaveLength(1);
  });
});

describe("the pageInfo of a list of lists", () => {
  const request = { entity: "pr_comments", action: "list", params: { ...params, number: 1, fields: ["id"] } };
  const last = { hasNextPage: false, endCursor: null };
  const comments = (pageInfo: unknown) => ({ edges: [{ cursor: "c", node: { id: "C" } }], pageInfo });
  const threads = (outer: unknown, inner: unknown) => {
    const edges = [{ cursor: "t", node: { id: "T", comments: comments(inner) } }];
    return { data: { repository: { pullRequest: { reviewThreads: { edges, pageInfo: outer } } } } };
  };

  it.each(unclear)("that %s is no last page, wherever it stands", async (_title, pageInfo) => {
    const ofOuter = fakeInstance(() => threads(pageInfo, last));
    await expect(run(ofOuter.instance, request)).rejects.toMatchObject(refused);
    const ofInner = fakeInstance(() => threads(last, pageInfo));
    await expect(run(ofInner.instance, request)).rejects.toMatchObject(refused);
    const ofRest = fakeInstance(() =>
      ofRest.seen.length === 1 ? threads(last, { hasNextPage: true }) : { data: { node: { comments: comments(pageInfo) } } },
    );
    await expect(run(ofRest.instance, request)).rejects.toMatchObject(refused);
  });
});

describe("the total of a search", () => {
  const request = { entity: "issues", action: "api_search", params: { query: "bug", fields: ["number"] } };
  const found = (issueCount: unknown) => {
    const nodes = [{ __typename: "Issue", number: 1 }];
    return { data: { search: { nodes, issueCount, pageInfo: { hasNextPage: false, endCursor: null } } } };
  };

  it("is what the platform says", async () => {
    const { data, meta } = await run(fakeInstance(() => found(7)).instance, request);
    expect([data, meta["total_count"]]).toEqual([[{ number: 1 }], 7]);
  });

  it.each([undefined, null, "7"])("is left out where the platform does not say it, rather than 0: %j", async (count) => {
    const { data, meta } = await run(fakeInstance(() => found(count)).instance, request);
    expect(data).toEqual([{ number: 1 }]);
    expect(meta).not.toHaveProperty("total_count");
  });
});
