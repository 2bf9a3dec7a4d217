import { createHash } from "node:crypto";
import type { AuthKind, PlatformPlan } from "../contract/index.ts";
import { type Endpoints, filledHeaders } from "./addresses.ts";
import { appTokens } from "./app-grant.ts";
import type { Credential } from "./credential.ts";
import { type GrantContext, GrantRefused } from "./grant-call.ts";
import { oauthAddresses, refreshTokens } from "./oauth-grant.ts";
import { TokenSource } from "./token-source.ts";
import type { Tokens, TokenVault } from "./tokens.ts";

/** Gives the calls of an instance their credential. */
export interface CredentialSource {
  /** The credential for the next call. */
  readonly credential: () => Promise<Credential>;
  /**
   * To be called when the platform refused a credential. Gives another one to try once, or undefined. Absent where there is never another.
   */
  readonly renew?: (refused: Credential) => Promise<Credential | undefined>;
}

export interface SourceOptions {
  /** Id of the instance. */
  readonly id: string;
  readonly plan: PlatformPlan;
  readonly endpoints: Endpoints;
  /** Where its tokens are kept, if it has a kind of credential that gets some. */
  readonly vault: TokenVault;
  /** Tokens that were given before, where the vault has none. */
  readonly initial?: Tokens;
  readonly userAgent: string;
  readonly fetch?: typeof globalThis.fetch;
  readonly redact: (text: string) => string;
  /** Called with tokens before they are used, so that they are removed from all texts. */
  readonly onTokens: (tokens: Tokens) => void;
}

/** Makes the source of a credential: it is shown to the platform as it is, or tokens are got with it, as its kind says. */
export function credentialSource(credential: Credential, options: SourceOptions): CredentialSource {
  const grant = kindOf(options.plan, credential)?.grant;
  if (grant === undefined) return { credential: async () => credential };
  const { id, plan, vault, initial, onTokens } = options;
  const renew = renewal(credential, grant, options);
  const { title } = plan;
  const origin = originOf(credential);
  const from = { kind: credential.kind, title, id, origin, vault, renew, onTokens };
  const source = new TokenSource({ ...from, ...(initial === undefined ? {} : { initial }) });
  return { credential: () => source.credential(), renew: (refused) => source.renew(refused) };
}

/** Identifies a credential without revealing it. Tokens are kept with this id, so that those of a former credential are not used. */
export function originOf({ kind, values }: Credential): string {
  const parts = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([kind, parts]))
    .digest("base64url");
}

/** What requests for tokens of an instance need. */
export function grantContext(
  { values }: Credential,
  { plan, userAgent, fetch = globalThis.fetch, redact }: Pick<SourceOptions, "plan" | "userAgent" | "fetch" | "redact">,
): GrantContext {
  return { title: plan.title, values, userAgent, fetch, redact };
}

function kindOf({ auth }: PlatformPlan, { kind }: Credential): AuthKind | undefined {
  return auth.kinds.find(({ name }) => name === kind);
}

function renewal(credential: Credential, grant: NonNullable<AuthKind["grant"]>, options: SourceOptions) {
  const { plan, endpoints } = options;
  const context = grantContext(credential, options);
  switch (grant.by) {
    case "app": {
      const headers = filledHeaders(plan.rest?.headers, endpoints.variables);
      const tokens = appTokens(grant, endpoints.rest ?? "", headers, context);
      return (_former: Tokens | undefined, signal: AbortSignal) => tokens(signal);
    }
    case "oauth": {
      const addresses = oauthAddresses(grant, endpoints.ownRest, endpoints.variables);
      return async (former: Tokens | undefined, signal: AbortSignal) => {
        const refreshToken = former?.refreshToken ?? credential.values["refresh_token"];
        if (refreshToken === undefined) throw new GrantRefused(`There is no refresh token of ${plan.title}.`, true);
        return refreshTokens(grant, addresses, context, refreshToken, signal);
      };
    }
  }
}
