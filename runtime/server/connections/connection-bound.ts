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
 * request has not come in whole. Where there is none, one is ended whose caller has not read what was sent. It is one of the address that
 * has most of them, and there the one that has waited longest, so that a caller who only holds connections open loses them, and everybody
 * else gets in. While the service works for all of them, the new connection is refused.
 */
export function boundConnections(server: Server, most: number, log: BoundedLog): void {
  const connections = new Map<Socket, Connection>();
  const forget = (socket: Socket) => connections.delete(socket);
  server.on("connection", (socket: Socket) => {
    connections.set(socket, { address: socket.remoteAddress ?? "", requests: new Set(), since: performance.now() });
    socket.once("close", () => forget(socket));
    if (connections.size <= most) return;
    const given = mostWaiting(connections, socket, isWithoutWork) ?? mostWaiting(connections, socket, isUnread);
    const [ended, why] =
      given === undefined ? [socket, "a connection was refused"] : [given, "a connection that waits for its caller was ended"];
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

function isWithoutWork(_socket: Socket, { requests }: Connection): boolean {
  return !requests.values().some(({ complete }) => complete);
}

/** Whether a response waits for its caller. A caller who takes a little of it now and then is not ended for being slow. */
function isUnread({ writableLength }: Socket): boolean {
  return writableLength > 0;
}

/** The connection that can best be given up for a new one, of those that may be; undefined when there is none. */
function mostWaiting(
  connections: ReadonlyMap<Socket, Connection>,
  made: Socket,
  mayEnd: (socket: Socket, connection: Connection) => boolean,
): Socket | undefined {
  const waiting = new Map<string, { count: number; socket: Socket; since: number }>();
  for (const [socket, connection] of connections) {
    const { address, since } = connection;
    if (socket === made || !mayEnd(socket, connection)) continue;
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
