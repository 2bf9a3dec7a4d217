import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";

/** A transport that knows which requests have no response yet, so that its process can end after the last one. */
export class AnsweredTransport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #inner: Transport;
  readonly #open = new Set<RequestId>();
  readonly #waiting: (() => void)[] = [];

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  async start(): Promise<void> {
    this.#inner.onmessage = (message, extra) => {
      if ("method" in message && "id" in message) this.#open.add(message.id);
      // A request that its client has cancelled gets no response.
      if ("method" in message && message.method === "notifications/cancelled") this.#ended(message.params?.["requestId"]);
      this.onmessage?.(message, extra);
    };
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = (error) => this.onerror?.(error);
    await this.#inner.start();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.#inner.send(message);
    } finally {
      if (!("method" in message)) this.#ended(message.id);
    }
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /** Resolves when every request that came in has its response. */
  async answered(): Promise<void> {
    if (this.#open.size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #ended(id: unknown): void {
    if (typeof id === "string" || typeof id === "number") this.#open.delete(id);
    if (this.#open.size === 0) for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
