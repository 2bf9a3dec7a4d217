import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createCaller, deriveKeys, fullGrant } from "../../runtime/accounts/index.ts";
import { openSqliteAccounts } from "../../runtime/accounts/sqlite/sqlite-account-store.ts";
import { userPermission } from "../../runtime/simulated/github/access.ts";
import { nameWithOwner } from "../../runtime/simulated/github/world/world.ts";
import { mostAgain } from "../../runtime/webhooks/index.ts";
import type { Json } from "../simulator/client.ts";
import { shaped } from "../support/shaped.ts";
import { later, newest } from "./support/change.ts";
import { openProcesses } from "./support/process.ts";
import { apiKey, authorized, bad, startTenon, useTenon } from "./support/service.ts";
import { found, hello } from "./support/world.ts";

// An operator adds webhooks: Tenon makes the secret, and tells it to nobody but the platform.

const scope = "repository=octocat/hello-world";
const path = "/api/v1/integrations/connectors/github/webhooks";
const ofScope = `${path}/${encodeURIComponent(scope)}`;
const secretKey = ["a secret key of at least 32 characters"];
const running = useTenon({
  syncScopes: [`github:${scope}`],
  secretKey,
  simulate: ["linear"],
});

// The seeded webhook of the repository is in the way.
beforeAll(() => {
  running.platform.world.hooks = [];
});

const send = (method: string, at: string, body?: object) =>
  running.tenon.send(method, at, body === undefined ? undefined : JSON.stringify(body), authorized);
const data = async (method: string, at: string, body?: object) => (await send(method, at, body)).body["data"] as Json;
const hook = () => found(running.platform.world.hooks[0]);

/** Delivers something as the platform does, signed with a secret. @param url of the webhook */
async function deliver(url: string, secret: string): Promise<number> {
  const body = JSON.stringify({ zen: String(Math.random()) });
  const { pathname, search } = new URL(url);
  const { status } = await running.tenon.send("POST", pathname + search, body, {
    "content-type": "application/json",
    "x-github-event": "ping",
    "x-github-delivery": crypto.randomUUID(),
    "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
  });
  return status;
}

describe("tenon webhook", () => {
  it("adds one, lists it, fails where the platform does not reach the service, and prints what to enter by hand", async () => {
    const { start, close } = openProcesses();
    const env = { TENON_URL: running.tenon.url, TENON_API_KEY: apiKey };
    const run = async (...args: readonly string[]) => {
      const { exit, out } = start(env, ["webhook", ...args]);
      return [await exit, out() === "" ? "" : JSON.parse(out())];
    };
    const other = "repository=octocat/real-records";
    try {
      const added = await run("add", "github", "--scope", scope, "--url", running.tenon.url);
      expect(added).toEqual([0, { scope, status: "done", enter: null }]);
      expect(await run("list", "github")).toEqual([0, expect.objectContaining({ scope, secrets: 1 })]);
      hook().config = { ...hook().config, url: "http://127.0.0.1:1/" };
      expect(await run("test", "github", "--scope", scope)).toEqual([70, { scope, outcome: "refused", http_status: 0 }]);
      expect(await run("remove", "github", "--scope", scope)).toEqual([0, { scope, status: "done", enter: null }]);
      expect((await run("rotate", "github", "--scope", other))[0]).toBe(66);
      const byHand = ["--scope", "organization=tenon-labs"];
      const [status, printed] = await run("add", "github", ...byHand, "--url", running.tenon.url);
      expect([status, printed]).toEqual([
        0,
        {
          scope: byHand[1],
          status: "enter",
          enter: expect.objectContaining({ secret: expect.stringMatching(/^tenon_webhook_/) }),
        },
      ]);
      const { url, secret } = printed.enter;
      expect(await deliver(url, secret)).toBe(202);
      expect((await run("remove", "github", ...byHand))[1].enter).toMatchObject({ secret: null });
      expect([await deliver(url, secret), await run("list", "github")]).toEqual([401, [0, ""]]);
    } finally {
      await close();
    }
  });
});

describe("a webhook that is added", () => {
  it("is there on the platform, with a secret that nobody else sees", async () => {
    await running.tenon.service.caughtUp();
    const url = running.tenon.url;
    const { text } = await send("POST", path, { scope, url });
    expect(JSON.parse(text)).toEqual({ data: { scope, status: "done", enter: null }, meta: {} });
    const { config, events } = hook();
    expect([events, config.url]).toEqual([["*"], `${url}${path.slice(0, -1)}?scope=${encodeURIComponent(scope)}`]);
    const secret = found(config.secret);
    expect([text.includes(secret), running.tenon.log.join("").includes(secret)]).toEqual([false, false]);
    expect(readFileSync(join(running.tenon.dataDir, "accounts.sqlite")).includes(secret)).toBe(false);
    const made = await running.tenon.run("issues", "create", { owner: "octocat", repo: "hello-world", title: "By an added one" });
    const number = Number((made.body["data"] as Json)["number"]);
    const query = { filter: { eq: { number } } };
    const cached = async () => (await running.tenon.run("issues", "context_store_search", { query })).body["data"];
    await expect.poll(cached, { timeout: 15_000 }).toHaveLength(1);
  });

  it("is listed without its secret, and is not added twice, in whatever spelling", async () => {
    const [listed] = shaped<readonly Json[]>(await data("GET", path));
    expect(listed).toMatchObject({ scope, id: String(hook().id), secrets: 1, last_at: expect.any(String) });
    const again = await send("POST", path, { scope: "repository=Octocat/Hello-World", url: running.tenon.url });
    expect(bad(again, 422, "invalid_request")).toMatchObject({ errors: [{ pointer: "/scope" }] });
  });

  it("takes only what is signed with its own secret", async () => {
    const { url, secret } = hook().config;
    expect(await deliver(url, found(secret))).toBe(202);
    expect(await deliver(url, "tenon_webhook_of_nobody")).toBe(401);
    expect(await deliver(url.replace("hello-world", "other"), found(secret))).toBe(401);
    expect(await deliver(url.replace(/\?.*/, ""), found(secret))).toBe(401);
  });

  it("is tested by a call of the platform", async () => {
    expect(await data("POST", `${ofScope}/test`)).toEqual({ scope, outcome: "accepted", http_status: 202 });
    const { config } = hook();
    hook().config = { ...config, secret: "a secret that somebody has entered there" };
    expect(await data("POST", `${ofScope}/test`)).toEqual({ scope, outcome: "refused", http_status: 401 });
    hook().config = config;
  });

  it("gets a new secret while the former one is good too", async () => {
    const { url, secret: former } = hook().config;
    expect(await data("POST", `${ofScope}/rotate`)).toEqual({ scope, status: "done", enter: null });
    const { secret } = hook().config;
    expect(secret).not.toBe(former);
    expect([await deliver(url, found(former)), await deliver(url, found(secret))]).toEqual([202, 202]);
    expect(await data("GET", path)).toMatchObject([{ secrets: 2 }]);
  });

  it("is removed on the platform too, and its secrets are good no longer", async () => {
    const { url, secret } = hook().config;
    expect(await data("DELETE", ofScope)).toEqual({ scope, status: "done", enter: null });
    expect([running.platform.world.hooks, await data("GET", path)]).toEqual([[], []]);
    expect(await deliver(url, found(secret))).toBe(401);
    bad(await send("POST", `${ofScope}/rotate`), 404, "unknown_webhook");
  });

  it("is entered by a person where the credential may not, or nothing can", async () => {
    const { world } = running.platform;
    const octocat = found(world.users.find(({ login }) => login === "octocat"));
    const foreign = found(world.repositories.find((one) => userPermission(octocat, one) === "READ"));
    for (const one of [`repository=${nameWithOwner(foreign)}`, "organization=tenon-labs"]) {
      const { enter, ...managed } = await data("POST", path, { scope: one, url: running.tenon.url });
      expect(managed).toEqual({ scope: one, status: "enter" });
      const { url, secret, where } = enter as Json;
      expect(where).toMatch(/^Settings → Webhooks/);
      expect(await deliver(String(url), String(secret))).toBe(202);
      const rotated = (await data("POST", `${path}/${encodeURIComponent(one)}/rotate`))["enter"] as Json;
      expect(rotated["secret"]).not.toBe(secret);
      expect([await deliver(String(url), String(secret)), await deliver(String(url), String(rotated["secret"]))]).toEqual([
        202, 202,
      ]);
    }
    expect(hello(world)).toBeDefined();
    expect(world.hooks).toEqual([]);
  });

  it("of a platform that makes the secret is not stored", async () => {
    const linear = path.replace("github", "linear");
    const { enter } = await data("POST", linear, { scope: "workspace", url: running.tenon.url });
    expect(enter).toMatchObject({ secret: null, where: expect.stringContaining("TENON_WEBHOOK_SECRETS") });
    expect(await data("GET", linear)).toEqual([]);
  });

  it("needs a scope that there is, and an address at which the platform reaches the service", async () => {
    bad(await send("POST", path, { scope: "repository=nowhere", url: running.tenon.url }), 422, "invalid_request");
    bad(await send("POST", path, { scope, url: "ftp://example.com" }), 422, "invalid_request");
    expect(bad(await send("POST", path, { scope }), 422, "invalid_request")["message"]).toContain("TENON_PUBLIC_URL");
  });

  it("takes deliveries of records elsewhere only for whoever may read them", async () => {
    const store = openSqliteAccounts(running.tenon.dataDir);
    const grant = { ...fullGrant, rights: ["admin" as const] };
    const { secret } = await createCaller(store, deriveKeys(secretKey), { kind: "key", name: "admin", grant, expiresAt: null });
    await store.close();
    const body = JSON.stringify({ scope: "repository=octocat/real-records", url: "https://elsewhere.example" });
    const sent = await running.tenon.send("POST", path, body, { ...authorized, authorization: `Bearer ${secret}` });
    expect(bad(sent, 403, "forbidden")["message"]).toContain("read");
    expect(running.platform.world.hooks).toEqual([]);
  });
});

describe("webhooks that were not delivered", () => {
  const settings = { syncScopes: [`github:${scope}`], secretKey: ["a secret key of at least 32 characters"] };
  const titleOf = async (number: number) => {
    const query = { filter: { eq: { number } } };
    const { body } = await running.tenon.run("issues", "context_store_search", { query, fields: ["title"] });
    return shaped<readonly Json[]>(body["data"])[0]?.["title"];
  };
  /** Changes issues while no delivery arrives, and then starts a second service beside the first one. */
  async function missed(title: string, count: number) {
    const { hooks, hookSender } = running.platform.world;
    hookSender.trouble = { late: 0, twice: 0, lost: 1 };
    const changed = hello(running.platform.world).issues.slice(0, count);
    const at = later(newest(hello(running.platform.world)), 1);
    for (const one of changed) Object.assign(one, { title, updatedAt: at });
    hookSender.tell(hooks);
    hookSender.trouble = { late: 0, twice: 0, lost: 0 };
    const second = await startTenon(running.platform, { ...settings, dataDir: running.tenon.dataDir });
    try {
      for (const { number } of changed) await expect.poll(() => titleOf(number), { timeout: 30_000 }).toBe(title);
    } finally {
      await second.service.close();
    }
    return found(hooks[0]).deliveries.filter(({ redelivery }) => redelivery).length;
  }

  it("are requested again when a service starts", async () => {
    await send("POST", path, { scope, url: running.tenon.url });
    expect(await missed("Requested again", 2)).toBe(2);
  });

  it("have all of their scope synced where they are many, without a request for each", async () => {
    const begun = Date.now();
    // So long nobody looks again, because another process may have.
    await expect.poll(() => Date.now() - begun, { timeout: 10_000 }).toBeGreaterThan(2_000);
    expect(await missed("Synced as a whole", mostAgain + 1)).toBe(2);
  });
});
