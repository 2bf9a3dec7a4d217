import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Request, RequestHandler, Response } from "express";
import { type Caller, type Grant, hasRight, mayUseEntity } from "../../accounts/index.ts";
import { asTenonError } from "../../base/errors.ts";
import type { Rounds } from "../../base/rounds.ts";
import { continued } from "../../changes/index.ts";
import type { Connector } from "../../contract/index.ts";
import { simulatedMark } from "../../execute/index.ts";
import { type Manual, manualOf } from "../../manual/manual.ts";
import { referencePage } from "../../manual/page.ts";
import type { ApprovalPage, EventWebhooks, ToolHost, Watch } from "../../mcp/host.ts";
import { checkMessage } from "../../mcp/message.ts";
import { instructionsFor, mcpServer } from "../../mcp/server.ts";
import type { Proposals } from "../../policy/index.ts";
import type { Manager, Subscriptions } from "../../subscriptions/index.ts";
import { ByGrant } from "../by-grant.ts";
import { callerOf } from "../callers/bearer.ts";
import { askChanges, readChanges } from "../changes.ts";
import { instanceOf, isVisible, type ListedInstance, organizationOf } from "../instance-of.ts";
import { notedFurther, type Witnesses } from "../monitoring/access-log.ts";
import { type Trace, traceOf } from "../monitoring/trace.ts";
import { type PerformOptions, perform } from "../perform.ts";
import { redactorOf } from "../problem.ts";
import { Outflow, type Streams } from "../streamed.ts";
import { SyncTasks } from "../sync-tasks.ts";
import { toolTasks } from "../tool-tasks.ts";
import type { SyncControl } from "./sync-control-route.ts";

export interface McpOptions extends PerformOptions, SyncControl {
  readonly list: () => Promise<readonly ListedInstance[]>;
  readonly connectors: ReadonlyMap<string, Connector>;
  /** Whether callers with the right `write` have the tool that writes. */
  readonly mcpWrites: boolean;
  /** The writes that wait for an approval. */
  readonly proposals: Proposals;
  /** The page on which writes are approved, and the secret for requests that lead there. */
  readonly approvals?: Omit<ApprovalPage, "caller"> | undefined;
  /** The webhooks of clients. */
  readonly subscriptions: Subscriptions;
  /** Looks up anew whose request it is. @throws TenonError `unauthorized` */
  readonly recheck: (request: Request, response: Response) => Promise<Caller>;
  readonly repeated: Witnesses["repeated"];
  readonly streams: Streams;
  /** The pace at which the messages of each caller begin. */
  readonly pace: Rounds;
  /** The rounds in which messages begin: the library of the protocol checks and copies each response in one piece. */
  readonly rounds: Rounds;
}

/**
 * `POST /mcp`: the Model Context Protocol over HTTP, in all its revisions and without sessions: every request stands for itself, so that
 * each may come to another process, and its caller's rights and limits hold as on all other routes.
 */
export function mcpRoute(options: McpOptions): RequestHandler {
  const manuals: Manuals = new ByGrant();
  const syncTasks = new SyncTasks(options);
  return async (request, response) => {
    // Limits, the audit log and the end of a call are those of one request, so a request has one message (as of revision 2025-06-18).
    checkMessage(request.body);
    const { id } = callerOf(response);
    for (const rounds of [options.pace, options.rounds]) {
      const turn = rounds.turn(id);
      if (turn !== undefined) await turn;
    }
    const outflow = new Outflow(response);
    const host = hostOf(options, { manuals, syncTasks, outflow }, request, response);
    const isGreeting = ["initialize", "server/discover"].includes(request.body?.method);
    const web = webRequest(request);
    // A message of 2026-07-28 says in itself of which revision it is; all others get the responses of the earlier revisions.
    const isLegacy = await isLegacyRequest(web, request.body);
    const server = mcpServer(host, isGreeting ? instructionsFor(await host.instances()) : undefined, !isLegacy);
    response.setHeader("X-Request-Id", String(response.locals["requestId"]));
    response.setHeader("Cache-Control", "no-store");
    response.on("close", () => void server.close());
    if (request.body?.method === streamMethod) options.streams.open(id, response);
    const { reply, end } = await replyOf(server, web, request.body, isLegacy);
    await sendReply(response, outflow, reply).finally(end);
  };
}

/** The method whose response is a stream of events. */
const streamMethod = "events/stream";

interface McpReply {
  readonly reply: globalThis.Response;
  /** Ends what serves the message. */
  readonly end: () => Promise<void>;
}

/** The response to a message of any revision. */
async function replyOf(
  server: Server,
  request: globalThis.Request,
  body: { readonly method?: unknown },
  isLegacy: boolean,
): Promise<McpReply> {
  if (!isLegacy) {
    const handler = createMcpHandler(() => server, { legacy: "reject" });
    const reply = await handler.fetch(request, { parsedBody: body });
    if (isEventStream(reply) && body.method === streamMethod) return { reply, end: () => handler.close() };
    // A subscription is confirmed and ends: nothing changes here while a client listens, so that it would only hold a place of the service.
    await handler.close();
    return { reply, end: async () => undefined };
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: body.method !== streamMethod });
  await server.connect(transport);
  return { reply: await transport.handleRequest(request, { parsedBody: body }), end: () => transport.close() };
}

function isEventStream(reply: globalThis.Response): boolean {
  return reply.headers.get("content-type")?.startsWith("text/event-stream") === true;
}

const bothTypes = ["application/json", "text/event-stream"] as const;

/** The head of a request in the form that the library of the protocol takes, which reads no ranges of media types, as curl sends. */
function webRequest(request: Request): globalThis.Request {
  const given = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const head = new globalThis.Request("http://tenon/mcp", { method: "POST", headers: given });
  if (bothTypes.every((type) => request.accepts(type))) head.headers.set("Accept", bothTypes.join(", "));
  return head;
}

async function sendReply(response: Response, outflow: Outflow, reply: globalThis.Response): Promise<void> {
  response.status(reply.status);
  for (const [name, value] of reply.headers) response.setHeader(name, value);
  if (reply.body === null || !isEventStream(reply)) {
    response.end(Buffer.from(await reply.arrayBuffer()));
    return;
  }
  // Proxies must not collect events.
  response.setHeader("X-Accel-Buffering", "no");
  response.flushHeaders();
  await outflow.send(reply.body);
  response.end();
}

/** The manuals with the entities that callers may use. Each stays the same object, of which lists of entities are made once. */
type Manuals = ByGrant<Manual>;

/** What is kept between requests. */
interface Kept {
  readonly manuals: Manuals;
  readonly syncTasks: SyncTasks;
}

function hostOf(
  options: McpOptions,
  { manuals, syncTasks, outflow }: Kept & { readonly outflow: Outflow },
  request: Request,
  response: Response,
): ToolHost {
  const organization = organizationOf(request);
  const { list, connectors, mcpWrites } = options;
  const caller = callerOf(response);
  const { grant } = caller;
  const trace = traceOf(response);
  const requestId = String(response.locals["requestId"]);
  let runs = 0;
  /** A message may have several actions. Each counts as a request, so that limits and the audit log hold as for a request of its own. */
  const each = async <Result>(run: (trace: Trace) => Promise<Result>): Promise<Result> => {
    if (runs++ === 0)
      return run(trace).catch((thrown: unknown) => {
        trace.failure ??= asTenonError(thrown);
        throw thrown;
      });
    await options.limits.of(caller).take("requests", 1);
    return notedFurther(options, { caller: caller.id, requestId }, run);
  };
  return {
    tasks: toolTasks({
      syncs: syncTasks,
      proposals: options.proposals,
      asker: { caller: caller.id, grant, organization, trace },
      decider: { caller, requestId, find: (id) => instanceOf(options.instances, id, { grant, organization }) },
      page: options.approvals?.url,
    }),
    events: eventWebhooks(
      options.subscriptions,
      { caller, find: (id) => instanceOf(options.instances, id, { grant, organization }) },
      trace,
    ),
    writes: mcpWrites && hasRight(grant, "write"),
    approvals: options.approvals && { ...options.approvals, caller: caller.id },
    redact: redactorOf(response),
    instances: async () =>
      (await list())
        .filter((one) => one.status !== "off" && isVisible({ grant, organization }, one))
        .flatMap(({ id, connector: name, simulated }) => {
          const connector = connectors.get(name);
          if (connector === undefined) return [];
          return [
            {
              id,
              ...simulatedMark({ simulated }),
              manual: async () => {
                const manual = await manualOf(connector);
                return manuals.take(connector, grant, () => allowed(manual, grant));
              },
              page: (entity) => referencePage(connector, entity),
            },
          ];
        }),
    changes: (connectorId, query, { signal = new AbortController().signal }) =>
      each(async (own) => {
        const asked = { caller: () => options.recheck(request, response), connectorId, organization, signal, trace: own };
        const wanted = await askChanges(options, asked, query);
        // A caller who waits takes no place.
        if (wanted.wait > 0) options.gate.answered(response);
        return readChanges(options, asked, wanted);
      }),
    watch: (connectorId, query, { signal: given }) =>
      each(async (own): Promise<Watch> => {
        const gone = new AbortController();
        response.on("close", () => gone.abort());
        const signal = AbortSignal.any([given, gone.signal]);
        const asked = { caller: () => options.recheck(request, response), connectorId, organization, signal, trace: own };
        let wanted = await askChanges(options, asked, query);
        options.gate.answered(response);
        return {
          next: async (wait) => {
            if (wait > 0) await outflow.drained();
            if (signal.aborted || options.gate.closing) return undefined;
            const page = await readChanges(options, asked, { ...wanted, wait: wait * 1000 });
            wanted = continued(wanted, page);
            return page;
          },
        };
      }),
    execute: async (connectorId, body, { signal, idempotencyKey, answerBytes, withTotal }) => {
      const { result } = await each((own) =>
        perform(options, {
          caller,
          connectorId,
          organization,
          body,
          idempotencyKey: () => idempotencyKey,
          requestId,
          headers: request.headers,
          signal: signal ?? new AbortController().signal,
          trace: own,
          answerBytes,
          withTotal,
        }),
      );
      const { json, meta } = result;
      return {
        get data() {
          return options.limits.of(caller).measure(() => result.data);
        },
        json,
        meta,
      };
    },
  };
}

function eventWebhooks(subscriptions: Subscriptions, manager: Manager, trace: Trace): EventWebhooks | undefined {
  if (!hasRight(manager.caller.grant, "read") || manager.caller.issued === true) return undefined;
  return {
    subscribe: async (wanted, more) => {
      const granted = await subscriptions.subscribeEvent(wanted, more, manager);
      if (granted.kind === "refused") return { refused: granted.reason };
      const { subscription, cursor, lastError } = granted;
      const { id, expires_at: refreshBefore, last_delivery_at: lastDeliveryAt } = subscription;
      Object.assign(trace, { deed: "subscription.create", target: id });
      const status = lastError === undefined ? {} : { deliveryStatus: { active: true, lastDeliveryAt, lastError } };
      return { result: { id, refreshBefore, cursor, truncated: false, ...status } };
    },
    unsubscribe: async (wanted) => {
      const target = await subscriptions.unsubscribeEvent(wanted, manager);
      Object.assign(trace, { deed: "subscription.delete", target });
    },
  };
}

/** The entities that the caller may use. */
function allowed(manual: Manual, grant: Grant): Manual {
  return { ...manual, entities: manual.entities.filter(({ name }) => mayUseEntity(grant, name)) };
}
