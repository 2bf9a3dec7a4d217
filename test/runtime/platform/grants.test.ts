import { describe, expect, it } from "vitest";
import type { OauthGrant } from "../../../runtime/contract/index.ts";
import type { GrantContext } from "../../../runtime/platform/grant-call.ts";
import { oauthAddresses, redeemCode, refreshTokens } from "../../../runtime/platform/oauth-grant.ts";

const grant: OauthGrant = {
  by: "oauth",
  authorize: "https://{place}.desk.example/agree",
  token: "https://api.desk.example/tokens",
  refresh: "https://api.desk.example/tokens/next",
  derive: { "/api/v3": "/web", "": "" },
  client: "form",
  refused: ["invalid_grant", "gone"],
};
const values = { client_id: "id&1", client_secret: "canary secret" };

interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly form: Readonly<Record<string, string>>;
}

/** A platform that gives one answer after the other. */
function platform(...answers: (Response | Error)[]) {
  const sent: Sent[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const form = Object.fromEntries(new URLSearchParams(String(init?.body)));
    sent.push({ url: String(url), headers: new Headers(init?.headers), form });
    const answer = answers[Math.min(sent.length, answers.length) - 1];
    if (answer instanceof Error || answer === undefined) throw answer;
    return answer.clone();
  };
  const redact = (text: string) => text.replaceAll("canary", "[redacted]");
  const context: GrantContext = { title: "Desk", values, userAgent: "tenon/test", fetch, redact };
  return { sent, context };
}

const addresses = oauthAddresses(grant, undefined, { place: "eu" });
const signal = new AbortController().signal;
const given = { access_token: "a", refresh_token: "r", expires_in: "3600", token_type: "bearer" };

describe("the addresses of an OAuth client", () => {
  it.each([
    [undefined, "https://eu.desk.example/agree", "https://api.desk.example/tokens/next"],
    ["https://own.example/api/v3", "https://own.example/web/agree", "https://own.example/web/tokens/next"],
    ["https://own.example/", "https://own.example/agree", "https://own.example/tokens/next"],
  ])("follow from the REST address %s", (rest, authorize, refresh) => {
    expect(oauthAddresses(grant, rest, { place: "eu" })).toMatchObject({ authorize, refresh });
  });

  it("stay at the origin of the REST address where the spec has no rule", () => {
    const { derive: _none, ...plain } = grant;
    expect(oauthAddresses(plain, "https://own.example/api").token).toBe("https://own.example/tokens");
  });
});

describe("asking for tokens of a user", () => {
  it("sends the refresh token and the client in a form", async () => {
    const { sent, context } = platform(Response.json(given));
    const before = Date.now();
    const tokens = await refreshTokens(grant, addresses, context, "old", signal);
    expect(tokens).toMatchObject({ token: "a", refreshToken: "r" });
    expect((tokens.expiresAt ?? 0) - before).toBeGreaterThanOrEqual(3_600_000);
    const form = { grant_type: "refresh_token", refresh_token: "old", client_id: "id&1", client_secret: "canary secret" };
    expect(sent).toMatchObject([{ url: "https://api.desk.example/tokens/next", form }]);
    expect(sent[0]?.headers.get("accept")).toBe("application/json");
    expect(sent[0]?.headers.get("authorization")).toBeNull();
  });

  it("sends the client in the header where the platform wants it there", async () => {
    const { sent, context } = platform(Response.json(given));
    const authorized = { code: "c", verifier: "v", redirectUri: "https://tenon.example/callback" };
    await redeemCode({ ...grant, client: "basic" }, addresses, context, authorized, signal);
    expect(sent[0]?.headers.get("authorization")).toBe(`Basic ${btoa("id%261:canary+secret")}`);
    const form = { grant_type: "authorization_code", code: "c", code_verifier: "v", redirect_uri: authorized.redirectUri };
    expect(sent).toEqual([expect.objectContaining({ url: "https://api.desk.example/tokens", form })]);
  });

  it.each<[string, Response, boolean, string]>([
    ["an error with status 200", Response.json({ error: "gone" }), true, "Desk gave no token (gone)."],
    ["the error of the standard", Response.json({ error: "invalid_grant" }, { status: 400 }), true, "(invalid_grant)"],
    ["an error of the client", Response.json({ error: "invalid_client" }, { status: 401 }), false, "(invalid_client)"],
    ["an error that quotes a secret", Response.json({ error: "canary" }, { status: 400 }), false, "([redacted])"],
    ["an error of another form", Response.json({ error: { a: 1 } }, { status: 403 }), false, "(status 403)"],
    ["a token beside an error", Response.json({ ...given, error: "gone" }), true, "(gone)"],
  ])("is refused by %s", async (_title, answer, again, message) => {
    const { sent, context } = platform(answer);
    await expect(refreshTokens(grant, addresses, context, "old", signal)).rejects.toMatchObject({
      name: "GrantRefused",
      again,
      message: expect.stringContaining(message),
    });
    expect(sent).toHaveLength(1);
  });

  it("is tried again when there is no answer of the platform itself, and fails after three tries", async () => {
    const late = platform(new Error("reset"), new Response("<html>", { status: 502 }), Response.json(given));
    expect(await refreshTokens(grant, addresses, late.context, "old", signal)).toMatchObject({ token: "a" });
    const never = platform(new Error("reset"));
    const failing = refreshTokens(grant, addresses, never.context, "old", signal);
    await expect(failing).rejects.toMatchObject({ code: "platform_failed", retryAfter: 5 });
    expect(never.sent).toHaveLength(3);
  });

  it("takes no token that cannot stand in a header", async () => {
    const { context } = platform(Response.json({ ...given, access_token: "a\r\nx: y" }));
    await expect(refreshTokens(grant, addresses, context, "old", signal)).rejects.toMatchObject({ code: "platform_failed" });
  });
});
