import type { IncomingMessage } from "node:http";

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON; the text itself where it is not JSON; undefined without a body. */
  readonly body: unknown;
  /** When it came, in milliseconds since 1970. */
  readonly at: number;
  /** The status answered; 0 for a broken connection. */
  readonly status: number;
}

/** A request as the platform reads it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as received. An upload is not text. */
  readonly bytes?: Buffer;
  readonly at: number;
}

const mostBytes = 2 ** 20;

export async function receive(request: IncomingMessage): Promise<ReceivedRequest> {
  const at = Date.now();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size <= mostBytes) chunks.push(bytes);
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers))
    headers[name] = Array.isArray(value) ? value.join(", ") : (value ?? "");
  const bytes = Buffer.concat(chunks);
  return { method: request.method ?? "GET", path: request.url ?? "/", headers, text: bytes.toString(), bytes, at };
}

/** The body as JSON; undefined where it is not JSON. */
export function parseBody(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

export function record(received: ReceivedRequest, status: number): RecordedRequest {
  const { method, path, headers, text, at } = received;
  const body = text === "" ? undefined : (parseBody(text) ?? { value: text }).value;
  return { method, path, headers, body, at, status };
}
