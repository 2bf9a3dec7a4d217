import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import { type Service, startService } from "../../runtime/main/index.ts";
import { readSettings } from "../../runtime/main/settings/settings.ts";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { fakeInstance, run } from "../support/fake-instance.ts";
import { type Platform, startPlatform } from "../support/github/start.ts";
import { newFolder } from "./support/cache.ts";

// What a hostile caller or a broken platform once could do. Each case is named after its symptom.

const apiKey = "key-of-the-attack-tests";
let platform: Platform;
let service: Service;

async function start(more: Record<string, string> = {}): Promise<Service> {
  const environment = {
    PORT: "0",
    TENON_DATA_DIR: newFolder(),
    TENON_API_KEY: apiKey,
    TENON_LOG_LEVEL: "silent",
    GITHUB_TOKEN: ownerToken,
    GITHUB_API_URL: platform.url,
    ...more,
  };
  return startService(readSettings(environment, [github]).settings, { connectors: [github] });
}

async function call(
  request: unknown,
  to: Service = service,
): Promise<{ status: number; body: { code?: string; errors?: unknown[] } }> {
  const response = await fetch(`${to.url}/api/v1/integrations/connectors/github/execute`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  return { status: response.status, body: (await response.json()) as { code?: string; errors?: unknown[] } };
}

beforeAll(async () => {
  platform = await startPlatform();
  service = await start();
});
afterAll(async () => {
  await service.close();
  await platform.close();
});

const names = (count: number, name: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, 1]));
const get = { entity: "issues", action: "get", params: { owner: "octocat", repo: "hello-world", number: 1 } };

describe("a caller", () => {
  it.each(["secondary rate limit", "You have exceeded a secondary rate limit"])(
    "cannot stop everybody's calls by asking for %s",
    async (owner) => {
      expect((await call({ entity: "issues", action: "list", params: { owner, repo: "x" } })).status).toBe(404);
      expect((await call({ entity: "comments", action: "get", params: { id: "abuse detection" } })).status).toBe(404);
      expect((await call(get)).status).toBe(200);
    },
  );

  it("who sends hundreds of unknown parameters is refused without a check of each", async () => {
    const params = names(900, "milestonelab");
    const { status, body } = await call({ ...get, params });
    expect([status, body.errors?.length]).toEqual([422, 1]);
    expect((await call({ ...get, ...names(900, "member") })).body.errors?.length).toBe(20);
    const more = await call({ ...get, ...names(40_000, "member") });
    expect([more.status, more.body.code]).toEqual([413, "body_too_large"]);
  });

  it("who sends a message of MCP with a large _meta is refused before the library of the protocol gets it", async () => {
    const send = (members: number) =>
      fetch(`${service.url}/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${apiKey}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: names(members, "member") } }),
      });
    expect((await send(100)).status).toBe(200);
    const refused = await send(101);
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { code: "invalid_request", errors: [{ pointer: "/params/_meta", message: "_meta may have at most 100 members." }] },
    ]);
  });

  it("who nests lists deeply is refused", async () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const response = await fetch(`${service.url}/api/v1/integrations/connectors/github/execute`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: `{"entity":"issues","action":"create","params":{"owner":"octocat","repo":"hello-world","title":"x","labels":${deep}}}`,
    });
    expect(response.status).toBe(422);
  });

  it("cannot forge a cursor that leads outside the list", async () => {
    const after = Buffer.from(JSON.stringify(["x", null, "PRRT_kwDONDEx", "", ""])).toString("base64url");
    const { status, body } = await call({
      entity: "pr_comments",
      action: "list",
      params: { owner: "octocat", repo: "hello-world", number: 5, after },
    });
    expect([status, body.code]).toEqual([422, "bad_cursor"]);
  });

  it("who only holds connections open does not delay the end", async () => {
    const short = await start();
    const { hostname, port } = new URL(short.url);
    const sockets = ["", "POST /x HTTP/1.1\r\nHost: x\r\n"].map((text) => {
      const socket = connect(Number(port), hostname, () => socket.write(text));
      socket.on("error", () => {});
      return socket;
    });
    await new Promise((resume) => setTimeout(resume, 50));
    expect(await short.close()).toBe(true);
    for (const socket of sockets) socket.destroy();
  });
});

describe("a filter", () => {
  it("full of quotes and as deep as allowed costs no more than its length", async () => {
    let filter: object = { eq: { title: '"'.repeat(400_000) } };
    for (let depth = 0; depth < 9; depth++) filter = { or: [filter, { eq: { number: depth } }] };
    const cursor = Buffer.from('["x","k"]').toString("base64url");
    const params = { query: { filter }, cursor };
    const { status, body } = await call({ entity: "issues", action: "context_store_search", params });
    expect([status, body.code]).toEqual([422, "bad_cursor"]);
  });
});

describe("a platform", () => {
  const create = { entity: "issues", action: "create", params: { owner: "octocat", repo: "hello-world", title: "Once" } };

  it.each([300, 302, 303, 304, 408, 421])(
    "that answers %i to a write receives it once, and the caller learns that its outcome is unknown",
    async (status) => {
      const { instance, seen } = fakeInstance(
        () => new Response(null, { status, headers: { location: "https://api.example.test/elsewhere" } }),
      );
      await expect(run(instance, create)).rejects.toMatchObject({ code: "write_in_doubt" });
      expect(seen.length).toBe(1);
    },
  );

  it.each([
    ["as it is", (token: string) => token],
    ["as a header", (token: string) => `Authorization: Bearer ${token}`],
    ["in base64", (token: string) => Buffer.from(`user:${token}`).toString("base64")],
    ["in a long response", (token: string) => token + " ".repeat(300 * 1024)],
  ])("that puts the credential into a record %s does not give it to callers", async (_how, form) => {
    const title = form("token-of-the-test");
    const answer = { data: { repository: { issue: { number: 7, title } } }, id: 7, number: 7, title };
    const { instance } = fakeInstance(() => answer);
    const params = { owner: "octocat", repo: "hello-world", fields: ["title"] };
    const read = await run(instance, { entity: "issues", action: "get", params: { ...params, number: 7 } });
    const written = await run(instance, create);
    for (const { data } of [read, written]) {
      expect((data as { title: string }).title).toContain("[redacted]");
      expect(JSON.stringify(data)).not.toContain(title.trim());
    }
  });

  it("that answers a write with no record leaves the caller with advice", async () => {
    const { instance } = fakeInstance(
      () => new Response("null", { status: 201, headers: { "content-type": "application/json" } }),
    );
    await expect(run(instance, create)).rejects.toMatchObject({
      code: "write_in_doubt",
      message: expect.stringContaining("read the record before you repeat the write") as string,
    });
  });

  it("that redirects a write receives the same body there, whatever the address contains", async () => {
    const { instance, seen } = fakeInstance(({ url }) =>
      url.pathname.startsWith("/repos")
        ? new Response(null, { status: 307, headers: { location: "/elsewhere/{title}?t=:title" } })
        : { id: 7, number: 7 },
    );
    await run(instance, create);
    expect(seen.map((one) => [decodeURIComponent(one.url.pathname + one.url.search), one.body])).toEqual([
      ["/repos/octocat/hello-world/issues", { title: "Once" }],
      ["/elsewhere/{title}?t=:title", { title: "Once" }],
    ]);
  });

  it("that asks for an absurd wait stops calls for five minutes, and then for a single call", async () => {
    let calls = 0;
    const { instance } = fakeInstance(() => {
      calls++;
      return calls === 1
        ? Response.json({ message: "wait" }, { status: 429, headers: { "retry-after": "999999999" } })
        : { data: { viewer: { login: "x" } } };
    });
    const error: unknown = await run(instance, { entity: "viewer", action: "get", params: { fields: ["login"] } }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: "rate_limited", retryAfter: 300 });
  });

  it("fails when it sends a page of 300,000 records instead of 30", async () => {
    const nodes = Array.from({ length: 300_000 }, (_, number) => ({ number }));
    const { instance } = fakeInstance(() => ({
      data: { repository: { issues: { nodes, pageInfo: { hasNextPage: false, endCursor: null } } } },
    }));
    const params = { owner: "o", repo: "r", fields: ["number"] };
    const message = "sent 300000 records, but only 30 were requested";
    // A busy machine needs some seconds to read so many records.
    await expect(run(instance, { entity: "issues", action: "list", params }, 60_000)).rejects.toThrow(message);
  });

  it("that sends objects in place of texts does not cause an internal error", async () => {
    const odd = { toString: 1, valueOf: 1 };
    const { instance } = fakeInstance(() => Response.json({ message: odd, errors: [odd] }, { status: 422 }));
    await expect(run(instance, create)).rejects.toMatchObject({ code: "platform_rejected" });
  });
});
