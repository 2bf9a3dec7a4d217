import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type AccountStore, createCaller, deriveKeys, fullGrant } from "../../runtime/accounts/index.ts";
import { addConnector, connectors } from "../../runtime/main/index.ts";
import { app, appKeys } from "../../runtime/simulated/github/grants/app.ts";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { tokenCredential } from "../support/credential.ts";
import { type Platform, startPlatform } from "../support/github/start.ts";
import { plainConnector, withAccounts } from "./support/accounts.ts";
import { authorized, bad, good, startTenon, type Tenon } from "./support/service.ts";

// Credentials with which tokens are got: an app that signs for them, and a user who authorizes on the platform's page.

const secretKey = ["canary-secret-key-of-the-grant-tests"];
const keys = deriveKeys(secretKey);
const dataDir = mkdtempSync(join(tmpdir(), "tenon-grants-"));
const shared = {
  app: { app_id: app.id, private_key: appKeys().privateKey },
  user: { client_id: app.clientId, client_secret: app.clientSecret },
};
const hour = 3_600_000;

let platform: Platform;
let tenon: Tenon;
const start = () => {
  const github = { credential: tokenCredential(ownerToken), rest: platform.url, graphql: platform.graphqlUrl, shared };
  return startTenon(platform, { secretKey, dataDir, platforms: { github } });
};
beforeAll(async () => {
  platform = await startPlatform();
  tenon = await start();
});
afterEach(() => {
  vi.useRealTimers();
  platform.ahead = 0;
});
afterAll(async () => {
  await tenon.service.close();
  await platform.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const stored = <Result>(work: (store: AccountStore) => Promise<Result>) => withAccounts(dataDir, work);

type Given = Parameters<typeof addConnector>[1]["credential"];
const add = (id: string, credential: Given) =>
  stored((store) =>
    addConnector(
      { store, keys, connectors, allowPrivate: false, platforms: { github: { shared } } },
      {
        ...plainConnector,
        id,
        rest: platform.url,
        credential,
      },
    ),
  );
const path = "/api/v1/integrations/connectors";
const viewer = JSON.stringify({ entity: "viewer", action: "get", params: { fields: ["login"] } });
const ask = (id: string, at = tenon) => at.send("POST", `${path}/${id}/execute`, viewer);
const login = async (id: string, at = tenon) => good(await ask(id, at))["data"];
const given = () => ({ ...platform.world.grants.given });
const later = (ms: number) => {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(now + ms);
};
const statusOf = async (id: string) =>
  Object.values(good(await tenon.send("GET", path, undefined))["data"] ?? {}).find((one) => String(one["id"]) === id)?.["status"];

describe("an installation of an app", () => {
  it("gets one token for all callers, and another one before it is over", async () => {
    await add("installed", { text: '{"installation_id":"1001"}', kind: "app" });
    const before = given().installation;
    const answers = await Promise.all(Array.from({ length: 40 }, () => login("installed")));
    expect(new Set(answers.map((one) => JSON.stringify(one)))).toEqual(new Set(['{"login":"octocat"}']));
    expect(given().installation).toBe(before + 1);
    later(0.9 * hour);
    expect(await login("installed")).toEqual({ login: "octocat" });
    expect(given().installation).toBe(before + 1);
    later(0.05 * hour);
    expect(await login("installed")).toEqual({ login: "octocat" });
    expect(given().installation).toBe(before + 2);
  });

  it.each([5 * 60_000, -5 * 60_000])("gets a token of a platform whose clock is %d ms ahead", async (ahead) => {
    platform.ahead = ahead;
    const id = `ahead${ahead}`;
    await add(id, { text: '{"installation_id":"1001"}', kind: "app" });
    const before = given().installation;
    expect(await login(id)).toEqual({ login: "octocat" });
    // The end of the token is told by the platform's clock, too.
    later(0.85 * hour);
    expect(await login(id)).toEqual({ login: "octocat" });
    expect(given().installation).toBe(before + 1);
    later(0.1 * hour);
    expect(await login(id)).toEqual({ login: "octocat" });
    expect(given().installation).toBe(before + 2);
  });

  it.each([
    ["that is suspended", "1002", "platform_unauthorized", "This installation has been suspended"],
    ["that is not there", "9", "platform_unauthorized", "status 404"],
  ])("%s is one clear problem", async (_title, installation, code, message) => {
    const id = `installation-${installation}`;
    await add(id, { text: JSON.stringify({ installation_id: installation }), kind: "app" });
    const tries = platform.requests.length;
    for (const _ of [1, 2]) expect(bad(await ask(id), 403, code)["message"]).toContain(message);
    expect(platform.requests.length - tries).toBe(1);
  });

  it("with a wrong key is refused before it is stored, and another app's key by the platform", async () => {
    const wrong = { app_id: app.id, private_key: "canary-no-key", installation_id: "1001" };
    const refused = add("no-key", { text: JSON.stringify(wrong) });
    await expect(refused).rejects.toMatchObject({
      message: expect.stringContaining('The value "private_key" must be a private RSA key'),
    });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining("canary") });
    await add("other-app", { text: JSON.stringify({ ...wrong, app_id: "1", private_key: shared.app.private_key }) });
    expect(bad(await ask("other-app"), 403, "platform_unauthorized")["message"]).toContain("Integration not found");
  });
});

/** Lets the user octocat authorize an instance, as a browser would. */
async function authorize(id: string, at = tenon) {
  const { data } = good(await at.send("POST", `${path}/${id}/authorization`, undefined));
  const page = await fetch(String(data?.["url"]), { redirect: "manual" });
  const back = new URL(page.headers.get("location") ?? "");
  return { back: back.pathname + back.search, reply: await at.send("GET", back.pathname + back.search, undefined, {}) };
}

describe("a user who authorizes a connector", () => {
  it("does so on the platform's page, once, and the tokens are renewed from then on", async () => {
    await add("user", { text: "", kind: "user", later: true });
    expect(await statusOf("user")).toBe("authorization_required");
    bad(await ask("user"), 403, "authorization_required");
    const { reply, back } = await authorize("user");
    expect([reply.status, reply.text]).toEqual([200, "The connector user is authorized. You can close this window.\n"]);
    expect(await statusOf("user")).toBe("ready");
    expect(await login("user")).toEqual({ login: "octocat" });
    expect(given().user).toBe(1);
    bad(await tenon.send("GET", back, undefined, {}), 422, "invalid_request");
    expect(given().user).toBe(1);
    later(7.95 * hour);
    const answers = await Promise.all(Array.from({ length: 40 }, () => login("user")));
    expect(answers[0]).toEqual({ login: "octocat" });
    expect(given().user).toBe(2);
    later(8 * hour);
    expect(await login("user")).toEqual({ login: "octocat" });
    expect(given().user).toBe(3);
  });

  it("is asked again when the platform refuses the refresh token: the connector says so, and asks the platform no more", async () => {
    await add("gone", { text: "", kind: "user", later: true });
    await authorize("gone");
    expect(await login("gone")).toEqual({ login: "octocat" });
    platform.world.grants.refreshTokens.clear();
    later(8 * hour);
    const asked = () => platform.requests.filter((one) => one.path === "/login/oauth/access_token").length;
    const before = asked();
    for (const _ of [1, 2, 3]) {
      const { message } = bad(await ask("gone"), 403, "authorization_required");
      expect(message).toContain('The connector "gone" must be authorized by a user of GitHub');
    }
    expect(asked()).toBe(before + 1);
    expect(await statusOf("gone")).toBe("authorization_required");
    vi.useRealTimers();
    expect((await authorize("gone")).reply.status).toBe(200);
    expect(await login("gone")).toEqual({ login: "octocat" });
    expect(await statusOf("gone")).toBe("ready");
  });

  it("has tokens that another process uses, and renews when the platform has ended them", async () => {
    await add("both", { text: "", kind: "user", later: true });
    await authorize("both");
    const before = given().user;
    const other = await start();
    try {
      expect(await login("both", other)).toEqual({ login: "octocat" });
      expect(given().user).toBe(before);
      platform.world.grants.tokens.clear();
      expect(await Promise.all([login("both", other), login("both", other)])).toHaveLength(2);
      expect(given().user).toBe(before + 1);
      expect(await login("both")).toEqual({ login: "octocat" });
      expect(given().user).toBe(before + 1);
    } finally {
      await other.service.close();
    }
  });

  it("can only be sent by somebody with the right, and comes back with what belongs to it", async () => {
    await add("mine", { text: "", kind: "user", later: true });
    await add("plain", { text: ownerToken });
    const grant = { ...fullGrant, rights: ["read", "write", "sync", "metrics"] as const };
    const { secret } = await stored((store) => createCaller(store, keys, { kind: "key", name: "n", grant, expiresAt: null }));
    const begin = (id: string, headers = authorized) => tenon.send("POST", `${path}/${id}/authorization`, undefined, headers);
    bad(await begin("mine", { ...authorized, authorization: `Bearer ${secret}` }), 403, "forbidden");
    bad(await begin("none"), 404, "unknown_connector");
    expect(bad(await begin("github"), 422, "invalid_request")["message"]).toContain("comes from the settings");
    expect(bad(await begin("plain"), 422, "invalid_request")["message"]).toContain('kind "token"');
    const back = (query: Record<string, string>) =>
      tenon.send("GET", `/api/v1/integrations/callback?${new URLSearchParams(query)}`, undefined, {});
    bad(await back({ code: "c" }), 422, "invalid_request");
    bad(await back({ code: "c", state: "made-up" }), 422, "invalid_request");
    const url = new URL(String(good(await begin("mine"))["data"]?.["url"]));
    const state = url.searchParams.get("state") ?? "";
    expect(url.searchParams.get("redirect_uri")).toBe(`${tenon.url}/api/v1/integrations/callback`);
    expect(url.searchParams.get("code_challenge_method")).toBe("S256");
    expect(bad(await back({ error: "access_denied", state }), 403, "platform_forbidden")["message"]).toContain("access_denied");
    for (const iss of ["https://elsewhere.example/login/oauth", "elsewhere"])
      expect(bad(await back({ code: "wrong", state, iss }), 422, "invalid_request")["message"]).toContain(
        "iss must be an address",
      );
    bad(await back({ code: "wrong", state, iss: `${url.origin}/login/oauth` }), 422, "platform_rejected");
    bad(await back({ code: "wrong", state }), 422, "platform_rejected");
    // A code that was given to somebody else has the hash of another text.
    const other = await fetch(String(good(await begin("mine"))["data"]?.["url"]), { redirect: "manual" });
    const code = new URL(other.headers.get("location") ?? "").searchParams.get("code") ?? "";
    bad(await back({ code, state }), 422, "platform_rejected");
    later(11 * 60_000);
    bad(await back({ code: "c", state }), 422, "invalid_request");
  });
});

describe("the secrets of such credentials", () => {
  it("stand neither in the log nor in a file", async () => {
    await stored(async (store) => {
      expect(await store.tokenHolders()).toEqual(expect.arrayContaining(["installed", "user"]));
      expect((await store.audited(0, 0, 1_000)).filter(({ target }) => target === "user").map(({ action }) => action)).toEqual(
        expect.arrayContaining(["connector.authorize", "connector.authorized"]),
      );
    });
    const { tokens, refreshTokens } = platform.world.grants;
    const secrets = [...tokens.keys(), ...refreshTokens.keys(), app.clientSecret, shared.app.private_key.split("\n")[3] ?? ""];
    expect(secrets.length).toBeGreaterThan(4);
    const files = readdirSync(dataDir).map((file) => readFileSync(join(dataDir, file)));
    const log = tenon.log.join("");
    for (const secret of secrets) {
      expect(log).not.toContain(secret);
      for (const file of files) expect(file.includes(secret)).toBe(false);
    }
  });
});
