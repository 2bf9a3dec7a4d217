import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "../base/node-http.ts";
import { type Answer, json } from "./answer.ts";
import { type ReceivedRequest, receive } from "./request.ts";

export interface Answered {
  readonly answer: Answer;
  /** Headers that every answer has. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Answers a request. `serial` counts the requests from 1, `url` is the address of the server. */
export type Handle = (received: ReceivedRequest, serial: number, url: string) => Promise<Answered>;

/** A server on this machine. */
export interface SimulatorServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Listens on this machine.
 *
 * @param port 0 is any free one
 */
export async function listen(port: number, handle: Handle): Promise<SimulatorServer> {
  let url = "";
  let serial = 0;
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const number = ++serial;
    const received = await receive(incoming).catch(() => undefined);
    // The caller went away in the middle of its request.
    if (received === undefined) return;
    const { answer, headers } = await handle(received, number, url).catch(broken);
    send(response, answer, { ...headers, ...answer.headers });
  };
  const server = createServer((incoming, response) => void serve(incoming, response));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the simulated platform has no port");
  url = `http://127.0.0.1:${address.port}`;
  return {
    url,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/**
 * The answer to a bug of the simulation. Its status is one that no platform uses, so that no test takes it for a refusal. Callers of a
 * service read the answer, so where the bug is goes to standard error.
 */
export function broken(thrown: unknown): Answered {
  console.error(thrown);
  return { answer: json(501, { message: `the simulated platform failed: ${thrown}` }), headers: {} };
}

function send(response: ServerResponse, answer: Answer, headers: Readonly<Record<string, string>>): void {
  if (answer.broken === true) {
    response.socket?.destroy();
    return;
  }
  const body = Buffer.from(answer.body);
  response.writeHead(answer.status, { ...headers, "content-length": String(body.length) });
  response.end(body);
}
