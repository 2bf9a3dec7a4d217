import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { Rounds } from "../../base/rounds.ts";
import type { HastyAddresses } from "./hasty.ts";

/** New connections that begin in one round, over all addresses. */
const mostAtOnce = 4;
/** Milliseconds between two connections of a hasty address. */
const pause = 5;

/**
 * Lets each address begin one connection in a round of the event loop. Node reads what has come on all connections before it does anything
 * else: many new ones on which much was sent ahead would hold up those that there are. A hasty address begins more slowly, so that others
 * get their turns between two of its connections.
 */
export function beginInTurns(server: EventEmitter, hasty: HastyAddresses): void {
  const usual = new Rounds({ most: mostAtOnce });
  const slow = new Rounds({ most: mostAtOnce, pause });
  server.on("connection", (socket: Socket) => {
    const turn = (hasty.has(socket) ? slow : usual).turn(socket.remoteAddress ?? "");
    if (turn === undefined) return;
    socket.pause();
    void turn.then(() => socket.resume());
  });
}
