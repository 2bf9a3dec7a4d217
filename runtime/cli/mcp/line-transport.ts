import {
  deserializeMessage,
  type JSONRPCMessage,
  ProtocolErrorCode,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/server";
import { isObject } from "../../base/is-object.ts";

/**
 * Messages of MCP in lines. Unlike the transport of the protocol's library, it closes only when every request that came in has its
 * response, so that a client may send all that it wants and end its input.
 */
export class LineTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #lines: AsyncIterable<Buffer>;
  readonly #write: (line: string) => Promise<void>;
  readonly #open = new Set<RequestId>();
  readonly #closed = new AbortController();
  #answered: (() => void) | undefined;

  /** @param write resolves when more may be written */
  constructor(lines: AsyncIterable<Buffer>, write: (line: string) => Promise<void>) {
    this.#lines = lines;
    this.#write = write;
  }

  async start(): Promise<void> {
    void this.#read().then(() => this.close());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.#write(`${JSON.stringify(message)}\n`);
    } finally {
      if (!("method" in message)) this.#end(message.id);
    }
  }

  /** Aborts when the transport is closed. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    this.onclose?.();
  }

  /** Ends when the input has ended and all requests have a response, or the input cannot be read. */
  async #read(): Promise<void> {
    try {
      for await (const line of this.#lines) this.#receive(line);
    } catch (thrown) {
      this.#fail(thrown);
      return;
    }
    if (this.#open.size > 0)
      await new Promise<void>((resolve) => {
        this.#answered = resolve;
      });
  }

  #receive(line: Buffer): void {
    const text = line.toString();
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(text);
    } catch (thrown) {
      const refusal = refusalOf(text);
      if (refusal !== undefined) void this.#write(`${JSON.stringify(refusal)}\n`).catch((failed) => this.#fail(failed));
      this.#fail(thrown);
      return;
    }
    try {
      if ("method" in message && "id" in message) this.#open.add(message.id);
      // A request that its client has cancelled gets no response.
      if ("method" in message && message.method === "notifications/cancelled") this.#end(message.params?.["requestId"]);
      this.onmessage?.(message);
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  #fail(thrown: unknown): void {
    this.onerror?.(thrown instanceof Error ? thrown : new Error(String(thrown)));
  }

  #end(id: unknown): void {
    if (typeof id === "string" || typeof id === "number") this.#open.delete(id);
    if (this.#open.size === 0) this.#answered?.();
  }
}

/** The error for a line that is not a JSON-RPC message (JSON-RPC 2.0, 4.1 and 5.1); undefined if it expects no response. */
function refusalOf(line: string): object | undefined {
  if (line.trim() === "") return undefined;
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return { jsonrpc: "2.0", id: null, error: { code: ProtocolErrorCode.ParseError, message: "The line is not JSON." } };
  }
  if (isObject(message) && message["id"] === undefined && typeof message["method"] === "string") return undefined;
  if (isObject(message) && ("result" in message || "error" in message)) return undefined;
  const id = isObject(message) ? message["id"] : null;
  const isId = typeof id === "string" || Number.isSafeInteger(id);
  const text =
    "This is not a JSON-RPC 2.0 message: a request needs a method, and may have an object as params and a string or an integer of at most 53 bits as id.";
  return { jsonrpc: "2.0", id: isId ? id : null, error: { code: ProtocolErrorCode.InvalidRequest, message: text } };
}
