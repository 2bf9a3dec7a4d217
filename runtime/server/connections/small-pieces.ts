import type { Server } from "node:http";
import type { Socket } from "node:net";
import { requestLimits } from "../../base/request-limits.ts";
import type { BoundedLog } from "./bounded-log.ts";
import { answerClientError, smallPieces } from "./client-error.ts";
import { parserOf } from "./http-parser.ts";

const { pieces: mostSmall, pieceBytes } = requestLimits;

/**
 * Ends a connection on which a body comes in too many small pieces, such as chunks of one byte. Node makes a buffer of each piece and calls
 * a function with it, also where the body is only dropped: at six bytes on the wire each, a few connections without a token would use all
 * of the processor's time and fill the memory.
 */
export function boundPieces(server: Server, log: BoundedLog): void {
  server.on("connection", (socket: Socket) => {
    const parser = parserOf(socket);
    const event = parser?.constructor.kOnBody;
    const take = event === undefined ? undefined : parser?.[event];
    if (parser === undefined || event === undefined || take === undefined) return;
    let request: object | null = null;
    let pieces = 0;
    let bytes = 0;
    parser[event] = (piece) => {
      if (parser.incoming !== request) {
        request = parser.incoming;
        pieces = 0;
        bytes = 0;
      }
      pieces++;
      bytes += piece.length;
      if (pieces <= mostSmall || bytes >= pieces * pieceBytes) {
        take.call(parser, piece);
        return;
      }
      // Nothing is called for the rest of what has come.
      parser[event] = undefined;
      answerClientError(smallPieces, socket, log);
    };
    // Node uses its parsers again, for other connections.
    socket.once("close", () => {
      parser[event] = take;
    });
  });
}
