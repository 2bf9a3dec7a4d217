import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { fakeInstance, run } from "../../support/fake-instance.ts";

// What several calls that are under way together do to each other.

const viewer = { entity: "viewer", action: "get", params: { fields: ["login"] } };
const refusal = (headers: Record<string, string> = {}) =>
  Response.json({ message: "You have exceeded a secondary rate limit." }, { status: 403, headers });

async function errorsOf(calls: readonly Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(calls);
  return settled.map((one) => (one.status === "rejected" ? one.reason : undefined));
}

describe("a limit of the platform", () => {
  it("counts once when it refuses several calls at the same time", async () => {
    const { instance, seen } = fakeInstance(() => refusal());
    const errors = await errorsOf(Array.from({ length: 6 }, () => run(instance, viewer)));
    expect(seen.length).toBe(6);
    for (const error of errors) expect(error).toMatchObject({ code: "rate_limited", retryAfter: 60 });
  });

  it("is reported with the remaining wait when it does not end in time", async () => {
    const { instance, seen } = fakeInstance(() => refusal({ "retry-after": "0" }));
    const [error] = await errorsOf([run(instance, viewer)]);
    expect(error).toMatchObject({ code: "rate_limited", retryAfter: 1 });
    expect(seen.length).toBe(5);
  });

  it("holds back the next call, which waits for the refused one to end", async () => {
    const { instance, seen } = fakeInstance(() => refusal({ "retry-after": "30" }));
    const errors = await errorsOf(Array.from({ length: 4 }, () => run(instance, viewer, 5000, true)));
    expect(seen.length).toBe(1);
    for (const error of errors) expect(error).toMatchObject({ code: "rate_limited", retryAfter: 30 });
  });
});

describe("the budget of a call that has a limit of its own", () => {
  const search = { entity: "code", action: "api_search", params: { query: "tenon" } };
  const gists = { entity: "gists", action: "list", params: {} };
  const spent = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(Math.floor(Date.now() / 1000) + 60) };

  it.each([
    ["is used up", 200, { items: [] }],
    ["is exceeded", 403, { message: "API rate limit exceeded" }],
  ])("holds back no other call when it %s", async (_what, status, body) => {
    const { instance, seen } = fakeInstance(
      ({ url }) => (url.pathname === "/search/code" ? Response.json(body, { status, headers: spent }) : Response.json([])),
      "token-of-the-test",
      github,
    );
    const [first] = await errorsOf([run(instance, search)]);
    expect(first).toEqual(status === 200 ? undefined : expect.objectContaining({ code: "rate_limited" }));
    expect(await run(instance, gists)).toMatchObject({ data: [] });
    expect(seen.map(({ url }) => url.pathname)).toEqual(["/search/code", "/gists"]);
  });
});

describe("a removal", () => {
  const removal = { entity: "gists", action: "delete", params: { gist_id: "g" } };
  const gone = () => Response.json({ message: "Not Found" }, { status: 404 });

  it("whose response was lost has been done, when the platform then has nothing to remove", async () => {
    const { instance, seen } = fakeInstance(() => {
      if (seen.length === 1) throw new Error("the connection was cut");
      return gone();
    });
    const { instance: other } = fakeInstance(() => new Response(null, { status: 204 }));
    expect(await run(instance, removal)).toEqual(await run(other, removal));
    expect(seen.map(({ method }) => method)).toEqual(["DELETE", "DELETE"]);
  });

  it("of what the platform does not have is an error", async () => {
    const { instance, seen } = fakeInstance(gone);
    await expect(run(instance, removal)).rejects.toMatchObject({ code: "not_found" });
    expect(seen).toHaveLength(1);
  });
});

describe("a refused credential", () => {
  const create = { entity: "issues", action: "create", params: { owner: "octocat", repo: "hello-world", title: "a" } };
  const refused = (isRefused: (method: string, path: string) => boolean) =>
    fakeInstance(({ method, url }) =>
      isRefused(method, url.pathname)
        ? Response.json({ message: "401 Unauthorized" }, { status: 401 })
        : { data: { viewer: { login: "octocat" } } },
    );

  it("stops all calls for a while after three of them, a write after a read among them", async () => {
    const { instance, seen } = refused(() => true);
    for (const request of [viewer, create, viewer, viewer, create]) await errorsOf([run(instance, request)]);
    expect(seen.length).toBe(3);
  });

  it("stops nobody where only writes are refused, which their caller can repeat", async () => {
    const { instance, seen } = refused((_, path) => path.endsWith("/issues"));
    for (let time = 0; time < 4; time++)
      expect(await errorsOf([run(instance, create)])).toMatchObject([{ code: "platform_unauthorized" }]);
    expect(seen.length).toBe(4);
    expect(await run(instance, viewer)).toMatchObject({ data: { login: "octocat" } });
  });
});
