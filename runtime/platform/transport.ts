import { GraphqlResponseError, withCustomRequest } from "@octokit/graphql";
import { request as octokitRequest } from "@octokit/request";
import { BoundedMap } from "../base/bounded-map.ts";
import { deferred } from "../base/deferred.ts";
import { type Mask, maskOf } from "../base/redact.ts";
import type { PlatformPlan } from "../contract/index.ts";
import { type Endpoints, filledHeaders, lowerCase, pathOf, withQuery } from "./addresses.ts";
import { answerBudget } from "./answer-budget.ts";
import { bodySignature, type Credential, type Signature, type SignedCall, secretsOf, signatureOf } from "./credential.ts";
import { saysFailure } from "./error-places.ts";
import { type Exchanged, exchange } from "./exchange.ts";
import { partialContent } from "./failure.ts";
import { failed, faultsOf, isAnswer, noHeaders, type Received, Refusal } from "./received.ts";

export interface TransportOptions {
  readonly plan: PlatformPlan;
  readonly endpoints: Endpoints;
  readonly userAgent: string;
  /** Gives the credential for the next call. */
  readonly credential: () => Promise<Credential>;
  /** Told that the platform refused a credential; gives another one to try once. */
  readonly renew?: (refused: Credential) => Promise<Credential | undefined>;
  /** Whether the platform refused the credential of a call, and so did nothing. */
  readonly isRefused: (received: Received) => boolean;
  readonly fetch?: typeof globalThis.fetch;
}

/** What authenticates a call, and what must not come back from it. */
interface Signed extends Signature {
  readonly mask: Mask | undefined;
  /** Gives the headers that sign a body; absent where the platform wants none. */
  readonly sign: ((call: SignedCall) => Readonly<Record<string, string>>) | undefined;
}

/** A body that is neither JSON nor a form: its media type and its bytes. */
export interface Content {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface RestRequest {
  readonly method: string;
  /** Path and query below the REST address, already percent-encoded; or a whole address of the same origin. */
  readonly path: string;
  /** Sent as JSON; a text is sent as a form, and anything else as it is. */
  readonly body?: { readonly json: Readonly<Record<string, unknown>> } | { readonly form: string } | Content;
  readonly headers?: Readonly<Record<string, string>>;
  /** Name of the limit of this call alone. */
  readonly limit?: string;
  /** A redirect to something else is a good answer, and is not followed. */
  readonly redirect?: true;
}

/** How many documents are kept as JSON. */
const mostDocuments = 500;

/** Makes @octokit/graphql call the hook of each call directly. The hook sets all headers itself, so no defaults have to be merged. */
const handOver = Object.assign(
  (options: { request: { hook: (send: unknown, options: object) => unknown } }) => options.request.hook(undefined, options),
  { defaults: () => handOver, endpoint: octokitRequest.endpoint },
) as typeof octokitRequest;

/**
 * Sends one call to the platform, without retries except after a refused credential. GraphQL goes through @octokit/graphql, REST through
 * @octokit/request. Both leave the HTTP exchange to a hook of this class, which keeps the headers and does not follow redirects.
 */
export class HttpTransport {
  readonly #options: TransportOptions;
  readonly #fetch: typeof globalThis.fetch;
  #mask: { readonly of: string; readonly mask: Mask | undefined } | undefined;
  /** Credentials seldom change, and a changed one is another object. */
  readonly #signatures = new WeakMap<Credential, Signed>();
  readonly #documents = new BoundedMap<string, string>(mostDocuments);
  readonly #graphql: ReturnType<typeof withCustomRequest>;
  readonly #headers: Readonly<Record<"graphql" | "rest", Readonly<Record<string, string>>>>;

  constructor(options: TransportOptions) {
    this.#options = options;
    const { plan, endpoints } = options;
    const { variables } = endpoints;
    this.#headers = {
      graphql: filledHeaders(plan.graphql?.headers, variables),
      rest: filledHeaders(plan.rest?.headers, variables),
    };
    this.#fetch = options.fetch ?? globalThis.fetch;
    this.#graphql = withCustomRequest(handOver);
  }

  /** @param caller for whom the call is */
  graphql(
    document: string,
    variables: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    caller: string,
  ): Promise<Received> {
    return this.#signed(signal, (signature) => this.#sendGraphql(document, variables, signature, signal, caller));
  }

  async #sendGraphql(
    document: string,
    variables: Readonly<Record<string, unknown>>,
    signature: Signed,
    signal: AbortSignal,
    caller: string,
  ): Promise<Received> {
    const url = this.#options.endpoints.graphql;
    if (url === undefined) throw new Error("the connector has no GraphQL address");
    let received: Pick<Exchanged, "headers" | "brokenText"> = { headers: noHeaders() };
    try {
      const hook = async (_send: unknown, options: object) => {
        const { query, variables: given } = options as { query: string; variables?: object };
        const body = `{"query":${this.#quoted(query)},"variables":${JSON.stringify(given ?? {})}}`;
        const address = withQuery(url, signature);
        const headers = {
          "content-type": "application/json; charset=utf-8",
          accept: "application/json",
          ...this.#headers.graphql,
          ...signature.headers,
          ...signature.sign?.({ method: "POST", path: pathOf(address), body }),
        };
        const answer = await exchange(
          this.#fetch,
          address,
          { method: "POST", headers, body, signal },
          answerBudget.of(caller),
          signature.mask,
        );
        if (answer.status !== 200 || !isAnswer(answer.data) || this.#isRefusal(answer)) throw new Refusal(answer);
        const { headers: sentBack, brokenText } = answer;
        received = { headers: sentBack, ...(brokenText === undefined ? {} : { brokenText }) };
        return answer;
      };
      const data: unknown = await this.#graphql(document, { ...variables, request: { hook } });
      return { kind: "graphql", ...received, data, faults: [] };
    } catch (thrown) {
      if (!(thrown instanceof GraphqlResponseError)) return failed(thrown, faultsOf);
      return { kind: "graphql", ...received, data: thrown.data, faults: faultsOf(thrown) };
    }
  }

  /** @param caller for whom the call is */
  rest(call: RestRequest, signal: AbortSignal, caller: string): Promise<Received> {
    return this.#signed(signal, (signature) => this.#sendRest(call, signature, signal, caller));
  }

  async #sendRest(call: RestRequest, signature: Signed, signal: AbortSignal, caller: string): Promise<Received> {
    let answer: Exchanged | undefined;
    const own = call.body === undefined || "json" in call.body ? undefined : contentOf(call.body);
    const ofSpec = { ...this.#headers.rest, ...lowerCase(call.headers ?? {}) };
    try {
      const hook = async (send: typeof octokitRequest, given: Parameters<typeof octokitRequest>[0]) => {
        // The address is not given to the library, which would read `:name` and `{name}` in it as templates.
        const { method, headers, body } = send.endpoint(given as Parameters<typeof send.endpoint>[0]);
        // The library gives a PUT or PATCH without a body an empty text, which is no JSON object.
        const sent = own?.body ?? (call.body === undefined ? undefined : JSON.stringify(body));
        const address = withQuery(this.#address(call.path), signature);
        const signed = signature.sign?.({ method, path: pathOf(address), body: sent ?? "" });
        const options = { method, headers: { ...(headers as Record<string, string>), ...signed }, signal };
        answer = await exchange(
          this.#fetch,
          address,
          sent === undefined ? options : { ...options, body: sent },
          answerBudget.of(caller),
          signature.mask,
        );
        return answer;
      };
      await octokitRequest({
        method: call.method as "GET",
        url: "/",
        headers: {
          accept: "application/json",
          ...ofSpec,
          ...(own === undefined ? {} : { "content-type": own.type }),
          ...signature.headers,
        },
        ...(call.body === undefined || !("json" in call.body) ? {} : { data: call.body.json }),
        request: { hook },
      });
      if (answer === undefined) throw new Error("nothing was exchanged");
      if (answer.status === partialContent && !asksForRange(ofSpec)) throw new Refusal(answer);
      if (answer.status >= 400 || (answer.status < 300 && this.#isRefusal(answer))) throw new Refusal(answer);
      return { kind: "rest", ...answer };
    } catch (thrown) {
      return failed(thrown, () => []);
    }
  }

  /** Whether the body of a success is not what was requested: no JSON, or an error by the spec. */
  #isRefusal(answer: Exchanged): boolean {
    return typeof answer.data !== "object" || saysFailure(answer, this.#options.plan.errors.when);
  }

  /** The address of a redirect; undefined when it leads to another origin, because the token must not be sent there. */
  redirect(location: string | null): string | undefined {
    const { rest } = this.#options.endpoints;
    if (
      rest === undefined ||
      location === null ||
      !(URL.canParse(location) || (location.startsWith("/") && URL.canParse(location, rest)))
    )
      return undefined;
    const target = new URL(location, rest);
    return target.origin === new URL(rest).origin ? target.href : undefined;
  }

  #address(path: string): string {
    if (!path.startsWith("/")) return path;
    const { rest } = this.#options.endpoints;
    if (rest === undefined) throw new Error("the connector has no REST address");
    return rest + path;
  }

  /** A document as JSON. It is kept, because few documents are used again and again. */
  #quoted(document: string): string {
    return this.#documents.getOrMake(document, () => JSON.stringify(document));
  }

  /** Sends a call with the credential, and once more with another one when the platform refuses it and there is another. */
  async #signed(signal: AbortSignal, send: (signature: Signed) => Promise<Received>): Promise<Received> {
    const { credential, renew, isRefused } = this.#options;
    const first = await unlessEnded(signal, credential());
    if (first === undefined) return { kind: "lost", cause: new Error("there was no token in time"), unsent: true };
    const received = await send(this.#signatureOf(first));
    if (renew === undefined || !isRefused(received)) return received;
    const other = await unlessEnded(signal, renew(first));
    return other === undefined ? received : send(this.#signatureOf(other));
  }

  #signatureOf(credential: Credential): Signed {
    const known = this.#signatures.get(credential);
    if (known !== undefined) return known;
    const { kinds } = this.#options.plan.auth;
    const { headers, query } = signatureOf(kinds, credential);
    const sign = kinds.find(({ name }) => name === credential.kind)?.sign;
    const made: Signed = {
      headers: { ...headers, "user-agent": this.#options.userAgent },
      query,
      sign: sign && ((call) => bodySignature(sign, credential, call, Date.now())),
      mask: this.#maskOf(secretsOf(kinds, credential)),
    };
    this.#signatures.set(credential, made);
    return made;
  }

  /** The mask of the last call is kept, because credentials seldom change. */
  #maskOf(secrets: readonly string[]): Mask | undefined {
    const of = secrets.join("\n");
    if (this.#mask?.of !== of) this.#mask = { of, mask: maskOf(secrets) };
    return this.#mask.mask;
  }
}

/** Whether a call names the part of something that it wants. */
function asksForRange(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => /(^|-)range$/.test(name));
}

/** Waits for a promise until the signal is aborted, and then gives undefined. The work behind the promise goes on for its other callers. */
async function unlessEnded<Result>(signal: AbortSignal, awaited: Promise<Result>): Promise<Result | undefined> {
  const end = deferred<undefined>();
  const leave = () => end.resolve(undefined);
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();
  try {
    return await Promise.race([end.promise, awaited]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

function contentOf(body: { readonly form: string } | Content): {
  readonly type: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
} {
  return "form" in body ? { type: "application/x-www-form-urlencoded", body: body.form } : { type: body.type, body: body.bytes };
}
