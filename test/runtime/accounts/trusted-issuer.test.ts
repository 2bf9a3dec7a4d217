import { exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TrustedIssuer } from "../../../runtime/accounts/trusted-issuer.ts";
import { fetchFor } from "../../../runtime/platform/address-rules.ts";
import { startIssuer } from "../../e2e/support/issuer.ts";

const audience = "https://tenon.example/mcp";
let issuer: Awaited<ReturnType<typeof startIssuer>>;
let trusted: TrustedIssuer;
let now: number;

beforeEach(async () => {
  issuer = await startIssuer();
  now = Date.now();
  trusted = newTrusted();
});
afterEach(() => issuer.close());

function newTrusted(jwksUrl = `${issuer.url}/keys`): TrustedIssuer {
  return new TrustedIssuer({
    issuer: issuer.url,
    jwksUrl,
    audiences: [audience],
    scopes: new Map([
      ["tenon:read", "read"],
      ["tenon:write", "write"],
    ]),
    fetch: fetchFor([jwksUrl], false),
    now: () => now,
  });
}

const seconds = () => Math.floor(now / 1000);
const claims = (more: JWTPayload = {}): JWTPayload => ({
  iss: issuer.url,
  aud: audience,
  sub: "user-1",
  iat: seconds(),
  exp: seconds() + 600,
  scope: "openid tenon:read",
  ...more,
});
const without = (name: string) => Object.fromEntries(Object.entries(claims()).filter(([key]) => key !== name));
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("tokens of a trusted issuer", () => {
  it.each<[string, JWTPayload, readonly string[]]>([
    ["a scope", {}, ["read"]],
    ["several scopes", { scope: "tenon:write tenon:read" }, ["read", "write"]],
    ["scopes in a list", { scope: ["tenon:write"] }, ["write"]],
    ["the list scp", { scope: undefined, scp: ["tenon:read"] }, ["read"]],
    ["no scope that is known", { scope: "admin" }, []],
    ["no scope", { scope: undefined }, []],
    ["several audiences", { aud: ["other", audience] }, ["read"]],
  ])("give their caller the rights of %s", async (_name, more, rights) => {
    const caller = await trusted.admit(await issuer.sign(claims(more)));
    expect(caller).toMatchObject({ id: "oauth:user-1", name: "oauth:user-1", grant: { rights, organization: null } });
    expect(caller?.isOperator).toBeUndefined();
  });

  it("are refused for 24 reasons, and only then", async () => {
    const other = await generateKeyPair("RS256");
    const good = await issuer.sign(claims());
    const [head = "", body = "", signature = ""] = good.split(".");
    const hmac = (key: string) =>
      new SignJWT(claims()).setProtectedHeader({ alg: "HS256", kid: issuer.kid() }).sign(Buffer.from(key));
    const invalid: Readonly<Record<string, string>> = {
      "another issuer": await issuer.sign(claims({ iss: "https://other.example" })),
      "no issuer": await issuer.sign(without("iss")),
      "another audience": await issuer.sign(claims({ aud: "https://other.example" })),
      "a part of the audience": await issuer.sign(claims({ aud: audience.slice(0, -1) })),
      "no audience": await issuer.sign(without("aud")),
      "an empty list of audiences": await issuer.sign(claims({ aud: [] })),
      "a token that has ended": await issuer.sign(claims({ exp: seconds() - 11 })),
      "a token that does not end": await issuer.sign(without("exp")),
      "an end that is no number": await issuer.sign(claims({ exp: String(seconds() + 600) as never })),
      "a token for later": await issuer.sign(claims({ nbf: seconds() + 60 })),
      "no subject": await issuer.sign(without("sub")),
      "an empty subject": await issuer.sign(claims({ sub: "" })),
      "a subject with a line break": await issuer.sign(claims({ sub: "user\n1" })),
      "a subject that is too long": await issuer.sign(claims({ sub: "u".repeat(256) })),
      "the key of somebody else": await issuer.sign(claims(), {}, other.privateKey),
      "an unknown key": await issuer.sign(claims(), { kid: "unknown" }, other.privateKey),
      "another form of token": await issuer.sign(claims(), { typ: "logout+jwt" }),
      "no signature": new UnsecuredJWT(claims()).encode(),
      "an empty signature": `${head}.${body}.`,
      "a changed signature": `${head}.${body}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`,
      "changed claims": `${head}.${encoded(claims({ scope: "tenon:write" }))}.${signature}`,
      "the algorithm none": `${encoded({ alg: "none", kid: issuer.kid() })}.${body}.`,
      "a signature with the public key as a secret": await hmac(await exportSPKI(issuer.publicKey())),
      "no token": "not.a.token",
    };
    expect(Object.keys(invalid).length).toBe(24);
    for (const [name, token] of Object.entries(invalid)) expect([name, await trusted.admit(token)]).toEqual([name, undefined]);
    expect(await trusted.admit(good)).toBeDefined();
  });

  it("end when they end, also when they were accepted before", async () => {
    const token = await issuer.sign(claims({ exp: seconds() + 60 }));
    expect(await trusted.admit(token)).toBeDefined();
    now += 59_000;
    expect(await trusted.admit(token)).toBeDefined();
    now += 12_000;
    expect(await trusted.admit(token)).toBeUndefined();
  });

  it("are checked with keys that are read once", async () => {
    const [first, second] = [await issuer.sign(claims()), await issuer.sign(claims({ sub: "user-2" }))];
    await Promise.all([trusted.admit(first), trusted.admit(second), trusted.admit(first)]);
    // Tokens of others are no reason to read them.
    await trusted.admit(await issuer.sign(claims({ iss: "https://other.example" })));
    expect(issuer.requested()).toBe(1);
  });

  it.each(["none", "large", "broken", "redirect"] as const)("wait while the keys cannot be read (%s)", async (how) => {
    const token = await issuer.sign(claims());
    issuer.answerKeys(how);
    await expect(trusted.admit(token)).rejects.toMatchObject({ code: "issuer_unavailable", retryAfter: 10 });
    issuer.answerKeys("good");
    // A list that is no list of keys is noticed by the library, which does not pause.
    if (how !== "none") {
      const before = issuer.requested();
      await expect(trusted.admit(token)).rejects.toMatchObject({ code: "issuer_unavailable" });
      expect(issuer.requested()).toBe(before);
    }
    now += 10_001;
    expect(await trusted.admit(token)).toBeDefined();
  });

  it("wait no longer for the keys when the clock goes back", async () => {
    const token = await issuer.sign(claims());
    issuer.answerKeys("broken");
    await expect(trusted.admit(token)).rejects.toMatchObject({ code: "issuer_unavailable" });
    issuer.answerKeys("good");
    now -= 3_600_000;
    expect(await trusted.admit(token)).toBeDefined();
  });

  it("are not checked with keys of a private network", async () => {
    const token = await issuer.sign(claims());
    await expect(newTrusted("https://10.1.2.3/keys").admit(token)).rejects.toMatchObject({ code: "issuer_unavailable" });
  });
});
