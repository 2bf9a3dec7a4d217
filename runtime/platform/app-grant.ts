import { createPrivateKey, sign } from "node:crypto";
import { promisify } from "node:util";
import { TenonError } from "../base/errors.ts";
import { visibleLine } from "../base/visible-text.ts";
import type { AppGrant } from "../contract/index.ts";
import type { Exchanged } from "./exchange.ts";
import { type GrantContext, GrantRefused, memberOf, postForToken, tokenIn } from "./grant-call.ts";
import { withLines } from "./private-key.ts";
import { type Tokens, tokensOf } from "./tokens.ts";

/** A JWT is dated so many seconds back, and expires so many seconds from now. Platforms allow ten minutes between the two. */
const datedBack = 60;
const lasts = 9 * 60;
const signText = promisify(sign);

/** Seconds by which the platform's clock may differ from ours without any effect. */
const tolerated = 5;

/**
 * Makes the function that gets tokens for an app. The JWT is dated by the platform's clock, once an answer has told that it differs from
 * ours.
 *
 * @param rest address of the REST API
 * @param headers those of every REST call
 */
export function appTokens(
  { path }: AppGrant,
  rest: string,
  headers: Readonly<Record<string, string>>,
  context: GrantContext,
): (signal: AbortSignal) => Promise<Tokens> {
  const { values, title } = context;
  const address = rest + path.map((part, index) => (index % 2 === 0 ? part : encodeURIComponent(values[part] ?? ""))).join("");
  const ask = async (ahead: number, signal: AbortSignal) => {
    const jwt = await signedJwt(values["app_id"] ?? "", values["private_key"] ?? "", Math.floor(Date.now() / 1000) + ahead);
    return postForToken(context, address, { headers: { ...headers, authorization: `Bearer ${jwt}` } }, signal);
  };
  /** Seconds by which the platform's clock is ahead of ours. */
  let known = 0;
  return async (signal) => {
    let answer = await ask(known, signal);
    const ahead = aheadOf(answer);
    if (answer.status === 401 && ahead !== undefined && Math.abs(ahead - known) > tolerated) {
      known = ahead;
      answer = await ask(known, signal);
    }
    const { status, data } = answer;
    const token = tokenIn(data, "token");
    if (status < 300 && token !== undefined) return tokensOf(token, timeLeft(answer));
    if (status < 400) throw new TenonError("platform_failed", `${title} responded with ${status} without a token for the app.`);
    const said = memberOf(data, "message");
    const quote = typeof said === "string" ? ` It says: ${visibleLine(said).slice(0, 300)}` : "";
    throw new GrantRefused(context.redact(`${title} gave no token for the app (status ${status}).${quote}`), false);
  };
}

/** A JWT that an RSA key signs, in a thread of its own. */
async function signedJwt(issuer: string, privateKey: string, now: number): Promise<string> {
  const parts = [
    { alg: "RS256", typ: "JWT" },
    { iss: issuer, iat: now - datedBack, exp: now + lasts },
  ];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const signature = await signText("RSA-SHA256", Buffer.from(text), createPrivateKey(withLines(privateKey)));
  return `${text}.${signature.toString("base64url")}`;
}

/** Seconds by which the clock of the platform is ahead of ours, as its answer tells. */
function aheadOf({ headers }: Exchanged): number | undefined {
  const at = Date.parse(headers.get("date") ?? "");
  return Number.isFinite(at) ? Math.round((at - Date.now()) / 1000) : undefined;
}

/** Milliseconds until `expires_at` by the platform's own clock; null where the answer does not tell it. */
function timeLeft(answer: Exchanged): number | null {
  const end = Date.parse(String(memberOf(answer.data, "expires_at")));
  return Number.isFinite(end) ? Math.max(0, end - Date.now() - (aheadOf(answer) ?? 0) * 1000) : null;
}
