import { describe, expect, it } from "vitest";
import { CallError, errors, GitHub, NotImplementedError } from "../../generated/github/client.ts";
import { ownerToken, tokens } from "../../runtime/simulated/github/tokens.ts";
import { apiKey, expectNoSecret, useTenon } from "./support/service.ts";

const running = useTenon();
const repository = { owner: "octocat", repo: "hello-world" } as const;

const hosted = () => new GitHub({ baseUrl: running.tenon.url, apiKey });
const local = (accessToken: string | (() => Promise<string>) = ownerToken) =>
  new GitHub({ accessToken, restUrl: running.platform.url, graphqlUrl: running.platform.graphqlUrl });

describe.each([
  ["hosted", hosted],
  ["local", () => local()],
])("the client in %s mode", (mode, client) => {
  it("reads with the fields that are asked for", async () => {
    const { data, meta } = await client().issues.get({ ...repository, number: 1, fields: ["number", "state", "author.login"] });
    expect(data).toEqual({ number: 1, state: "open", author: { login: "octocat" } });
    expect(meta).toEqual({ has_next_page: false, end_cursor: null });
  });

  it("walks a list of several pages to its end", async () => {
    const github = client();
    const numbers: number[] = [];
    for await (const { number } of github.issues.list.all({ ...repository, per_page: 50, fields: ["number"] }))
      numbers.push(number);
    const { data, meta } = await github.issues.list({ ...repository, per_page: 100, fields: ["number"] });
    expect(meta.has_next_page).toBe(true);
    expect(numbers.slice(0, 100)).toEqual(data.map(({ number }) => number));
    expect(new Set(numbers).size).toBe(numbers.length);
    const { meta: total } = await github.issues.apiSearch({ query: "repo:octocat/hello-world", per_page: 1, fields: ["number"] });
    expect(numbers.length).toBe(total.total_count);
  });

  it("writes, and takes what it wrote from the platform again", async () => {
    const github = client();
    const { data } = await github.issues.create({ ...repository, title: `From the ${mode} client`, fields: ["number"] });
    await github.issues.update({ ...repository, issue_number: data.number, state: "closed", state_reason: "not_planned" });
    const { data: read } = await github.issues.get({ ...repository, number: data.number });
    expect(read).toMatchObject({ title: `From the ${mode} client`, state: "closed", stateReason: "not_planned" });
  });

  it("gives the errors of the execute interface", async () => {
    const github = client();
    const missing = github.issues.get({ ...repository, number: 999_999 }, { requestId: "mine" });
    await expect(missing).rejects.toMatchObject({ name: "NotFoundError", code: "not_found", requestId: "mine" });
    await expect(missing).rejects.toBeInstanceOf(errors.NotFoundError);
    // @ts-expect-error the compiler knows the params too
    const wrong = await github.issues.list({ ...repository, states: ["OPENED"], per_pge: 3 }).catch((thrown: unknown) => thrown);
    if (!(wrong instanceof CallError)) throw new Error("no error of a call");
    expect(wrong.faults.map(({ pointer, suggestion }) => [pointer, suggestion])).toEqual(
      expect.arrayContaining([
        ["/params/per_pge", "per_page"],
        ["/params/states/0", "OPEN"],
      ]),
    );
  });

  it("ends a call with its signal", async () => {
    const signal = AbortSignal.abort(new Error("no longer wanted"));
    await expect(client().viewer.get({}, { signal })).rejects.toThrow("no longer wanted");
  });
});

describe("the client in hosted mode", () => {
  it("searches the cache", async () => {
    const { data, meta } = await hosted().issues.contextStoreSearch({
      query: { filter: { eq: { state: "open" } } },
      count: true,
    });
    expect({ data, meta }).toMatchObject({ data: [], meta: { has_more: false, total_count: 0, synced_at: null } });
  });
});

describe("a write of the client in hosted mode", () => {
  const write = { ...repository, title: "Once", fields: ["number"] } as const;

  it("whose answer was lost is sent again, done once, and marked as a replay", async () => {
    let lost = 0;
    const losing: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (lost++ > 0) return response;
      await response.body?.cancel();
      throw new TypeError("the connection was lost");
    };
    const { data, meta } = await new GitHub({ baseUrl: running.tenon.url, apiKey, fetch: losing }).issues.create(write);
    expect([lost, meta.replayed]).toEqual([2, true]);
    const { data: next, meta: own } = await hosted().issues.create(write);
    expect([next.number, own.replayed]).toEqual([data.number + 1, undefined]);
  });

  it("is refused with an empty key", async () => {
    await expect(hosted().issues.create(write, { idempotencyKey: "" })).rejects.toMatchObject({ code: "invalid_request" });
  });
});

describe("the client in local mode", () => {
  it("has no cached search, and says why", async () => {
    const search = local().issues.contextStoreSearch({ query: {} });
    await expect(search).rejects.toBeInstanceOf(NotImplementedError);
    await expect(search).rejects.toMatchObject({
      code: "context_store_unavailable",
      message: expect.stringContaining("hosted mode"),
    });
    const walk = local().issues.contextStoreSearch.all({ query: {} })[Symbol.asyncIterator]();
    await expect(walk.next()).rejects.toBeInstanceOf(NotImplementedError);
  });

  it("asks for the present token before each call, and never shows one", async () => {
    const given = ["wrong-token-of-a-client", ownerToken];
    const github = local(async () => given.shift() ?? ownerToken);
    const refused = await github.viewer.get().catch((thrown: unknown) => thrown);
    expect(refused).toBeInstanceOf(errors.PlatformUnauthorizedError);
    expect(JSON.stringify(refused) + String(refused)).not.toContain("wrong-token-of-a-client");
    expect((await github.viewer.get()).data.login).toBe("octocat");
  });

  it("quotes the platform without the tokens in it", async () => {
    const token = tokens[0]?.token ?? "";
    running.platform.fail({ kind: "forbidden", message: `your token ${token} is odd`, on: "rest" });
    const refused = await local(token)
      .issues.create({ ...repository, title: "x" })
      .catch((thrown: unknown) => thrown);
    if (!(refused instanceof CallError)) throw new Error("no error of a call");
    expect(refused.message).toContain("is odd");
    expectNoSecret(String(refused));
  });
});
