import { GraphqlResponseError, withCustomRequest } from "@octokit/graphql";
import { request as octokitRequest } from "@octokit/request";
import type { PlatformPlan } from "../contract/index.ts";
import type { GraphqlFault, Headers } from "./failure.ts";

export interface Endpoints {
  readonly graphql: string | undefined;
  readonly rest: string;
}

export interface TransportOptions {
  readonly plan: PlatformPlan;
  readonly endpoints: Endpoints;
  readonly userAgent: string;
  /** Gives the token for the next call. */
  readonly token: () => Promise<string>;
  readonly fetch?: typeof globalThis.fetch;
}

/** What came back, whatever it was. Nothing here judges it. */
export type Received =
  | { readonly kind: "graphql"; readonly data: unknown; readonly faults: readonly GraphqlFault[]; readonly headers: Headers }
  | { readonly kind: "rest"; readonly status: number; readonly data: unknown; readonly headers: Headers }
  | { readonly kind: "refused"; readonly status: number; readonly data: unknown; readonly headers: Headers }
  | { readonly kind: "lost"; readonly cause: unknown };

export interface RestRequest {
  readonly method: string;
  /** Path and query below the REST address, already percent-encoded; or a whole address of the same origin. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** One call to the platform, without retries: @octokit/graphql for reads, @octokit/request for REST. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #graphql: ReturnType<typeof withCustomRequest>;

  constructor(options: TransportOptions) {
    this.#options = options;
    const headers = { "user-agent": options.userAgent };
    this.#graphql = withCustomRequest(octokitRequest).defaults({
      headers,
      ...(options.endpoints.graphql === undefined ? {} : { url: options.endpoints.graphql }),
    });
  }

  async graphql(document: string, variables: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Received> {
    const seen: { headers: Headers; data: unknown } = { headers: {}, data: undefined };
    try {
      const data: unknown = await this.#graphql(document, {
        ...variables,
        headers: await this.#authorization(),
        request: {
          ...this.#common(signal),
          // The library gives the data alone; the headers with the state of the budget are seen only here.
          hook: async (send: typeof octokitRequest, options: Parameters<typeof octokitRequest>[0]) => {
            const response = await send(options);
            seen.headers = response.headers;
            seen.data = response.data;
            return response;
          },
        },
      });
      if (typeof seen.data !== "object" || seen.data === null) return { kind: "lost", cause: new Error("the answer is no JSON") };
      return { kind: "graphql", data, faults: [], headers: seen.headers };
    } catch (thrown) {
      if (thrown instanceof GraphqlResponseError) {
        const errors: unknown = thrown.errors;
        return {
          kind: "graphql",
          data: thrown.data,
          faults: (Array.isArray(errors) ? errors : []).map(readFault),
          headers: thrown.headers,
        };
      }
      return refusedOrLost(thrown);
    }
  }

  async rest(call: RestRequest, signal: AbortSignal): Promise<Received> {
    try {
      const response = await octokitRequest({
        method: call.method as "GET",
        url: this.#address(call.path),
        headers: { ...this.#options.plan.rest.headers, "user-agent": this.#options.userAgent, ...(await this.#authorization()) },
        ...(call.body === undefined ? {} : { data: call.body }),
        request: this.#common(signal),
      });
      return { kind: "rest", status: response.status, data: response.data as unknown, headers: response.headers };
    } catch (thrown) {
      return refusedOrLost(thrown);
    }
  }

  /** A redirect may only lead to the same origin: the token goes nowhere else. */
  sameOrigin(address: string): boolean {
    return URL.canParse(address) && new URL(address).origin === new URL(this.#options.endpoints.rest).origin;
  }

  #address(path: string): string {
    return path.startsWith("/") ? this.#options.endpoints.rest + path : path;
  }

  async #authorization(): Promise<{ authorization: string }> {
    return { authorization: `bearer ${await this.#options.token()}` };
  }

  /** Redirects are not followed blindly, because that would repeat a write or carry the token away. */
  #common(signal: AbortSignal) {
    return {
      signal,
      redirect: "manual" as const,
      log: silent,
      ...(this.#options.fetch === undefined ? {} : { fetch: this.#options.fetch }),
    };
  }
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function refusedOrLost(thrown: unknown): Received {
  const response = typeof thrown === "object" && thrown !== null && "response" in thrown ? thrown.response : undefined;
  if (typeof response === "object" && response !== null && "status" in response && "headers" in response) {
    const { status, headers, data } = response as { status: number; headers: Headers; data?: unknown };
    return { kind: "refused", status, data, headers };
  }
  return { kind: "lost", cause: thrown };
}

function readFault(error: unknown): GraphqlFault {
  const source = (typeof error === "object" && error !== null ? error : {}) as Readonly<Record<string, unknown>>;
  const path = Array.isArray(source["path"])
    ? source["path"].filter((key) => typeof key === "string" || typeof key === "number")
    : [];
  const extensions = source["extensions"];
  return {
    type: typeof source["type"] === "string" ? source["type"] : undefined,
    message: typeof source["message"] === "string" ? source["message"] : "",
    path,
    extensions: typeof extensions === "object" && extensions !== null ? (extensions as Readonly<Record<string, unknown>>) : {},
  };
}
