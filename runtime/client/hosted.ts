import { isObject } from "../base/is-object.ts";
import { pause } from "../base/pause.ts";
import { addressOf } from "./address.ts";
import type { BearerSource } from "./credential.ts";
import { credentialOf, sharedTime, unlessAborted } from "./credential.ts";
import { CallError, callError, fromAnswer, parsed, without } from "./errors.ts";
import type { HostedOptions } from "./options.ts";
import type { Answered, ChangesQuery, ClientCall, Transport, Triple } from "./transport.ts";

const connectorsPath = "/api/v1/integrations/connectors";

/** Milliseconds of the pause before the first retry, and the longest. Each is twice the one before, and shortened at random. */
const firstPause = 300;
const longestPause = 10_000;

/** How often a call is tried again unless the options say otherwise. */
const usualRetries = 2;

/** What is known of every request that is sent. */
type Sent = Pick<ClientCall, "writes" | "requestId">;

/** A connector instance that a caller can use. */
export interface ReachedInstance {
  readonly id: string;
  readonly connector: string;
  /** Set where its data is invented. */
  readonly simulated?: true;
}

/** Runs actions on a Tenon service, over HTTP. */
export class HostedTransport implements Transport {
  readonly #name: string;
  readonly #options: HostedOptions;
  readonly #baseUrl: string;
  readonly #credential: BearerSource;
  readonly #fetch: typeof globalThis.fetch;
  #connectorId: Promise<string> | undefined;

  /** @throws CallError when the options do not say where the service is, or who calls */
  constructor(name: string, options: HostedOptions) {
    this.#name = name;
    this.#options = options;
    this.#baseUrl = serviceAddress(options.baseUrl);
    // Bound here, because the `fetch` of browsers must not be called as a method of another object.
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.#credential = credentialOf(options, this.#baseUrl, this.#fetch);
  }

  execute(triple: Triple, call: ClientCall): Promise<Answered> {
    return this.#again(call, (signal) => this.#try(triple, call, signal));
  }

  /** Reads a page of the change feed. */
  changes(query: ChangesQuery, call: ClientCall): Promise<Answered> {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) search.set(name, name === "filter" ? JSON.stringify(value) : String(value));
    const headers = { "X-Request-Id": call.requestId };
    return this.#again(call, (signal) => this.#ofInstance(`/changes?${search}`, { headers }, call, signal));
  }

  /** Sends a call, again where it may be, within its time. @throws CallError, or the reason of the call's signal */
  async #again(call: ClientCall, send: (signal: AbortSignal) => Promise<Answered>): Promise<Answered> {
    const deadline = performance.now() + call.timeout;
    const time = AbortSignal.timeout(call.timeout);
    const signal = call.signal === undefined ? time : AbortSignal.any([call.signal, time]);
    try {
      for (let tries = 0; ; tries++) {
        try {
          return await send(signal);
        } catch (thrown) {
          const delay = this.#delayAfter(thrown, tries);
          if (delay === undefined || performance.now() + delay >= deadline || signal.aborted) throw thrown;
          await pause(delay, signal);
          signal.throwIfAborted();
        }
      }
    } catch (thrown) {
      if (call.signal?.aborted === true) throw call.signal.reason;
      throw time.aborted ? lateError(call, thrown) : thrown;
    }
  }

  /** Milliseconds to wait before the call is tried again; undefined when it must not be. */
  #delayAfter(thrown: unknown, tries: number): number | undefined {
    if (!isCallError(thrown) || !thrown.retryable || tries >= (this.#options.retries ?? usualRetries)) return undefined;
    if (thrown.retryAfter !== undefined) return thrown.retryAfter * 1000;
    return Math.min(longestPause, firstPause * 2 ** tries) * (0.5 + Math.random() / 2);
  }

  async #try(triple: Triple, call: ClientCall, signal: AbortSignal): Promise<Answered> {
    const key = call.writes ? call.idempotencyKey : undefined;
    const headers = {
      "Content-Type": "application/json",
      "X-Request-Id": call.requestId,
      ...(key === undefined ? {} : { "Idempotency-Key": key }),
    };
    return this.#ofInstance("/execute", { method: "POST", headers, body: JSON.stringify(triple) }, call, signal);
  }

  /**
   * Asks about the sync of the instance, or steers it. It is sent once.
   *
   * @param path what follows `…/sync`
   * @throws CallError, or the reason of the signal
   */
  async sync(method: "GET" | "POST" | "DELETE", path: string, body: object | undefined, signal: AbortSignal): Promise<Answered> {
    const call = { writes: method !== "GET", requestId: globalThis.crypto.randomUUID() };
    return this.#ofInstance(`/sync${path}`, initOf(method, body, call), call, signal);
  }

  /** Manages the webhooks of the instance. It is sent once. @param path what follows `…/webhooks` @throws as `sync` */
  async webhooks(
    method: "GET" | "POST" | "DELETE",
    path: string,
    body: object | undefined,
    signal: AbortSignal,
  ): Promise<Answered> {
    const call = { writes: method !== "GET", requestId: globalThis.crypto.randomUUID() };
    return this.#ofInstance(`/webhooks${path}`, initOf(method, body, call), call, signal);
  }

  /**
   * Sends a request that is about no instance, once.
   *
   * @param path begins with `/api/v1/`
   * @throws CallError, or the reason of the signal
   */
  call(
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    body: object | undefined,
    signal: AbortSignal,
  ): Promise<Answered> {
    const call = { writes: method !== "GET", requestId: globalThis.crypto.randomUUID() };
    return this.#answered(path, initOf(method, body, call), call, signal);
  }

  /** Sends a request to a route of the instance. @param path what follows the id of the instance */
  async #ofInstance(path: string, init: RequestInit, call: Sent, signal: AbortSignal): Promise<Answered> {
    const id = encodeURIComponent(await this.#instance(signal));
    return this.#answered(`${connectorsPath}/${id}${path}`, init, call, signal);
  }

  async #answered(path: string, init: RequestInit, call: Sent, signal: AbortSignal): Promise<Answered> {
    const answer = await this.#send(path, init, call, signal);
    if (!isObject(answer) || !("data" in answer) || !isObject(answer["meta"])) throw foreign(this.#baseUrl, call);
    return { data: answer["data"], meta: answer["meta"] };
  }

  /** The id of the connector instance. A workspace is looked up once. */
  #instance(signal: AbortSignal): Promise<string> {
    const { connectorId, workspace } = this.#options;
    if (connectorId !== undefined || workspace === undefined) return Promise.resolve(connectorId ?? this.#name);
    if (this.#connectorId === undefined) {
      // It belongs to no single call, because several may wait for it.
      const found = this.#find(workspace, AbortSignal.timeout(sharedTime));
      this.#connectorId = found;
      found.catch(() => {
        if (this.#connectorId === found) this.#connectorId = undefined;
      });
    }
    return unlessAborted(this.#connectorId, signal);
  }

  async #find(workspace: string, signal: AbortSignal): Promise<string> {
    const ids = (await this.instances(signal)).filter(({ connector }) => connector === this.#name).map(({ id }) => id);
    const [id] = ids;
    if (id !== undefined && ids.length === 1) return id;
    throw callError(
      "unknown_connector",
      ids.length === 0
        ? `The workspace "${workspace}" has no connector "${this.#name}" that this caller may use.`
        : `The workspace "${workspace}" has several connectors "${this.#name}"; give connectorId: ${ids.join(", ")}.`,
    );
  }

  /**
   * The connector instances of the workspace, or of all workspaces where the options name none, that the caller may use. Those that are
   * off, because they have no credential, are left out.
   */
  async instances(signal: AbortSignal): Promise<readonly ReachedInstance[]> {
    const { workspace } = this.#options;
    const query = workspace === undefined ? "" : `?workspace_name=${encodeURIComponent(workspace)}`;
    const call = { writes: false, requestId: globalThis.crypto.randomUUID() };
    const answer = await this.#send(`${connectorsPath}${query}`, {}, call, signal);
    const entries = isObject(answer) && Array.isArray(answer["data"]) ? answer["data"].filter(isObject) : [];
    // Some services name the connector of an instance only in `name`.
    return entries.flatMap(({ id, connector, name, status, simulated }) => {
      const own = connector ?? name;
      if (status === "off" || typeof id !== "string" || typeof own !== "string") return [];
      return [{ id, connector: own, ...(simulated === true ? { simulated } : {}) }];
    });
  }

  /** Sends a request, and once more with a new token when the service refuses the token. */
  async #send(path: string, init: RequestInit, call: Sent, signal: AbortSignal): Promise<unknown> {
    for (let renewed = false; ; renewed = true) {
      const token = await this.#credential.token(signal);
      const { organization } = this.#options;
      const response = await this.#fetch(`${this.#baseUrl}${path}`, {
        ...init,
        headers: {
          ...init.headers,
          Authorization: `Bearer ${token}`,
          ...(organization === undefined ? {} : { "X-Organization-Id": organization }),
        },
        redirect: "error",
        signal,
      }).catch((cause: unknown) => {
        throw this.#unreachable(call, cause);
      });
      if (response.status === 401 && this.#credential.refused(token) && !renewed) {
        await response.body?.cancel();
        continue;
      }
      const requestId = response.headers.get("x-request-id") ?? call.requestId;
      const text = await response.text().catch((cause: unknown) => {
        throw this.#unreachable(call, cause);
      });
      // Whatever answers may repeat what it was sent.
      const body = parsed(response.ok ? text : without(text, token));
      if (!response.ok) throw fromAnswer(response.status, body, response.headers.get("retry-after"), requestId);
      if (body === undefined) throw foreign(this.#baseUrl, call);
      return body;
    }
  }

  /** A write is sent again too: the service recognises it by its key. */
  #unreachable({ requestId }: Sent, cause: unknown): CallError {
    return callError("service_unreachable", `The service at ${this.#baseUrl} cannot be reached.`, { requestId, cause });
  }
}

function initOf(method: string, body: object | undefined, { requestId }: Sent): RequestInit {
  const headers = { "X-Request-Id": requestId, ...(body === undefined ? {} : { "Content-Type": "application/json" }) };
  return { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
}

/** @throws CallError when there is no address, or one that is not usable */
function serviceAddress(given: string | undefined): string {
  if (given === undefined)
    throw callError(
      "invalid_request",
      "Give baseUrl (or TENON_URL in the environment) for hosted mode, or accessToken for local mode.",
    );
  return addressOf("baseUrl", given);
}

/** Something else than Tenon has answered, such as a proxy. */
function foreign(baseUrl: string, { requestId }: Sent): CallError {
  return callError("service_unreachable", `What responds at ${baseUrl} is not a Tenon service.`, { requestId });
}

function lateError({ writes, timeout, requestId }: ClientCall, cause: unknown): CallError {
  const late = `The call took longer than its ${timeout} ms.`;
  return writes
    ? callError(
        "write_deadline_exceeded",
        `${late} It is unknown whether the write was done: read the record before you repeat it.`,
        { requestId, cause },
      )
    : callError("deadline_exceeded", late, { requestId, cause });
}

function isCallError(thrown: unknown): thrown is CallError {
  return thrown instanceof CallError;
}
