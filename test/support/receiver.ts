import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A delivery as it came in. */
export interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: ReceivedBody;
}

export interface ReceivedBody {
  readonly type?: string;
  readonly data: Readonly<Record<string, unknown>> & {
    readonly key: Readonly<Record<string, unknown>>;
    readonly entity: string;
    readonly kind: string;
    readonly sequence: number;
  };
  readonly [name: string]: unknown;
}

/** How a receiver responds: a status, or that and more. */
export type Reply = number | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };

/** A receiver of webhooks in this process. */
export async function openReceiver() {
  const received: Received[] = [];
  const state = { reply: (_: Received): Reply | Promise<Reply> => 204 };
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request) text += String(piece);
    const one: Received = { headers: plain(request.headers), text, body: JSON.parse(text) };
    received.push(one);
    const reply = await state.reply(one);
    const { status, headers = {}, body = "" } = typeof reply === "number" ? { status: reply } : reply;
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    /** Decides how it responds from now on. */
    respond: (reply: typeof state.reply) => {
      state.reply = reply;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function plain(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
