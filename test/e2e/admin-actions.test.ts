import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createCaller, deriveKeys, fullGrant, type Grant } from "../../runtime/accounts/index.ts";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { shaped } from "../support/shaped.ts";
import { withAccounts } from "./support/accounts.ts";
import { act, ask, logIn, page, tokenIn, visit } from "./support/admin.ts";
import { alone, apiKey, good, until, useTenon } from "./support/service.ts";

// What an operator changes on the page at /admin: it works without a script, is confirmed once, needs rights, and is noted.

const secretKey = ["secret-key-of-the-tests-of-admin-actions"];
const dataDir = mkdtempSync(join(tmpdir(), "tenon-admin-actions-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const at = useTenon({ secretKey, dataDir, admin: true });
const scope = "repository=octocat/hello-world";
const pem = {
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
} as const;
const hostile = `<img src=x onerror=alert(1)>"'{{name}}`;

async function keyFor(grant: Partial<Grant>, expiresAt: number | null = null, name = "n") {
  const given = { kind: "key", name, grant: { ...fullGrant, ...grant }, expiresAt } as const;
  return withAccounts(dataDir, (store) => createCaller(store, deriveKeys(secretKey), given));
}

const audited = async () => (await withAccounts(dataDir, (store) => store.lastAudited(1_000))).map((one) => one);
const status = (key: string) =>
  at.tenon.send("GET", "/api/v1/integrations/connectors", undefined, { authorization: `Bearer ${key}` });
const syncOf = async (id: string) =>
  shaped<{
    data: { scope: string; entity: string; synced_at: string | null }[];
    meta: { running: boolean };
  }>((await at.tenon.send("GET", `/api/v1/integrations/connectors/${id}/sync`, undefined)).body);

describe("the actions of the operator's page", () => {
  it("create a key, which is shown once, works at once, and is refused after it was revoked", async () => {
    const { cookie } = await logIn(at.tenon);
    const made = await act(at.tenon, cookie, "key.create", { name: "from the page", "right.read": "on", days: "7" });
    const key = /<pre class="secret"[^>]*>(tenon_key_\w{49})<\/pre>/.exec(made.text)?.[1] ?? "";
    expect([made.status, key]).toEqual([200, expect.stringMatching(/^tenon_key_/)]);
    expect((await status(key)).status).toBe(200);
    expect(await page(at.tenon, apiKey, "/admin/keys")).not.toContain(key);
    const stored = (await withAccounts(dataDir, (store) => store.callers("key"))).find(({ name }) => name === "from the page");
    expect(stored?.grant).toMatchObject({ rights: ["read"], instances: null });
    expect((stored?.expiresAt ?? 0) - (stored?.createdAt ?? 0)).toBeCloseTo(7 * 86_400_000, -5);
    const gone = await act(at.tenon, cookie, "key.revoke", { id: stored?.id ?? "" });
    expect([gone.status, gone.text]).toEqual([200, expect.stringContaining("is refused from now on")]);
    expect((await status(key)).status).toBe(401);
    const noted = (await audited()).filter(({ target }) => target === stored?.id);
    expect(noted.map(({ action, caller, outcome }) => [action, caller, outcome])).toEqual([
      ["key.revoke", "operator", "done"],
      ["key.create", "operator", "done"],
    ]);
    for (const line of at.tenon.log) expect(line).not.toContain(key);
  });

  it("give a key a new secret, and let the former one be valid for a while", async () => {
    const { secret, caller } = await keyFor({ rights: ["read"] }, null, "rotated");
    const { cookie } = await logIn(at.tenon);
    const asked = await ask(at.tenon, cookie, "key.rotate", { id: caller.id });
    expect(asked.text).toMatch(/Former secret.*valid for 24 more hours/s);
    const made = await act(at.tenon, cookie, "key.rotate", { id: caller.id });
    const key = /<pre class="secret"[^>]*>(tenon_key_\w{49})<\/pre>/.exec(made.text)?.[1] ?? "";
    expect([(await status(key)).status, (await status(secret)).status]).toEqual([200, 200]);
    const secrets = (await withAccounts(dataDir, (store) => store.liveSecrets(Date.now()))).filter(
      (one) => one.caller === caller.id,
    );
    expect(secrets.map(({ expiresAt, createdAt }) => expiresAt === null || expiresAt > createdAt + 86_000_000)).toEqual([
      true,
      true,
    ]);
    const noted = (await audited()).filter(({ target }) => target === caller.id);
    expect(noted.map(({ action, caller: by }) => [action, by])).toEqual([["key.rotate", "operator"]]);
    expect((await ask(at.tenon, cookie, "key.rotate", { id: "key_of_nobody" })).status).toBe(404);
  });

  it("create a client whose id and secret get a token", async () => {
    const { cookie } = await logIn(at.tenon);
    const { text } = await act(at.tenon, cookie, "client.create", { name: "app", "right.read": "on", days: "never" });
    const [id = "", secret = ""] = [...text.matchAll(/<pre class="secret"[^>]*>([^<]+)<\/pre>/g)].map(([, value]) => value);
    const token = await at.tenon.send(
      "POST",
      "/api/v1/account/applications/token",
      JSON.stringify({ client_id: id, client_secret: secret }),
    );
    expect(token.status).toBe(200);
  });

  it("add a connector, rotate its credential, sync it, and forget a scope of it", async () => {
    const { cookie } = await logIn(at.tenon);
    const given = {
      connector: "github",
      id: "added",
      workspace: "team",
      rest: at.platform.url,
      credential: ownerToken,
      minutes: "60",
    };
    const asked = await ask(at.tenon, cookie, "connector.add", given);
    expect(asked.text).toContain("Add the connector added?");
    const before = await visit(at.tenon, "GET", "/admin/instances/added", { cookie });
    expect([before.status, before.text]).toEqual([404, expect.stringContaining("There is no connector with this id.")]);
    expect((await visit(at.tenon, "POST", "/admin/confirm", { cookie, form: { token: tokenIn(asked.text) } })).status).toBe(200);
    const path = "/api/v1/integrations/connectors/added/execute";
    const viewer = () => at.tenon.send("POST", path, '{"entity":"viewer","action":"get"}');
    good(await viewer());

    expect(
      (await act(at.tenon, cookie, "connector.rotate", { instance: "added", credential: "ghp_wrong_token_of_nobody" })).status,
    ).toBe(200);
    expect((await viewer()).body["code"]).toBe("platform_unauthorized");
    let text = "";
    await until(() => {
      void visit(at.tenon, "GET", "/admin", { cookie }).then((shown) => (text = shown.text));
      return text.includes("The platform refuses its credential");
    });
    expect(text.slice(text.indexOf('id="broken"'), text.indexOf('id="service"'))).toMatch(
      /trouble failed.*refuses its credential.*\/admin\/instances\/added.*since.*connector rotate added/s,
    );
    expect((await act(at.tenon, cookie, "connector.rotate", { instance: "added", credential: ownerToken })).status).toBe(200);
    good(await viewer());
    expect(await page(at.tenon)).not.toContain("refuses its credential");

    const started = await act(at.tenon, cookie, "sync.start", { instance: "added", scope });
    expect([started.status, started.text]).toEqual([200, expect.stringContaining(`has started: account, ${scope}.`)]);
    const isRead = async () => (await syncOf("added")).data.some((one) => one.scope === scope && one.synced_at !== null);
    while (!(await isRead()));
    // Between two scopes, and just before its end, a sync is not shown as running.
    for (let text = ""; !text.includes("does not sync added now"); )
      ({ text } = await act(at.tenon, cookie, "sync.stop", { instance: "added" }));
    const forgotten = await act(at.tenon, cookie, "sync.forget", { instance: "added", scope });
    expect(forgotten.text).toMatch(/is forgotten: [1-9]\d* records were removed/);
    expect((await syncOf("added")).data.filter((one) => one.scope === scope)).toEqual([]);
    const noted = (await audited())
      .filter(({ target }) => target === "added")
      .map(({ action, outcome }) => `${action} ${outcome}`);
    for (const one of ["connector.add done", "connector.rotate done", "sync.start done", "sync.stop done", "sync.forget done"])
      expect(noted).toContain(one);
  });

  it("lead to the platform's page where a user authorizes a connector", async () => {
    const { cookie } = await logIn(at.tenon);
    const credential = JSON.stringify({ client_id: "c", client_secret: "canary-secret-of-an-app" });
    const given = { connector: "github", id: "asks", kind: "user", later: "on", credential };
    expect((await act(at.tenon, cookie, "connector.add", given)).status).toBe(200);
    const { text } = await act(at.tenon, cookie, "connector.authorize", { instance: "asks" });
    expect(text).toMatch(/href="https:\/\/github\.com\/login\/oauth\/authorize\?[^"]*state/);
    expect(text).not.toContain("canary");
  });

  it("show what is wrong with a form, with what it had, but never its credential", async () => {
    const { cookie } = await logIn(at.tenon);
    const bad = { connector: "github", id: "no spaces allowed", workspace: hostile, credential: "canary credential" };
    const { status: code, text } = await ask(at.tenon, cookie, "connector.add", bad);
    expect(code).toBe(422);
    expect(text).toContain("An id has 1 to 64 letters");
    expect(text).toContain('value="no spaces allowed"');
    for (const hidden of ["canary", "<img"]) expect(text).not.toContain(hidden);
    const key = await ask(at.tenon, cookie, "key.create", { name: hostile, "right.read": "on", entities: "isues", days: "1" });
    expect([key.status, key.text]).toEqual([422, expect.stringContaining("There is no") && expect.stringContaining("issues")]);
    expect(key.text).not.toContain("<img");
  });

  it("take from 1 to 10080 minutes between the syncs of a connector", async () => {
    const { cookie } = await logIn(at.tenon);
    const shown = async (minutes: string) => {
      const form = { connector: "github", id: "often", credential: ownerToken, scopes: scope, minutes };
      const { text } = await ask(at.tenon, cookie, "connector.add", form);
      return /every \d+ min|whole number from 1 to 10080/.exec(text)?.[0];
    };
    const refused = "whole number from 1 to 10080";
    const given = ["0", "1", "10080", "10081", "1.5", "-1"];
    expect(await Promise.all(given.map(shown))).toEqual([refused, "every 1 min", "every 10080 min", refused, refused, refused]);
  });
});

describe("a confirmation", () => {
  it("counts once, in its session only, and does what its page has shown, whatever its form has beside", async () => {
    const { cookie } = await logIn(at.tenon);
    const { text } = await ask(at.tenon, cookie, "key.create", { name: "once", "right.read": "on", days: "1" });
    const token = tokenIn(text);
    const other = (await logIn(at.tenon)).cookie;
    const confirm = (of: string, form: Record<string, string>) => visit(at.tenon, "POST", "/admin/confirm", { cookie: of, form });
    for (const [of, form] of [
      [other, { token }],
      [cookie, { token: `${token.slice(1)}A` }],
      [cookie, {}],
    ] as const)
      expect((await confirm(of, form)).status).toBe(422);
    expect((await confirm(cookie, { token, name: "another", "right.admin": "on" })).status).toBe(200);
    expect((await confirm(cookie, { token })).status).toBe(422);
    const made = (await withAccounts(dataDir, (store) => store.callers("key"))).filter(({ name }) =>
      ["once", "another"].includes(name),
    );
    expect(made.map(({ name, grant }) => [name, grant.rights])).toEqual([["once", ["read"]]]);
  });

  it.each([
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ])("is taken from no other page, and so is no form: %j", async (headers) => {
    const { cookie } = await logIn(at.tenon);
    const form = { name: "forged", "right.read": "on", days: "1" };
    expect((await visit(at.tenon, "POST", "/admin/actions/key.create", { cookie, form, headers })).status).toBe(403);
    const token = tokenIn((await ask(at.tenon, cookie, "key.create", form)).text);
    expect((await visit(at.tenon, "POST", "/admin/confirm", { cookie, form: { token }, headers })).status).toBe(403);
    const names = (await withAccounts(dataDir, (store) => store.callers("key"))).map(({ name }) => name);
    expect(names).not.toContain("forged");
  });

  it("and every form lead to the login without a session", async () => {
    for (const path of ["/admin/actions/key.create", "/admin/confirm"]) {
      const { status: code, headers } = await visit(at.tenon, "POST", path, { form: { name: "n" } });
      expect([code, headers.get("location")]).toEqual([303, "/admin/login"]);
    }
    const { cookie } = await logIn(at.tenon);
    expect((await visit(at.tenon, "GET", "/admin/confirm", { cookie })).status).toBe(405);
    expect((await ask(at.tenon, cookie, "store.drop", {})).status).toBe(404);
  });
});

describe("a key with the right admin", () => {
  const started = { instance: "github", scope };

  it("that has no right sync starts, stops and forgets nothing", async () => {
    const { secret, caller } = await keyFor({ rights: ["admin"] });
    const { cookie } = await logIn(at.tenon, secret);
    for (const action of ["sync.start", "sync.stop", "sync.forget"])
      expect((await ask(at.tenon, cookie, action, started)).status).toBe(403);
    expect(await page(at.tenon, secret, "/admin/instances/github")).not.toContain("/admin/actions/sync");
    let refused: string[] = [];
    for (let tries = 0; tries < 200 && refused.length < 3; tries++)
      refused = (await audited())
        .filter((one) => one.caller === caller.id && one.outcome === "forbidden")
        .map(({ action }) => action);
    expect(refused.toSorted()).toEqual(["sync.forget", "sync.start", "sync.stop"]);
  });

  it("gives no key more than it has itself", async () => {
    const { secret } = await keyFor(
      { rights: ["admin", "read"], instances: ["github"], limits: { requests: 90 } },
      Date.now() + 3_600_000,
    );
    const { cookie } = await logIn(at.tenon, secret);
    const form = { name: "child", "right.read": "on", days: "never" };
    expect((await ask(at.tenon, cookie, "key.create", { ...form, "right.write": "on" })).status).toBe(403);
    // Instances of the settings are not secret: each has the name of its connector.
    expect((await ask(at.tenon, cookie, "key.create", { ...form, instances: "github\nlinear" })).status).toBe(403);
    expect((await act(at.tenon, cookie, "key.create", { ...form, limits: "requests=1000" })).status).toBe(200);
    const made = (await withAccounts(dataDir, (store) => store.callers("key"))).find(({ name }) => name === "n/child");
    expect(made?.grant).toMatchObject({ rights: ["read"], instances: ["github"], limits: { requests: 90 } });
    expect(made?.expiresAt).toBeLessThan(Date.now() + 3_600_001);
  });

  it("gets the new secret of no key that may do more than it, or for longer", async () => {
    const own = { instances: ["github"], limits: { requests: 90 } };
    const { secret } = await keyFor({ ...own, rights: ["admin", "read"] }, Date.now() + 3_600_000);
    const { cookie } = await logIn(at.tenon, secret);
    const rotated = async (grant: Partial<Grant>, lifetime: number | null, name: string) => {
      const { caller } = await keyFor(grant, lifetime === null ? null : Date.now() + lifetime, name);
      return (await ask(at.tenon, cookie, "key.rotate", { id: caller.id })).status;
    };
    expect(await rotated({ ...own, rights: ["write"] }, 1_000_000, "more rights")).toBe(403);
    expect(await rotated({ ...own, rights: ["read"], limits: { requests: 91 } }, 1_000_000, "more requests")).toBe(403);
    expect(await rotated({ rights: ["read"], limits: own.limits }, 1_000_000, "more instances")).toBe(404);
    expect(await rotated({ ...own, rights: ["read"] }, 9_000_000, "a later end")).toBe(403);
    expect(await rotated({ ...own, rights: ["read"] }, null, "no end")).toBe(403);
    expect(await rotated({ ...own, rights: ["read"] }, 1_000_000, "as much")).toBe(200);
  });

  it("sees and changes only what its instances, workspaces and entities allow", async () => {
    const user = JSON.stringify({ client_id: "c", client_secret: "canary-secret-of-an-app" });
    const foreign = { connector: "github", id: "foreign", kind: "user", later: "on", credential: user };
    expect((await act(at.tenon, (await logIn(at.tenon)).cookie, "connector.add", foreign)).status).toBe(200);
    const whole = await keyFor({}, null, "whole key");
    const own = await keyFor({ rights: ["read"], instances: ["github"] }, null, "own key");
    const { secret } = await keyFor({ instances: ["github"] });
    const { cookie } = await logIn(at.tenon, secret);
    const keys = await page(at.tenon, secret, "/admin/keys");
    expect([keys.includes("own key"), keys.includes("whole key")]).toEqual([true, false]);
    const attempts = [
      ["key.revoke", { id: whole.caller.id }, 404],
      ["sync.start", { instance: "foreign", scope }, 404],
      ["connector.rotate", { instance: "foreign", credential: "x" }, 404],
      ["connector.authorize", { instance: "foreign" }, 404],
      ["connector.add", { connector: "github", id: "beyond", credential: ownerToken }, 403],
    ] as const;
    for (const [action, form, code] of attempts)
      expect([action, (await ask(at.tenon, cookie, action, form)).status]).toEqual([action, code]);
    // What is there and what is not are refused in the same words.
    const refusals = async (id: string) => {
      const rotated = await ask(at.tenon, cookie, "connector.rotate", { instance: id, credential: "x" });
      const created = await ask(at.tenon, cookie, "key.create", { name: "k", "right.read": "on", instances: id, days: "1" });
      return [rotated, created].map(({ status, text }) => [status, text.match(/role="alert">[^<]*/)?.[0]?.replaceAll(id, "?")]);
    };
    const refused = await refusals("foreign");
    expect(refused.map(([code]) => code)).toEqual([404, 422]);
    expect(refused).toEqual(await refusals("nothing"));
    expect((await act(at.tenon, cookie, "key.revoke", { id: own.caller.id })).status).toBe(200);
    for (const path of ["/admin/instances/foreign", "/admin/instances/nothing"])
      expect((await visit(at.tenon, "GET", path, { cookie })).status).toBe(404);
    const overview = await page(at.tenon, secret);
    for (const other of ["Latest warnings and errors", "Nearest to their limits", "foreign"])
      expect(overview).not.toContain(other);

    const some = await logIn(at.tenon, (await keyFor({ entities: ["issues"] })).secret);
    for (const [action, form] of [
      ["sync.stop", started],
      ["sync.forget", started],
      ["connector.rotate", { instance: "foreign", credential: "x" }],
      ["connector.add", { connector: "github", id: "beyond", credential: ownerToken }],
    ] as const)
      expect([action, (await ask(at.tenon, some.cookie, action, form)).status]).toEqual([action, 403]);
  });

  it("that was revoked meanwhile confirms nothing", async () => {
    const { secret, caller } = await keyFor({});
    const { cookie } = await logIn(at.tenon, secret);
    const token = tokenIn((await ask(at.tenon, cookie, "key.create", { name: "late", "right.read": "on", days: "1" })).text);
    await act(at.tenon, (await logIn(at.tenon)).cookie, "key.revoke", { id: caller.id });
    expect((await visit(at.tenon, "POST", "/admin/confirm", { cookie, form: { token } })).status).toBe(303);
    expect((await withAccounts(dataDir, (store) => store.callers("key"))).map(({ name }) => name)).not.toContain("late");
  });

  it("that is narrowed makes only names that begin with its own, and learns of no others", async () => {
    const { cookie } = await logIn(at.tenon, (await keyFor({ organization: "acme" }, null, "acme")).secret);
    const all = await logIn(at.tenon);
    const form = { name: "taken", "right.read": "on", days: "1" };
    expect((await act(at.tenon, all.cookie, "key.create", form)).text).toContain("The key taken is created");
    expect((await act(at.tenon, cookie, "client.create", form)).text).toContain("The client acme/taken is created");
    const again = await ask(at.tenon, cookie, "key.create", form);
    expect([again.status, again.text]).toEqual([422, expect.stringContaining("has the name &quot;acme/taken&quot; already")]);
    for (const name of ["operator", "x".repeat(96)])
      expect((await ask(at.tenon, cookie, "key.create", { ...form, name })).status).toBe(422);
  });

  it("gets no name that another caller has got meanwhile, and learns nothing but the name of the other", async () => {
    const { cookie } = await logIn(at.tenon, (await keyFor({})).secret);
    const form = { name: "deploy-bot", "right.read": "on", days: "1" };
    const token = tokenIn((await ask(at.tenon, cookie, "client.create", form)).text);
    const { text } = await act(at.tenon, (await logIn(at.tenon)).cookie, "key.create", form);
    expect(text).toContain("is created");
    const late = await visit(at.tenon, "POST", "/admin/confirm", { cookie, form: { token } });
    expect([late.status, late.text]).toEqual([422, expect.stringContaining("has the name &quot;deploy-bot&quot; already")]);
    expect(late.text).not.toMatch(/key_[A-Za-z0-9]{12}/);
  });

  const shared = {
    user: { client_id: "shared", client_secret: "canary-shared-secret" },
    app: { app_id: "1", private_key: generateKeyPairSync("rsa", { modulusLength: 2048, ...pem }).privateKey },
  };
  it("lets calls and the secrets of the settings go nowhere that only the operator may choose", () =>
    alone({ admin: true, secretKey, platforms: { github: { credential: undefined, shared } } } as never, async ({ tenon }) => {
      const form = { connector: "github", id: "far", kind: "user", later: "on", rest: "https://evil.example/" };
      const cookieFor = async (grant: Grant, name: string) => {
        const given = { kind: "key", name, grant, expiresAt: null } as const;
        const made = await withAccounts(tenon.dataDir, (store) => createCaller(store, deriveKeys(secretKey), given));
        return (await logIn(tenon, made.secret)).cookie;
      };
      const cookie = await cookieFor(fullGrant, "n");
      expect((await ask(tenon, cookie, "connector.add", form)).status).toBe(422);
      expect((await ask(tenon, cookie, "connector.add", { ...form, rest: "" })).status).toBe(200);
      expect((await ask(tenon, (await logIn(tenon)).cookie, "connector.add", form)).status).toBe(200);

      const own = { connector: "github", id: "near", organization: "acme" };
      const local = { connector: "github", id: "local", credential: ownerToken };
      for (const rest of ["http://127.0.0.1:9200", "https://localhost/", "https://[::1]/"]) {
        const refused = await ask(tenon, cookie, "connector.add", { ...local, rest });
        expect([refused.status, refused.text]).toEqual([422, expect.stringMatching(/must be https|is in a private network/)]);
      }
      const near = { ...local, rest: "http://127.0.0.1:9200" };
      expect((await ask(tenon, (await logIn(tenon)).cookie, "connector.add", near)).status).toBe(200);
      const narrowed = await cookieFor({ ...fullGrant, organization: "acme" }, "narrowed");
      const foreign = { ...own, kind: "app", credential: '{"installation_id":"42"}' };
      expect((await ask(tenon, narrowed, "connector.add", foreign)).status).toBe(422);
      expect((await ask(tenon, cookie, "connector.add", foreign)).status).toBe(200);
      expect((await act(tenon, narrowed, "connector.add", { ...own, kind: "user", later: "on" })).status).toBe(200);
      const { id: instance, kind, credential } = { ...foreign };
      expect((await ask(tenon, narrowed, "connector.rotate", { instance, kind, credential })).status).toBe(422);
    }));
});

describe("names that others choose", () => {
  it("are shown as text, and a long list is cut and says so", async () => {
    const keys = Array.from({ length: 230 }, (_, nth) => (nth === 229 ? hostile : `key ${nth}`));
    await withAccounts(dataDir, async (store) => {
      for (const name of keys)
        await createCaller(store, deriveKeys(secretKey), {
          kind: "key",
          name,
          grant: { ...fullGrant, workspaces: [hostile] },
          expiresAt: null,
        });
    });
    const shown = await page(at.tenon, apiKey, "/admin/keys");
    expect(shown).toContain("&lt;img src=x onerror=alert(1)&gt;&quot;&#x27;{{name}}");
    expect(shown).not.toContain("<img");
    expect(shown.match(/name="id"/g)?.length).toBeLessThanOrEqual(200);
    expect(shown).toMatch(/\d+ more are not shown here/);
    const { cookie } = await logIn(at.tenon);
    const forget = await ask(at.tenon, cookie, "sync.forget", { instance: "github", scope: hostile });
    expect([forget.status, forget.text.includes("<img")]).toEqual([200, false]);
    const failed = await visit(at.tenon, "POST", "/admin/confirm", { cookie, form: { token: tokenIn(forget.text) } });
    expect([failed.status, failed.text.includes("<img")]).toEqual([422, false]);
  });
});
