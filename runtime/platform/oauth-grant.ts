import { TenonError } from "../base/errors.ts";
import type { OauthGrant } from "../contract/index.ts";
import { fillAddress } from "./addresses.ts";
import { type GrantContext, GrantRefused, memberOf, postForToken, tokenIn } from "./grant-call.ts";
import { type Tokens, tokensOf } from "./tokens.ts";

/** Addresses of the platform's pages and tokens for one instance. */
export type OauthAddresses = Pick<OauthGrant, "authorize" | "token" | "refresh">;

/**
 * The addresses of the spec with the instance's variables, or those that follow from the instance's own REST address. With an address of
 * its own, the platform runs elsewhere, and neither the client's secret nor a token may be sent to the usual place.
 *
 * @param rest the REST address, where it is not that of the spec
 */
export function oauthAddresses(
  grant: OauthGrant,
  rest: string | undefined,
  variables: Readonly<Record<string, string>> = {},
): OauthAddresses {
  const filled = (address: string) => fillAddress(address, variables);
  const [authorize, token] = [filled(grant.authorize), filled(grant.token)];
  const refresh = grant.refresh === undefined ? undefined : filled(grant.refresh);
  if (rest === undefined) return { authorize, token, ...(refresh === undefined ? {} : { refresh }) };
  const [ending, path] = Object.entries(grant.derive ?? {}).find(([suffix]) => rest.endsWith(suffix)) ?? [];
  const base = ending === undefined ? new URL(rest).origin : rest.slice(0, rest.length - ending.length) + path;
  const moved = (address: string) => base.replace(/\/$/, "") + new URL(address).pathname;
  return { authorize: moved(authorize), token: moved(token), ...(refresh === undefined ? {} : { refresh: moved(refresh) }) };
}

/** Gets new tokens for a refresh token (RFC 6749, 6). @throws GrantRefused, TenonError `platform_failed` */
export function refreshTokens(
  grant: OauthGrant,
  { refresh, token }: OauthAddresses,
  context: GrantContext,
  refreshToken: string,
  signal: AbortSignal,
): Promise<Tokens> {
  const form = { grant_type: "refresh_token", refresh_token: refreshToken };
  return ask(grant, refresh ?? token, context, form, signal);
}

/** What the platform's page gives after a user has authorized. */
export interface Authorized {
  readonly code: string;
  /** The code verifier, whose hash was sent to the page (RFC 7636). */
  readonly verifier: string;
  readonly redirectUri: string;
}

/** Gets the first tokens for a code (RFC 6749, 4.1.3). @throws GrantRefused, TenonError `platform_failed` */
export function redeemCode(
  grant: OauthGrant,
  { token }: OauthAddresses,
  context: GrantContext,
  { code, verifier, redirectUri }: Authorized,
  signal: AbortSignal,
): Promise<Tokens> {
  const form = { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: redirectUri };
  return ask(grant, token, context, form, signal);
}

async function ask(
  grant: OauthGrant,
  address: string,
  context: GrantContext,
  form: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Tokens> {
  const { client_id = "", client_secret = "" } = context.values;
  const isBasic = grant.client === "basic";
  const body = new URLSearchParams({ ...form, ...(isBasic ? {} : { client_id, client_secret }) }).toString();
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    ...(isBasic ? { authorization: basic(client_id, client_secret) } : {}),
  };
  const { status, data } = await postForToken(context, address, { headers, body }, signal);
  const token = tokenIn(data, "access_token");
  const error = memberOf(data, "error");
  // Some platforms answer an error with status 200.
  if (status < 300 && token !== undefined && error === undefined) {
    const seconds = Number(memberOf(data, "expires_in") ?? Number.NaN);
    return tokensOf(token, seconds > 0 ? seconds * 1000 : null, tokenIn(data, "refresh_token"));
  }
  if (typeof error !== "string" && status < 400)
    throw new TenonError("platform_failed", `${context.title} responded with ${status} without a token when one was requested.`);
  const code = typeof error === "string" && /^[\w.-]{1,60}$/.test(error) ? error : `status ${status}`;
  throw new GrantRefused(context.redact(`${context.title} gave no token (${code}).`), grant.refused.includes(code));
}

/** Client authentication in the header (RFC 6749, 2.3.1). */
function basic(id: string, secret: string): string {
  const encoded = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);
  return `Basic ${Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString("base64")}`;
}
