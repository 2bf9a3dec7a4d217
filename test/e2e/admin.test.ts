import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCaller, deriveKeys, fullGrant, type Grant, revokeCaller, rights } from "../../runtime/accounts/index.ts";
import { openSqliteAccounts } from "../../runtime/accounts/sqlite/sqlite-account-store.ts";
import { addConnector, connectors } from "../../runtime/main/index.ts";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { logIn, page, visit } from "./support/admin.ts";
import { alone, apiKey, authorized, bad, good, until, useTenon } from "./support/service.ts";

// The operator's page: who gets it, what it shows, and what it never shows.

const secretKey = ["secret-key-of-the-tests-of-the-admin-page"];
const keys = deriveKeys(secretKey);
const dataDir = mkdtempSync(join(tmpdir(), "tenon-admin-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const at = useTenon({ secretKey, dataDir, admin: true });
const canary = "canary-7be1";

async function keyFor(grant: Partial<Grant>): Promise<{ caller: { id: string }; secret: string }> {
  const store = openSqliteAccounts(dataDir);
  const made = await createCaller(store, keys, { kind: "key", name: "n", grant: { ...fullGrant, ...grant }, expiresAt: null });
  await store.close();
  return made;
}

beforeAll(async () => {
  const store = openSqliteAccounts(dataDir);
  const place = {
    workspace: "team",
    variables: [],
    kind: undefined,
    organization: undefined,
    rest: at.platform.url,
    graphql: undefined,
  };
  const user = { client_id: "c", client_secret: "canary-secret-of-the-app" };
  const added: [string, Parameters<typeof addConnector>[1]["credential"]][] = [
    ["acme", { text: ownerToken }],
    ["waiting", { text: JSON.stringify(user), kind: "user", later: true }],
  ];
  for (const [id, credential] of added)
    await addConnector(
      { store, keys, connectors, allowPrivate: false, platforms: {} },
      { connector: "github", id, ...place, scopes: [], minutes: 60, credential },
    );
  await store.close();
  good(await at.tenon.run("viewer", "get", { fields: ["login"] }));
  await at.tenon.run("issues", "get", { owner: canary, repo: "r", number: 1 });
  good(await at.tenon.run("labels", "context_store_search", { query: { filter: { eq: { name: canary } } } }));
  const synced = { scopes: ["repository=octocat/hello-world"], entities: ["labels"] };
  await at.tenon.send("POST", "/api/v1/integrations/connectors/github/sync", JSON.stringify(synced));
  await until(() => at.tenon.log.some((line) => line.includes("a sync has ended")));
});

/** The heading of an instance. */
const card = (id: string) => `<h3><a href="/admin/instances/${id}">${id}</a></h3>`;

describe("the operator's page", () => {
  it("is not there unless the setting says so", () =>
    alone({}, async ({ tenon }) => {
      for (const path of ["/admin", "/admin/login", "/admin/admin.css"])
        bad(await tenon.send("GET", path, undefined), 404, "unknown_route");
    }));

  it("shows instances, sync, quota, calls, errors and searches to whoever has the right, and nothing that was sent", async () => {
    let text = "";
    for (let tries = 0; tries < 100 && !text.includes("viewer.get"); tries++) text = await page(at.tenon, apiKey);
    for (const part of [card("acme"), card("github"), "repository=octocat/hello-world", "GraphQL: ", "polyline"])
      expect(text).toContain(part);
    expect(text).toMatch(/1 of \d+ entities complete, \d+ records/);
    const section = (id: string) => text.slice(text.indexOf(`id="${id}"`)).split("</section>")[0];
    expect(section("calls")).toContain("<strong>viewer.get</strong></a> github");
    expect(section("errors")).toContain('<a href="/docs/errors/not_found">not_found');
    expect(section("errors")).not.toContain("viewer.get");
    expect(section("searches")).toMatch(/<strong>\d+ ms<\/strong> labels of github/);
    expect(text).not.toContain(canary);
  });

  it("shows first which instances a user must authorize, and how", async () => {
    const text = await page(at.tenon, apiKey);
    const [, first = "", ...others] = text.slice(text.indexOf('id="instances"')).split("<article>");
    expect(first).toContain(card("waiting"));
    expect(first).toContain("workspace team, authorization required.");
    expect(first).toContain("`tenon connector authorize waiting`".replaceAll("`", "&#x60;"));
    expect(first).not.toContain("canary");
    for (const other of others) expect(other).not.toContain("connector authorize");
  });

  it("leads everybody else to the login, whatever they send", async () => {
    const others = ["", "tenon_admin=", "tenon_admin=x", `tenon_admin=${"x".repeat(5_000)}`];
    for (const cookie of others) {
      const { status, headers, text } = await visit(at.tenon, "GET", "/admin", { cookie });
      expect([status, headers.get("location"), text]).toEqual([303, "/admin/login", ""]);
    }
    const { status } = await visit(at.tenon, "GET", "/admin", { headers: { authorization: authorized.authorization } });
    expect(status).toBe(303);
  });

  it.each(rights.filter((right) => right !== "admin"))("is nothing for a key with the right %s alone", async (right) => {
    const { secret } = await keyFor({ rights: [right] });
    const { status, text, set } = await logIn(at.tenon, secret);
    expect([status, set]).toEqual([403, ""]);
    expect(text).toContain("does not have the right admin");
  });

  it("shows an admin of one instance nothing of the others", async () => {
    const { secret } = await keyFor({ rights: ["admin"], instances: ["acme"] });
    const text = await page(at.tenon, secret);
    expect(text).toContain(card("acme"));
    for (const foreign of [card("github"), "viewer.get", "labels of github", "octocat"]) expect(text).not.toContain(foreign);
  });

  it("ends for a key that was revoked, and for a browser that logs out", async () => {
    const { caller, secret } = await keyFor({ rights: ["admin"] });
    const { cookie } = await logIn(at.tenon, secret);
    const look = async (of: string) => (await visit(at.tenon, "GET", "/admin", { cookie: of })).status;
    expect(await look(cookie)).toBe(200);
    const store = openSqliteAccounts(dataDir);
    await revokeCaller(store, "key", caller.id);
    await store.close();
    expect(await look(cookie)).toBe(303);
    const operator = (await logIn(at.tenon, apiKey)).cookie;
    expect((await visit(at.tenon, "POST", "/admin/logout", { cookie: operator })).status).toBe(303);
    expect(await look(operator)).toBe(303);
  });
});

describe("the login", () => {
  it("keeps a cookie that no script reads and that no other site makes a browser send", async () => {
    const { status, set, headers } = await logIn(at.tenon, ` ${apiKey}\n`);
    expect([status, headers.get("location")]).toEqual([303, "/admin"]);
    expect(set).toMatch(/^tenon_admin=[\w-]{43}; Path=\/admin; Max-Age=1800; HttpOnly; SameSite=Strict$/);
  });

  it("leads to the page that was requested, and to no other address", async () => {
    const asked = await visit(at.tenon, "GET", "/admin/proposals");
    const there = "/admin/login?to=%2Fadmin%2Fproposals";
    expect(asked.headers.get("location")).toBe(there);
    expect((await visit(at.tenon, "GET", there)).text).toContain(`action="${there}"`);
    const reached = async (path: string) =>
      (await visit(at.tenon, "POST", path, { form: { key: apiKey } })).headers.get("location");
    expect(await reached(there)).toBe("/admin/proposals");
    for (const to of ["//evil.example", "https://evil.example", "/admin//evil.example", "/admin/logout", "/admin/\\evil"])
      expect(await reached(`/admin/login?to=${encodeURIComponent(to)}`)).toBe("/admin");
  });

  it("is Secure where a trusted proxy says that there is TLS", () =>
    alone({ admin: true, trustProxy: ["loopback"] }, async ({ tenon }) => {
      const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "tenon.example", origin: "https://tenon.example" };
      const { status, set } = await visit(tenon, "POST", "/admin/login", { form: { key: apiKey }, headers });
      expect([status, set]).toEqual([303, expect.stringMatching(/; Secure$/)]);
    }));

  it.each([
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ])("takes no form that another page sends: %j", async (headers) => {
    for (const path of ["/admin/login", "/admin/logout"]) {
      const { status, set } = await visit(at.tenon, "POST", path, { form: { key: apiKey }, headers });
      expect([path, status, set]).toEqual([path, 403, ""]);
    }
  });

  it("refuses wrong keys, never shows them, and bounds how often one may try", () =>
    alone({ admin: true }, async ({ tenon }) => {
      const tried = await Promise.all(Array.from({ length: 21 }, (_, nth) => logIn(tenon, `${canary}<b>${nth}`)));
      expect(tried.map(({ status }) => status).toSorted()).toEqual([...Array(20).fill(401), 429]);
      for (const { text, set } of tried) expect([text.includes(canary), set]).toEqual([false, ""]);
      expect(tenon.log.join("")).not.toContain(canary);
      expect((await logIn(tenon, apiKey)).status).toBe(303);
    }));

  it("takes no key in an address", async () => {
    const { status, text } = await visit(at.tenon, "GET", `/admin?key=${apiKey}`);
    expect([status, text]).toEqual([303, ""]);
  });

  it("stands in the audit log", () =>
    alone({ admin: true }, async ({ tenon }) => {
      await logIn(tenon, apiKey);
      let text = "";
      for (let tries = 0; tries < 200 && !text.includes("admin.login"); tries++) text = await page(tenon, apiKey);
      expect(text).toContain("<strong>admin.login</strong>");
    }));
});

describe("every page", () => {
  it.each(["/admin", "/admin/login", "/admin/admin.css"])("%s allows nothing that it does not need", async (path) => {
    const { cookie } = await logIn(at.tenon, apiKey);
    const { status, headers } = await visit(at.tenon, "GET", path, { cookie });
    expect(status).toBe(200);
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    const wrong = await visit(at.tenon, "DELETE", path, { cookie });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, expect.stringContaining("GET, HEAD")]);
  });
});
