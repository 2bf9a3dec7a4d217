import { GraphqlResponseError, withCustomRequest } from "@octokit/graphql";
import { request as octokitRequest } from "@octokit/request";
import { BoundedMap } from "../base/bounded-map.ts";
import { deferred } from "../base/deferred.ts";
import { isObject } from "../base/is-object.ts";
import { type Mask, maskOf } from "../base/redact.ts";
import type { PlatformPlan } from "../contract/index.ts";
import { AnswerTooLarge, answerBudget } from "./answer-budget.ts";
import { bodySignature, type Credential, type Signature, type SignedCall, secretsOf, signatureOf } from "./credential.ts";
import { saysFailure } from "./error-places.ts";
import { type Exchanged, exchange } from "./exchange.ts";
import type { GraphqlFault, Headers } from "./failure.ts";

/** Addresses of a platform for one instance. An API that the platform does not have has no address. */
export interface Endpoints {
  readonly graphql: string | undefined;
  readonly rest: string | undefined;
  /** The REST address, where it is not that of the spec. All other addresses of the platform then follow from it. */
  readonly ownRest?: string;
  /** The instance's values of the platform's variables, which headers may have in them. */
  readonly variables?: Readonly<Record<string, string>>;
}

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

/** The outcome of a call, which the caller judges. */
export type Received =
  | ({ readonly kind: "graphql"; readonly faults: readonly GraphqlFault[] } & Omit<Exchanged, "status">)
  | ({ readonly kind: "rest" } & Exchanged)
  /** `faults`: the GraphQL errors in the body, which say more than the status. */
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly data: unknown;
      readonly faults: readonly GraphqlFault[];
      readonly headers: Headers;
    }
  /** The answer had more than `limit`, such as 16 MiB, and was not read or parsed to its end. */
  | { readonly kind: "too-large"; readonly status: number; readonly headers: Headers; readonly limit: string }
  /** `unsent`: no connection was made, so the platform did nothing. */
  | { readonly kind: "lost"; readonly cause: unknown; readonly unsent: boolean };

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

const noHeaders = new globalThis.Headers();

/** Makes @octokit/graphql call the hook of each call directly. The hook sets all headers itself, so no defaults have to be merged. */
const handOver = Object.assign(
  (options: { request: { hook: (send: unknown, options: object) => unknown } }) => options.request.hook(undefined, options),
  { defaults: () => handOver, endpoint: octokitRequest.endpoint },
) as typeof octokitRequest;

/** An answer that is not a success: by its status, or because its body is not what was asked for. */
class Refusal extends Error {
  readonly answer: Exchanged;
  constructor(answer: Exchanged) {
    super(`status ${answer.status}`);
    this.answer = answer;
  }
}

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
    let received: Pick<Exchanged, "headers" | "brokenText"> = { headers: noHeaders };
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
          ...this.#headers.rest,
          ...lowerCase(call.headers ?? {}),
          ...(own === undefined ? {} : { "content-type": own.type }),
          ...signature.headers,
        },
        ...(call.body === undefined || !("json" in call.body) ? {} : { data: call.body.json }),
        request: { hook },
      });
      if (answer === undefined) throw new Error("nothing was exchanged");
      if (answer.status >= 400 || (answer.status < 300 && this.#isRefusal(answer))) throw new Refusal(answer);
      return { kind: "rest", ...answer };
    } catch (thrown) {
      return failed(thrown, () => []);
    }
  }

  /** Whether the body of a success is not what was asked for: no JSON, or an error by the spec. */
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

/** Waits for a promise until the signal is aborted, and then gives undefined. The work behind the promise goes on for its other callers. */
async function unlessEnded<Result>(signal: AbortSignal, awaited: Promise<Result>): Promise<Result | undefined> {
  if (signal.aborted) {
    awaited.catch(() => undefined);
    return undefined;
  }
  const end = deferred<undefined>();
  const leave = () => end.resolve(undefined);
  signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([awaited, end.promise]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

/** Headers of the spec with the values of an instance in them; names in lower case. */
export function filledHeaders(
  headers: Readonly<Record<string, string>> = {},
  variables: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return lowerCase(Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, fill(text, variables)])));
}

/** An address of the spec with the values of an instance. A value stays within one part of the address, so it cannot change the host. */
export function fillAddress(address: string, variables: Readonly<Record<string, string>>): string {
  return fill(address, Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, encodeURIComponent(value)])));
}

/** A text of the spec with the values of an instance in the places of `{name}`. */
function fill(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? place) : place,
  );
}

/** The address with the part of the credential that stands in the query. */
function withQuery(address: string, { query }: Signature): string {
  const names = Object.keys(query);
  if (names.length === 0) return address;
  const url = new URL(address);
  for (const name of names) url.searchParams.set(name, query[name] ?? "");
  return url.href;
}

/** Path and query of an address. */
function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

function contentOf(body: { readonly form: string } | Content): {
  readonly type: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
} {
  return "form" in body ? { type: "application/x-www-form-urlencoded", body: body.form } : { type: body.type, body: body.bytes };
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Whether a body is a GraphQL answer, with data or errors. A body with only a message is a refusal, whatever its status. */
function isAnswer(body: unknown): boolean {
  return typeof body === "object" && body !== null && ("data" in body || "errors" in body);
}

/** Turns whatever a call threw into its outcome. @param faultsIn reads the GraphQL errors of a refusal's body */
function failed(thrown: unknown, faultsIn: (body: unknown) => GraphqlFault[]): Received {
  if (thrown instanceof AnswerTooLarge)
    return { kind: "too-large", status: thrown.status, headers: thrown.headers, limit: thrown.limit };
  if (!(thrown instanceof Refusal)) return { kind: "lost", cause: thrown, unsent: isUnsent(thrown) };
  const { status, headers, data } = thrown.answer;
  // A success whose body is not JSON was cut off, or does not come from the platform but from a proxy.
  return status < 300 && typeof data !== "object"
    ? { kind: "lost", cause: thrown, unsent: false }
    : { kind: "refused", status, data, faults: faultsIn(data), headers };
}

/** Errors of one answer that are looked at. There may be one for each record, and reading each of 100,000 holds up the event loop. */
const mostFaults = 1_000;

/** Reads `errors` of a GraphQL answer. */
function faultsOf(body: unknown): GraphqlFault[] {
  const errors: unknown = typeof body === "object" && body !== null && "errors" in body ? body.errors : undefined;
  return Array.isArray(errors) ? errors.slice(0, mostFaults).map(readFault) : [];
}

/** Error codes of Node and undici for a connection that was never made. */
const unsentCodes = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"];

function isUnsent(thrown: unknown): boolean {
  for (let cause: unknown = thrown, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++)
    if ("code" in cause && unsentCodes.includes(String(cause.code))) return true;
  return false;
}

function isLocation(value: unknown): value is { readonly line: number; readonly column: number } {
  return isObject(value) && Number.isSafeInteger(value["line"]) && Number.isSafeInteger(value["column"]);
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
    locations: Array.isArray(source["locations"]) ? source["locations"].filter(isLocation) : [],
    extensions: typeof extensions === "object" && extensions !== null ? (extensions as Readonly<Record<string, unknown>>) : {},
  };
}
