import dns, { type LookupAddress } from "node:dns";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, describe, expect, it, vi } from "vitest";
import { github } from "../../generated/github/index.ts";
import { type AccountStore, createCaller, deriveKeys, fullGrant, type Grant } from "../../runtime/accounts/index.ts";
import {
  addConnector,
  connectors,
  type NewConnector,
  removeConnector,
  rotateCredential,
  runRemove,
  runSync,
} from "../../runtime/main/index.ts";
import { readSettings } from "../../runtime/main/settings/settings.ts";
import { ownerToken, tokens } from "../../runtime/simulated/github/tokens.ts";
import { plainConnector, withAccounts } from "./support/accounts.ts";
import { authorized, type Reply, useTenon } from "./support/service.ts";

type LookupCallback = (error: null, addresses: LookupAddress[]) => void;

// Several instances of one connector, each with its own credential, cache and callers.

const secretKey = ["canary-secret-key-of-the-instance-tests"];
const keys = deriveKeys(secretKey);
const dataDir = mkdtempSync(join(tmpdir(), "tenon-stored-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const at = useTenon({ secretKey, dataDir });
const path = "/api/v1/integrations/connectors";
const viewer = { entity: "viewer", action: "get", params: { fields: ["login"] } };
const other = tokens.find(({ login }) => login !== tokens.find(({ token }) => token === ownerToken)?.login);

/** Changes what is stored as the command line does, from outside of the service. */
const stored = <Result>(work: (store: AccountStore) => Promise<Result>) => withAccounts(dataDir, work);

const add = (id: string, token: string, more: Partial<NewConnector> = {}) =>
  stored((store) =>
    addConnector(
      { store, keys, connectors, allowPrivate: false, platforms: {} },
      {
        ...plainConnector,
        id,
        rest: at.platform.url,
        credential: { text: token },
        ...more,
      },
    ),
  );
const keyWith = async (grant: Partial<Grant>) =>
  (
    await stored((store) =>
      createCaller(store, keys, { kind: "key", name: "n", grant: { ...fullGrant, ...grant }, expiresAt: null }),
    )
  ).secret;
const get = (address: string, token?: string, headers = {}) =>
  at.tenon.send("GET", address, undefined, {
    ...(token === undefined ? authorized : { authorization: `Bearer ${token}` }),
    ...headers,
  });
const run = (id: string, body: object, token?: string, headers = {}): Promise<Reply> =>
  at.tenon.send("POST", `${path}/${id}/execute`, JSON.stringify(body), {
    ...authorized,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...headers,
  });
const login = async (id: string) => (await run(id, viewer)).body["data"];

const environment = { TENON_SECRET_KEY: secretKey[0], TENON_DATA_DIR: dataDir, GITHUB_TOKEN: "none" };
const { settings } = readSettings({ ...environment, TENON_LOG_LEVEL: "silent" }, [github]);

/** Every row of the context store, as JSON. */
function cachedRows(): string[] {
  const database = new Database(join(dataDir, "context-store.sqlite"), { readonly: true });
  const tables = database.prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const rows = tables.flatMap(({ name }) =>
    database
      .prepare(`SELECT * FROM "${name}"`)
      .all()
      .map((row) => JSON.stringify(row)),
  );
  database.close();
  return rows;
}

describe("an added connector", () => {
  it("acts on its own account, from the moment it is added until it is removed", async () => {
    expect((await run("one", viewer)).status).toBe(404);
    await add("one", other?.token ?? "");
    expect(await login("one")).toEqual({ login: other?.login });
    expect(await login("github")).not.toEqual({ login: other?.login });
    await stored((store) => rotateCredential({ store, keys, connectors, platforms: {} }, "one", { text: ownerToken }));
    expect(await login("one")).toEqual(await login("github"));
    await stored((store) => removeConnector(store, "one"));
    expect((await run("one", viewer)).status).toBe(404);
    await expect(add("one", ownerToken)).rejects.toMatchObject({ code: "id_taken" });
    await expect(add("github", ownerToken)).rejects.toMatchObject({ code: "id_taken" });
  });

  it("that cannot be used shows its address to callers with the right admin only", async () => {
    const rest = "https://10.0.0.7/api/v3";
    await stored((store) =>
      addConnector(
        { store, keys, connectors, allowPrivate: true, platforms: {} },
        { ...plainConnector, id: "inside", rest, credential: { text: ownerToken } },
      ),
    );
    const why = async (rights: Grant["rights"]) => (await get(`${path}/inside`, await keyWith({ rights }))).body;
    expect(await why(["read", "admin"])).toMatchObject({
      code: "connector_not_configured",
      message: expect.stringContaining(rest),
    });
    const hidden = await why(["read", "write", "sync", "metrics"]);
    expect(hidden).toMatchObject({ code: "connector_not_configured", message: expect.stringContaining("its address") });
    expect(JSON.stringify(hidden)).not.toContain("10.0.0.7");
    // For somebody who may not use it, it does not exist, whatever is wrong with it.
    const token = await keyWith({ instances: ["github"], rights: ["read", "admin"] });
    const replies = await Promise.all(["inside", "nothing"].map((id) => get(`${path}/${id}`, token)));
    expect(replies.map(({ status, body: { code, message } }) => [status, code, message])).toEqual(
      Array(2).fill([404, "unknown_connector", "There is no connector with this id."]),
    );
    await stored((store) => removeConnector(store, "inside"));
  });

  it("has a cache of its own", async () => {
    await add("cached", ownerToken);
    const { signal } = new AbortController();
    const scopes = ["repository=octocat/hello-world"];
    const sync = { connectorId: "cached", scopes, entities: ["labels"], full: false, massDelete: false, signal };
    await runSync(settings, { ...sync, onProgress: () => undefined }, { write: () => undefined });
    const search = { entity: "labels", action: "context_store_search", params: { query: {}, count: true, limit: 1 } };
    const count = async (id: string) => (await run(id, search)).body["meta"]?.["total_count"];
    expect(await count("cached")).toBeGreaterThan(0);
    expect(await count("github")).toBe(0);
    expect((await get(`${path}/cached/sync`)).body["data"]).toContainEqual(
      expect.objectContaining({ entity: "labels", state: "complete" }),
    );
    await runRemove(settings, { connectorId: "cached", signal }, { write: () => undefined });
    expect((await run("cached", search)).status).toBe(404);
    expect(cachedRows().length).toBeGreaterThan(0);
    expect(cachedRows().filter((row) => row.includes("octocat/hello-world"))).toEqual([]);
  });

  it("is removed with all of its cache also while the service syncs it, and whatever its schedule does", async () => {
    await add("busy", ownerToken, { scopes: ["repository=octocat/hello-world"] });
    at.platform.fail({ kind: "slow", ms: 1_000 });
    const begun = await at.tenon.send("POST", `${path}/busy/sync`, '{"entities":["labels"]}', authorized);
    // With bad luck, the schedule was quicker.
    expect([202, 409]).toContain(begun.status);
    await runRemove(settings, { connectorId: "busy", signal: new AbortController().signal }, { write: () => undefined });
    expect((await run("busy", viewer)).status).toBe(404);
    expect(cachedRows().filter((row) => row.includes("octocat/hello-world"))).toEqual([]);
  });

  it("is there for its callers and its organization only, on every route", async () => {
    await add("acme-a", ownerToken, { workspace: "main", organization: "acme" });
    await add("acme-b", ownerToken, { workspace: "side", organization: "acme" });
    await add("rival", ownerToken, { workspace: "main", organization: "rival" });
    const grants: [Partial<Grant>, string[]][] = [
      [{ instances: ["acme-a"] }, ["acme-a"]],
      [{ organization: "acme" }, ["acme-a", "acme-b"]],
      [{ workspaces: ["main"] }, ["acme-a", "rival"]],
      [{ workspaces: ["main"], organization: "rival" }, ["rival"]],
      [{ instances: ["rival"], organization: "acme" }, []],
    ];
    const all = ["acme-a", "acme-b", "rival", "github"];
    for (const [grant, visible] of grants) {
      const token = await keyWith(grant);
      const listed = (await get(path, token)).body["data"];
      expect(Object.values(listed ?? {}).map((one) => one["id"])).toEqual(visible);
      for (const id of all) {
        const expected = visible.includes(id) ? 200 : 404;
        expect([id, (await run(id, viewer, token)).status]).toEqual([id, expected]);
        expect([id, (await get(`${path}/${id}/sync`, token)).status]).toEqual([id, expected]);
      }
    }
    const header = { "x-organization-id": "acme" };
    expect((await run("acme-a", viewer, undefined, header)).status).toBe(200);
    expect((await run("rival", viewer, undefined, header)).status).toBe(404);
    const ids = async (query: string, headers = {}) =>
      Object.values((await get(path + query, undefined, headers)).body["data"] ?? {}).map((one) => one["id"]);
    expect(await ids("?workspace_name=main")).toEqual(["acme-a", "rival"]);
    expect(await ids("?workspace_name=main&connector=github", header)).toEqual(["acme-a"]);
    expect(await ids("?workspace_name=nowhere")).toEqual([]);
    expect(await ids("?workspace_name=default")).toContain("github");
    const entry = {
      id: "acme-b",
      connector: "github",
      title: "GitHub",
      workspace_name: "side",
      organization_id: "acme",
      status: "ready",
    };
    expect((await get(`${path}?workspace_name=side`)).body).toEqual({ data: [entry], meta: {} });
    expect((await get(`${path}?workspace=side`)).body["errors"]).toEqual([
      expect.objectContaining({ pointer: "/query/workspace", suggestion: "workspace_name" }),
    ]);
  });

  it("connects to no private address of one API, although the other API is on this machine", async () => {
    let connections = 0;
    const inner = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((done) => inner.listen(0, "127.0.0.1", done));
    const { port } = inner.address() as AddressInfo;
    const lookup = vi
      .spyOn(dns, "lookup")
      .mockImplementation(((_name: string, _options: object, done: LookupCallback) =>
        done(null, [{ address: "127.0.0.1", family: 4 }])) as typeof dns.lookup);
    syncBuiltinESMExports();
    try {
      await add("inner", ownerToken, { graphql: `https://inner.example:${port}/graphql` });
      expect((await run("inner", viewer)).status).toBe(502);
      expect(connections).toBe(0);
    } finally {
      lookup.mockRestore();
      syncBuiltinESMExports();
      inner.close();
    }
  });

  it("leaves no credential readable in any file of the data directory", async () => {
    const canary = "canary-token-that-no-pattern-knows-0123456789";
    await add("canary", canary);
    expect((await run("canary", viewer)).status).toBe(403);
    const bytes = readdirSync(dataDir).map((file) => readFileSync(join(dataDir, file)));
    expect(bytes.length).toBeGreaterThan(1);
    for (const file of bytes)
      for (const text of [canary, ...tokens.map(({ token }) => token)]) expect(file.includes(text)).toBe(false);
    expect(at.tenon.log.join("")).not.toContain(canary);
  });

  it.each<[string, Partial<NewConnector>, string]>([
    ["an unknown spec", { connector: "gihub" }, "There is no connector"],
    ["an unknown scope", { scopes: ["repo=a/b"] }, "There is no kind of scope"],
    ["an id that does not fit into an address", { id: "a/b" }, "An id has"],
    ["an address that is not https", { rest: "http://platform.example" }, "must be https"],
    ["a private address", { rest: "https://192.168.0.1" }, "private network"],
    [
      "a private address beside one of this machine",
      { rest: "http://127.0.0.1:1", graphql: "https://[::a00:1]/graphql" },
      "private network",
    ],
    ["one address of two", { rest: undefined, graphql: "https://platform.example/graphql" }, "base-url is required"],
    ["no credential", { credential: { text: " " } }, "must be one value"],
    [
      "a credential of values that it does not take",
      { credential: { text: '{"user":"canary-user"}' } },
      "Github takes: token (token)".replace("Github", "GitHub"),
    ],
    ["a workspace with a line break", { workspace: "a\nb" }, "workspace has"],
  ])("is refused with %s", async (_title, more, message) => {
    await expect(add("wrong", ownerToken, more)).rejects.toMatchObject({ message: expect.stringContaining(message) });
    expect((await run("wrong", viewer)).status).toBe(404);
  });
});
