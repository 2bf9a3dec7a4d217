import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Express } from "express";
import type { Logger } from "../../base/logger.ts";
import { createServer } from "../../base/node-http.ts";
import { requestLimits } from "../../base/request-limits.ts";
import { BoundedLog } from "./bounded-log.ts";
import { answerClientError, headError } from "./client-error.ts";
import { boundConnections } from "./connection-bound.ts";
import { connectionLimit } from "./file-limit.ts";
import { beginInTurns } from "./first-turns.ts";
import { HastyAddresses } from "./hasty.ts";
import { workInTurn } from "./pipelining.ts";
import { endSlowReaders } from "./slow-readers.ts";
import { boundPieces } from "./small-pieces.ts";

/**
 * Times in milliseconds: how long headers and a whole request may take to come in, how often that is looked at (the default of Node is
 * 30 s), and how long a connection may be idle between two requests.
 */
const times = {
  headersTimeout: requestLimits.headersSeconds * 1000,
  requestTimeout: requestLimits.seconds * 1000,
  connectionsCheckingInterval: 2000,
  keepAliveTimeout: 65_000,
};

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Connections at once; for one more, a connection that waits for its caller is ended. */
  readonly maxConnections: number;
  /** Milliseconds after which a connection is ended whose caller does not go on reading. */
  readonly writeTimeout: number;
  readonly log: Logger;
  /** The settings with which port and host are chosen, for messages. */
  readonly chosenBy?: { readonly port: string; readonly host: string };
  /** Replaces the times of the server, for tests that cannot wait so long. */
  readonly times?: Partial<typeof times>;
}

/**
 * Starts listening. Slow clients cannot hold a connection open for ever, and trouble with single connections is logged and survived.
 *
 * @throws Error that says what to change when the address cannot be used
 */
export function listen(app: Express, options: ListenOptions): Promise<{ server: Server; url: string }> {
  const { host, port, writeTimeout } = options;
  const maxConnections = connectionLimit(options.maxConnections);
  if (maxConnections < options.maxConnections)
    options.log.warn({ maxConnections }, "the limit of open files allows fewer connections than TENON_MAX_CONNECTIONS");
  const log = new BoundedLog(options.log);
  const server = createServer({ ...times, ...options.times, maxHeaderSize: requestLimits.headers, requireHostHeader: false });
  server.maxHeadersCount = 100;
  boundConnections(server, maxConnections, log);
  const hasty = new HastyAddresses();
  beginInTurns(server, hasty);
  const work: RequestListener = (request, response) => {
    const error = headError(request);
    if (error === undefined) app(request, response);
    else answerClientError(error, request.socket, log);
  };
  workInTurn(server, work, log, hasty);
  // Node would answer these with an empty 417, out of their turn.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  boundPieces(server, log);
  server.on("clientError", (error, socket) => answerClientError(error, socket, log));
  endSlowReaders(server, writeTimeout, log);
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(listenProblem(error, options));
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      // Accepting failed, as it does when the process may open no more files. The next connection may succeed.
      server.on("error", (error) => log.warn({ err: error }, "a connection could not be accepted"));
      const { address, family, port: taken } = server.address() as AddressInfo;
      resolve({ server, url: `http://${family === "IPv6" ? `[${address}]` : address}:${taken}` });
    });
  });
}

const usualSettings = { port: "TENON_PORT or --port", host: "TENON_HOST or --host" } as const;

/** The error in words that say what to change. */
function listenProblem(error: Error, { host, port, chosenBy = usualSettings }: ListenOptions): Error {
  const code = "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE")
    return new Error(`port ${port} is taken; choose another one with ${chosenBy.port}`, { cause: error });
  if (code === "EACCES") return new Error(`port ${port} needs more rights; choose one above 1023`, { cause: error });
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN")
    return new Error(`${host} is not an address of this machine; choose another one with ${chosenBy.host}`, { cause: error });
  return error;
}
