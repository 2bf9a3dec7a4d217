import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { Rounds } from "../../base/rounds.ts";
import type { HastyAddresses } from "./hasty.ts";

/** New connections that begin in one round, over all addresses. */
const mostAtOnce = 4;
/** Milliseconds between two connections of a hasty address, and how many of them wait for that. */
const pause = 5;
const mostPaused = 10;

/**
 * Lets each address begin one connection in a round of the event loop. Node reads what has come on all connections before it does anything
 * else: many new ones on which much was sent ahead would hold up those that there are. A hasty address begins more slowly, so that others
 * get their turns between two of its connections. Somebody else may have the same address, behind a proxy, and so waits no longer than
 * 50 ms because of that.
 */
export function beginInTurns(server: EventEmitter, hasty: HastyAddresses): void {
  const usual = new Rounds({ most: mostAtOnce });
  const slow = new Rounds({ pause });
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    const isPaused = hasty.has(socket) && slow.waiting(address) < mostPaused;
    const paused = isPaused ? slow.turn(address) : undefined;
    const turn = paused === undefined ? usual.turn(address) : paused.then(() => usual.turn(address));
    if (turn === undefined) return;
    socket.pause();
    void turn.then(() => socket.resume());
  });
}
