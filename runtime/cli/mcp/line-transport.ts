import { deserializeMessage, type JSONRPCMessage, type RequestId, type Transport } from "@modelcontextprotocol/server";

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
    try {
      const message = deserializeMessage(line.toString());
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
