import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeJwt } from "jose";
import { afterAll, describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import { createCaller, deriveKeys, fullGrant, type Grant } from "../../runtime/accounts/index.ts";
import { openSqliteAccounts } from "../../runtime/accounts/sqlite/sqlite-account-store.ts";
import {
  compat,
  connected,
  connectorsPath,
  credentials,
  definition,
  hello,
  sent,
  shownText,
  tokenOf,
  tokenPath,
} from "./support/compat.ts";
import { alone, bad, executePath, list, usePlatform, useTenon } from "./support/service.ts";

// The routes under /compat, held to what the public Python client of another service sends and needs.

const at = useTenon(compat);
const platforms = usePlatform();
const url = () => at.tenon.url;
const folders: string[] = [];
const newFolder = () => {
  folders.push(mkdtempSync(join(tmpdir(), "tenon-compat-")));
  return String(folders.at(-1));
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe("a service without a client", () => {
  it("has nothing at these addresses", async () => {
    const tenon = await platforms.start();
    for (const [method, path] of [
      ["POST", tokenPath],
      ["GET", connectorsPath],
      ["POST", `${connectorsPath}/github/execute`],
    ] as const) {
      const { status, body } = await sent(tenon.url, method, path, method === "POST" ? {} : undefined);
      expect([status, body["code"], body["message"]]).toEqual([404, "unknown_route", "There is nothing at this address."]);
    }
  });
});

describe("a token", () => {
  it("is given for the right id and secret, and lasts 90 minutes", async () => {
    const { status, body } = await sent(url(), "POST", tokenPath, credentials);
    expect([status, body["token_type"], body["expires_in"]]).toEqual([200, "Bearer", 5400]);
    const token = String(body["access_token"]);
    expect(token).toMatch(/^[\x21-\x7e]+$/);
    const { iat = 0, exp = 0 } = decodeJwt(token);
    expect(exp - iat).toBe(5400);
  });

  it.each([
    { ...credentials, client_secret: "wrong" },
    { ...credentials, client_id: "wrong" },
    { client_id: null, client_secret: null },
    { client_id: 5, client_secret: ["x"] },
    {},
    [],
  ])("is refused for %j, which does not say what is wrong", async (given) => {
    const { status, body } = await sent(url(), "POST", tokenPath, given);
    expect([status, body["message"]]).toEqual([401, "The client id or the client secret is not valid."]);
  });

  it("is refused with 400 for what is not JSON", async () => {
    expect((await sent(url(), "POST", tokenPath, "{")).status).toBe(400);
  });

  it("leaves earlier ones good", async () => {
    const tokens = await Promise.all([1, 2, 3, 4, 5].map(() => tokenOf(url())));
    for (const token of tokens) {
      const { status } = await sent(url(), "GET", connectorsPath, undefined, { authorization: `Bearer ${token}` });
      expect(status).toBe(200);
    }
  });

  it("of the configured client is not good on the native routes", async () => {
    const authorization = `Bearer ${await tokenOf(url())}`;
    const native = await at.tenon.send("POST", executePath, "{}", { authorization, "content-type": "application/json" });
    bad(native, 401, "unauthorized");
  });

  it("of a stored client opens these routes only, and a native one these too", async () => {
    const dataDir = newFolder();
    const secretKey = ["secret-key-of-the-compat-tests-000000"];
    const tenon = await platforms.start({ ...compat, dataDir, secretKey });
    const store = openSqliteAccounts(dataDir);
    const made = await createCaller(store, deriveKeys(secretKey), {
      kind: "client",
      name: "n",
      grant: fullGrant,
      expiresAt: null,
    });
    await store.close();
    const given = { client_id: made.caller.id, client_secret: made.secret };
    const status = async (path: string, token: string) =>
      (await sent(tenon.url, "GET", path, undefined, { authorization: `Bearer ${token}` })).status;
    const native = "/api/v1/integrations/connectors";
    const long = await tokenOf(tenon.url, given);
    expect([await status(connectorsPath, long), await status(native, long)]).toEqual([200, 401]);
    const { body } = await sent(tenon.url, "POST", "/api/v1/account/applications/token", given);
    const short = String(body["access_token"]);
    expect([await status(connectorsPath, short), await status(native, short)]).toEqual([200, 200]);
    expect([decodeJwt(long).aud, decodeJwt(short).aud]).toEqual(["tenon/compat", "tenon"]);
  });

  it("holds in every process with the same secret key, whatever its data folder, and after a secret key was set", async () => {
    const [first, other] = [newFolder(), newFolder()];
    const status = async (url: string, token: string) =>
      (await sent(url, "GET", connectorsPath, undefined, { authorization: `Bearer ${token}` })).status;
    const before = await platforms.start({ ...compat, dataDir: first });
    const former = await tokenOf(before.url);
    await before.service.close();
    const secretKey = ["secret-key-of-the-compat-tests-000000"];
    const [one, two] = await Promise.all([first, other].map((dataDir) => platforms.start({ ...compat, secretKey, dataDir })));
    const token = await tokenOf(one?.url ?? "");
    expect([await status(two?.url ?? "", token), await status(one?.url ?? "", former)]).toEqual([200, 200]);
    await two?.service.close();
    const rotated = await platforms.start({
      ...compat,
      secretKey: ["the-next-secret-key-of-the-tests-0000", ...secretKey],
      dataDir: other,
    });
    expect(await status(rotated.url, token)).toBe(200);
    await rotated.service.close();
    const foreign = await platforms.start({
      ...compat,
      secretKey: ["another-secret-key-of-the-tests-00000"],
      dataDir: newFolder(),
    });
    expect(await status(foreign.url, token)).toBe(401);
  });

  it("is refused when it never was one", async () => {
    for (const headers of [{}, { authorization: "Bearer abc" }, { authorization: "Bearer eyJhbGciOiJub25lIn0.e30." }]) {
      const { status } = await sent(url(), "GET", connectorsPath, undefined, headers as Record<string, string>);
      expect(status).toBe(401);
    }
  });

  it("survives a restart, and ends when the secret is changed or with another data folder", async () => {
    const dataDir = newFolder();
    const first = await platforms.start({ ...compat, dataDir });
    const beside = await platforms.start({ ...compat, dataDir: newFolder() });
    const authorization = `Bearer ${await tokenOf(first.url)}`;
    const status = async (url: string) => (await sent(url, "GET", connectorsPath, undefined, { authorization })).status;
    expect([await status(first.url), await status(beside.url)]).toEqual([200, 401]);
    await first.service.close();
    const second = await platforms.start({ ...compat, dataDir });
    expect(await status(second.url)).toBe(200);
    await second.service.close();
    const changed = await platforms.start({ ...compat, dataDir, compatClientSecret: "another-secret-of-the-client" });
    expect(await status(changed.url)).toBe(401);
    expect(statSync(join(dataDir, "compat-key")).mode & 0o777).toBe(0o600);
  });

  it("is refused with 429 and whole seconds after too many wrong secrets, and still given for the right one", () =>
    alone(compat, async ({ tenon }) => {
      const wrong = { ...credentials, client_secret: "wrong" };
      const tries = [];
      for (let count = 0; count < 22; count++) tries.push(await sent(tenon.url, "POST", tokenPath, wrong));
      expect(tries.map(({ status }) => status)).toEqual([...Array(20).fill(401), 429, 429]);
      expect(tries.at(-1)?.headers.get("retry-after")).toMatch(/^\d+$/);
      expect((await sent(tenon.url, "POST", tokenPath, credentials)).status).toBe(200);
    }));
});

describe("a stored client", () => {
  const secretKey = ["canary-secret-key-of-the-compat-tests"];
  async function made(dataDir: string, grant: Partial<Grant> = {}) {
    const store = openSqliteAccounts(dataDir);
    const options = { kind: "client", name: "n", grant: { ...fullGrant, ...grant }, expiresAt: null } as const;
    const { caller, secret } = await createCaller(store, deriveKeys(secretKey), options);
    await store.close();
    return { client_id: caller.id, client_secret: secret };
  }

  it("turns the routes on when it is made, without a restart", async () => {
    const dataDir = newFolder();
    const tenon = await platforms.start({ secretKey, dataDir });
    expect((await sent(tenon.url, "POST", tokenPath, credentials)).status).toBe(404);
    const { run } = await connected(tenon.url, await made(dataDir));
    expect((await run("viewer", "get")).status).toBe(200);
  });

  it("may do what its grant allows", async () => {
    const dataDir = newFolder();
    const tenon = await platforms.start({ secretKey, dataDir });
    const reader = await connected(tenon.url, await made(dataDir, { rights: ["read"], entities: ["viewer"] }));
    expect((await reader.run("viewer", "get")).status).toBe(200);
    expect((await reader.run("issues", "create", { ...hello, title: "t" })).status).toBe(403);
    expect((await reader.run("users", "get", { username: "octocat" })).status).toBe(403);
    const stranger = await connected(tenon.url, await made(dataDir, { instances: ["another"] }));
    expect((await stranger.run("viewer", "get")).status).toBe(404);
    expect((await stranger.get("/integrations/connectors")).body).toEqual({ data: [] });
    expect((await stranger.get("/workspaces")).body).toEqual({ data: [] });
  });

  it("of an organization may name no other one", async () => {
    const dataDir = newFolder();
    const tenon = await platforms.start({ secretKey, dataDir });
    const { get } = await connected(tenon.url, await made(dataDir, { organization: "acme" }));
    const named = (id: string) => get("/integrations/connectors", { "X-Organization-Id": id });
    expect([(await named("acme")).status, (await named("other")).status]).toEqual([200, 403]);
  });
});

describe("a lookup", () => {
  const lookup = async (query: string, headers?: Record<string, string>) =>
    (await connected(url())).get(`/integrations/connectors?${query}`, headers);
  const entry = {
    id: "github",
    name: "github",
    summarized_source_template: { name: "github" },
    created_at: null,
    updated_at: null,
  };

  it("finds exactly the one connector of a definition", async () => {
    const { status, body } = await lookup(`workspace_name=default&definition_id=${definition}`);
    expect([status, body]).toEqual([200, { data: [entry] }]);
    expect(entry.id).toMatch(/^[A-Za-z0-9._~-]+$/);
  });

  it.each([
    ["an unknown workspace", `workspace_name=nowhere&definition_id=${definition}`],
    ["an unknown definition", "workspace_name=default&definition_id=00000000-0000-0000-0000-000000000000"],
  ])("finds nothing, with 200, for %s", async (_what, query) => {
    const { status, body } = await lookup(query);
    expect([status, body]).toEqual([200, { data: [] }]);
  });

  it("without a definition lists the connectors of the workspace", async () => {
    expect((await lookup("workspace_name=default")).body).toEqual({ data: [entry] });
  });

  it("takes no notice of an organization of the other service", async () => {
    const headers = { "X-Organization-Id": "00000000-0000-0000-0000-000000000123" };
    expect(list((await lookup(`definition_id=${definition}`, headers)).body["data"])).toHaveLength(1);
    const { send } = await connected(url());
    expect((await send({ entity: "viewer", action: "get" }, "github", headers)).status).toBe(200);
  });

  it("finds workspaces by a part of their names", async () => {
    const { get } = await connected(url());
    expect((await get("/workspaces?name_contains=default")).body).toEqual({ data: [{ id: "default", name: "default" }] });
    expect((await get("/workspaces?name_contains=other")).body).toEqual({ data: [] });
  });
});

describe("docs", () => {
  const docs = async (query: string) => (await connected(url())).get(`/skills/docs?${query}`);

  it("are named by the connector, and begin with an outline of its entities", async () => {
    const { get } = await connected(url());
    const { body } = await get("/integrations/connectors/github/inspect");
    expect(body).toMatchObject({ docs_skill_id: "github", title: "GitHub" });
    const { status, body: page } = await docs("id=github");
    expect(status).toBe(200);
    expect(page).toMatchObject({ metadata: { id: "github", title: "GitHub", kind: "connector" } });
    expect(Object.keys(page)).not.toContain("section_id");
    expect(list(page["outline"]).map(({ id }) => String(id))).toEqual(
      Object.keys(github.entities).map((name) => `entity:${name}`),
    );
  });

  it("have a section for each entity, with its actions and their parameters", async () => {
    for (const [entity, { actions }] of Object.entries(github.entities)) {
      const { body } = await docs(`id=github&section=entity:${entity}`);
      expect(body["section_id"]).toBe(`entity:${entity}`);
      const blocks = list(body["content"]);
      const ofAction = (action: string) => ({ type: "heading", level: 3, text: `${entity}.${action}` });
      expect(blocks).toEqual(expect.arrayContaining(Object.keys(actions).map(ofAction)));
      expect(blocks[0]).toEqual({ type: "heading", level: 2, text: entity });
      expect(blocks.at(-2)).toEqual({ type: "heading", level: 3, text: "Fields of live records" });
    }
    const { body } = await docs("id=github&section=entity:issues");
    expect(list(body["content"])).toContainEqual(
      expect.objectContaining({ type: "table", rows: expect.arrayContaining([["owner", "string", "yes", expect.any(String)]]) }),
    );
  });

  it("are not there for what does not exist", async () => {
    for (const query of ["", "id=nowhere", "id=github&section=entity:nothing"]) expect((await docs(query)).status).toBe(404);
    expect((await (await connected(url())).get("/integrations/connectors/nowhere/inspect")).status).toBe(404);
  });
});

describe("what is refused", () => {
  it.each([
    ["DELETE", "/integrations/connectors/github", 405],
    ["POST", "/integrations/connectors/github/execute/prepare", 404],
    ["GET", "/internal/workflows?workspace_id=default", 404],
    ["POST", "/internal/workflows", 404],
    ["GET", "/nowhere", 404],
  ])("%s %s is %s, in words, and never a redirect", async (method, path, expected) => {
    const authorization = `Bearer ${await tokenOf(url())}`;
    const { status, body } = await sent(url(), method, `/compat/api/v1${path}`, undefined, { authorization });
    expect(status).toBe(expected);
    expect(shownText(body)).toMatch(/^[A-Z].*\.$/);
  });
});

describe("an unknown connector", () => {
  it("is 404", async () => {
    const { send } = await connected(url());
    const { status, body } = await send({ entity: "viewer", action: "get" }, "nowhere");
    expect([status, shownText(body)]).toEqual([404, "There is no connector with this id."]);
  });
});

describe("the native routes", () => {
  it("answer in their own words beside all this", async () => {
    const { body } = await at.tenon.run("viewer", "get", { fields: ["login"] });
    expect(body).toEqual({ data: { login: "octocat" }, meta: { has_next_page: false, end_cursor: null } });
    bad(
      await at.tenon.send("POST", executePath, JSON.stringify({ entity: "issues", action: "search", params: {} })),
      422,
      "invalid_request",
    );
    const withMore = { entity: "viewer", action: "get", skip_truncation: true };
    bad(await at.tenon.send("POST", executePath, JSON.stringify(withMore)), 422, "invalid_request");
    bad(await at.tenon.run("issues", "get", { ...hello, number: "1" }), 422, "invalid_request");
  });
});
