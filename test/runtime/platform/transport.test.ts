import { expect, it } from "vitest";
import { fakeInstance, run } from "../../support/fake-instance.ts";

it("looks at the first 1,000 errors of an answer", async () => {
  const errors = Array.from({ length: 5_000 }, () => ({
    type: "FORBIDDEN",
    message: "No.",
    path: ["repository", "issues", "nodes", 0],
  }));
  const list = { edges: [{ cursor: "a", node: { number: 1 } }], nodes: [{ number: 1 }], pageInfo: { hasNextPage: false } };
  const { instance } = fakeInstance(() => ({ data: { repository: { issues: list } }, errors }));
  const { meta } = await run(instance, {
    entity: "issues",
    action: "list",
    params: { owner: "a", repo: "b", fields: ["number"] },
  });
  expect(meta.warnings?.at(-1)).toMatchObject({ code: "more_warnings", message: "There are 950 more warnings." });
});
