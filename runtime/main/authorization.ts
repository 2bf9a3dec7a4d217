import { createHash, randomBytes } from "node:crypto";
import {
  type AccountStore,
  type Credential,
  openCredential,
  openState,
  openTokens,
  type SecretKeys,
  type StoredInstance,
  sealCredential,
  sealState,
} from "../accounts/index.ts";
import { TenonError } from "../base/errors.ts";
import { pause } from "../base/pause.ts";
import type { Redact } from "../base/redact.ts";
import type { Connector, OauthGrant } from "../contract/index.ts";
import { endpointsOf } from "../execute/index.ts";
import { fetchFor } from "../platform/address-rules.ts";
import { grantContext, originOf } from "../platform/credential-source.ts";
import { GrantRefused } from "../platform/grant-call.ts";
import { type OauthAddresses, oauthAddresses, redeemCode } from "../platform/oauth-grant.ts";
import type { KeptTokens } from "../platform/tokens.ts";
import { userAgent } from "./assembly.ts";
import { tokenVault } from "./instances/token-vault.ts";
import { addedConnector } from "./operator/added-connectors.ts";
import type { PlatformSettings } from "./settings/platform-settings.ts";

export interface AuthorizationOptions {
  readonly store: AccountStore;
  readonly keys: SecretKeys;
  readonly connectors: readonly Connector[];
  readonly platforms: Readonly<Record<string, Pick<PlatformSettings, "shared">>>;
  readonly allowPrivate: boolean;
  /** Address at which people reach the service. */
  readonly publicUrl: string;
  readonly redact: Redact;
}

/** Path to which the platform's page sends the user back. */
const callbackPath = "/api/v1/integrations/callback";

/** Milliseconds that a user has to authorize, that the exchange of the code may take, and that one waits for a renewal under way. */
const stateTime = 10 * 60_000;
const exchangeTime = 20_000;
const leaseWait = 30_000;

/**
 * Begins to authorize an instance.
 *
 * @param caller who does it, for the audit log
 * @returns the address of the platform's page, which the user opens in a browser, and until when that counts
 * @throws TenonError `unknown_connector`, or `invalid_request` when its kind of credential is not authorized by users
 */
export async function startAuthorization(
  options: AuthorizationOptions,
  id: string,
  caller: string,
  now = Date.now(),
): Promise<{ readonly url: string; readonly expiresAt: number }> {
  const { keys, publicUrl } = options;
  const stored = await addedConnector(options.store, id);
  const { grant, addresses, credential } = clientOf(options, stored);
  const verifier = randomBytes(32).toString("base64url");
  const until = now + stateTime;
  const redirectUri = publicUrl + callbackPath;
  const url = new URL(addresses.authorize);
  const query = {
    response_type: "code",
    client_id: credential.values["client_id"] ?? "",
    redirect_uri: redirectUri,
    state: sealState(keys, { instance: id, version: stored.version, caller, verifier, redirectUri, until }),
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...(grant.scopes === undefined ? {} : { scope: grant.scopes.join(" ") }),
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return { url: url.href, expiresAt: until };
}

/** What the platform's page sends back with the user (RFC 6749, 4.1.2). */
export interface Returned {
  readonly state: string;
  readonly code: string;
  readonly error: string;
  /** Who sent the user back, where the platform says it (RFC 9207). */
  readonly issuer?: string | undefined;
}

/**
 * Ends an authorization: exchanges the code for tokens, and stores them before they are used. Each authorization counts once.
 *
 * @returns the id of the instance, and who had begun
 * @throws TenonError `invalid_request` for what is not the end of an authorization, `platform_forbidden` when the user did not agree,
 *   `platform_rejected` when the platform refuses the code
 */
export async function finishAuthorization(
  options: AuthorizationOptions,
  { state: text, code, error, issuer }: Returned,
): Promise<{ readonly id: string; readonly caller: string }> {
  const { keys, store, publicUrl } = options;
  const state = openState(keys, text, Date.now());
  const stored = state === undefined ? undefined : await store.instance(state.instance);
  if (state === undefined || stored?.version !== state.version) throw notCurrent();
  const { grant, addresses, context, credential, own } = clientOf(options, stored);
  checkIssuer(stored.id, addresses, issuer);
  if (error !== "" || code === "") {
    const shown = /^[\w.-]{1,60}$/.test(error) ? ` (${error})` : "";
    throw new TenonError("platform_forbidden", `The user did not authorize the connector "${stored.id}"${shown}. Begin again.`);
  }
  // It has to be the one that the page was given (RFC 6749, 4.1.3), also where a command with other settings has begun.
  const authorized = { code, verifier: state.verifier, redirectUri: state.redirectUri ?? publicUrl + callbackPath };
  const tokens = await redeemCode(grant, addresses, context, authorized, AbortSignal.timeout(exchangeTime)).catch(refused);
  const refresh = tokens.refreshToken === undefined ? {} : { refresh_token: tokens.refreshToken };
  const renewed = (values: Credential["values"]): Credential => {
    const { refresh_token: _former, ...rest } = values;
    return { kind: own.kind, values: { ...rest, ...refresh } };
  };
  const sealed = sealCredential(keys, stored.id, renewed(own.values));
  if (!(await store.changeInstance(stored.id, { credential: sealed }, state.version))) throw notCurrent();
  await keep(options, stored.id, { origin: originOf(renewed(credential.values)), tokens });
  return { id: stored.id, caller: state.caller };
}

/**
 * Refuses a code of another platform than the one whose page the user was sent to. All connectors have one callback: a page that passes the
 * user on to another platform would get that platform's code (RFC 9207).
 */
function checkIssuer(id: string, { authorize }: OauthAddresses, issuer: string | undefined): void {
  if (issuer === undefined) return;
  const { origin } = new URL(authorize);
  if (URL.parse(issuer)?.origin === origin) return;
  throw new TenonError(
    "invalid_request",
    `Another platform has authorized the user: iss must be an address at ${origin}, where the connector "${id}" is authorized. Begin again.`,
  );
}

/** Whether a user has to authorize an instance before it can be used; undefined where users do not authorize it. */
export async function mustAuthorize(
  options: Pick<AuthorizationOptions, "store" | "keys" | "connectors" | "platforms">,
  stored: StoredInstance,
): Promise<boolean | undefined> {
  const { store, keys } = options;
  const { grant, credential } = credentialOf(options, stored);
  if (grant?.by !== "oauth") return undefined;
  const sealed = await store.tokens(stored.id);
  const kept = sealed === undefined ? undefined : openTokens<KeptTokens>(keys, stored.id, sealed);
  if (kept?.origin !== originOf(credential)) return credential.values["refresh_token"] === undefined;
  return kept.refused === true;
}

/** Keeps tokens as soon as no process renews others. */
async function keep({ store, keys }: AuthorizationOptions, id: string, kept: KeptTokens): Promise<void> {
  const vault = tokenVault({ store, secured: { keys } }, id);
  const end = performance.now() + leaseWait;
  while (!(await vault.lease()).leased) {
    if (performance.now() > end)
      throw new TenonError("platform_failed", `The tokens of the connector "${id}" are being renewed by another process.`);
    await pause(100);
  }
  await vault.save(kept);
}

/** The credential of an instance with the values of the settings, and how its kind gets tokens. */
function credentialOf(
  { keys, connectors, platforms }: Pick<AuthorizationOptions, "keys" | "connectors" | "platforms">,
  stored: StoredInstance,
) {
  const own = openCredential(keys, stored);
  const connector = connectors.find(({ name }) => name === stored.connector);
  const kind = connector?.platform.auth.kinds.find(({ name }) => name === own.kind);
  const credential = { kind: own.kind, values: { ...platforms[stored.connector]?.shared?.[own.kind], ...own.values } };
  return { connector, own, credential, grant: kind?.grant };
}

/** What is needed to ask the platform for tokens of an instance. @throws TenonError `invalid_request` */
function clientOf(options: AuthorizationOptions, stored: StoredInstance) {
  const { connector, own, credential, grant } = credentialOf(options, stored);
  if (connector === undefined || grant?.by !== "oauth")
    throw new TenonError(
      "invalid_request",
      `The connector "${stored.id}" has a credential of the kind "${own.kind}", which no user authorizes: \`tenon connector rotate\` replaces it.`,
    );
  const { rest, graphql, variables } = stored;
  const endpoints = endpointsOf(connector, { rest: rest ?? undefined, graphql: graphql ?? undefined, variables });
  const addresses: OauthAddresses = oauthAddresses(grant, endpoints.ownRest, endpoints.variables);
  const fetch = fetchFor([addresses.token], options.allowPrivate);
  const context = grantContext(credential, { plan: connector.platform, userAgent, fetch, redact: options.redact });
  const known: { grant: OauthGrant } = { grant };
  return { ...known, addresses, context, credential, own };
}

function notCurrent(): TenonError {
  return new TenonError(
    "invalid_request",
    "This is not the end of an authorization that is under way: it is older than ten minutes, was used before, or the connector has changed. Begin again.",
  );
}

function refused(thrown: unknown): never {
  throw thrown instanceof GrantRefused ? new TenonError("platform_rejected", `${thrown.message} Begin again.`) : thrown;
}
