import { describe, expect, it } from "vitest";
import { fakeInstance, run } from "../../support/fake-instance.ts";

// A list of lists: review comments in the threads of a pull request.

const request = { entity: "pr_comments", action: "list", params: { owner: "o", repo: "r", number: 1, per_page: 2 } };
const comment = (id: string) => ({ cursor: `cursor of ${id}`, node: { id } });
const thread = (comments: unknown, more = false) => ({
  cursor: "cursor of the thread",
  node: { id: "thread", comments: { edges: comments, pageInfo: { hasNextPage: more } } },
});
const page = (edges: unknown, hasNextPage = false) => ({
  data: { repository: { pullRequest: { reviewThreads: { edges, pageInfo: { hasNextPage, endCursor: null } } } } },
});

describe("a list of lists", () => {
  it("does not end when the platform finds nothing", async () => {
    const answers = [
      page([thread([comment("first")], true)]),
      { data: { node: { comments: { edges: [comment("second")], pageInfo: { hasNextPage: false } } } } },
      { data: { repository: null } },
    ];
    const { instance, seen } = fakeInstance(() => answers[seen.length - 1] ?? {});
    await expect(run(instance, request)).rejects.toMatchObject({ code: "not_found", missingAt: ["repository"] });
    expect(seen.length).toBe(3);
  });

  it("goes on behind a page of the outer list that has a single element", async () => {
    const one = (id: string) => ({ ...thread([comment(id)]), cursor: `cursor of the thread of ${id}` });
    const answers = [page([one("first")], true), page([one("second")])];
    const { instance, seen } = fakeInstance(() => answers[seen.length - 1] ?? {});
    const { data, meta } = await run(instance, { ...request, params: { ...request.params, per_page: 5, fields: ["id"] } });
    expect([data, meta.has_next_page]).toEqual([[{ id: "first" }, { id: "second" }], false]);
  });

  it("has no page behind a cursor whose outer element is gone", async () => {
    const gone = {
      data: { node: null },
      errors: [{ type: "NOT_FOUND", path: ["node"], message: "Could not resolve to a node." }],
    };
    const answers = [page([thread([comment("first"), comment("second")], true)]), gone];
    const { instance, seen } = fakeInstance(() => answers[seen.length - 1] ?? {});
    const params = { ...request.params, per_page: 2, fields: ["id"] };
    const { meta } = await run(instance, { ...request, params });
    expect(meta).toMatchObject({ has_next_page: true, end_cursor: expect.any(String) });
    const next = run(instance, { ...request, params: { ...params, after: meta["end_cursor"] } });
    await expect(next).rejects.toMatchObject({ code: "bad_cursor", faults: [{ pointer: "/params/after" }] });
  });

  it("asks for less and less of what is too much for the platform, down to one record of each list", async () => {
    const refused = { data: null, errors: [{ type: "RESOURCE_LIMITS_EXCEEDED", message: "Too much." }] };
    const { instance, seen } = fakeInstance(() => refused);
    await expect(run(instance, request)).rejects.toMatchObject({ code: "platform_too_complex" });
    const sizes = seen.map(({ body }) => (body as { variables: { first: number; size: number } }).variables);
    expect(sizes.map(({ first, size }) => [first, size])).toEqual([
      [50, 2],
      [25, 1],
      [13, 1],
      [7, 1],
      [4, 1],
      [2, 1],
      [1, 1],
    ]);
  });

  it.each([
    ["the outer list", page(null)],
    ["an element of the outer list", page([null, thread([comment("first")])])],
    ["an inner list", page([thread(null), thread([comment("first")])])],
    ["an element of an inner list", page([thread([null, comment("first")])])],
  ])("warns where %s is missing without an error", async (_title, answer) => {
    const { instance } = fakeInstance(() => answer);
    expect((await run(instance, request)).meta.warnings).toMatchObject([{ path: "data", code: "record_missing" }]);
  });

  it("fails when its cursors go round in a circle", async () => {
    const inner = (id: string) => ({
      data: { node: { comments: { edges: [{ cursor: id, node: null }], pageInfo: { hasNextPage: true } } } },
    });
    const { instance, seen } = fakeInstance(() =>
      seen.length === 1 ? page([thread([comment("first")], true)]) : inner(seen.length % 2 === 0 ? "a" : "b"),
    );
    const failed = run(instance, { ...request, params: { ...request.params, per_page: 100 } });
    await expect(failed).rejects.toMatchObject({ code: "platform_failed", message: expect.stringContaining("a second time") });
    expect(seen.length).toBeLessThan(10);
  });
});
