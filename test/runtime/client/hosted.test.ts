import { describe, expect, it, vi } from "vitest";
import { errors, GitHub } from "../../../generated/github/client.ts";
import { problem, type Reply } from "../../support/tiny-service.ts";
import { clientOf, failure, issue, params, serve } from "./tiny-client.ts";

const write = { owner: "octocat", repo: "hello-world", title: "T" } as const;
const execute = "/api/v1/integrations/connectors/github/execute";

describe("a call in hosted mode", () => {
  it("sends the triple of the interface, with the bearer token and a request id", async () => {
    const { github, requests } = await clientOf([{ body: issue }], { apiKey: "key", organization: "org-1" });
    expect(await github.issues.get(params, { requestId: "mine" })).toEqual(issue);
    expect(requests).toMatchObject([
      {
        method: "POST",
        path: execute,
        headers: {
          authorization: "Bearer key",
          "content-type": "application/json",
          "x-request-id": "mine",
          "x-organization-id": "org-1",
        },
        body: { entity: "issues", action: "get", params },
      },
    ]);
    expect(requests[0]?.headers["idempotency-key"]).toBeUndefined();
  });

  it("goes to the connector instance that the options name", async () => {
    const { github, requests } = await clientOf([{ body: issue }], { apiKey: "key", connectorId: "my connector" });
    await github.pullRequests.get(params);
    expect(requests[0]?.path).toBe("/api/v1/integrations/connectors/my%20connector/execute");
  });
});

describe("an error", () => {
  it("has the class of its code, and everything that the service said", async () => {
    const fault = { pointer: "/params/repo", code: "missing_param", message: "repo is required." };
    const { github } = await clientOf([problem(422, "invalid_request", { errors: [fault], instance: "request-7" })]);
    const error = await failure(github.issues.get(params));
    expect(error).toBeInstanceOf(errors.InvalidRequestError);
    expect(error).toMatchObject({
      name: "InvalidRequestError",
      code: "invalid_request",
      status: 422,
      retryable: false,
      requestId: "request-7",
      faults: [fault],
      message: "It failed: invalid_request.",
    });
  });

  it.each([
    [502, "<html>bad gateway</html>", "service_unreachable"],
    [404, "nothing here", "unknown_route"],
    [401, "who are you", "unauthorized"],
    [403, '{"code":"a_code_of_the_future","message":"No."}', "platform_forbidden"],
    [413, "<html>too large</html>", "body_too_large"],
    [418, "a teapot", "invalid_request"],
    [429, "slow down", "rate_limited"],
    [500, "broken", "service_unreachable"],
    [503, "busy", "overloaded"],
    [504, "<html>gateway timeout</html>", "deadline_exceeded"],
    [200, "<html>a login page</html>", "service_unreachable"],
    [200, '{"result":"of another service"}', "service_unreachable"],
  ])("of an answer %i %s that no Tenon gives has the nearest code", async (status, body, code) => {
    const { github } = await clientOf([{ status, body }], { apiKey: "key", retries: 0 });
    expect((await failure(github.issues.get(params))).code).toBe(code);
  });
});

describe("a retry", () => {
  it("follows a failure that allows it, with the same request", async () => {
    const { github, requests } = await clientOf([problem(503, "overloaded"), "cut", { body: issue }]);
    expect(await github.issues.get(params)).toEqual(issue);
    expect(requests).toHaveLength(3);
    expect(new Set(requests.map(({ headers }) => headers["x-request-id"])).size).toBe(1);
  });

  it("waits as long as Retry-After says, unless that is beyond the deadline", async () => {
    const { github, requests } = await clientOf([problem(429, "rate_limited", {}, { "Retry-After": "3600" }), { body: issue }]);
    const error = await failure(github.issues.get(params, { timeout: 30_000 }));
    expect(error).toMatchObject({ code: "rate_limited", retryAfter: 3600, retryable: true });
    expect(requests).toHaveLength(1);
  });

  it.each([
    ["Sat, 31 Jan 2026 10:30:00 GMT", 3600],
    ["soon", undefined],
  ])("waits until the date in Retry-After, and ignores a header without a time: %s", async (header, retryAfter) => {
    const now = vi.spyOn(Date, "now").mockReturnValue(Date.parse("2026-01-31T09:30:00Z"));
    try {
      const { github } = await clientOf([problem(429, "rate_limited", {}, { "Retry-After": header })], {
        apiKey: "key",
        retries: 0,
      });
      expect((await failure(github.issues.get(params))).retryAfter).toBe(retryAfter);
    } finally {
      now.mockRestore();
    }
  });

  it("does not follow an error that would come again, nor more often than asked", async () => {
    const never = await clientOf([problem(422, "invalid_request")]);
    await failure(never.github.issues.get(params));
    expect(never.requests).toHaveLength(1);
    const once = await clientOf([problem(503, "overloaded")], { apiKey: "key", retries: 1 });
    await failure(once.github.issues.get(params));
    expect(once.requests).toHaveLength(2);
  });
});

describe("a write", () => {
  it("carries one key of its own through all its tries, or the one that is given", async () => {
    const { github, requests } = await clientOf(["cut", problem(503, "overloaded"), { body: issue }]);
    await github.issues.create(write);
    await github.issues.create(write);
    await github.issues.create(write, { idempotencyKey: "mine" });
    const keys = requests.map(({ headers }) => headers["idempotency-key"]);
    expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]]);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[3]).not.toBe(keys[0]);
    expect(keys[4]).toBe("mine");
  });

  it("is not tried again when it may have been done", async () => {
    const { github, requests } = await clientOf([problem(502, "write_in_doubt")]);
    expect(await failure(github.issues.create(write))).toBeInstanceOf(errors.WriteInDoubtError);
    expect(requests).toHaveLength(1);
  });
});

describe("the time of a call", () => {
  it("ends a read and a write with the error that says what is known", async () => {
    const { url } = await serve(() => new Promise<Reply>(() => undefined));
    const github = new GitHub({ baseUrl: url, apiKey: "key", timeout: 50 });
    expect(await failure(github.issues.get(params))).toBeInstanceOf(errors.DeadlineExceededError);
    expect(await failure(github.issues.create(write))).toBeInstanceOf(errors.WriteDeadlineExceededError);
  });

  it("ends with its signal, whose reason is thrown, during a pause too", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const { url, requests } = await serve(() => {
      setTimeout(() => controller.abort(reason), 20);
      return problem(503, "overloaded", {}, { "Retry-After": "20" });
    });
    const github = new GitHub({ baseUrl: url, apiKey: "key" });
    await expect(github.issues.get(params, { signal: controller.signal })).rejects.toBe(reason);
    await expect(github.issues.get(params, { signal: controller.signal })).rejects.toBe(reason);
    expect(requests).toHaveLength(1);
  });
});

describe("client credentials", () => {
  const credentials = { clientId: "id", clientSecret: "secret" };
  const tokenPath = "/api/v1/account/applications/token";

  it("are exchanged once for all calls that wait", async () => {
    const { url, requests } = await serve(({ path }) =>
      path === tokenPath ? { body: { access_token: "t-1", token_type: "Bearer", expires_in: 900 } } : { body: issue },
    );
    const github = new GitHub({ baseUrl: url, ...credentials });
    await Promise.all(Array.from({ length: 20 }, () => github.issues.get(params)));
    const exchanges = requests.filter(({ path }) => path === tokenPath);
    expect(exchanges.map(({ body }) => body)).toEqual([{ client_id: "id", client_secret: "secret" }]);
    expect(requests.filter(({ headers }) => headers.authorization === "Bearer t-1")).toHaveLength(20);
  });

  it("are exchanged again before the token expires, and when the service refuses it", async () => {
    let made = 0;
    const { url, requests } = await serve(({ path, headers }) => {
      if (path === tokenPath) return { body: { access_token: `t-${++made}`, expires_in: made === 1 ? 0 : 900 } };
      return headers.authorization === "Bearer t-2" ? problem(401, "unauthorized") : { body: issue };
    });
    const github = new GitHub({ baseUrl: url, ...credentials });
    await github.issues.get(params);
    expect(await github.issues.get(params)).toEqual(issue);
    const tokens = requests.filter(({ path }) => path !== tokenPath).map(({ headers }) => headers.authorization);
    expect(tokens).toEqual(["Bearer t-1", "Bearer t-2", "Bearer t-3"]);
  });

  it("give a token for one call, where the service does not say how long it lasts", async () => {
    const { url, requests } = await serve(({ path }) => (path === tokenPath ? { body: { access_token: "t" } } : { body: issue }));
    const github = new GitHub({ baseUrl: url, ...credentials });
    for (let call = 0; call < 2; call++) await github.issues.get(params);
    expect(requests.map(({ path }) => path)).toEqual([tokenPath, execute, tokenPath, execute]);
  });

  it("are not sent anywhere for a caller that has left, and an unreachable service is one that a retry may reach", async () => {
    const { url, requests } = await serve(() => "cut");
    const github = new GitHub({ baseUrl: url, retries: 0, ...credentials });
    expect(await failure(github.issues.get(params))).toMatchObject({
      code: "service_unreachable",
      message: `The service at ${url} gave no token: it cannot be reached.`,
    });
    const sent = requests.length;
    const left = github.issues.get(params, { signal: AbortSignal.abort(new Error("left")) });
    await expect(left).rejects.toThrow("left");
    expect(requests).toHaveLength(sent);
  });

  it("that are wrong give the service's error, and are tried again with the next call", async () => {
    const { url, requests } = await serve(() => problem(401, "unauthorized"));
    const github = new GitHub({ baseUrl: url, ...credentials });
    expect(await failure(github.issues.get(params))).toBeInstanceOf(errors.UnauthorizedError);
    expect(await failure(github.issues.get(params))).toBeInstanceOf(errors.UnauthorizedError);
    expect(requests.map(({ path }) => path)).toEqual([tokenPath, tokenPath]);
  });
});

describe("a walk", () => {
  const page = (numbers: number[], end: string | null) => ({
    body: { data: numbers.map((number) => ({ number })), meta: { has_next_page: end !== null, end_cursor: end } },
  });
  const list = { owner: "octocat", repo: "hello-world" } as const;
  const numbers = async (walk: AsyncIterable<{ readonly number: number }>) => {
    const all: number[] = [];
    for await (const one of walk) all.push(one.number);
    return all;
  };

  it("reads page after page, and only as many as it needs", async () => {
    const { github, requests } = await clientOf([page([1, 2], "a"), page([], "b"), page([3], null)]);
    expect(await numbers(github.issues.list.all(list))).toEqual([1, 2, 3]);
    expect(requests.map(({ body }) => (body as { params: { after?: string } }).params.after)).toEqual([undefined, "a", "b"]);
    expect(await numbers(github.issues.list.all(list, { maxRecords: 1 }))).toEqual([3]);
    expect(requests).toHaveLength(4);
  });

  it("fails for a cursor that comes twice, and for a list without an end", async () => {
    const loop = await clientOf([page([1], "a"), page([2], "a")]);
    expect(await failure(numbers(loop.github.issues.list.all(list)))).toMatchObject({ code: "platform_failed" });
    let made = 0;
    const { url } = await serve(() => page([made], `cursor ${made++}`));
    const endless = new GitHub({ baseUrl: url, apiKey: "key" });
    const error = await failure(numbers(endless.issues.list.all(list, { maxPages: 5 })));
    expect([error.code, made]).toEqual(["invalid_request", 5]);
    expect(error.message).toContain("more than 5 pages");
  });

  it("of a cached search follows its cursor", async () => {
    const found = (number: number, cursor: string | null) => ({
      body: { data: [{ number }], meta: { has_more: cursor !== null, cursor } },
    });
    const { github, requests } = await clientOf([found(1, "c"), found(2, null)]);
    expect(await numbers(github.issues.contextStoreSearch.all({ query: {}, fields: ["number"] }))).toEqual([1, 2]);
    expect(requests[1]?.body).toMatchObject({ action: "context_store_search", params: { query: {}, cursor: "c" } });
  });
});
