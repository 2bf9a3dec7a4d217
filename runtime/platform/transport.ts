import { GraphqlResponseError, withCustomRequest } from "@octokit/graphql";
import { request as octokitRequest } from "@octokit/request";
import type { PlatformPlan } from "../contract/index.ts";
import { AnswerTooLarge, answerBudget } from "./answer-budget.ts";
import { type Exchanged, exchange } from "./exchange.ts";
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
  /** `faults`: what the body of a GraphQL answer tells besides the status. */
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly data: unknown;
      readonly faults: readonly GraphqlFault[];
      readonly headers: Headers;
    }
  /** The answer had more than `limit` MiB and was not read to its end. */
  | { readonly kind: "too-large"; readonly status: number; readonly headers: Headers; readonly limit: number }
  /** `unsent`: no connection came about, so the platform did nothing. */
  | { readonly kind: "lost"; readonly cause: unknown; readonly unsent: boolean };

export interface RestRequest {
  readonly method: string;
  /** Path and query below the REST address, already percent-encoded; or a whole address of the same origin. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Documents that are kept as JSON. */
const mostDocuments = 500;

const noHeaders = new globalThis.Headers();

/** What @octokit/graphql sends with: the call's own hook, at once. Defaults that it would merge in first are all set by the hook. */
const handOver = Object.assign(
  (options: { request: { hook: (send: unknown, options: object) => unknown } }) => options.request.hook(undefined, options),
  { defaults: () => handOver, endpoint: octokitRequest.endpoint },
) as typeof octokitRequest;

/** The platform refused: an answer with a status that is no success. */
class Refusal extends Error {
  readonly answer: Exchanged;
  constructor(answer: Exchanged) {
    super(`status ${answer.status}`);
    this.answer = answer;
  }
}

/**
 * One call to the platform, without retries: @octokit/graphql for reads, @octokit/request for REST. Both hand the exchange itself
 * to a hook, because here the headers count as much as the data, and a redirect must not be followed.
 */
export class Transport {
  readonly #options: TransportOptions;
  readonly #fetch: typeof globalThis.fetch;
  readonly #documents = new Map<string, string>();
  readonly #graphql: ReturnType<typeof withCustomRequest>;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#fetch = options.fetch ?? globalThis.fetch;
    this.#graphql = withCustomRequest(handOver);
  }

  async graphql(document: string, variables: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Received> {
    const url = this.#options.endpoints.graphql;
    if (url === undefined) throw new Error("the connector has no GraphQL address");
    const token = await this.#options.token();
    let headers: Headers = noHeaders;
    try {
      const hook = async (_send: unknown, options: object) => {
        const { query, variables: given } = options as { query: string; variables?: object };
        const sent = { "content-type": "application/json; charset=utf-8", accept: "application/json", ...this.#signed(token) };
        const body = `{"query":${this.#quoted(query)},"variables":${JSON.stringify(given ?? {})}}`;
        const answer = await exchange(this.#fetch, url, { method: "POST", headers: sent, body, signal }, answerBudget);
        if (answer.status !== 200 || !isAnswer(answer.data)) throw new Refusal(answer);
        headers = answer.headers;
        return answer;
      };
      const data: unknown = await this.#graphql(document, { ...variables, request: { hook } });
      return { kind: "graphql", data, faults: [], headers };
    } catch (thrown) {
      if (!(thrown instanceof GraphqlResponseError)) return failed(thrown, faultsOf);
      return { kind: "graphql", data: thrown.data, faults: faultsOf(thrown), headers };
    }
  }

  async rest(call: RestRequest, signal: AbortSignal): Promise<Received> {
    const token = await this.#options.token();
    let answer: Exchanged | undefined;
    try {
      const hook = async (send: typeof octokitRequest, given: Parameters<typeof octokitRequest>[0]) => {
        // The address is ours: the library would take `:name` and `{name}` in it for templates.
        const { method, headers, body } = send.endpoint(given as Parameters<typeof send.endpoint>[0]);
        const sent = body === undefined ? {} : { body: JSON.stringify(body) };
        const options = { method, headers: headers as Record<string, string>, ...sent, signal };
        answer = await exchange(this.#fetch, this.#address(call.path), options, answerBudget);
        return answer;
      };
      await octokitRequest({
        method: call.method as "GET",
        url: "/",
        headers: { ...this.#options.plan.rest.headers, ...this.#signed(token) },
        ...(call.body === undefined ? {} : { data: call.body }),
        request: { hook },
      });
      if (answer === undefined) throw new Error("nothing was exchanged");
      if (answer.status >= 400 || (answer.status < 300 && typeof answer.data !== "object")) throw new Refusal(answer);
      return { kind: "rest", ...answer };
    } catch (thrown) {
      return failed(thrown, () => []);
    }
  }

  /** Where a redirect leads, or undefined: it may only lead to the same origin, because the token goes nowhere else. */
  redirect(location: string | null): string | undefined {
    const { rest } = this.#options.endpoints;
    if (location === null || !(URL.canParse(location) || (location.startsWith("/") && URL.canParse(location, rest))))
      return undefined;
    const target = new URL(location, rest);
    return target.origin === new URL(rest).origin ? target.href : undefined;
  }

  #address(path: string): string {
    return path.startsWith("/") ? this.#options.endpoints.rest + path : path;
  }

  /** A document as JSON: the same ones come again and again. */
  #quoted(document: string): string {
    let quoted = this.#documents.get(document);
    if (quoted !== undefined) return quoted;
    quoted = JSON.stringify(document);
    if (this.#documents.size >= mostDocuments) this.#documents.clear();
    this.#documents.set(document, quoted);
    return quoted;
  }

  #signed(token: string): { authorization: string; "user-agent": string } {
    return { authorization: `${this.#options.plan.auth.scheme} ${token}`, "user-agent": this.#options.userAgent };
  }
}

/** A body of GraphQL has data or errors. One with only a message is a refusal, whatever its status says. */
function isAnswer(body: unknown): boolean {
  return typeof body === "object" && body !== null && ("data" in body || "errors" in body);
}

/** @param faultsIn reads the GraphQL errors of a refusal's body */
function failed(thrown: unknown, faultsIn: (body: unknown) => GraphqlFault[]): Received {
  if (thrown instanceof AnswerTooLarge)
    return { kind: "too-large", status: thrown.status, headers: thrown.headers, limit: thrown.limit };
  if (!(thrown instanceof Refusal)) return { kind: "lost", cause: thrown, unsent: isUnsent(thrown) };
  const { status, headers, data } = thrown.answer;
  // A success whose body is no JSON was cut off, or comes from something in between.
  return status < 300 && typeof data !== "object"
    ? { kind: "lost", cause: thrown, unsent: false }
    : { kind: "refused", status, data, faults: faultsIn(data), headers };
}

/** `errors` of a GraphQL answer. */
function faultsOf(body: unknown): GraphqlFault[] {
  const errors: unknown = typeof body === "object" && body !== null && "errors" in body ? body.errors : undefined;
  return Array.isArray(errors) ? errors.map(readFault) : [];
}

/** Codes of a connection that never came about (Node's and undici's). */
const unsentCodes = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"];

function isUnsent(thrown: unknown): boolean {
  for (let cause: unknown = thrown, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++)
    if ("code" in cause && unsentCodes.includes(String(cause.code))) return true;
  return false;
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
