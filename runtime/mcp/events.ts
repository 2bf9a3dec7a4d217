import { hash } from "node:crypto";
import { ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import { asTenonError, shown, TenonError } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { visibleText } from "../base/visible-text.ts";
import { type Places, withArguments } from "./act.ts";
import { clean } from "./clean.ts";
import { streamEvents } from "./event-stream.ts";
import type { ToolHost, WantedEvent } from "./host.ts";
import { isCached } from "./target.ts";

// Events of MCP, as the proposal SEP-3415 has them: each entity of a connector has one, which happens whenever a cached record changes.

/** Maps places in the query of the change feed, or in a subscription, to the params of a message. */
const places: Places = [
  ["/filter", "/arguments/filter"],
  ["/fields", "/arguments/fields"],
  ["/limit", "/maxEvents"],
  ["/url", "/delivery/url"],
];

/** What the server says of events. */
export const eventsCapability = { events: { listChanged: false } };

/** Codes of errors that the proposal adds to those of the protocol. */
const codes = { notFound: -32011, forbidden: -32012, exhausted: -32013, unsupported: -32014, callback: -32015 } as const;
/** Events that one list has, and milliseconds after which a client asks again. */
const pageSize = 50;
const nextPollMs = 5_000;
/** Seconds for which a poll waits at most. */
const longestPoll = 25;
const suffix = ".changed";
/** Milliseconds: a hundred years. */
const longestAge = 3_155_760_000_000;
/** Where a notification says to which stream it belongs. */
const subscriptionMember = "io.modelcontextprotocol/subscriptionId";

type Params = Readonly<Record<string, unknown>>;

/** Any params: the handlers check them, because their messages say what is allowed. */
const anyParams = {
  "~standard": {
    version: 1,
    vendor: "tenon",
    validate: (value: unknown) => ({ value }),
  },
} as const;

/** Adds the methods about events. Without webhooks of the host, clients have to poll. */
export function addEvents(server: Server, host: ToolHost): void {
  const add = (method: string, run: (params: Params, signal: AbortSignal) => Promise<Params>) =>
    server.setRequestHandler(method, { params: anyParams }, async (given, { mcpReq }) => {
      const params = isObject(given) ? given : {};
      try {
        return { ...(await run(params, mcpReq.signal)) };
      } catch (thrown) {
        throw asProtocolError(host, thrown);
      }
    });
  add("events/list", (params) => listEvents(host, params));
  add("events/poll", (params, signal) => poll(host, params, signal));
  server.setRequestHandler("events/stream", { params: anyParams }, async (given, { mcpReq: { id, signal, notify } }) => {
    const say = (what: string, params: Params) =>
      notify({ method: `notifications/events/${what}`, params: { ...params, _meta: { [subscriptionMember]: id } } });
    const failure = (thrown: unknown) => {
      const error = asProtocolError(host, thrown);
      const { code, message, data } = error;
      return {
        error: { code, message, ...(data === undefined ? {} : { data }) },
        isEnd: code !== ProtocolErrorCode.InternalError,
      };
    };
    try {
      const params = isObject(given) ? given : {};
      const { connectorId, entity, args, event } = await namedEvent(host, params);
      const query = { ...args, entity, cursor: cursorIn(params["cursor"]) ?? "latest" };
      const wanted = { connectorId, event, query, maxAgeMs: durationIn(params, "maxAgeMs") };
      await streamEvents(host, wanted, { signal, say, occurrence, failure });
    } catch (thrown) {
      throw asProtocolError(host, thrown);
    }
    return { _meta: {} };
  });
  add("events/subscribe", async (params) => {
    const { events, wanted, delivery } = await wantedOf(host, params);
    const { cursor, ttlMs } = params;
    const { mode = "webhook", secret } = delivery;
    if (mode !== "webhook") throw unsupported("deliveryMode", mode);
    if (params["maxAgeMs"] !== undefined) throw unsupported("maxAgeMs", params["maxAgeMs"]);
    if (ttlMs !== undefined && ttlMs !== null && (typeof ttlMs !== "number" || !(ttlMs > 0)))
      throw invalid("ttlMs must be a number of milliseconds, or null.");
    const more = { secret: typeof secret === "string" ? secret : "", cursor: cursorIn(cursor), ttlMs };
    const outcome = await events.subscribe(wanted, more);
    if ("result" in outcome) return outcome.result;
    const { refused: reason } = outcome;
    throw new ProtocolError(codes.callback, "The callback address did not repeat the challenge.", { reason });
  });
  add("events/unsubscribe", async (params) => {
    const { events, wanted } = await wantedOf(host, params);
    await events.unsubscribe(wanted);
    return {};
  });
}

async function listEvents(host: ToolHost, { cursor }: Params): Promise<Params> {
  const instances = await host.instances();
  const all = await Promise.all(
    instances.map(async ({ id, manual }) =>
      (await manual()).entities.filter(isCached).map(({ name, doc }) => eventOf(host, id, name, doc)),
    ),
  );
  const from = cursor === undefined || cursor === null ? 0 : Number(cursor);
  if (!Number.isSafeInteger(from) || from < 0) throw invalid("cursor must be that of the last page.");
  const events = all.flat();
  const to = from + pageSize;
  return { events: events.slice(from, to), ...(to < events.length ? { nextCursor: String(to) } : {}) };
}

function eventOf(host: ToolHost, connectorId: string, entity: string, doc: string) {
  return {
    name: `${connectorId}.${entity}${suffix}`,
    description: `A cached record was created, updated or deleted: ${doc}`,
    delivery: host.events === undefined ? ["poll", "push"] : ["poll", "push", "webhook"],
    inputSchema: {
      type: "object",
      properties: {
        filter: { type: "object", description: "Conditions as in search." },
        fields: { type: "array", items: { type: "string" }, description: "Fields of the present record to send along." },
      },
      additionalProperties: false,
    },
    payloadSchema: {
      type: "object",
      properties: {
        kind: { enum: ["created", "updated", "deleted"] },
        entity: { const: entity },
        key: { type: "object" },
        scope: { type: "string" },
        changed_fields: { type: "array", items: { type: "string" } },
        record: { type: "object" },
      },
      required: ["kind", "entity", "key", "scope"],
    },
  };
}

async function poll(host: ToolHost, params: Params, signal: AbortSignal): Promise<Params> {
  const { connectorId, entity, args, event: name } = await namedEvent(host, params);
  const { maxEvents, cursor } = params;
  const maxAgeMs = durationIn(params, "maxAgeMs");
  const wait = Math.min(longestPoll, Math.max(0, Math.floor((durationIn(params, "timeoutMs") ?? 0) / 1000)));
  const limit = maxEvents === undefined ? {} : { limit: maxEvents };
  const query = { ...args, ...limit, entity, cursor: cursorIn(cursor) ?? "latest", ...(wait > 0 ? { wait } : {}) };
  const { data, meta } = await host.changes(connectorId, query, { signal });
  const entries = Array.isArray(data) ? data.filter(isObject) : [];
  const oldest = maxAgeMs === undefined ? "" : new Date(Date.now() - maxAgeMs).toISOString();
  const young = entries.filter(({ at }) => String(at) >= oldest);
  const events = young.map((entry) => occurrence(name, entry));
  const { cursor: next, has_more: hasMore, truncated } = meta;
  return { events, cursor: next, truncated: truncated === true || young.length < entries.length, hasMore, nextPollMs };
}

/** An event as a client gets it. */
function occurrence(name: string, entry: Params): Params {
  // The cursor names the change, and is the same each time.
  const eventId = `evt_${hash("sha256", String(entry["cursor"]), "hex").slice(0, 24)}`;
  // A client puts what has changed before a model.
  return { eventId, name, timestamp: entry["at"], data: clean(entry) };
}

function durationIn(params: Params, name: string): number | undefined {
  const given = params[name];
  if (given === undefined || (typeof given === "number" && Math.abs(given) <= longestAge)) return given;
  throw invalid(`${name} must be a number of milliseconds up to ${longestAge}.`);
}

type NamedEvent = Omit<WantedEvent, "url">;

/** @throws ProtocolError */
async function namedEvent(host: ToolHost, { name, arguments: given = {} }: Params): Promise<NamedEvent> {
  if (typeof name !== "string") throw invalid("name must be that of an event; events/list has all of them.");
  const [connectorId = "", entity = ""] = name.endsWith(suffix) ? split(name.slice(0, -suffix.length)) : [];
  const instance = (await host.instances()).find(({ id }) => id === connectorId);
  const isThere =
    instance !== undefined && (await instance.manual()).entities.some((one) => one.name === entity && isCached(one));
  if (!isThere) throw new ProtocolError(codes.notFound, visibleText(`There is no event "${shown(name)}".`), { kind: "event" });
  if (!isObject(given)) throw invalid("arguments must be an object.");
  const { filter, fields, ...others } = given;
  const [strange] = Object.keys(others);
  if (strange !== undefined) throw invalid(visibleText(`arguments has no "${shown(strange)}": it takes filter and fields.`));
  const args = { ...(filter === undefined ? {} : { filter }), ...(fields === undefined ? {} : { fields }) };
  return { connectorId, entity, args, event: name };
}

/** Ids of connectors may have dots, names of entities have none. */
function split(name: string): [string, string] {
  const at = name.lastIndexOf(".");
  return [name.slice(0, at), name.slice(at + 1)];
}

async function wantedOf(host: ToolHost, params: Params) {
  const { events } = host;
  const named = await namedEvent(host, params);
  if (events === undefined) throw unsupported("deliveryMode", "webhook");
  const delivery = isObject(params["delivery"]) ? params["delivery"] : {};
  return { events, wanted: { ...named, url: delivery["url"] }, delivery };
}

function cursorIn(cursor: unknown): string | undefined {
  if (cursor === undefined || cursor === null) return undefined;
  if (typeof cursor === "string") return cursor;
  throw invalid("cursor must be a string or null.");
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

function unsupported(feature: string, value: unknown): ProtocolError {
  return new ProtocolError(codes.unsupported, `This event has no ${feature} of this kind.`, { feature, value });
}

function asProtocolError(host: ToolHost, thrown: unknown): ProtocolError {
  return thrown instanceof ProtocolError ? thrown : protocolError(host, thrown);
}

function protocolError({ redact = (text) => text }: ToolHost, thrown: unknown): ProtocolError {
  const error = asTenonError(withArguments(thrown, places));
  const { code, faults } = error;
  const message = redact(visibleText(error.message));
  const of = (number: number, data?: object) => new ProtocolError(number, message, data);
  if (code === "unknown_subscription") return of(codes.notFound, { kind: "subscription" });
  if (code === "unknown_connector") return of(codes.notFound, { kind: "event" });
  if (code === "forbidden" || code === "unauthorized") return of(codes.forbidden);
  if (code === "too_many_subscriptions" || code === "too_many_requests") return of(codes.exhausted, { limit: code });
  if (thrown instanceof TenonError && (code === "invalid_request" || code === "bad_cursor"))
    return of(ProtocolErrorCode.InvalidParams, { errors: faults });
  return of(ProtocolErrorCode.InternalError);
}
