import { TenonError } from "../base/errors.ts";
import { pause } from "../base/pause.ts";
import type { Credential } from "./credential.ts";
import { GrantRefused } from "./grant-call.ts";
import type { Tokens, TokenVault } from "./tokens.ts";

export interface TokenSourceOptions {
  /** Kind of the credential. */
  readonly kind: string;
  /** What the platform and the instance are called in messages. */
  readonly title: string;
  readonly id: string;
  /** Identifies the credential without revealing it. */
  readonly origin: string;
  readonly vault: TokenVault;
  /** Tokens that were given before, where the vault has none. */
  readonly initial?: Tokens;
  /**
   * Gets new tokens.
   *
   * @param former the tokens that are kept; only their refresh token is used
   * @throws GrantRefused, or TenonError `platform_failed` when the platform does not answer
   */
  readonly renew: (former: Tokens | undefined, signal: AbortSignal) => Promise<Tokens>;
  /** Called with tokens before they are used, so that they are removed from all texts. */
  readonly onTokens: (tokens: Tokens) => void;
}

/** Milliseconds that a renewal may take, and that one may wait for the renewal by another process. */
const renewTime = 20_000;
const waitTime = 30_000;
/** Milliseconds between two looks whether another process has renewed the tokens. */
const glance = 100;
/** Milliseconds for which nothing is tried after a failure, and after a refusal. */
const pauses = { failed: 2_000, refused: 30_000 } as const;
/** A token that the platform refuses so soon (milliseconds) after it was given is not renewed: the next one would be refused too. */
const young = 10_000;

/**
 * Gives the token for each call, and renews it: before it expires, or when the platform refuses it. However many callers wait, in however
 * many processes, it is renewed once, and it is kept before it is used.
 */
export class TokenSource {
  readonly #options: TokenSourceOptions;
  #tokens: Tokens | undefined;
  #renewing: Promise<Tokens> | undefined;
  /** New tokens that are not kept yet. */
  #unkept: Tokens | undefined;
  #failure: { readonly error: TenonError; readonly until: number } | undefined;
  /** When this process was given tokens by the platform, as of `performance.now()`. */
  #gotAt = Number.NEGATIVE_INFINITY;

  constructor(options: TokenSourceOptions) {
    this.#options = options;
    this.#tokens = options.initial;
  }

  /**
   * The credential for the next call.
   *
   * @throws TenonError `authorization_required`, `platform_unauthorized` or `platform_failed` when there is no token
   */
  async credential(): Promise<Credential> {
    const known = this.#tokens;
    return this.#credentialOf(known !== undefined && isFresh(known) ? known : await this.#renewed(undefined));
  }

  /**
   * To be called when the platform has refused a credential that came from here.
   *
   * @returns another one to try once; undefined where there is none
   * @throws TenonError as {@link credential} does
   */
  async renew({ values }: Credential): Promise<Credential | undefined> {
    const { token: refused } = values;
    const known = this.#tokens;
    if (known !== undefined && known.token !== refused) return this.#credentialOf(known);
    if (performance.now() - this.#gotAt < young) return undefined;
    return this.#credentialOf(await this.#renewed(refused));
  }

  /** Callers that ask while tokens are being renewed wait for the same renewal. */
  #renewed(refused: string | undefined): Promise<Tokens> {
    this.#renewing ??= this.#renew(refused)
      .catch((thrown: unknown) => this.#insteadOf(thrown, refused))
      .finally(() => {
        this.#renewing = undefined;
      });
    return this.#renewing;
  }

  /** The former token, if it can still be used. @throws TenonError why there is no new one */
  #insteadOf(thrown: unknown, refused: string | undefined): Tokens {
    if (thrown instanceof GrantRefused && thrown.again) throw this.#mustAuthorize();
    const isRefusal = thrown instanceof GrantRefused;
    const error = isRefusal ? new TenonError("platform_unauthorized", thrown.message) : thrown;
    if (!(error instanceof TenonError)) throw error;
    if (error.code === "authorization_required") throw error;
    if (this.#failure?.error !== error) this.#fail(error, isRefusal ? pauses.refused : pauses.failed);
    if (this.#unkept === undefined && this.#tokens !== undefined && isGood(this.#tokens, refused)) return this.#tokens;
    throw error;
  }

  /** @param refused the token that the platform refuses, where it does */
  async #renew(refused: string | undefined): Promise<Tokens> {
    const { vault, origin, title } = this.#options;
    if (this.#failure !== undefined && this.#failure.until > performance.now()) throw this.#failure.error;
    const end = performance.now() + waitTime;
    while (performance.now() < end) {
      const { leased, kept } = await vault.lease();
      const own = kept?.origin === origin ? kept : undefined;
      const isDone = own?.refused === true || (own?.tokens !== undefined && own.tokens.token !== refused && isFresh(own.tokens));
      if (own !== undefined && isDone && this.#unkept === undefined) {
        if (leased) await vault.save(undefined);
        if (own.tokens === undefined) throw this.#mustAuthorize();
        return this.#use(own.tokens);
      }
      if (leased) {
        // A token that cannot be renewed is used until it expires.
        if (own?.tokens !== undefined) this.#use(own.tokens);
        return this.#exchange(this.#tokens);
      }
      await pause(glance * (0.5 + Math.random()));
    }
    const message = `Another process has been renewing the token of ${title} for too long.`;
    throw new TenonError("platform_failed", message, { retryAfter: 5 });
  }

  /** Renews the tokens with the right to do so, and gives the right back. */
  async #exchange(former: Tokens | undefined): Promise<Tokens> {
    const { vault, origin, renew, id } = this.#options;
    const tokens = this.#unkept ?? withRefreshToken(await renew(former, AbortSignal.timeout(renewTime)).catch(failed), former);
    async function failed(thrown: unknown): Promise<never> {
      const again = thrown instanceof GrantRefused && thrown.again;
      await vault.save(again ? { origin, refused: true } : undefined);
      throw thrown;
    }
    // From now on the platform accepts only these tokens, so they are kept whatever happens next.
    this.#unkept = tokens;
    if (!(await vault.save({ origin, tokens })))
      throw new TenonError("platform_failed", `The new token of the connector "${id}" could not be kept yet.`, { retryAfter: 1 });
    this.#unkept = undefined;
    this.#gotAt = performance.now();
    return this.#use(tokens);
  }

  #use(tokens: Tokens): Tokens {
    this.#options.onTokens(tokens);
    this.#tokens = tokens;
    this.#failure = undefined;
    return tokens;
  }

  #fail(error: TenonError, pause: number): TenonError {
    this.#failure = { error, until: performance.now() + pause };
    return error;
  }

  #mustAuthorize(): TenonError {
    const { id, title } = this.#options;
    const message = `The connector "${id}" must be authorized by a user of ${title}: it has no refresh token that ${title} accepts.`;
    return this.#fail(new TenonError("authorization_required", message), pauses.refused);
  }

  #credentialOf({ token }: Tokens): Credential {
    return { kind: this.#options.kind, values: { token } };
  }
}

function isFresh({ renewAt }: Tokens): boolean {
  return renewAt === null || Date.now() < renewAt;
}

/** Whether a token that should be renewed can still be used. */
function isGood({ token, expiresAt }: Tokens, refused: string | undefined): boolean {
  return token !== refused && (expiresAt === null || Date.now() < expiresAt);
}

/** Where the platform gives no new refresh token, the former one stays valid (RFC 6749, 6). */
function withRefreshToken(tokens: Tokens, former: Tokens | undefined): Tokens {
  const refreshToken = tokens.refreshToken ?? former?.refreshToken;
  return { ...tokens, ...(refreshToken === undefined ? {} : { refreshToken }) };
}
