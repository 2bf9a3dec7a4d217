import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { pino } from "pino";
import { Answers } from "../../runtime/server/answers.ts";
import { type AppOptions, createApp } from "../../runtime/server/app.ts";
import { tokenHash } from "../../runtime/server/callers/bearer.ts";
import { type ListenOptions, listen } from "../../runtime/server/connections/listen.ts";
import { Gate } from "../../runtime/server/gate.ts";
import { fakeInstance } from "./fake-instance.ts";
import { idleParts } from "./idle-parts.ts";

export const key = "key-of-the-http-tests";
export const path = "/api/v1/integrations/connectors/github/execute";

export interface Limits {
  readonly maxRequests?: number;
  readonly maxUnsent?: number;
  readonly writeTimeout?: number;
  readonly maxConnections?: number;
  readonly times?: NonNullable<ListenOptions["times"]>;
  /** Characters of the text of a file. */
  readonly text?: number;
  /** Bytes of larger bodies that may come in at once. */
  readonly maxArriving?: number;
  /** The clock of what waits to be read; it stands still where none is given. */
  readonly now?: () => number;
}

/** What an application needs besides its instances, with wide bounds. */
export function appOptions(instances: AppOptions["instances"]["instances"]): AppOptions {
  return {
    instances: { instances },
    ...idleParts,
    tokenHash: tokenHash(key),
    log: pino({ level: "silent" }),
    gate: new Gate(500),
    answers: new Answers(2 ** 28),
    ready: () => true,
    timeout: 30_000,
    platformLimits: { share: 0.5, wait: 10_000 },
    connectors: new Map(),
    mcpWrites: false,
    descriptions: { version: "test", connectors: new Map() },
    docs: { folder: new URL("./no-docs/", import.meta.url), consoleKey: undefined },
  };
}

/** The HTTP face of the service on a platform whose one answer is a file of so many characters, or the login of the viewer. */
export async function startHttp({ maxRequests = 500, maxUnsent = 2 ** 28, writeTimeout = 600_000, ...limits }: Limits) {
  const text = "x".repeat(limits.text ?? 10);
  const { instance, seen } = fakeInstance(({ body }) =>
    JSON.stringify(body).includes("viewer")
      ? { data: { viewer: { login: "octocat" } } }
      : { data: { repository: { object: { __typename: "Blob", text } } } },
  );
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: "info" }, { write: (line) => void lines.push(JSON.parse(line)) });
  const gate = new Gate(maxRequests, limits.maxArriving);
  const app = createApp({
    ...appOptions(new Map([["github", instance]])),
    log,
    gate,
    answers: new Answers(maxUnsent, limits.now ?? (() => 0)),
  });
  const { maxConnections = 1000, times = {} } = limits;
  const { server, url } = await listen(app, { host: "127.0.0.1", port: 0, maxConnections, writeTimeout, log, times });
  return {
    server,
    url,
    lines,
    seen,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export type Http = Awaited<ReturnType<typeof startHttp>>;

export const viewer = JSON.stringify({ entity: "viewer", action: "get", params: { fields: ["login"] } });
export const file = JSON.stringify({
  entity: "file_content",
  action: "get",
  params: { owner: "o", repo: "r", path: "p", fields: ["text"] },
});

/** A request as it goes over the wire. */
export function request(body: string | Uint8Array, more: readonly string[] = [], token = key): Buffer {
  const bytes = Buffer.from(body);
  const length = more.some((line) => /^(content-length|transfer-encoding)/i.test(line))
    ? []
    : [`Content-Length: ${bytes.length}`];
  const head = [
    `POST ${path} HTTP/1.1`,
    "Host: x",
    `Authorization: Bearer ${token}`,
    "Content-Type: application/json",
    ...length,
    ...more,
  ];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), bytes]);
}

export interface Wire {
  readonly socket: Socket;
  /** Everything that has come so far. */
  readonly text: () => string;
  /** Resolves when the server has ended the connection. */
  readonly closed: Promise<void>;
}

/** A connection of a caller who reads only when told so. */
export async function wire({ url }: Pick<Http, "url">, send: string | Uint8Array, reads = true): Promise<Wire> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  const chunks: Buffer[] = [];
  const closed = once(socket, "close").then(() => undefined);
  if (reads) socket.on("data", (chunk) => chunks.push(chunk));
  else socket.pause();
  await once(socket, "connect");
  socket.write(send);
  return { socket, closed, text: () => Buffer.concat(chunks).toString() };
}

/** The statuses of the answers in what came over a connection. */
export const statuses = (text: string): number[] => [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map((match) => Number(match[1]));
