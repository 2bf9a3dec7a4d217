import { describe, expect, it, vi } from "vitest";
import { bad, good, list } from "./support/service.ts";
import { always, among, startStranger } from "./support/stranger.ts";

// A platform that answers what no platform should: never a crash, never a made-up success, never a token for others.

// Most of these tests wait.
vi.setConfig({ maxConcurrency: 15 });

const at = { owner: "octocat", repo: "hello-world" };
const issue = { ...at, number: 1, fields: ["number"] };
const create = { ...at, title: "once" };
/** The deadline of a test that does not want to wait for all tries of a read, and in which the deadline may end the call. */
const soon = { timeoutMs: 400 };

const oddReads = [
  "",
  "null",
  "5",
  '"text"',
  "[]",
  "{}",
  '{"data":null}',
  '{"data":5}',
  '{"data":[]}',
  '{"errors":[]}',
  '{"errors":"x"}',
  '{"errors":[null]}',
  '{"errors":[5,"x",{"message":5,"path":"x","extensions":[]}]}',
  '{"errors":[{"message":"odd","type":"constructor","extensions":{"code":"__proto__"}}]}',
  '{"data":{"repository":5}}',
  '{"data":{"repository":{"issue":5}}}',
  '{"data":{"repository":{"issue":[]}}}',
  '{"message":"Not quite"}',
  "<html>",
];

describe("an odd answer to a read", () => {
  it.concurrent.each(oddReads)("%s is neither a success nor an internal error", (body) =>
    among(always(200, body), soon, async ({ tenon }) => {
      const reply = await tenon.run("issues", "get", issue);
      expect([404, 502, 504], reply.text).toContain(reply.status);
    }),
  );

  const oddLists = [
    '{"data":{"repository":{"issues":5}}}',
    '{"data":{"repository":{"issues":{}}}}',
    '{"data":{"repository":{"issues":{"nodes":"x","pageInfo":5}}}}',
    '{"data":{"repository":{"issues":{"nodes":null,"pageInfo":null}}}}',
    '{"data":{"repository":null}}',
  ];
  it.concurrent.each(oddLists)("%s is not an empty page", (body) =>
    among(always(200, body), soon, async ({ tenon }) => {
      const reply = await tenon.run("issues", "list", at);
      expect([404, 502, 504], reply.text).toContain(reply.status);
    }),
  );

  const samePage = {
    userCount: 500,
    nodes: [{ __typename: "User", login: "a" }],
    pageInfo: { hasNextPage: true, endCursor: "same" },
  };
  it.concurrent("that gives the same page again and again ends", () =>
    among(always(200, JSON.stringify({ data: { search: samePage } })), {}, async ({ tenon, seen }) => {
      const { data } = good(await tenon.run("users", "api_search", { query: "x", limit: 1000, fields: ["login"] }));
      expect(list(data).length).toBeLessThan(100);
      expect(seen.length).toBeLessThan(100);
    }));

  it.concurrent.each([null, "", "same"])(
    "that promises more records without a usable cursor (%j) gets a warning and no next page",
    (endCursor) => {
      const page = { nodes: [{ number: 1 }], pageInfo: { hasNextPage: true, endCursor } };
      return among(always(200, JSON.stringify({ data: { repository: { issues: page } } })), {}, async ({ tenon }) => {
        const { meta } = good(await tenon.run("issues", "list", { ...at, after: "same", fields: ["number"] }));
        expect(meta).toMatchObject({ has_next_page: false, end_cursor: null, warnings: [{ path: "data", code: "list_ended" }] });
      });
    },
  );

  const mixed = {
    issueCount: 4,
    nodes: [{ __typename: "PullRequest", number: 1 }, { __typename: "Issue", number: 2 }, {}, { __typename: "Issue", number: 3 }],
    pageInfo: { hasNextPage: false, endCursor: null },
  };
  it.concurrent("with objects of another type among the results leaves them out", () =>
    among(always(200, JSON.stringify({ data: { search: mixed } })), {}, async ({ tenon }) => {
      const { data } = good(await tenon.run("issues", "api_search", { query: "x", fields: ["number"] }));
      expect(data).toEqual([{ number: 2 }, { number: 3 }]);
    }));
});

describe("GraphQL errors in an answer whose status is not 200", () => {
  const failing = (status: number, error: object) => always(status, JSON.stringify({ errors: [error] }));

  it.concurrent.each([
    [400, { type: "NOT_FOUND", message: "Gone." }, 404, "not_found"],
    [400, { message: "Too heavy.", extensions: { code: "MAX_NODE_LIMIT_EXCEEDED" } }, 422, "platform_too_complex"],
    [400, { message: "Too soon.", type: "RATE_LIMITED" }, 429, "rate_limited"],
    [503, { message: "Later.", type: "RATE_LIMITED" }, 429, "rate_limited"],
    // What the spec has no rule for is told by the status.
    [400, { message: "Odd.", type: "ODD" }, 422, "platform_rejected"],
    [401, { message: "Who are you?", type: "NOT_FOUND" }, 403, "platform_unauthorized"],
  ])("%i %j is %i %s", (status, error, answered, code) =>
    among(failing(status, error), {}, async ({ tenon }) => {
      bad(await tenon.run("issues", "get", issue), answered, code);
    }),
  );
});

describe("single sign-on", () => {
  const address = "https://github.com/orgs/octo/sso?authorization_request=A1";
  const headers = { "content-type": "application/json", "x-github-sso": `required; url=${address}` };
  const error = { type: "FORBIDDEN", message: "Protected.", extensions: { saml_failure: true } };
  const thread = {
    cursor: "1",
    node: { id: "T", comments: { edges: [{ cursor: "1", node: { id: "C", body: null } }], pageInfo: { hasNextPage: false } } },
  };
  const threads = { edges: [thread], pageInfo: { hasNextPage: false, endCursor: null } };
  const path = ["repository", "pullRequest", "reviewThreads", "edges", 0, "node", "comments", "edges", 0, "node", "body"];
  const body = { data: { repository: { pullRequest: { reviewThreads: threads } } }, errors: [{ ...error, path }] };

  it.concurrent("within a list of lists is reported with the address at which to authorize the token", () =>
    among(always(200, JSON.stringify(body), headers), {}, async ({ tenon }) => {
      const { meta } = good(await tenon.run("pr_comments", "list", { ...at, number: 1, fields: ["id", "body"] }));
      const message: unknown = expect.stringContaining(address);
      expect(meta).toMatchObject({ warnings: [{ code: "platform_forbidden", message }] });
    }));
});

describe("an odd answer to a write", () => {
  it.concurrent("without content is a success with a warning that there is no record", () =>
    among(always(204, ""), {}, async ({ tenon, seen }) => {
      const { data, meta } = good(await tenon.run("issues", "create", create));
      expect([data, meta]).toEqual([null, { warnings: [expect.objectContaining({ code: "no_content", path: "data" })] }]);
      expect(seen.length).toBe(1);
    }));

  it.concurrent.each(["", "null", "5", '"text"', "[]", "<html>", '{"id":'])("%s is in doubt", (body) =>
    among(always(201, body), {}, async ({ tenon, seen }) => {
      bad(await tenon.run("issues", "create", create), 502, "write_in_doubt");
      expect(seen.length).toBe(1);
    }),
  );

  it.concurrent.each([
    [400, 422, "platform_rejected"],
    [403, 403, "platform_forbidden"],
    [404, 404, "not_found"],
    [410, 404, "not_found"],
    [418, 422, "platform_rejected"],
    [422, 422, "platform_rejected"],
  ])("with status %i and no JSON is %i", (status, answered, code) =>
    among(always(status, "<html>", { "content-type": "text/html" }), {}, async ({ tenon, seen }) => {
      bad(await tenon.run("issues", "create", create), answered, code);
      expect(seen.length).toBe(1);
    }),
  );
});

describe("a redirect", () => {
  it.concurrent("to another origin is not followed, because the token must not be sent there", async () => {
    const thief = await startStranger(always(200, "{}"));
    const location = `${thief.url}/repositories/1/issues`;
    await among(always(307, "{}", { location }), {}, async ({ tenon, seen }) => {
      bad(await tenon.run("issues", "create", create), 502, "platform_failed");
      expect([seen.length, thief.seen.length]).toEqual([1, 0]);
    });
    thief.close();
  });

  it.concurrent.each([301, 302, 307, 308])("of a read to another origin is not followed either (%i)", async (status) => {
    const thief = await startStranger(always(200, "{}"));
    const location = `${thief.url}/graphql`;
    await among(always(status, "{}", { location }), { timeoutMs: 1000 }, async ({ tenon }) => {
      expect([502, 504]).toContain((await tenon.run("issues", "get", issue)).status);
      expect(thief.seen).toEqual([]);
    });
    thief.close();
  });

  it.concurrent("that leads to itself ends", () =>
    among(
      ({ headers, url }, response) => response.writeHead(307, { location: `http://${headers.host}${url}` }).end("{}"),
      {},
      async ({ tenon, seen }) => {
        bad(await tenon.run("issues", "create", create), 502, "platform_failed");
        expect(seen.length).toBeGreaterThan(1);
        expect(seen.length).toBeLessThanOrEqual(5);
      },
    ));

  it.concurrent.each([
    "//evil.example.com/x",
    "http://127.0.0.1:1@evil.example.com/",
    "javascript:alert(1)",
    "",
    "not an address",
  ])("to %j is not followed", (location) =>
    among(always(307, "{}", { location }), {}, async ({ tenon, seen }) => {
      bad(await tenon.run("issues", "create", create), 502, "platform_failed");
      expect(seen.length).toBe(1);
    }),
  );
});
