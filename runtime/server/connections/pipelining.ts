import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { requestLimits } from "../../base/request-limits.ts";
import type { BoundedLog } from "./bounded-log.ts";
import type { HastyAddresses } from "./hasty.ts";
import { parserOf } from "./http-parser.ts";

const { ahead: mostWaiting, aheadOfHasty: mostOfHasty } = requestLimits;

/** What the parser of Node takes as an error of its caller, at which it stops in the middle of what has come in. */
const stop = -1;

/**
 * Works on one request of a connection at a time. HTTP/1.1 lets a caller send requests ahead, whose responses have to come in the same
 * order (RFC 9112, 9.3.2): worked on all at once, those of a single connection could take all the places that there are. A connection that
 * has sent too many ahead is ended, and nothing more of it is read: Node would make a request and a response of everything that came in one
 * piece, which are 1,800 short requests. Those that wait have reached neither the application nor the log. Each of them costs Node much
 * when the connection ends, so that an address may do this once a minute.
 *
 * @param work gets each request in its turn
 */
export function workInTurn(server: Server, work: RequestListener, log: BoundedLog, hasty: HastyAddresses): void {
  /** Requests of each connection that have come and are not answered. */
  const open = new WeakMap<Socket, number>();
  /** Counts a request that comes. @returns whether it is one too many, for which the connection is ended */
  const isTooMany = (socket: Socket): boolean => {
    const count = (open.get(socket) ?? 0) + 1;
    open.set(socket, count);
    if (count <= mostOfHasty + 1 || (count <= mostWaiting + 1 && !hasty.has(socket))) return false;
    if (!socket.destroyed) {
      log.warn({ mostWaiting }, "a connection was ended: it has sent too many requests ahead");
      hasty.note(socket);
    }
    socket.destroy();
    return true;
  };
  const counted = new WeakSet<Socket>();
  server.on("connection", (socket: Socket) => {
    const parser = parserOf(socket);
    if (parser === undefined) return;
    counted.add(socket);
    const take = parser.onIncoming;
    parser.onIncoming = (request, keepAlive) => (isTooMany(socket) ? stop : take(request, keepAlive));
  });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (!counted.has(socket) && isTooMany(socket)) return;
    response.once("close", () => open.set(socket, (open.get(socket) ?? 1) - 1));
    // The response whose turn it is has the socket.
    if (response.socket !== null) work(request, response);
    else response.once("socket", () => work(request, response));
  });
}
