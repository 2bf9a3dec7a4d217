/**
 * What a platform gave for a credential. Times are milliseconds since 1970 by this machine's clock; null where the token does not expire.
 */
export interface Tokens {
  /** Sent with each call. */
  readonly token: string;
  /** From this time on it is renewed before it is used again. */
  readonly renewAt: number | null;
  readonly expiresAt: number | null;
  /** Used instead of the credential's own refresh token. */
  readonly refreshToken?: string;
}

/** Tokens as they are kept for all processes. */
export interface KeptTokens {
  /** Identifies the credential for which the tokens were given. Tokens of a former credential are not used. */
  readonly origin: string;
  readonly tokens?: Tokens;
  /** The platform gives no more tokens for this credential: the user has to authorize again. */
  readonly refused?: true;
}

/** Keeps the tokens of one instance. */
export interface TokenVault {
  /**
   * Asks for the right to renew them, which one owner at a time has.
   *
   * @returns the tokens as they are now, and whether the right was given
   */
  lease(): Promise<{ readonly leased: boolean; readonly kept: KeptTokens | undefined }>;
  /** Keeps new tokens, or none, and gives the right back. @returns false when the right was lost meanwhile */
  save(kept: KeptTokens | undefined): Promise<boolean>;
}

/**
 * So many milliseconds before it expires, a token is renewed; one that lasts less than ten times as long, when a tenth of its time is left.
 */
const earliest = 5 * 60_000;

/** @param lasts milliseconds that the token lasts from now on; null where it does not expire */
export function tokensOf(token: string, lasts: number | null, refreshToken?: string, now = Date.now()): Tokens {
  const times =
    lasts === null
      ? { renewAt: null, expiresAt: null }
      : { renewAt: now + lasts - Math.min(earliest, lasts / 10), expiresAt: now + lasts };
  return { token, ...times, ...(refreshToken === undefined ? {} : { refreshToken }) };
}

/** Keeps tokens for this process alone. */
export function memoryVault(initial?: KeptTokens): TokenVault {
  let kept = initial;
  return {
    lease: async () => ({ leased: true, kept }),
    save: async (given) => {
      kept = given ?? kept;
      return true;
    },
  };
}
