import type { Request, RequestHandler, Response } from "express";
import type { Caller } from "../../accounts/index.ts";
import { asTenonError, TenonError } from "../../base/errors.ts";
import { continued, type FeedAnswer, type FeedRequest } from "../../changes/index.ts";
import type { Answers } from "../answers.ts";
import { callerOf } from "../callers/bearer.ts";
import { whileOpen } from "../callers/while-open.ts";
import { askChanges, type ChangesOptions, type RequestedChanges, readChanges } from "../changes.ts";
import { organizationOf } from "../instance-of.ts";
import { traceOf } from "../monitoring/trace.ts";
import { problemOf, redactorOf } from "../problem.ts";
import { queryOf } from "../query.ts";
import { type Streams, sent } from "../streamed.ts";

interface RouteOptions extends ChangesOptions {
  /** Looks up anew whose request it is. @throws TenonError `unauthorized` */
  readonly recheck: (request: Request, response: Response) => Promise<Caller>;
}

/** `GET …/changes`: what syncs have changed in the cache, page by page. It takes the right `read`. */
export function changesRoute(options: RouteOptions, answers: Answers): RequestHandler {
  return async (request, response) => {
    const asked = askedBy(options, request, response);
    const wanted = await askChanges(options, asked, paramsOf(request));
    // A caller who waits takes no place.
    if (wanted.wait > 0) options.gate.answered(response);
    answers.sendJson(response, await readChanges(options, asked, wanted));
  };
}

/** Seconds between two signs of life in a stream without changes. */
const heartbeat = 15;

/**
 * `GET …/changes/stream`: the same as server-sent events. One page at most is in memory, and the next one is read when the caller has
 * taken it. It ends with the rights of the caller, and when the service ends; a client goes on with `Last-Event-ID`.
 */
export function changeStreamRoute(options: RouteOptions & { readonly streams: Streams }): RequestHandler {
  return async (request, response) => {
    const asked = askedBy(options, request, response);
    const query = paramsOf(request);
    const last = request.headers["last-event-id"];
    const given = typeof last === "string" && last !== "" ? { ...query, cursor: last } : query;
    const wanted = await askChanges(options, asked, given, true);
    options.streams.open(callerOf(response).id, response);
    options.gate.answered(response);
    response.writeHead(200, {
      "X-Request-Id": String(response.locals["requestId"]),
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
      "Content-Type": "text/event-stream; charset=utf-8",
      // Proxies must not collect events.
      "X-Accel-Buffering": "no",
    });
    if (request.method !== "HEAD") await stream(options, asked, { ...wanted, wait: heartbeat * 1000 }, response);
    response.end();
  };
}

async function stream(options: RouteOptions, asked: RequestedChanges, first: FeedRequest, response: Response): Promise<void> {
  // The head goes out at once, so that the client knows that it is connected.
  await sent(response, ": connected\n\n");
  for (let request = first; !asked.signal.aborted && !options.gate.closing; ) {
    const answer = await readChanges(options, asked, request).catch((thrown: unknown) => asTenonError(thrown));
    if (answer instanceof TenonError) {
      const problem = problemOf(answer, String(response.locals["requestId"]));
      await sent(response, `event: error\ndata: ${redactorOf(response)(JSON.stringify(problem))}\n\n`);
      return;
    }
    await sent(response, eventsOf(answer));
    request = continued(request, answer);
  }
}

/** The events of a page. The last id is the cursor of the page, also where the page has changes of nothing that the caller wants. */
function eventsOf({ data, meta }: FeedAnswer): string {
  const changes = data.map((entry) => `id: ${entry.cursor}\nevent: change\ndata: ${JSON.stringify(entry)}\n\n`);
  const truncated = meta.truncated ? `event: truncated\ndata: ${JSON.stringify({ cursor: meta.cursor })}\n` : "";
  return `${changes.join("")}id: ${meta.cursor}\n${truncated === "" ? ": heartbeat\n" : truncated}\n`;
}

function askedBy({ recheck }: RouteOptions, request: Request, response: Response): RequestedChanges {
  return {
    caller: () => recheck(request, response),
    connectorId: request.params["connectorId"],
    organization: organizationOf(request),
    signal: whileOpen(response),
    trace: traceOf(response),
  };
}

/** The parameters of a query, in the types that the change feed takes. */
function paramsOf(request: Request): Record<string, unknown> {
  return Object.fromEntries(Object.entries(queryOf(request)).map(([name, value]) => [name, paramOf(name, value)]));
}

function paramOf(name: string, value: string): unknown {
  switch (name) {
    case "entity":
    case "fields":
      return value.split(",");
    case "limit":
    case "wait":
      return /^\d{1,9}$/.test(value) ? Number(value) : value;
    case "filter":
      return parsed(value);
    default:
      return value;
  }
}

/** What is no JSON stays a text, which the check of the filter refuses. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
