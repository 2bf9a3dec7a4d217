import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}

/** What the service answers; `cut` ends the connection without an answer. */
export type Reply =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body: unknown }
  | "cut";

/** An HTTP server whose answers a test writes itself, for what a real service does only when something fails. */
export async function tinyService(answer: (received: Received, nth: number) => Reply | Promise<Reply>) {
  const requests: Received[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    const { method = "", url: path = "", headers } = request;
    const received = { method, path, headers, body: text === "" ? undefined : (JSON.parse(text) as unknown) };
    requests.push(received);
    const reply = await answer(received, requests.length);
    if (reply === "cut") {
      request.socket.destroy();
      return;
    }
    response.writeHead(reply.status ?? 200, { "Content-Type": "application/json", ...reply.headers });
    response.end(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export function problem(status: number, code: string, more: object = {}, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers, body: { code, message: `It failed: ${code}.`, ...more } };
}
