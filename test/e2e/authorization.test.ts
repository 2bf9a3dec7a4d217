import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import { type AccountStore, createCaller, deriveKeys, type Grant, type Right, rights } from "../../runtime/accounts/index.ts";
import { openPostgresAccounts } from "../../runtime/accounts/postgres/postgres-account-store.ts";
import { openSqliteAccounts } from "../../runtime/accounts/sqlite/sqlite-account-store.ts";
import { type Connector, storeAction } from "../../runtime/contract/index.ts";
import { addConnector, connectors } from "../../runtime/main/index.ts";
import { routeDocs } from "../../runtime/server/openapi/routes.ts";
import { type Platform, startPlatform } from "../../spec/github/simulator/start.ts";
import { ownerToken } from "../../spec/github/simulator/tokens.ts";
import { hasServer, startOnServer } from "../support/postgres/server.ts";
import { compat, connectorsPath, prefix, sent } from "./support/compat.ts";
import { expectNoSecret, type Options, startTenon, type Tenon } from "./support/service.ts";

// Who may do what, computed from the spec for every right, entity, action and instance, and for every route.

const secretKey = ["secret-key-of-the-authorization-tests-00"];
const keys = deriveKeys(secretKey);
const base = "/api/v1/integrations/connectors";
const own = "own";
const foreign = "foreign";
/** The instances that every grant of the matrix allows, one of each connector, and one that none allows. */
const ownOf = (connector: string) => (connector === "github" ? own : `own-${connector}`);
const instances = [
  ...connectors.map((connector) => ({ id: ownOf(connector.name), connector })),
  { id: foreign, connector: github as Connector },
];

/** Every grant of the matrix: one right, and all entities or those of one name. */
const grants: Omit<Grant, "instances">[] = rights.flatMap((right) =>
  [null, ["issues"], ["users", "files"]].map((some) => ({
    rights: [right],
    workspaces: null,
    organization: null,
    entities: some,
  })),
);
const headers = (token: string) => ({ authorization: `Bearer ${token}`, "content-type": "application/json" });
const actionsOf = (connector: Connector) =>
  Object.entries(connector.entities).flatMap(([entity, { actions: ofEntity }]) => [
    ...Object.entries(ofEntity).map(([action, { traits }]) => ({ entity, action, writes: traits.writes })),
    { entity, action: storeAction, writes: false },
  ]);
type TriedAction = ReturnType<typeof actionsOf>[number];
/** Every action on every instance. */
const all = instances.flatMap(({ id, connector }) => actionsOf(connector).map((one) => ({ id, ...one })));

/** Tries every action on every instance, fewer at once than a caller may have under way. */
async function everywhere(attempt: (one: (typeof all)[number]) => Promise<void>): Promise<void> {
  for (let first = 0; first < all.length; first += 50) await Promise.all(all.slice(first, first + 50).map(attempt));
}

/** How many services share a database. Two see each right with some entities, by the native routes; the long form has so many, and all of the matrix. */
const fleet = Number(process.env["TENON_TEST_FLEET"] ?? 2);
const isWhole = process.env["TENON_TEST_FLEET"] !== undefined;

/** Where callers and connectors are stored, and how many services share it. */
interface Stored {
  readonly settings: Options;
  open(): AccountStore;
  close(): Promise<void>;
}

const places: readonly (readonly [name: string, services: number, make: () => Promise<Stored>])[] = [
  ["SQLite", 1, inFolder],
  ...(hasServer ? [[`${fleet} services over PostgreSQL`, fleet, onServer] as const] : []),
];

async function inFolder(): Promise<Stored> {
  const dataDir = mkdtempSync(join(tmpdir(), "tenon-matrix-"));
  const close = async () => rmSync(dataDir, { recursive: true, force: true });
  return { settings: { dataDir }, open: () => openSqliteAccounts(dataDir), close };
}

async function onServer(): Promise<Stored> {
  const place = await startOnServer();
  const database = place.open();
  const close = async () => {
    await database.close();
    await place.close();
  };
  return { settings: { databaseUrl: place.url ?? "" }, open: () => openPostgresAccounts(database), close };
}

describe.each(places)("the authorization matrix on %s", (_name, services, make) => {
  let stored: Stored;
  let platform: Platform;
  let tenons: readonly Tenon[] = [];
  let turn = 0;
  const tokens = new Map<Omit<Grant, "instances">, string>();
  /** The services in turn, as a balancer would. */
  const at = {
    get tenon(): Tenon {
      const next = tenons[turn++ % tenons.length];
      if (next === undefined) throw new Error("no service runs");
      return next;
    },
    get platform() {
      return platform;
    },
  };

  beforeAll(async () => {
    [stored, platform] = await Promise.all([make(), startPlatform()]);
    const settings = { secretKey, mcpWrites: true, adminPage: true, ...compat, ...stored.settings };
    tenons = await Promise.all(Array.from({ length: services }, () => startTenon(platform, settings)));
    const store = stored.open();
    const place = { workspace: undefined, organization: undefined, variables: [], scopes: [], minutes: 60 };
    for (const { id, connector } of instances) {
      const { rest } = connector.platform;
      const addresses =
        rest === undefined ? { rest: undefined, graphql: platform.graphqlUrl } : { rest: platform.url, graphql: undefined };
      await addConnector(
        { store, keys, connectors, allowPrivate: false, platforms: {} },
        { connector: connector.name, id, ...place, ...addresses, credential: { text: ownerToken } },
      );
    }
    const some = grants.filter((_, index) => services === 1 || isWhole || index % 3 === Math.floor(index / 3) % 3);
    for (const grant of some) {
      const caller = {
        kind: "key",
        name: "n",
        grant: { ...grant, instances: connectors.map(({ name }) => ownOf(name)) },
        expiresAt: null,
      } as const;
      tokens.set(grant, (await createCaller(store, keys, caller)).secret);
    }
    if (services === 1) await store.close();
  });
  afterAll(async () => {
    await Promise.all(tenons.map(({ service }) => service.close()));
    await platform.close();
    await stored.close();
    expectNoSecret(tenons.flatMap(({ log }) => log).join(""));
  });

  /** Asks for an action through the tool that has it, with params that no action takes. */
  async function tried(token: string, connector: string, { entity, action, writes }: TriedAction): Promise<string> {
    const call = writes
      ? { name: "write", arguments: { connector, entity, action, params: { nothing: true } } }
      : action === storeAction
        ? { name: "search", arguments: { connector, entity, sort: [{ nothing: "asc" }] } }
        : { name: "read", arguments: { connector, entity, action, params: { nothing: true } } };
    const response = await fetch(`${at.tenon.url}/mcp`, {
      method: "POST",
      headers: { ...headers(token), accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }),
    });
    const { result, error } = (await response.json()) as {
      result?: { content: { text: string }[] };
      error?: { message: string };
    };
    if (error !== undefined) return /There is no tool/.test(error.message) ? "no tool" : error.message;
    const problem = JSON.parse(result?.content[0]?.text ?? "{}") as { error: { code: string; errors: { pointer: string }[] } };
    if (problem.error.code !== "invalid_request") return problem.error.code;
    const [first] = problem.error.errors;
    if (first?.pointer === "/connector") return "no connector";
    return first?.pointer === "/entity" ? "no entity" : "looked at";
  }

  it("of actions is as computed: what is not allowed is refused before the request is looked at", async () => {
    const wrong: unknown[] = [];
    for (const [grant, token] of tokens) {
      await everywhere(async ({ id, entity, action, writes }) => {
        // `params` that no action takes: whoever may run the action learns that they are wrong, and nothing is sent.
        const body = JSON.stringify({ entity, action, params: { nothing: true } });
        const reply = await at.tenon.send("POST", `${base}/${id}/execute`, body, headers(token));
        const may = grant.rights.includes(writes ? "write" : "read") && (grant.entities?.includes(entity) ?? true);
        const expected = id === foreign ? "unknown_connector" : may ? "invalid_request" : "forbidden";
        const code = String(reply.body["code"]);
        if (code !== expected) wrong.push([grant.rights, grant.entities, entity, action, id, code, expected]);
      });
    }
    expect(wrong).toEqual([]);
    expect(at.platform.requests).toEqual([]);
  });

  it("of routes is as computed, and a foreign connector is on every route what an unknown one is", async () => {
    const routes: { method: string; path: string; body?: string; needs: readonly Right[]; status: number }[] = [
      { method: "GET", path: "", needs: rights, status: 200 },
      { method: "GET", path: "/sync", needs: ["read", "sync"], status: 200 },
      { method: "POST", path: "/sync", body: '{"scopes":["nothing"]}', needs: ["sync"], status: 422 },
      { method: "DELETE", path: "/sync", needs: ["sync"], status: 200 },
      { method: "DELETE", path: "/sync/scopes/nothing", needs: ["sync"], status: 422 },
      // A token as the credential cannot be authorized by a user.
      { method: "POST", path: "/authorization", needs: ["admin"], status: 422 },
    ];
    const documented = routeDocs.flatMap(({ route }) =>
      route.includes("{connector_id}") ? [route.replace("{scope}", "nothing")] : [],
    );
    const checked = routes.map(({ method, path }) => `${method.toLowerCase()} ${base}/{connector_id}${path}`);
    expect(documented.toSorted()).toEqual(checked.toSorted());
    for (const [grant, token] of tokens)
      for (const { method, path, body, needs, status } of routes) {
        const send = (id: string) => at.tenon.send(method, `${base}/${id}${path}`, body, headers(token));
        // A scope has records of all entities, so that a grant for some of them cannot forget it.
        const whole = path.startsWith("/sync/scopes") ? grant.entities === null : true;
        const may = whole && needs.some((right) => grant.rights.includes(right));
        const label = `${method} ${path} ${grant.rights.join()}`;
        expect([label, (await send(own)).status]).toEqual([label, may ? status : 403]);
        const [one, other] = [await send(foreign), await send("unknown")];
        expect([label, one.status, { ...one.body, instance: "" }]).toEqual([label, 404, { ...other.body, instance: "" }]);
      }
    for (const [grant, token] of tokens)
      expect((await at.tenon.send("GET", "/metrics", undefined, headers(token))).status).toBe(
        grant.rights.includes("metrics") ? 200 : 403,
      );
  });

  // The other ways in translate to the same actions, wherever callers are stored.
  const otherWays = services === 1 || isWhole;

  it.runIf(otherWays)("of the routes for the client of another service is that of the native ones", async () => {
    const wrong: unknown[] = [];
    for (const [grant, token] of tokens) {
      const authorization = { authorization: `Bearer ${token}` };
      await everywhere(async ({ id, entity, action, writes }) => {
        const body = { entity, action, params: { nothing: true }, skip_truncation: true };
        const may = grant.rights.includes(writes ? "write" : "read") && (grant.entities?.includes(entity) ?? true);
        const { status } = await sent(at.tenon.url, "POST", `${connectorsPath}/${id}/execute`, body, authorization);
        const expected = id === foreign ? 404 : may ? 422 : 403;
        if (status !== expected) wrong.push([grant.rights, grant.entities, entity, action, id, status, expected]);
      });
      const get = async (path: string) => sent(at.tenon.url, "GET", `${prefix}${path}`, undefined, authorization);
      const ids = (await get("/integrations/connectors")).body["data"] as unknown as { id: string }[];
      expect(ids.map(({ id }) => id)).toEqual(connectors.map(({ name }) => ownOf(name)).toSorted());
      for (const path of ["/integrations/connectors/ID/inspect", "/skills/docs?id=ID"]) {
        const statuses = [own, foreign, "unknown"].map(async (id) => (await get(path.replace("ID", id))).status);
        expect([path, ...(await Promise.all(statuses))]).toEqual([path, 200, 404, 404]);
      }
      for (const connector of connectors) {
        const outline = (await get(`/skills/docs?id=${ownOf(connector.name)}`)).body["outline"] as unknown as { id: string }[];
        const shown = outline.flatMap(({ id }) => (id.startsWith("entity:") ? [id.slice(7)] : []));
        const entities = Object.keys(connector.entities);
        expect(shown.toSorted()).toEqual(entities.filter((entity) => grant.entities?.includes(entity) ?? true).toSorted());
      }
    }
    expect(wrong).toEqual([]);
    expect(at.platform.requests).toEqual([]);
  });

  it.runIf(otherWays)("of the tools for models is that of the actions, or the tool is not there", async () => {
    const wrong: unknown[] = [];
    for (const [grant, token] of tokens)
      await everywhere(async ({ id, entity, action, writes }) => {
        const may = grant.rights.includes(writes ? "write" : "read");
        const sees = grant.entities?.includes(entity) ?? true;
        const outcome = await tried(token, id, { entity, action, writes });
        const noTool = writes && !may;
        const onOwn = may && sees ? "looked at" : writes ? "no entity" : "forbidden";
        const expected = noTool ? "no tool" : id === foreign ? "no connector" : onOwn;
        if (outcome !== expected) wrong.push([grant.rights, grant.entities, entity, action, id, outcome, expected]);
      });
    expect(wrong).toEqual([]);
    expect(at.platform.requests).toEqual([]);
  });

  it("of the operator's page is the right admin alone", async () => {
    for (const [grant, token] of tokens) {
      const body = new URLSearchParams({ key: token });
      const { url } = at.tenon;
      const origin = { origin: url };
      const reply = await fetch(`${url}/admin/login`, { method: "POST", body, headers: origin, redirect: "manual" });
      expect([grant.rights, reply.status]).toEqual([grant.rights, grant.rights.includes("admin") ? 303 : 403]);
    }
  });

  it("lets nobody in without a token that is good", async () => {
    for (const authorization of ["", "Bearer", "Bearer ", "Basic eDp5", "Bearer tenon_key_x", `Bearer ${"x".repeat(5_000)}`])
      for (const path of [`${base}`, `${base}/${own}`, `${base}/${own}/sync`, "/metrics"]) {
        const reply = await at.tenon.send("GET", path, undefined, { authorization });
        expect([path, authorization.slice(0, 20), reply.status]).toEqual([path, authorization.slice(0, 20), 401]);
      }
    for (const authorization of ["", "Bearer", "Bearer tenon_key_x"])
      for (const [method, path] of [
        ["POST", "/mcp"],
        ["GET", connectorsPath],
        ["GET", `${prefix}/workspaces`],
        ["GET", `${connectorsPath}/${own}/inspect`],
        ["POST", `${connectorsPath}/${own}/execute`],
        ["GET", `${prefix}/skills/docs?id=${own}`],
      ] as const) {
        const { status } = await sent(at.tenon.url, method, path, method === "POST" ? {} : undefined, { authorization });
        expect([path, authorization, status]).toEqual([path, authorization, 401]);
      }
  });
});
