import type { Server } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { invalidRequest, TenonError } from "../../../runtime/base/errors.ts";
import { manualOf } from "../../../runtime/manual/manual.ts";
import { addEvents } from "../../../runtime/mcp/events.ts";
import type { EventWebhooks, ToolHost } from "../../../runtime/mcp/host.ts";
import { shaped, standIn } from "../../support/shaped.ts";

type Params = Readonly<Record<string, unknown>>;
type Handler = (params: unknown, context: object) => Promise<Params>;

const event = "github.issues.changed";
const page = { data: [], meta: { cursor: "c0", has_more: false, truncated: false } };

/** The methods about events of a host with the instance `github`, and what a stream says. */
function methods(more: Partial<ToolHost> = {}) {
  const handlers = new Map<string, Handler>();
  const host = standIn<ToolHost>({
    instances: async () => [{ id: "github", manual: () => manualOf(github), page: async () => undefined }],
    changes: async () => page,
    ...more,
  });
  addEvents(shaped<Server>({ setRequestHandler: (name: string, _: object, run: Handler) => void handlers.set(name, run) }), host);
  const said: { method: string; params: Params }[] = [];
  const call = (name: string, params: unknown): Promise<Params> => {
    const notify = async (message: { method: string; params: Params }) => void said.push(message);
    const context = { mcpReq: { id: 7, signal: new AbortController().signal, notify } };
    return handlers.get(name)?.(params, context) ?? Promise.reject(new Error(`there is no ${name}`));
  };
  return { call, said };
}

describe("events/list", () => {
  const instances = ["a", "b", "c"].map((id) => ({ id, manual: () => manualOf(github), page: async () => undefined }));
  const list = methods({ instances: async () => instances });
  const names = ({ events }: Params) => (events as { name: string }[]).map(({ name }) => name);

  it("has pages of 50, of which each but the last says where the next begins", async () => {
    // What no sync reads never changes in the cache.
    const perInstance = Object.values(github.entities).filter(({ sync }) => sync.length > 0).length;
    expect(3 * perInstance).toBeGreaterThan(50);
    const first = await list.call("events/list", {});
    expect([names(first).length, first["nextCursor"]]).toEqual([50, "50"]);
    expect(await list.call("events/list", { cursor: null })).toEqual(first);
    const second = await list.call("events/list", { cursor: "50" });
    expect(names(second)).toHaveLength(3 * perInstance - 50);
    expect(second).not.toHaveProperty("nextCursor");
    expect(new Set([...names(first), ...names(second)]).size).toBe(3 * perInstance);
  });

  it("has no cursor behind a page that is just full", async () => {
    const cached = (await manualOf(github)).entities.filter(({ name }) => github.entities[name]?.sync.length !== 0);
    const manual = async () => ({ ...(await manualOf(github)), entities: [...cached, ...cached, ...cached].slice(0, 50) });
    const { call } = methods({ instances: async () => [{ id: "a", manual, page: async () => undefined }] });
    const only = await call("events/list", {});
    expect([names(only).length, "nextCursor" in only]).toEqual([50, false]);
  });

  it("has none of an entity that no sync reads, and neither has a poll", async () => {
    expect(names(await list.call("events/list", {}))).not.toContain("a.code.changed");
    await expect(list.call("events/poll", { name: "a.code.changed" })).rejects.toMatchObject({ code: -32011 });
  });

  it.each(["-1", "1.5", "x", {}])("refuses %j, which is the cursor of no page", async (cursor) => {
    await expect(list.call("events/list", { cursor })).rejects.toThrow("cursor must be that of the last page.");
  });
});

describe("events/subscribe", () => {
  /** Subscribes with a time to live. @returns what the host was given */
  async function subscribed(ttlMs: unknown): Promise<unknown> {
    let given: unknown;
    const subscribe: EventWebhooks["subscribe"] = async (_wanted, more) => {
      given = more.ttlMs;
      return { result: { id: "sub_1" } };
    };
    const { call } = methods({ events: standIn<EventWebhooks>({ subscribe }) });
    const delivery = { url: "https://receiver.example/", secret: "s" };
    expect(await call("events/subscribe", { name: event, delivery, ttlMs })).toEqual({ id: "sub_1" });
    return given;
  }

  it("takes a time to live, none, or the longest", async () => {
    for (const ttlMs of [0.5, 60_000, null, undefined]) expect(await subscribed(ttlMs)).toBe(ttlMs);
  });

  it.each([0, -1, Number.NaN, "60000", true])("refuses %j for a time to live", async (ttlMs) => {
    await expect(subscribed(ttlMs)).rejects.toThrow("ttlMs must be a number of milliseconds, or null.");
  });
});

describe("an error of the service", () => {
  const failing = (code: ConstructorParameters<typeof TenonError>[0]) => new TenonError(code, "It is so.");

  it.each([
    ["unknown_subscription", -32011, { kind: "subscription" }],
    ["unknown_connector", -32011, { kind: "event" }],
    ["forbidden", -32012, undefined],
    ["unauthorized", -32012, undefined],
    ["too_many_subscriptions", -32013, { limit: "too_many_subscriptions" }],
    ["too_many_requests", -32013, { limit: "too_many_requests" }],
    ["bad_cursor", -32602, { errors: [] }],
    ["context_store_unavailable", -32603, undefined],
  ] as const)("has a code of the protocol: %s", async (code, number, data) => {
    const { call } = methods({ changes: () => Promise.reject(failing(code)) });
    await expect(call("events/poll", { name: event })).rejects.toMatchObject({ code: number, message: "It is so.", data });
  });

  it.each([
    ["/filter/eq", "/arguments/filter/eq"],
    ["/fields/0", "/arguments/fields/0"],
    ["/limit", "/maxEvents"],
    ["/url", "/delivery/url"],
  ])("about %s of the service names the place in the message, %s", async (pointer, place) => {
    const wrong = invalidRequest([{ pointer, code: "wrong_type", message: "It is wrong." }]);
    const { call } = methods({ changes: () => Promise.reject(wrong) });
    await expect(call("events/poll", { name: event })).rejects.toMatchObject({
      message: `${place}: It is wrong.`,
      data: { errors: [{ pointer: place }] },
    });
  });

  it("that ends a stream is said in it", async () => {
    let asked = 0;
    const next = async () => {
      if (asked++ > 0) throw failing("unknown_connector");
      return page;
    };
    const { call, said } = methods({ watch: async () => ({ next }) });
    expect(await call("events/stream", { name: event })).toEqual({ _meta: {} });
    const _meta = { "io.modelcontextprotocol/subscriptionId": 7 };
    expect(said).toEqual([
      { method: "notifications/events/active", params: { cursor: "c0", truncated: false, _meta } },
      {
        method: "notifications/events/terminated",
        params: { error: { code: -32011, message: expect.stringContaining("It is so."), data: { kind: "event" } }, _meta },
      },
    ]);
  });
});
