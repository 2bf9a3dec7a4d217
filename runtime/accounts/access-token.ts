import { madeOnce } from "../base/made-once.ts";
import type { SecretKeys } from "./secret-keys.ts";

/** The routes that a token opens: those of the service itself, or those for the client of another service. */
export type Audience = "tenon" | "tenon/compat";

const audiences: readonly Audience[] = ["tenon", "tenon/compat"];

/** What a signed access token says. */
export interface AccessToken {
  readonly audience: Audience;
  /** Id of the client. */
  readonly client: string;
  /** Id of the client's secret for which the token was given. */
  readonly secret: string;
  /** When the token ends, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Source of a regular expression that matches every access token made here, for the redactor. */
export const accessTokenPattern = "eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}";

const issuer = "tenon";
const algorithm = "HS256";
/** The member of the token with the id of the client's secret. */
const secretMember = "sec";

/** Loaded for the first token: no command needs it, and many services never see a token. */
const jose = madeOnce(() => import("jose"));

/** Signs an access token: a JWT (RFC 7519) with the profile of RFC 9068 as far as it fits, signed with the current secret key. */
export async function signToken(
  { current }: SecretKeys,
  { audience, client, secret, expiresAt }: AccessToken,
  now: number,
): Promise<string> {
  const { SignJWT } = await jose();
  return new SignJWT({ [secretMember]: secret })
    .setProtectedHeader({ alg: algorithm, typ: "at+jwt", kid: current.id })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(client)
    .setIssuedAt(Math.floor(now / 1000))
    .setExpirationTime(Math.floor(expiresAt / 1000))
    .sign(current.sign);
}

/** Reads an access token that any of the secret keys has signed and that has not ended; undefined for every other text. */
export async function readToken({ all }: SecretKeys, text: string, now: number): Promise<AccessToken | undefined> {
  const { errors, jwtVerify } = await jose();
  const keyOf = ({ kid }: { readonly kid?: string | undefined }) => {
    const key = all.find(({ id }) => id === kid);
    if (key === undefined) throw new errors.JWSInvalid("the token names no secret key");
    return key.sign;
  };
  const rules = { algorithms: [algorithm], typ: "at+jwt", issuer, requiredClaims: ["exp", "sub"] };
  try {
    const { payload } = await jwtVerify(text, keyOf, { ...rules, currentDate: new Date(now) });
    const secret = payload[secretMember];
    const audience = audiences.find((one) => one === payload.aud);
    if (audience === undefined) return undefined;
    if (typeof payload.sub !== "string" || typeof payload.exp !== "number" || typeof secret !== "string") return undefined;
    return { audience, client: payload.sub, secret, expiresAt: payload.exp * 1000 };
  } catch (thrown) {
    if (thrown instanceof errors.JOSEError) return undefined;
    throw thrown;
  }
}
