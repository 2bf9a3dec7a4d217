import type { Socket } from "node:net";

/** Takes a piece of a body, as Node calls it; `this` is the parser. */
export type TakeBody = (this: unknown, piece: Buffer) => void;

/** What this service uses of Node's parser of a connection. */
export interface HttpParser {
  /** Takes a request whose headers have come in. A negative result ends the parsing. */
  onIncoming: (request: unknown, keepAlive: boolean) => number;
  /** The request whose body comes in. */
  readonly incoming: object | null;
  /** Its functions by the numbers of their events. Without one for an event, Node parses on and calls nothing. */
  [event: number]: TakeBody | undefined;
  readonly constructor: { readonly kOnBody?: number };
}

/**
 * The parser of a connection. Node keeps it in this member, which is not documented: without it, a connection that sends too much is ended
 * all the same, but only after all that came in one piece has been parsed.
 */
export function parserOf(socket: Socket): HttpParser | undefined {
  const parser: unknown = "parser" in socket ? socket.parser : undefined;
  const isParser =
    typeof parser === "object" && parser !== null && "onIncoming" in parser && typeof parser.onIncoming === "function";
  return isParser ? (parser as HttpParser) : undefined;
}
