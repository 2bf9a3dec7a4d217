import { describe, expect, it } from "vitest";
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
  return run(instance, { entity: "issues", action: "list", params });
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
