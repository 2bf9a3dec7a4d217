import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type Options, startTenon, type Tenon } from "./service.ts";

export interface Stranger {
  readonly url: string;
  /** `METHOD path` of every request that came. */
  readonly seen: readonly string[];
  close(): void;
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that answers whatever a test says. */
export async function startStranger(answer: Answer): Promise<Stranger> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    request.resume();
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a server without a port");
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${address.port}`, seen, close };
}

export const json = (response: ServerResponse, body: string) =>
  response.writeHead(200, { "content-type": "application/json" }).end(body);

export const always =
  (status: number, body: string, headers: Readonly<Record<string, string>> = { "content-type": "application/json" }): Answer =>
  (_request, response) =>
    response.writeHead(status, headers).end(body);

/** A service whose platform is a stranger, for one test alone. */
export async function among(
  answer: Answer,
  options: Options,
  test: (running: { readonly tenon: Tenon; readonly seen: readonly string[] }) => Promise<void>,
): Promise<void> {
  const { url, seen, close } = await startStranger(answer);
  const tenon = await startTenon({ url, graphqlUrl: `${url}/graphql` }, { timeoutMs: 10_000, ...options });
  try {
    await test({ tenon, seen });
  } finally {
    await tenon.service.close();
    close();
  }
}
