import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";

type Sending = Readable & Pick<IncomingMessage, "complete" | "headers">;

/** Bodies that are dropped at the same time. For one more, the connection is ended on which that has taken longest. */
const mostAtOnce = 32;

/** A body of at most so many announced bytes comes in one or two pieces, which are not worth a pace. */
const small = 16 * 1024;

/** Milliseconds between two pieces of what is dropped, over all requests. */
const pause = 20;

/**
 * A function that reads and drops what is left of the body of a refused request, so that its connection can be used again. All bodies given
 * to it come in at one pace together, of some 3 MiB a second: read as fast as callers send, they would take the event loop from others, and
 * the memory of what was dropped would have to be collected many times a second. A small body is read at once, so that requests which are
 * refused in a burst do not end each other's connections. While nothing is read of a connection, it cannot be seen
 * that its caller has gone, so that there may be few of them.
 */
export function restDropper(): (request: Sending) => void {
  const dropping = new Set<Sending>();
  return (request) => {
    if (dropping.has(request)) return;
    if (request.complete || request.destroyed || Number(request.headers["content-length"]) <= small) {
      request.resume();
      return;
    }
    const [longest] = dropping;
    if (longest !== undefined && dropping.size >= mostAtOnce) {
      dropping.delete(longest);
      longest.destroy();
    }
    dropping.add(request);
    const next = () => void request.resume();
    let timer: NodeJS.Timeout | undefined;
    request.on("data", () => {
      if (request.complete) return;
      request.pause();
      timer = setTimeout(next, pause * dropping.size);
    });
    request.once("close", () => {
      dropping.delete(request);
      clearTimeout(timer);
    });
    request.resume();
  };
}

/** Drops the rests of all refused bodies of this process: see {@link restDropper}. */
export const dropRest = restDropper();
