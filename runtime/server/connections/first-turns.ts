import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { Rounds } from "../../base/rounds.ts";

/** New connections that begin in one round of the event loop, over all addresses. */
const mostAtOnce = 4;

/**
 * Lets each address begin one connection in a round of the event loop. Node reads what has come on all connections before it does anything
 * else: many new ones on which much was sent ahead would hold up those that there are.
 */
export function beginInTurns(server: EventEmitter): void {
  const rounds = new Rounds({ most: mostAtOnce });
  server.on("connection", (socket: Socket) => {
    const turn = rounds.turn(socket.remoteAddress ?? "");
    if (turn === undefined) return;
    socket.pause();
    void turn.then(() => socket.resume());
  });
}
