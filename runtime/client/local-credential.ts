import { TenonError } from "../base/errors.ts";
import type { GrowingRedactor } from "../base/redact.ts";
import type { AuthKind, Connector } from "../contract/index.ts";
import type { ConnectOptions } from "../execute/index.ts";
import { type Credential, lastingSecret, singleCredential } from "../platform/credential.ts";
import { credentialSource } from "../platform/credential-source.ts";
import { memoryVault, type Tokens, type TokenVault } from "../platform/tokens.ts";
import { callError } from "./errors.ts";
import { camelCase } from "./names.ts";
import type { AnyCredential, LocalOptions } from "./options.ts";

interface Surroundings extends Pick<ConnectOptions, "endpoints" | "userAgent"> {
  readonly redaction: GrowingRedactor;
}

/** Where a local client has the credential of its calls from. @throws CallError `invalid_request` */
export function localSource(
  connector: Connector,
  options: LocalOptions,
  { endpoints, userAgent, redaction }: Surroundings,
): Pick<ConnectOptions, "credential" | "renew" | "secret"> {
  const { kinds } = connector.platform.auth;
  if (options.credential === undefined && options.refreshToken === undefined) {
    const { accessToken } = options;
    const token = async (): Promise<unknown> => (typeof accessToken === "function" ? accessToken() : accessToken);
    return {
      credential: async () => {
        const present = await token();
        // Other characters are not allowed in a header.
        if (typeof present !== "string" || !/^[\x20-\x7e\xa0-\xff]*[\x21-\x7e\xa1-\xff]$/.test(present))
          throw callError("invalid_request", "accessToken must be a token, or a function that gives one.");
        // What the platform says is shown without it, even where it has no form by which it could be recognised.
        redaction.hold("token", [present]);
        return singleCredential(kinds, present);
      },
    };
  }
  const credential =
    options.credential === undefined ? userCredential(connector, options) : ownCredential(connector, options.credential);
  for (const value of Object.values(credential.values).flatMap((one) => [one, ...one.split("\n")])) redaction.add(value);
  const initial = options.refreshToken === undefined ? undefined : initialTokens(options);
  const { refresh_token: _changing, ...lasting } = credential.values;
  const source = credentialSource(credential, {
    id: connector.name,
    plan: connector.platform,
    endpoints,
    vault: options.refreshToken === undefined ? memoryVault() : callbackVault(options.onTokens),
    userAgent,
    redact: redaction.redact,
    onTokens: ({ token, refreshToken = "" }) => redaction.hold("tokens", [token, refreshToken]),
    ...(initial === undefined ? {} : { initial }),
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });
  const secret = lastingSecret(kinds, { ...credential, values: lasting });
  return { ...source, ...(secret === undefined ? {} : { secret }) };
}

type RefreshOptions = Extract<LocalOptions, { readonly refreshToken: string }>;

function userCredential({ title, platform }: Connector, { refreshToken, clientId, clientSecret }: RefreshOptions): Credential {
  const kind = platform.auth.kinds.find(({ grant }) => grant?.by === "oauth");
  if (kind === undefined) throw callError("invalid_request", `${title} takes no refreshToken.`);
  return { kind: kind.name, values: { client_id: clientId, client_secret: clientSecret, refresh_token: refreshToken } };
}

function initialTokens({ accessToken, expiresAt }: RefreshOptions): Tokens | undefined {
  if (accessToken === undefined) return undefined;
  const end = expiresAt?.getTime() ?? null;
  // Its length is not known, so that it is renewed a minute before its end.
  return { token: accessToken, expiresAt: end, renewAt: end === null ? null : end - 60_000 };
}

/** A credential with its values in camelCase, as the spec names them. */
function ownCredential({ title, platform }: Connector, given: AnyCredential): Credential {
  const { kind: wanted, ...values } = given;
  const names = (kind: AuthKind) => Object.keys(kind.values);
  const kind = platform.auth.kinds.find(({ name }) => name === wanted);
  const isWhole = kind !== undefined && names(kind).every((name) => typeof values[camelCase(name)] === "string");
  if (kind === undefined || !isWhole || names(kind).length !== Object.keys(values).length) {
    const forms = platform.auth.kinds.map((one) => `${one.name} (${names(one).map(camelCase).join(", ")})`);
    throw callError(
      "invalid_request",
      `credential must be of one of the kinds that ${title} takes, with all its values: ${forms.join("; ")}.`,
    );
  }
  return { kind: kind.name, values: Object.fromEntries(names(kind).map((name) => [name, values[camelCase(name)] ?? ""])) };
}

/** Gives new tokens to the caller, who stores them, before they are used. */
function callbackVault(onTokens: RefreshOptions["onTokens"]): TokenVault {
  const memory = memoryVault();
  return {
    lease: () => memory.lease(),
    save: async (kept) => {
      const { tokens } = kept ?? {};
      if (tokens !== undefined) await stored(tokens, onTokens);
      return memory.save(kept);
    },
  };
}

/** @throws TenonError `platform_failed` when the callback fails; it is called again with the same tokens by a later call */
async function stored({ token, refreshToken, expiresAt }: Tokens, onTokens: RefreshOptions["onTokens"]): Promise<void> {
  const refresh = refreshToken === undefined ? {} : { refreshToken };
  try {
    await onTokens({ accessToken: token, ...refresh, expiresAt: expiresAt === null ? null : new Date(expiresAt) });
  } catch (cause) {
    const message = "The callback onTokens failed, so that the new tokens are not used yet.";
    throw new TenonError("platform_failed", message, { cause, retryAfter: 3 });
  }
}
