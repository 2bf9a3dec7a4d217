import { hash } from "node:crypto";
import { BoundedMap } from "../base/bounded-map.ts";
import { TenonError } from "../base/errors.ts";
import { type Caller, longestToken } from "./callers.ts";
import { fullGrant, type Right } from "./grant.ts";

/** An authorization server elsewhere, whose access tokens the service accepts. */
export interface TrustedIssuerOptions {
  /** Its identifier, as `iss` of its tokens has it. */
  readonly issuer: string;
  /** Where its public keys are (RFC 7517). */
  readonly jwksUrl: string;
  /** What a token must be for: one of these stands in `aud`. */
  readonly audiences: readonly string[];
  /** The rights that scopes give. */
  readonly scopes: ReadonlyMap<string, Right>;
  /** Connects to the addresses that are allowed. */
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Signatures with a public key. With any other, whoever knows what checks a token could make one. */
const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];
/** Forms of an access token. Issuers that do not follow RFC 9068 say `JWT`, or nothing. */
const types = [undefined, "at+jwt", "application/at+jwt", "jwt"];
/** Milliseconds for which a token that was checked is not checked again. */
const checkedFor = 5 * 60_000;
const mostTokens = 10_000;
/** Seconds by which the clock of the issuer may differ. */
const clockTolerance = 10;
/** Milliseconds in which the keys must come, and for which they are not requested again after a failure. */
const fetchTimeout = 5_000;
const pauseAfterFailure = 10_000;
/** Bytes of the list of keys. */
const largestList = 256 * 1024;
/** The subject becomes part of the caller's id, which is in logs and in the audit log. */
const subjectForm = /^[\x21-\x7e]{1,255}$/;

interface Checked {
  readonly caller: Caller;
  readonly until: number;
}

/** Admits the callers to whom another authorization server has given an access token: a JWT, signed with one of the server's keys. */
export class TrustedIssuer {
  readonly issuer: string;
  /** All scopes that give a right. */
  readonly scopes: readonly string[];
  readonly #options: TrustedIssuerOptions;
  readonly #now: () => number;
  readonly #checked = new BoundedMap<string, Checked>(mostTokens);
  #keys: Promise<import("jose").JWTVerifyGetKey> | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(options: TrustedIssuerOptions) {
    this.issuer = options.issuer;
    this.scopes = [...options.scopes.keys()];
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /**
   * The caller of a token, with the rights that its scopes give.
   *
   * @returns undefined for a token that is not accepted, whatever the reason
   * @throws TenonError `issuer_unavailable` when the issuer's keys cannot be read
   */
  async admit(token: string): Promise<Caller | undefined> {
    if (token.length > longestToken || token.split(".").length !== 3) return undefined;
    const name = hash("sha256", token, "base64url");
    const known = this.#checked.get(name);
    if (known !== undefined && known.until > this.#now()) return known.caller;
    const checked = await this.#check(token);
    if (checked !== undefined) this.#checked.set(name, checked);
    return checked?.caller;
  }

  async #check(token: string): Promise<Checked | undefined> {
    const { errors, jwtVerify, decodeJwt } = await import("jose");
    const { issuer, audiences } = this.#options;
    const now = this.#now();
    try {
      // A token of somebody else is no reason to request keys.
      if (decodeJwt(token).iss !== issuer) return undefined;
      this.#keys ??= this.#remoteKeys();
      const { payload, protectedHeader } = await jwtVerify(token, await this.#keys, {
        algorithms,
        issuer,
        audience: [...audiences],
        requiredClaims: ["exp", "sub"],
        clockTolerance,
        currentDate: new Date(now),
      });
      const { sub = "", exp = 0 } = payload;
      if (!types.includes(protectedHeader.typ?.toLowerCase()) || !subjectForm.test(sub)) return undefined;
      const grant = { ...fullGrant, rights: this.#rightsOf(payload) };
      // A subject may be any text, also the name of a key that a rule of a policy allows something.
      const id = `oauth:${sub}`;
      return { caller: { id, name: id, grant, issued: true }, until: Math.min(exp * 1000, now + checkedFor) };
    } catch (thrown) {
      if (thrown instanceof errors.JWKSInvalid) throw this.#unavailable("sent no list of keys");
      if (thrown instanceof errors.JWKSTimeout) throw this.#unavailable("did not respond in time");
      if (thrown instanceof errors.JOSEError) return undefined;
      throw thrown;
    }
  }

  /** Scopes are a text (RFC 9068) or, with some issuers, the list `scp`. */
  #rightsOf({ scope, scp }: Readonly<Record<string, unknown>>): Right[] {
    const given = scope ?? scp;
    const names: readonly unknown[] = typeof given === "string" ? given.split(" ") : Array.isArray(given) ? given : [];
    const rights = [...this.#options.scopes].flatMap(([name, right]) => (names.includes(name) ? [right] : []));
    return [...new Set(rights)];
  }

  async #remoteKeys() {
    const { createRemoteJWKSet, customFetch } = await import("jose");
    return createRemoteJWKSet(new URL(this.#options.jwksUrl), {
      timeoutDuration: fetchTimeout,
      [customFetch]: async (url: string, init: RequestInit) => {
        if (this.#isPaused()) throw this.#unavailable("did not respond lately");
        try {
          return await this.#fetch(url, init);
        } catch (thrown) {
          this.#failedAt = this.#now();
          throw thrown instanceof TenonError ? thrown : this.#unavailable("did not respond");
        }
      },
    });
  }

  /** Whether the last failure is a short time ago. Where it seems to be still to come, the clock has gone back. */
  #isPaused(): boolean {
    const since = this.#now() - this.#failedAt;
    return since >= 0 && since < pauseAfterFailure;
  }

  /** Requests the keys. Redirects are not followed. @throws TenonError, or what fetch throws */
  async #fetch(url: string, init: RequestInit): Promise<Response> {
    const { status, body } = await this.#options.fetch(url, init);
    if (status !== 200) throw this.#unavailable(`responded with ${status}`);
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of body ?? []) {
      size += piece.length;
      if (size > largestList) throw this.#unavailable(`sent more than ${largestList / 1024} KiB`);
      pieces.push(piece);
    }
    const text = Buffer.concat(pieces).toString();
    try {
      JSON.parse(text);
    } catch {
      throw this.#unavailable("sent no JSON");
    }
    return new Response(text);
  }

  #unavailable(what: string): TenonError {
    const message = `The issuer of access tokens ${what} when its keys were requested.`;
    return new TenonError("issuer_unavailable", message, { retryAfter: Math.ceil(pauseAfterFailure / 1000) });
  }
}
