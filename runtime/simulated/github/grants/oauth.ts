import { createHash, randomBytes } from "node:crypto";
import { type Answer, json, page } from "../../../simulator/answer.ts";
import type { World } from "../world/world.ts";
import { app } from "./app.ts";
import { giveToken, newSecret } from "./issued.ts";

/** Milliseconds for which a code is good. */
const codeTime = 10 * 60_000;
/** Seconds that a refresh token lasts. */
const refreshLasts = 15_897_600;

/** `GET /login/oauth/authorize`: the user octocat agrees at once, and is sent back with a code. */
export function authorizePage({ grants }: World, query: URLSearchParams): Answer {
  const redirectUri = query.get("redirect_uri") ?? "";
  if (query.get("client_id") !== app.clientId) return page(404, "Not Found");
  if (!isRegistered(redirectUri)) return page(200, "The redirect_uri is not associated with this application.");
  const challenge = query.get("code_challenge") ?? undefined;
  const back = new URL(redirectUri);
  if (challenge !== undefined && query.get("code_challenge_method") !== "S256") back.searchParams.set("error", "invalid_request");
  else {
    const code = randomBytes(10).toString("hex");
    grants.codes.set(code, { login: "octocat", challenge, redirectUri, until: Date.now() + codeTime });
    back.searchParams.set("code", code);
  }
  const state = query.get("state");
  if (state !== null) back.searchParams.set("state", state);
  return { status: 302, headers: { location: back.href }, body: "" };
}

/** Addresses that the app's owner has registered. A loopback address may have any port. */
function isRegistered(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname, pathname } = new URL(address);
  return hostname === "127.0.0.1" && pathname.endsWith("/callback");
}

/** `POST /login/oauth/access_token`: tokens for a code or a refresh token. An error has status 200, too. */
export function userTokens(world: World, form: URLSearchParams, accept: string): Answer {
  const answer = tokensFor(world, form);
  if (accept.includes("application/json")) return json(200, answer);
  const body = new URLSearchParams(Object.entries(answer).map(([name, value]) => [name, String(value)])).toString();
  return { status: 200, headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" }, body };
}

function tokensFor(world: World, form: URLSearchParams): Readonly<Record<string, string | number>> {
  if (form.get("client_id") !== app.clientId || form.get("client_secret") !== app.clientSecret)
    return problem("incorrect_client_credentials", "The client_id and/or client_secret passed are incorrect.");
  const login = form.get("grant_type") === "refresh_token" ? byRefreshToken(world, form) : byCode(world, form);
  if (login === undefined)
    return form.get("grant_type") === "refresh_token"
      ? problem("bad_refresh_token", "The refresh token passed is incorrect or expired.")
      : problem("bad_verification_code", "The code passed is incorrect or expired.");
  const { grants } = world;
  grants.given.user++;
  const token = giveToken(grants, "ghu", login, grants.lasts.user);
  const refreshToken = newSecret("ghr");
  grants.refreshTokens.set(refreshToken, { login, token });
  return {
    access_token: token,
    expires_in: grants.lasts.user,
    refresh_token: refreshToken,
    refresh_token_expires_in: refreshLasts,
    scope: "",
    token_type: "bearer",
  };
}

/** A refresh token is good once, and the access token that came with it ends. */
function byRefreshToken({ grants }: World, form: URLSearchParams): string | undefined {
  const given = form.get("refresh_token") ?? "";
  const known = grants.refreshTokens.get(given);
  grants.refreshTokens.delete(given);
  if (known !== undefined) grants.tokens.delete(known.token);
  return known?.login;
}

function byCode({ grants }: World, form: URLSearchParams): string | undefined {
  const given = form.get("code") ?? "";
  const known = grants.codes.get(given);
  grants.codes.delete(given);
  if (known === undefined || known.until <= Date.now() || form.get("redirect_uri") !== known.redirectUri) return undefined;
  const verifier = form.get("code_verifier");
  const challenge = verifier === null ? undefined : createHash("sha256").update(verifier).digest("base64url");
  return challenge === known.challenge ? known.login : undefined;
}

function problem(error: string, description: string) {
  const docs = "https://docs.github.com/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors";
  return { error, error_description: description, error_uri: docs };
}
