import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import { createCaller, deriveKeys, fullGrant, revokeCaller, type StoredAuditEntry } from "../../runtime/accounts/index.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import { openReceiver } from "../support/receiver.ts";
import { regrant, withAccounts } from "./support/accounts.ts";
import { hello, plansOf } from "./support/cache.ts";
import { apiKey, useTenon } from "./support/service.ts";

// Events of MCP (SEP-3415): on the same log and the same subscriptions as everything else.

const secretKey = ["canary-secret-key-of-the-events-tests"];
const dataDir = mkdtempSync(join(tmpdir(), "tenon-events-"));
const at = useTenon({ secretKey, dataDir, allowPrivateAddresses: true });
const issues = { connector: "github", instance: "github", entity: "issues", scope: hello };
const event = "github.issues.changed";
const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

let store: SqliteStore;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
let run = 0;
beforeAll(async () => {
  store = new SqliteStore({ dataDir, plans: plansOf(github), readers: 1 });
  receiver = await openReceiver();
});
afterAll(async () => {
  await receiver.close();
  await store.close();
});
const save = (...ids: readonly string[]) =>
  store.save(issues, {
    records: ids.map((id) => ({ id, number: 1, title: `Title of ${id}`, state: "open" })),
    checkpoint: { run: ++run, full: true, step: 0 },
  });

interface Answer {
  readonly result: Readonly<Record<string, unknown>> & { readonly events: readonly Readonly<Record<string, unknown>>[] };
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}

async function send(method: string, params: object = {}, token = apiKey): Promise<Answer> {
  const reply = await at.tenon.send("POST", "/mcp", JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }), {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  });
  return JSON.parse(reply.text);
}

const auditedAs = ({ action, target, outcome }: StoredAuditEntry) => [action, target, outcome];

async function keyWith(entities: readonly string[]) {
  const given = { kind: "key", name: "n", grant: { ...fullGrant, rights: ["read"], entities }, expiresAt: null } as const;
  const { secret, caller } = await withAccounts(dataDir, (accounts) => createCaller(accounts, deriveKeys(secretKey), given));
  return {
    secret,
    revoke: () => withAccounts(dataDir, (accounts) => revokeCaller(accounts, "key", caller.id)),
    /** Leaves the key only other entities. */
    narrow: (others: readonly string[]) => regrant(dataDir, caller.id, { rights: ["read"], entities: others }),
  };
}

const revision = "2026-07-28";

function modernCall(method: string, more: object = {}, id = 1) {
  const clientInfo = { name: "test", version: "1" };
  const _meta = Object.fromEntries(
    Object.entries({ protocolVersion: revision, clientInfo, clientCapabilities: {} }).map(([name, value]) => [
      `io.modelcontextprotocol/${name}`,
      value,
    ]),
  );
  const body = JSON.stringify({ jsonrpc: "2.0", id, method, params: { _meta, ...more } });
  const accept = "application/json, text/event-stream";
  return { body, head: { accept, "mcp-protocol-version": revision, "mcp-method": method, "content-type": "application/json" } };
}

interface StreamMessage {
  readonly method?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Opens a stream of events. @returns its messages one after the other, without heartbeats: one may come at any moment */
async function openStream(era: string, params: object, key = apiKey) {
  const method = "events/stream";
  const older = {
    body: JSON.stringify({ jsonrpc: "2.0", id: 7, method, params }),
    head: { accept: "application/json, text/event-stream", "content-type": "application/json" },
  };
  const { body, head } = era === revision ? modernCall(method, params, 7) : older;
  const gone = new AbortController();
  const headers = { authorization: `Bearer ${key}`, ...head };
  const response = await fetch(`${at.tenon.url}/mcp`, { method: "POST", headers, body, signal: gone.signal });
  const messages = (async function* (): AsyncGenerator<StreamMessage, undefined> {
    let text = "";
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const data = /^data: (.+)$/m.exec(block)?.[1];
        const message = data === undefined ? undefined : (JSON.parse(data) as StreamMessage);
        if (message !== undefined && message.method !== "notifications/events/heartbeat") yield message;
      }
    }
    if (text.startsWith("{")) yield JSON.parse(text) as StreamMessage;
  })();
  return { messages, close: () => gone.abort() };
}

describe("events of MCP", () => {
  it("are listed, each with what it takes, as far as the caller may read", async () => {
    const { events, nextCursor } = (await send("events/list")).result;
    expect(events.find(({ name }) => name === event)).toMatchObject({
      delivery: ["poll", "push", "webhook"],
      inputSchema: { properties: { filter: {}, fields: {} } },
    });
    const more = (await send("events/list", { cursor: nextCursor })).result;
    expect(more.events.length).toBeGreaterThan(0);
    const own = (await send("events/list", {}, (await keyWith(["branches"])).secret)).result;
    expect(own.events.map(({ name }) => name)).toContain("github.branches.changed");
    expect(own.events.map(({ name }) => name)).not.toContain(event);
  });

  it("are polled from now on, or from a cursor", async () => {
    await save("before");
    const first = (await send("events/poll", { name: event, cursor: null })).result;
    expect(first).toMatchObject({ events: [], truncated: false, hasMore: false, nextPollMs: expect.any(Number) });
    await save("a", "b");
    const given = { name: event, arguments: { fields: ["title"] }, cursor: first["cursor"], maxEvents: 1 };
    const { events, cursor, hasMore } = (await send("events/poll", given)).result;
    expect(events).toMatchObject([{ name: event, data: { kind: "created", key: { id: "a" }, record: { title: "Title of a" } } }]);
    expect((await send("events/poll", given)).result.events).toEqual(events);
    expect(hasMore).toBe(true);
    expect((await send("events/poll", { ...given, cursor })).result.events).toMatchObject([{ data: { key: { id: "b" } } }]);
    const late = (await send("events/poll", { ...given, maxAgeMs: -60_000 })).result;
    expect(late).toMatchObject({ events: [], truncated: true });
    const refused = [
      await send("events/poll", { name: "github.nothing.changed" }),
      await send("events/poll", { name: event }, (await keyWith(["branches"])).secret),
      await send("events/poll", { name: event, arguments: { other: 1 } }),
      await send("events/poll", { name: event, cursor: "nonsense" }),
    ];
    expect(refused.map(({ error }) => error.code)).toEqual([-32011, -32011, -32602, -32602]);
  });

  it("have only visible characters when they are polled, and an age that there can be", async () => {
    const { cursor } = (await send("events/poll", { name: event, cursor: null })).result;
    await save("hidden\u202e\u{e0041}");
    const given = { name: event, arguments: { fields: ["title"] }, cursor };
    const { events } = (await send("events/poll", given)).result;
    expect(events).toMatchObject([{ data: { key: { id: "hidden" }, record: { title: "Title of hidden" } } }]);
    const { error } = await send("events/poll", { ...given, maxAgeMs: 1e300 });
    expect([error.code, error.message]).toEqual([
      -32602,
      expect.stringContaining("maxAgeMs must be a number of milliseconds up to"),
    ]);
  });

  it("go to a webhook that has repeated a challenge, signed with the secret of the client", async () => {
    const secret = newSecret();
    const delivery = { mode: "webhook", url: receiver.url, secret };
    const params = { name: event, arguments: { filter: { eq: { state: "open" } } }, delivery, cursor: null };
    receiver.respond(() => ({ status: 200, body: "{}" }));
    expect((await send("events/subscribe", params)).error).toMatchObject({ code: -32015, data: { reason: "challenge_failed" } });
    receiver.respond(() => 503);
    expect((await send("events/subscribe", params)).error).toMatchObject({ code: -32015, data: { reason: "http_5xx" } });
    receiver.received.length = 0;
    receiver.respond(({ body }) => ({ status: 200, body: JSON.stringify({ challenge: body["challenge"] }) }));
    const { result } = await send("events/subscribe", params);
    expect(result).toMatchObject({ id: expect.stringMatching(/^sub_/), truncated: false, cursor: expect.any(String) });
    expect(Date.parse(String(result["refreshBefore"])) - Date.now()).toBeGreaterThan(50 * 60_000);
    const [challenge] = receiver.received;
    expect(new Webhook(secret).verify(challenge?.text ?? "", challenge?.headers ?? {})).toMatchObject({ type: "verification" });

    await save("w1");
    await expect.poll(() => receiver.received.length).toBe(2);
    const one = receiver.received[1];
    const body = new Webhook(secret).verify(one?.text ?? "", one?.headers ?? {});
    const id = one?.headers["webhook-id"];
    expect(body).toMatchObject({ eventId: id, name: event, data: { key: { id: "w1" }, kind: "created" } });
    // The place that the client keeps leads on from there, also by polling.
    expect(one?.headers["x-mcp-subscription-id"]).toBe(result["id"]);

    const renewed = await send("events/subscribe", { ...params, delivery: { ...delivery, secret: newSecret() }, ttlMs: null });
    expect(renewed.result).toMatchObject({ id: result["id"], deliveryStatus: { active: true, lastError: null } });
    const noted = async () => (await withAccounts(dataDir, (accounts) => accounts.lastAudited(2))).map(auditedAs);
    await expect.poll(noted).toEqual(Array.from({ length: 2 }, () => ["subscription.create", result["id"], "done"]));
    await save("w2");
    await expect.poll(() => receiver.received.length).toBe(3);
    const two = receiver.received[2];
    expect(String(two?.headers["webhook-signature"]).split(" ")).toHaveLength(2);
    const polled = await send("events/poll", { name: event, arguments: params.arguments, cursor: renewed.result["cursor"] });
    expect(polled.result.events.at(-1)).toMatchObject({ data: { key: { id: "w2" } } });

    // In MCP, 410 refuses one event, and the next ones come.
    receiver.respond(() => 410);
    await save("gone");
    await expect.poll(() => receiver.received.length).toBe(4);
    receiver.respond(() => 200);
    await save("after");
    await expect.poll(() => receiver.received.slice(4).map(({ body: { data } }) => data.key["id"])).toEqual(["after"]);

    const key = { name: event, arguments: params.arguments, delivery: { url: receiver.url } };
    expect((await send("events/unsubscribe", key, (await keyWith(["issues"])).secret)).error.code).toBe(-32011);
    expect((await send("events/unsubscribe", key)).error).toBeUndefined();
    expect((await send("events/unsubscribe", key)).error).toMatchObject({ code: -32011, data: { kind: "subscription" } });
  });

  it("wait for an event where a poll says for how long", async () => {
    const { cursor } = (await send("events/poll", { name: event, cursor: null })).result;
    const waiting = send("events/poll", { name: event, cursor, timeoutMs: 20_000 });
    await save("awaited");
    expect((await waiting).result.events).toMatchObject([{ data: { key: { id: "awaited" } } }]);
    expect((await send("events/poll", { name: event, timeoutMs: "1" })).error.code).toBe(-32602);
  });

  it.each([["2025-11-25"], [revision]])("come over a stream, from a cursor on, until the key ends (revision %s)", async (era) => {
    const { cursor } = (await send("events/poll", { name: event, cursor: null })).result;
    await save(`s0-${era}`);
    const key = await keyWith(["issues"]);
    const { messages, close } = await openStream(era, { name: event, cursor }, key.secret);
    const next = async () => (await messages.next()).value;
    const stream = { "io.modelcontextprotocol/subscriptionId": 7 };
    const active = { cursor, truncated: false, _meta: stream };
    expect(await next()).toMatchObject({ method: "notifications/events/active", params: active });
    const of = (id: string) => ({
      method: "notifications/events/event",
      params: {
        eventId: expect.stringMatching(/^evt_/),
        name: event,
        data: { key: { id } },
        cursor: expect.any(String),
        _meta: stream,
      },
    });
    expect(await next()).toMatchObject(of(`s0-${era}`));
    await save(`s1-${era}`, `s2-${era}`);
    const first = await next();
    expect([first, await next()]).toMatchObject([of(`s1-${era}`), of(`s2-${era}`)]);
    const again = await openStream(era, { name: event, cursor: first?.params.cursor }, key.secret);
    await again.messages.next();
    expect((await again.messages.next()).value).toMatchObject(of(`s2-${era}`));
    again.close();
    await key.revoke();
    const end = [await next(), await next(), await next()];
    expect(end).toMatchObject([
      { method: "notifications/events/terminated", params: { error: { code: -32012 } } },
      { id: 7, result: {} },
      undefined,
    ]);
    close();
  });

  it.each([["2025-11-25"], [revision]])(
    "come over a stream no longer than the key may read their entity (revision %s)",
    async (era) => {
      const key = await keyWith(["issues", "branches"]);
      const { messages, close } = await openStream(era, { name: event, cursor: null }, key.secret);
      await messages.next();
      await save(`n0-${era}`);
      expect((await messages.next()).value?.params).toMatchObject({ data: { key: { id: `n0-${era}` } } });
      key.narrow(["branches"]);
      await save(`n1-${era}`);
      expect([(await messages.next()).value, (await messages.next()).value, (await messages.next()).value]).toMatchObject([
        { method: "notifications/events/terminated", params: { error: { code: -32012 } } },
        { id: 7, result: {} },
        undefined,
      ]);
      close();
    },
  );

  it.each([["2025-11-25"], [revision]])("of a stream that begins too late are reported as lost (revision %s)", async (era) => {
    await save(`t0-${era}`);
    const { messages, close } = await openStream(era, { name: event, cursor: null, maxAgeMs: -60_000 });
    expect((await messages.next()).value).toMatchObject({ method: "notifications/events/active", params: { truncated: false } });
    close();
    const { cursor } = (await send("events/poll", { name: event, cursor: null })).result;
    await save(`t1-${era}`);
    const old = await openStream(era, { name: event, cursor, maxAgeMs: -60_000 });
    expect((await old.messages.next()).value).toMatchObject({
      method: "notifications/events/active",
      params: { truncated: true },
    });
    old.close();
    const wrong = await openStream(era, { name: "github.nothing.changed" });
    expect((await wrong.messages.next()).value).toMatchObject({ id: 7, error: { code: -32011 } });
  });

  it("are announced to clients of revision 2026-07-28", async () => {
    const modern = async (method: string, more: object = {}) => {
      const { body, head } = modernCall(method, more);
      return JSON.parse((await at.tenon.send("POST", "/mcp", body, { authorization: `Bearer ${apiKey}`, ...head })).text);
    };
    expect((await modern("server/discover")).result.capabilities).toMatchObject({ events: { listChanged: false } });
    expect((await modern("events/poll", { name: event, cursor: null })).result).toMatchObject({ events: [], truncated: false });
  });

  it("are refused for a webhook whose secret, address or way is not right", async () => {
    const params = (delivery: object) => ({ name: event, delivery: { url: receiver.url, secret: newSecret(), ...delivery } });
    const refused = [
      await send("events/subscribe", params({ secret: "whsec_short" })),
      await send("events/subscribe", params({ url: "ftp://x" })),
      await send("events/subscribe", params({ mode: "push" })),
      await send("events/subscribe", { ...params({}), ttlMs: "1h" }),
    ];
    expect(refused.map(({ error }) => error.code)).toEqual([-32602, -32602, -32014, -32602]);
  });
});
