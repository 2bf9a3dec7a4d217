import { withEnvironment } from "./connector-client.ts";
import { HostedTransport } from "./hosted.ts";
import type { HostedOptions } from "./options.ts";

/** Milliseconds that one call may take. */
const usualTimeout = 60_000;

/** What a service has beside the records of its connectors, under one address. */
export abstract class ServiceObjects {
  readonly #transport: HostedTransport;
  protected abstract readonly path: string;

  /** @param options as of a client in hosted mode; what they leave open comes from the environment */
  constructor(options: HostedOptions = {}) {
    this.#transport = new HostedTransport("", withEnvironment(options));
  }

  /** @param path behind that of all objects */
  protected async call<Found>(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: object): Promise<Found> {
    const { data } = await this.#transport.call(method, `${this.path}${path}`, body, AbortSignal.timeout(usualTimeout));
    return data as Found;
  }

  protected pathOf(id: string): string {
    return `/${encodeURIComponent(id)}`;
  }
}
