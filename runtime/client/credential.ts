import { isObject } from "../base/is-object.ts";
import { callError, fromAnswer, parsed, without } from "./errors.ts";
import type { HostedOptions } from "./options.ts";

/** What a client sends as its bearer token. */
export interface BearerSource {
  /** The token for the next call. */
  token(signal: AbortSignal): Promise<string>;
  /** Says that the service refused a token. @returns whether another one can be had */
  refused(token: string): boolean;
}

/** A token is renewed so many milliseconds before it expires, or when a tenth of its time is left, if that is later. */
const early = 60_000;

/**
 * The credential of the options: an API key, a token, or client credentials that are exchanged for tokens (RFC 6749, 4.4).
 *
 * @throws CallError `unauthorized` when there is none, or when a browser would have to know a client secret; `invalid_request` for a key or
 *   token that cannot be sent
 */
export function credentialOf(options: HostedOptions, baseUrl: string, fetch: typeof globalThis.fetch): BearerSource {
  const { apiKey, token, clientId, clientSecret } = options;
  if (typeof token === "function") return given(async () => sendable("token", await token()));
  if (token !== undefined) return same(sendable("token", token));
  if (apiKey !== undefined) return same(sendable("apiKey", apiKey));
  if (clientId === undefined || clientSecret === undefined) throw callError("unauthorized", lacking(clientId, clientSecret));
  if ("document" in globalThis)
    throw callError(
      "unauthorized",
      "A client secret must not be used in a browser, whose user can read it. Give a token instead.",
    );
  return exchanged({ client_id: clientId, client_secret: clientSecret }, baseUrl, fetch);
}

function lacking(clientId: string | undefined, clientSecret: string | undefined): string {
  if (clientId !== undefined) return "clientSecret is missing: give it beside clientId, or set TENON_CLIENT_SECRET.";
  if (clientSecret !== undefined) return "clientId is missing: give it beside clientSecret, or set TENON_CLIENT_ID.";
  const set = "Set TENON_API_KEY, or TENON_CLIENT_ID and TENON_CLIENT_SECRET";
  return `There is no credential for the service. ${set}, or give apiKey, token, or clientId and clientSecret; local mode takes accessToken.`;
}

/** A key or token. `fetch` takes no other characters in a header, but leaves out white space at its end. */
function sendable(name: string, value: string): string {
  if (typeof value === "string" && /^[\x21-\x7e]*[\t\n\r ]*$/.test(value)) return value;
  throw callError("invalid_request", `${name} must have only visible ASCII characters, and no spaces.`);
}

function same(token: string): BearerSource {
  return given(async () => token);
}

function given(token: () => Promise<string>): BearerSource {
  return { token, refused: () => false };
}

interface Held {
  readonly token: Promise<string>;
  /** `performance.now()` at which the token is renewed; infinite until it is known. */
  until: number;
  /** The token itself, once it is known. */
  value?: string;
}

/** Exchanges client credentials for a token and keeps it. Calls that need one at the same time wait for the same one. */
function exchanged(credentials: ClientCredentials, baseUrl: string, fetch: typeof globalThis.fetch): BearerSource {
  let held: Held | undefined;
  const renew = (): Held => {
    const asked = performance.now();
    const next: Held = {
      until: Number.POSITIVE_INFINITY,
      token: newToken(credentials, baseUrl, fetch).then(
        ({ token, lifetime }) => {
          next.until = asked + Math.max(lifetime - early, lifetime * 0.9);
          next.value = token;
          return token;
        },
        (thrown: unknown) => {
          if (held === next) held = undefined;
          throw thrown;
        },
      ),
    };
    return next;
  };
  return {
    token: (signal) => {
      if (held === undefined || performance.now() >= held.until) held = renew();
      return unlessAborted(held.token, signal);
    },
    refused: (token) => {
      if (held?.value === token) held = undefined;
      return true;
    },
  };
}

/** Milliseconds that work for several calls may take, such as getting a token: the time of no single one of them. */
export const sharedTime = 15_000;

interface ClientCredentials {
  readonly client_id: string;
  readonly client_secret: string;
}

async function newToken(
  credentials: ClientCredentials,
  baseUrl: string,
  fetch: typeof globalThis.fetch,
): Promise<{ token: string; lifetime: number }> {
  const path = "/api/v1/account/applications/token";
  const response = await fetch(`${baseUrl}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(credentials),
    redirect: "error",
    signal: AbortSignal.timeout(sharedTime),
  }).catch((cause: unknown) => {
    throw callError("service_unreachable", `The service at ${baseUrl} gave no token: it cannot be reached.`, { cause });
  });
  const text = await response.text().catch(() => "");
  // Whatever answers may repeat what it was sent.
  const body = parsed(response.ok ? text : without(text, credentials.client_secret));
  if (!response.ok) throw fromAnswer(response.status, body, response.headers.get("retry-after"), "");
  const { access_token: token, expires_in: seconds } = isObject(body) ? body : {};
  if (typeof token !== "string" || token === "")
    throw callError("service_unreachable", `The service at ${baseUrl} responded without a token.`);
  return { token, lifetime: typeof seconds === "number" ? seconds * 1000 : 0 };
}

/** The result of shared work, unless the signal of one of those who wait for it comes first. */
export function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
