import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { BoundedLog } from "./bounded-log.ts";

interface Connection {
  readonly address: string;
  /** Requests whose answers have not ended. */
  readonly requests: Set<IncomingMessage>;
  /** When it was made, or when its last answer ended: `performance.now()`. */
  since: number;
}

/**
 * Bounds the connections of a server. When there is one too many, one is ended on which the service works at nothing: it is idle, or its
 * request has not come in whole. It is one of the address that has most of them, and there the one that has waited longest, so that a
 * caller who only holds connections open loses them, and everybody else gets in. While the service works for all of them, the new
 * connection is refused.
 */
export function boundConnections(server: Server, most: number, log: BoundedLog): void {
  const connections = new Map<Socket, Connection>();
  const forget = (socket: Socket) => connections.delete(socket);
  server.on("connection", (socket: Socket) => {
    connections.set(socket, { address: socket.remoteAddress ?? "", requests: new Set(), since: performance.now() });
    socket.once("close", () => forget(socket));
    if (connections.size <= most) return;
    const given = mostWaiting(connections, socket);
    const [ended, why] =
      given === undefined ? [socket, "a connection was refused"] : [given, "a connection without work was ended"];
    log.warn({ maxConnections: most }, `${why}: there are too many`);
    forget(ended);
    ended.destroy();
  });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (connection === undefined) return;
    connection.requests.add(request);
    response.once("close", () => {
      connection.requests.delete(request);
      connection.since = performance.now();
    });
  });
}

/** The connection that can best be given up for a new one; undefined when there is work on all of them. */
function mostWaiting(connections: ReadonlyMap<Socket, Connection>, made: Socket): Socket | undefined {
  const waiting = new Map<string, { count: number; socket: Socket; since: number }>();
  for (const [socket, { address, requests, since }] of connections) {
    if (socket === made || [...requests].some(({ complete }) => complete)) continue;
    const known = waiting.get(address);
    if (known === undefined) waiting.set(address, { count: 1, socket, since });
    else {
      known.count++;
      if (since < known.since) {
        known.socket = socket;
        known.since = since;
      }
    }
  }
  return [...waiting.values()].sort((one, other) => other.count - one.count || one.since - other.since)[0]?.socket;
}
