import type { RequestHandler } from "express";

/** Requests of one connection that may wait for those before them. */
const mostWaiting = 100;

/**
 * Works on one request of a connection at a time. HTTP/1.1 lets a caller send requests ahead, whose answers have to come in the same order
 * (RFC 9112, 9.3.2): worked on all at once, those of a single connection could take all the places that there are. A connection that has
 * sent too many ahead is ended.
 */
export const oneAtATime: RequestHandler = ({ socket }, response, next) => {
  // What came in one piece is read to its end, although the connection was ended in its middle.
  if (socket.destroyed) return;
  // The response whose turn it is has the socket.
  if (response.socket !== null) {
    next();
    return;
  }
  const waiting = (counts.get(socket) ?? 0) + 1;
  counts.set(socket, waiting);
  if (waiting > mostWaiting) {
    socket.destroy();
    return;
  }
  response.once("socket", () => {
    counts.set(socket, (counts.get(socket) ?? 1) - 1);
    next();
  });
};

/** How many requests of a connection wait now. */
const counts = new WeakMap<object, number>();
