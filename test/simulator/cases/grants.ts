import { createHash, createPrivateKey } from "node:crypto";
import { createAppAuth } from "@octokit/auth-app";
import { request } from "@octokit/request";
import { SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { app, appKeys } from "../../../runtime/simulated/github/grants/app.ts";
import { rest } from "../client.ts";
import { platform } from "./setup.ts";

const path = "/app/installations/1001/access_tokens";

describe("tokens for an app", () => {
  it("are given to GitHub's own library", async () => {
    const { url: baseUrl } = platform();
    const auth = createAppAuth({ appId: app.id, privateKey: appKeys().privateKey, request: request.defaults({ baseUrl }) });
    const { token, expiresAt } = await auth({ type: "installation", installationId: 1001 });
    expect(token).toMatch(/^ghs_\w{36}$/);
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(3_500_000);
    expect((await rest(platform(), "GET", "/rate_limit", undefined, { token })).status).toBe(200);
  });

  const jwt = (claims: Record<string, unknown>, key = appKeys().privateKey) =>
    new SignJWT(claims).setProtectedHeader({ alg: "RS256" }).sign(createPrivateKey(key));
  const now = () => Math.floor(Date.now() / 1000);
  it.each<[string, () => Record<string, unknown>, number, string]>([
    ["is from the future", () => ({ iat: now() + 60, exp: now() + 300, iss: app.id }), 401, "'Issued at' claim"],
    ["has no time", () => ({ exp: now() + 300, iss: app.id }), 401, "'Issued at' claim"],
    ["is over", () => ({ iat: now() - 600, exp: now() - 1, iss: app.id }), 401, "'Expiration time' claim"],
    ["lasts too long", () => ({ iat: now() - 10, exp: now() + 660, iss: app.id }), 401, "too far in the future"],
    ["is of another app", () => ({ iat: now() - 10, exp: now() + 300, iss: "1" }), 404, "Integration not found"],
  ])("are refused for a JWT that %s", async (_title, claims, status, message) => {
    const reply = await rest(platform(), "POST", path, undefined, { token: await jwt(claims()) });
    expect([reply.status, reply.body["message"]]).toEqual([status, expect.stringContaining(message)]);
  });

  it("are refused for a JWT that another key has signed, or nobody", async () => {
    const claims = { iat: now() - 10, exp: now() + 300, iss: app.id };
    const [head, body] = (await jwt(claims)).split(".");
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    for (const token of [`${head}.${body}.AAAA`, `${none}.${body}.AAAA`, "no-jwt"])
      expect((await rest(platform(), "POST", path, undefined, { token })).body["message"]).toContain("could not be decoded");
  });
});

describe("tokens of a user", () => {
  const verifier = "verifier-of-the-simulator-test-0123456789-abcdef";
  const redirectUri = "http://127.0.0.1:1/callback";
  const code = async () => {
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const query = {
      client_id: app.clientId,
      redirect_uri: redirectUri,
      state: "s",
      code_challenge: challenge,
      code_challenge_method: "S256",
    };
    const address = `${platform().url}/login/oauth/authorize?${new URLSearchParams(query)}`;
    const { headers } = await fetch(address, { redirect: "manual" });
    const back = new URL(headers.get("location") ?? "");
    expect(back.searchParams.get("state")).toBe("s");
    return back.searchParams.get("code") ?? "";
  };
  const client = { client_id: app.clientId, client_secret: app.clientSecret };
  const ask = async (form: Record<string, string>): Promise<Record<string, unknown>> => {
    const body = new URLSearchParams({ ...client, ...form });
    const address = `${platform().url}/login/oauth/access_token`;
    const response = await fetch(address, { method: "POST", body, headers: { accept: "application/json" } });
    expect(response.status).toBe(200);
    return response.json();
  };

  it("are given for a code and for a refresh token, each of which is good once", async () => {
    const form = { code: await code(), code_verifier: verifier, redirect_uri: redirectUri };
    const first = await ask(form);
    expect(first).toMatchObject({ expires_in: 28_800, token_type: "bearer", refresh_token: expect.stringMatching(/^ghr_/) });
    expect(await ask(form)).toMatchObject({ error: "bad_verification_code" });
    const refresh = { grant_type: "refresh_token", refresh_token: String(first["refresh_token"]) };
    const second = await ask(refresh);
    expect(await ask(refresh)).toMatchObject({ error: "bad_refresh_token" });
    const status = async (tokens: Record<string, unknown>) =>
      (await rest(platform(), "GET", "/rate_limit", undefined, { token: String(tokens["access_token"]) })).status;
    expect([await status(first), await status(second)]).toEqual([401, 200]);
  });

  it.each<[string, Record<string, string>, number, string]>([
    ["an unknown client", { client_id: "x" }, 404, "Not Found"],
    ["no address", { redirect_uri: "callback" }, 200, "The redirect_uri is not associated with this application."],
    ["an address of others", { redirect_uri: "https://example.com/callback" }, 200, "The redirect_uri is not associated"],
  ])("are not asked for by %s", async (_title, wrong, status, text) => {
    const query = { client_id: app.clientId, redirect_uri: redirectUri, ...wrong };
    const reply = await rest(platform(), "GET", `/login/oauth/authorize?${new URLSearchParams(query)}`);
    expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(text)]);
  });

  it("are not asked for with another method than S256", async () => {
    const query = { client_id: app.clientId, redirect_uri: redirectUri, state: "s", code_challenge: "x" };
    const { status, headers } = await rest(platform(), "GET", `/login/oauth/authorize?${new URLSearchParams(query)}`);
    expect([status, headers.get("location")]).toEqual([302, `${redirectUri}?error=invalid_request&state=s`]);
  });

  it("come as a form unless the request accepts JSON", async () => {
    const form = { ...client, code: await code(), code_verifier: verifier, redirect_uri: redirectUri };
    const body = String(new URLSearchParams(form));
    const reply = await rest(platform(), "POST", "/login/oauth/access_token", body, { headers: { accept: "*/*" } });
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "application/x-www-form-urlencoded; charset=utf-8"]);
    expect(new URLSearchParams(reply.text).get("access_token")).toMatch(/^ghu_/);
  });

  it.each<[string, Record<string, string>, string]>([
    ["another text than the hash is of", { code_verifier: "other" }, "bad_verification_code"],
    ["another address", { code_verifier: verifier, redirect_uri: "http://127.0.0.1:2/callback" }, "bad_verification_code"],
    ["a wrong secret of the client", { code_verifier: verifier, client_secret: "x" }, "incorrect_client_credentials"],
  ])("are refused with %s", async (_title, form, error) => {
    expect(await ask({ redirect_uri: redirectUri, ...form, code: await code() })).toMatchObject({ error });
  });
});
