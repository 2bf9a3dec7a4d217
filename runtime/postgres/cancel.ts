import net from "node:net";
import tls from "node:tls";
import type pg from "pg";
import type { DatabaseAddress } from "./address.ts";
import { driverConnection } from "./driver.ts";

/** Milliseconds after which a request to cancel is given up. */
const patience = 5_000;
/** `SSLRequest` and `CancelRequest`, from "Message Formats" in PostgreSQL's documentation. */
const tlsCode = 80877103;
const cancelCode = 80877102;

/**
 * Asks the server to cancel what a connection runs. Closing that connection alone would not do: the server notices it only when it sends
 * the answer. The request goes over a connection of its own, as the protocol wants it, and a pooler passes it on. It may arrive when
 * the first connection has begun something else, so that one must be closed and not be used again. The server sends no answer.
 */
export function cancelQuery(client: pg.ClientBase, { host = "localhost", port = 5432, ssl }: DatabaseAddress["config"]): void {
  const { processID, secretKey } = driverConnection(client);
  if (typeof processID !== "number" || secretKey === null || secretKey === undefined) return;
  const request = cancelRequest(processID, secretKey);
  const socket = net.connect(host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  const end = () => void socket.destroy();
  const timer = setTimeout(end, patience).unref();
  socket.on("error", end).on("close", () => clearTimeout(timer));
  if (typeof ssl !== "object") {
    socket.end(request);
    return;
  }
  socket.write(packet(tlsCode, Buffer.alloc(0)));
  socket.once("data", (answer) => {
    if (answer.toString("latin1") !== "S") return end();
    const safe = tls.connect({ ...ssl, socket, host, ...(net.isIP(host) === 0 ? { servername: host } : {}) }, () =>
      safe.end(request),
    );
    safe.on("error", end);
  });
}

function cancelRequest(processId: number, secretKey: number | Uint8Array): Buffer {
  const id = Buffer.alloc(4);
  id.writeInt32BE(processId);
  if (typeof secretKey !== "number") return packet(cancelCode, Buffer.concat([id, secretKey]));
  const key = Buffer.alloc(4);
  key.writeInt32BE(secretKey);
  return packet(cancelCode, Buffer.concat([id, key]));
}

function packet(code: number, rest: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + rest.length, 0);
  head.writeInt32BE(code, 4);
  return Buffer.concat([head, rest]);
}
