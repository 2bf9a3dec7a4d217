import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { GitHub } from "../../generated/github/client.ts";
import { app, appKeys } from "../../runtime/simulated/github/grants/app.ts";
import { type Platform, startPlatform } from "../support/github/start.ts";

// The client library in local mode, with credentials that get their tokens.

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(() => platform.reset());
afterAll(() => platform.close());

const client = { clientId: app.clientId, clientSecret: app.clientSecret };
const place = () => ({ restUrl: platform.url, graphqlUrl: platform.graphqlUrl });
/** A refresh token that the platform has given out. */
const given = (refreshToken: string) =>
  platform.world.grants.refreshTokens.set(refreshToken, { login: "octocat", token: "ghu_before" });
const login = async (github: GitHub) => (await github.viewer.get({ fields: ["login"] })).data.login;

describe("a client with a refresh token", () => {
  it("hands new tokens to the callback before it uses them, once for all calls", async () => {
    given("ghr_first");
    const events: string[] = [];
    const github = new GitHub({
      ...client,
      ...place(),
      refreshToken: "ghr_first",
      accessToken: "ghu_over",
      expiresAt: new Date(),
      onTokens: async ({ accessToken, refreshToken, expiresAt }) => {
        expect(platform.requests.map(({ path }) => path)).toEqual(["/login/oauth/access_token"]);
        expect(platform.world.grants.tokens.has(accessToken)).toBe(true);
        expect(platform.world.grants.refreshTokens.has(refreshToken ?? "")).toBe(true);
        expect(expiresAt?.getTime()).toBeGreaterThan(Date.now());
        events.push("stored");
      },
    });
    const logins = await Promise.all(Array.from({ length: 20 }, () => login(github)));
    expect(new Set(logins)).toEqual(new Set(["octocat"]));
    expect([events, platform.requests.length]).toEqual([["stored"], 21]);
  });

  it("renews an access token that the platform refuses", async () => {
    given("ghr_first");
    let renewed = 0;
    const github = new GitHub({
      ...client,
      ...place(),
      refreshToken: "ghr_first",
      accessToken: "ghu_revoked",
      onTokens: () => void renewed++,
    });
    expect(await login(github)).toBe("octocat");
    expect(renewed).toBe(1);
    expect(platform.requests.map(({ path, status }) => [path, status])).toEqual([
      ["/graphql", 401],
      ["/login/oauth/access_token", 200],
      ["/graphql", 200],
    ]);
  });

  it("does not use tokens that the callback could not store, and says so", async () => {
    given("ghr_first");
    const failing = new GitHub({
      ...client,
      ...place(),
      refreshToken: "ghr_first",
      onTokens: () => {
        throw new Error("the disk is full");
      },
    });
    await expect(login(failing)).rejects.toMatchObject({
      code: "platform_failed",
      message: expect.stringContaining("onTokens"),
      cause: expect.objectContaining({ message: "the disk is full" }),
    });
    expect(platform.requests.map(({ path }) => path)).toEqual(["/login/oauth/access_token"]);
  });

  it("says that the user must authorize again when the platform refuses it", async () => {
    const github = new GitHub({ ...client, ...place(), refreshToken: "ghr_used", onTokens: () => undefined });
    for (const _ of [1, 2]) await expect(login(github)).rejects.toMatchObject({ name: "AuthorizationRequiredError" });
    expect(platform.requests).toHaveLength(1);
  });
});

describe("a client with another credential", () => {
  const installation = { kind: "app", appId: app.id, privateKey: appKeys().privateKey, installationId: "1001" } as const;

  it("acts as an installation of an app", async () => {
    const github = new GitHub({ ...place(), credential: installation });
    expect(await Promise.all([login(github), login(github)])).toEqual(["octocat", "octocat"]);
    expect(platform.world.grants.given.installation).toBe(1);
  });

  it.each([
    [{ kind: "ap", appId: "1" }, "app (appId, installationId, privateKey)"],
    [{ kind: "app", appId: "canary", privateKey: "canary" }, "with all its values"],
    [{ ...installation, extra: "canary" }, "with all its values"],
  ])("is refused when it is not of a kind of the spec", async (credential, message) => {
    // What a program in JavaScript may give.
    const options: object = { ...place(), credential };
    const refused = login(new GitHub(options));
    await expect(refused).rejects.toMatchObject({ code: "invalid_request", message: expect.stringContaining(message) });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining("canary") });
  });

  it("is not for hosted mode", () => {
    // @ts-expect-error the compiler knows it too
    expect(() => new GitHub({ credential: installation, baseUrl: "https://tenon.example.com" })).toThrow(
      "baseUrl is for hosted mode and credential for local mode",
    );
  });
});
