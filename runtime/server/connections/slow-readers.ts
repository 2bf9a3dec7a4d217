import type { Server, Socket } from "node:net";
import type { BoundedLog } from "./bounded-log.ts";

interface Watched {
  /** Bytes of the connection's answers so far, those that wait included. */
  bytes: number;
  /** When that last changed or nothing waited: `performance.now()`. */
  since: number;
}

/**
 * Ends connections whose callers do not read: bytes of an answer wait in this process, and none could be sent for the whole write timeout.
 * Bytes that the system holds for a socket count as sent. One look at all connections now and then costs less than a timer for every
 * answer.
 *
 * @param timeout milliseconds
 */
export function endSlowReaders(server: Server, timeout: number, log: BoundedLog): void {
  const watched = new Map<Socket, Watched>();
  server.on("connection", (socket) => {
    watched.set(socket, { bytes: 0, since: performance.now() });
    socket.once("close", () => watched.delete(socket));
  });
  const look = () => {
    const now = performance.now();
    for (const [socket, one] of watched) {
      const bytes = socket.bytesWritten;
      if (socket.writableLength === 0 || bytes !== one.bytes) {
        one.bytes = bytes;
        one.since = now;
      } else if (now - one.since >= timeout) {
        log.warn({ waiting: socket.writableLength }, "a connection was ended: its caller stopped reading a response");
        socket.destroy();
      }
    }
  };
  const timer = setInterval(look, Math.min(1000, timeout / 4));
  timer.unref();
  server.once("close", () => clearInterval(timer));
}
