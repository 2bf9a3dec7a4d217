import { isObject } from "../base/is-object.ts";
import { pause } from "../base/pause.ts";
import type { ToolHost } from "./host.ts";

// `events/stream`: a request that lasts, and gets events as notifications.

/** Seconds between two signs of life in a stream without events: the proposal wants one each 30 s. */
const heartbeat = 15;
/** Milliseconds after which a stream that could not read goes on. */
const afterError = 5_000;

export interface StreamedEvent {
  readonly connectorId: string;
  readonly event: string;
  /** Parameters of the change feed, with the cursor where the stream begins. */
  readonly query: Readonly<Record<string, unknown>> & { readonly cursor: string };
  /** Milliseconds; older events are left out. */
  readonly maxAgeMs: number | undefined;
}

export interface EventStreamClient {
  readonly signal: AbortSignal;
  /** Sends a notification about the stream. Resolves when it is under way. */
  readonly say: (what: string, params: Readonly<Record<string, unknown>>) => Promise<void>;
  /** An event as a client gets it. */
  readonly occurrence: (name: string, entry: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** An error as a client gets it, and whether it is the end of the stream. */
  readonly failure: (thrown: unknown) => { readonly error: object; readonly isEnd: boolean };
}

/**
 * Sends events until the client has gone, the service ends, or the caller may not read them any longer.
 *
 * @throws what the first look at the changes throws: then there is no stream
 */
export async function streamEvents(host: ToolHost, wanted: StreamedEvent, client: EventStreamClient): Promise<void> {
  const { connectorId, event, query, maxAgeMs } = wanted;
  const { signal, say, occurrence, failure } = client;
  const watch = await host.watch(connectorId, query, { signal });
  const oldest = maxAgeMs === undefined ? "" : new Date(Date.now() - maxAgeMs).toISOString();
  const isYoung = (entry: Readonly<Record<string, unknown>>) => String(entry["at"]) >= oldest;
  let page = await watch.next(0);
  let isFirst = true;
  while (page !== undefined) {
    const { data, meta } = page;
    const all = Array.isArray(data) ? data.filter(isObject) : [];
    const young = all.filter(isYoung);
    const isCut = meta["truncated"] === true || young.length < all.length;
    const beginning = query.cursor === "latest" || isCut ? meta["cursor"] : query.cursor;
    if (isFirst || isCut) await say("active", { cursor: isFirst ? beginning : meta["cursor"], truncated: isCut });
    else if (all.length === 0) await say("heartbeat", { cursor: meta["cursor"] });
    isFirst = false;
    for (const entry of young) await say("event", { ...occurrence(event, entry), cursor: entry["cursor"] });
    page = await nextOf();
  }

  /** The next page; undefined where the stream ends. */
  async function nextOf(): ReturnType<typeof watch.next> {
    while (!signal.aborted) {
      try {
        return await watch.next(heartbeat);
      } catch (thrown) {
        // A client that has cancelled the stream gets nothing more of it.
        if (signal.aborted) return undefined;
        const { error, isEnd } = failure(thrown);
        await say(isEnd ? "terminated" : "error", { error });
        if (isEnd) return undefined;
        await pause(afterError, signal);
      }
    }
    return undefined;
  }
}
