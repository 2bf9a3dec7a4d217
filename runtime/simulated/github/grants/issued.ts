import { randomBytes } from "node:crypto";
import { allTokenScopes, type Token } from "../tokens.ts";

/**
 * What the platform has given out to apps and users, and what it knows of them. Times are milliseconds since 1970 by this machine's clock.
 */
export interface Grants {
  /** Access tokens, each with its account and its end. */
  readonly tokens: Map<string, { readonly login: string; readonly until: number }>;
  /** Codes of users who have authorized. Each is good once. */
  readonly codes: Map<
    string,
    { readonly login: string; readonly challenge: string | undefined; readonly redirectUri: string; readonly until: number }
  >;
  /** Refresh tokens, each with its account and the access token that ends with it. Each is good once. */
  readonly refreshTokens: Map<string, { readonly login: string; readonly token: string }>;
  /** Seconds that tokens last. Tests may change them. */
  lasts: { user: number; installation: number };
  /** How often each kind of token was given out. */
  given: { user: number; installation: number };
}

export function newGrants(): Grants {
  return {
    tokens: new Map(),
    codes: new Map(),
    refreshTokens: new Map(),
    lasts: { user: 28_800, installation: 3_600 },
    given: { user: 0, installation: 0 },
  };
}

/** A new text of the platform's form: the kind of token, and 36 characters. */
export function newSecret(prefix: "ghu" | "ghr" | "ghs"): string {
  return `${prefix}_${randomBytes(27).toString("base64url").replaceAll(/[-_]/g, "0")}`;
}

/** Gives out an access token. @param lasts seconds; 0 or less gives one that is over */
export function giveToken(grants: Grants, prefix: "ghu" | "ghs", login: string, lasts: number): string {
  const token = newSecret(prefix);
  grants.tokens.set(token, { login, until: Date.now() + lasts * 1000 });
  return token;
}

/** An access token that was given out and is good. */
export function givenToken(grants: Grants, token: string): Token | undefined {
  const given = grants.tokens.get(token);
  if (given === undefined || given.until <= Date.now()) return undefined;
  return { name: "given", token, login: given.login, scopes: allTokenScopes, expired: false };
}
