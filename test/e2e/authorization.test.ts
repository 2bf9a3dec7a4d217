import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AccountStore, deriveKeys, type Right, rights } from "../../runtime/accounts/index.ts";
import { openPostgresAccounts } from "../../runtime/accounts/postgres/postgres-account-store.ts";
import { openSqliteAccounts } from "../../runtime/accounts/sqlite/sqlite-account-store.ts";
import { storeAction } from "../../runtime/contract/index.ts";
import { connectors } from "../../runtime/main/index.ts";
import { routeDocs } from "../../runtime/server/openapi/routes.ts";
import { type Platform, startPlatform } from "../support/github/start.ts";
import { hasServer, startOnServer } from "../support/postgres/server.ts";
import { shaped } from "../support/shaped.ts";
import { compat, connectorsPath, prefix, sent } from "./support/compat.ts";
import { startFleet } from "./support/fleet.ts";
import {
  actionsFor,
  allActions,
  bodyOf,
  codeFor,
  foreign,
  grants,
  type MatrixGrant,
  mayRun,
  own,
  ownOf,
  storeMatrix,
  type TriedAction,
  unusable,
} from "./support/matrix.ts";
import { expectNoSecret, type Options, startTenon, type Tenon } from "./support/service.ts";

// Who may do what, computed from the spec for every right, entity, action and instance, and for every route.

const secretKey = ["secret-key-of-the-authorization-tests-00"];
const keys = deriveKeys(secretKey);
const base = "/api/v1/integrations/connectors";
const headers = (token: string) => ({ authorization: `Bearer ${token}`, "content-type": "application/json" });

/**
 * How many services share a database. Two in this process see each right with some entities, by the native routes; the long form has so
 * many processes beside two workers, and all of the matrix.
 */
const fleet = Number(process.env["TENON_TEST_FLEET"] ?? 2);
const isWhole = process.env["TENON_TEST_FLEET"] !== undefined;

/** Tries the actions for a grant on every instance, fewer at once than a caller may have under way. */
async function everywhere(grant: MatrixGrant, attempt: (one: TriedAction) => Promise<void>): Promise<void> {
  const actions = isWhole ? allActions : actionsFor(grant);
  for (let first = 0; first < actions.length; first += 50) await Promise.all(actions.slice(first, first + 50).map(attempt));
}

/** Each right once, with one of the sets of entities: for what does not depend on both together. */
const eachRight = grants.filter((_, index) => index % 3 === Math.floor(index / 3) % 3);

/** Where callers and connectors are stored, and the services that share it. */
interface Stored {
  start(platform: Platform): Promise<Services>;
  open(): AccountStore;
  close(): Promise<void>;
}

interface Services {
  readonly all: readonly Pick<Tenon, "url" | "send">[];
  /** Everything that they have written. */
  written(): string;
  close(): Promise<unknown>;
}

const settings = { secretKey, mcpWrites: true, admin: true, ...compat };

async function inProcess(platform: Platform, count: number, place: Options): Promise<Services> {
  const all = await Promise.all(Array.from({ length: count }, () => startTenon(platform, { ...settings, ...place })));
  return {
    all,
    written: () => all.flatMap(({ log }) => log).join(""),
    close: () => Promise.all(all.map(({ service }) => service.close())),
  };
}

async function asProcesses(platform: Platform, services: number, databaseUrl: string): Promise<Services> {
  const [secret = ""] = secretKey;
  const env = {
    ...{ TENON_MCP_WRITES: "true", TENON_ADMIN: "true" },
    ...{ TENON_COMPAT_CLIENT_ID: compat.compatClientId, TENON_COMPAT_CLIENT_SECRET: compat.compatClientSecret },
  };
  const { services: all, ...rest } = await startFleet(platform, { services, workers: 2, databaseUrl, secretKey: secret, env });
  return { all, ...rest };
}

const places: readonly (readonly [name: string, services: number, make: () => Promise<Stored>])[] = [
  ["SQLite", 1, inFolder],
  ...(hasServer ? [[`${fleet} services over PostgreSQL`, fleet, onServer] as const] : []),
];

async function inFolder(): Promise<Stored> {
  const dataDir = mkdtempSync(join(tmpdir(), "tenon-matrix-"));
  const close = async () => rmSync(dataDir, { recursive: true, force: true });
  return { start: (platform) => inProcess(platform, 1, { dataDir }), open: () => openSqliteAccounts(dataDir), close };
}

async function onServer(): Promise<Stored> {
  const place = await startOnServer();
  const database = place.open();
  const close = async () => {
    await database.close();
    await place.close();
  };
  const databaseUrl = place.url ?? "";
  const start = (platform: Platform) =>
    isWhole ? asProcesses(platform, fleet, databaseUrl) : inProcess(platform, fleet, { databaseUrl });
  return { start, open: () => openPostgresAccounts(database), close };
}

describe.each(places)("the authorization matrix on %s", (_name, services, make) => {
  let stored: Stored;
  let platform: Platform;
  let running: Services;
  let turn = 0;
  let tokens: ReadonlyMap<MatrixGrant, string>;
  /** The services in turn, as a balancer would. */
  const at = {
    get tenon(): Pick<Tenon, "url" | "send"> {
      const next = running.all[turn++ % running.all.length];
      if (next === undefined) throw new Error("no service runs");
      return next;
    },
    get platform() {
      return platform;
    },
  };

  beforeAll(async () => {
    [stored, platform] = await Promise.all([make(), startPlatform()]);
    running = await stored.start(platform);
    const store = stored.open();
    tokens = await storeMatrix(store, keys, platform, services === 1 || isWhole ? grants : eachRight);
    if (services === 1) await store.close();
  });
  afterAll(async () => {
    await running.close();
    await platform.close();
    await stored.close();
    expectNoSecret(running.written());
  });

  /** Asks for an action through the tool that has it, with params that no action takes. */
  async function tried(token: string, connector: string, { entity, action, writes }: Omit<TriedAction, "id">): Promise<string> {
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
    // Without a right for any tool, the message is not read.
    if (response.status === 403) return "no right";
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
      await everywhere(grant, async (one) => {
        const reply = await at.tenon.send("POST", `${base}/${one.id}/execute`, bodyOf(one), headers(token));
        const [code, expected] = [String(reply.body["code"]), codeFor(grant, one)];
        if (code !== expected) wrong.push([grant.rights, grant.entities, one, code, expected]);
      });
    }
    expect(wrong).toEqual([]);
    expect(at.platform.requests).toEqual([]);
  });

  it("of routes is as computed, and a foreign connector is on every route what an unknown one is", async () => {
    const routes: { method: string; path: string; query?: string; body?: string; needs: readonly Right[]; status: number }[] = [
      { method: "GET", path: "", needs: rights, status: 200 },
      { method: "GET", path: "/sync", needs: ["read", "sync"], status: 200 },
      { method: "GET", path: "/changes", needs: ["read"], status: 200 },
      // A stream has no end of its own.
      { method: "GET", path: "/changes/stream", query: "?cursor=nothing", needs: ["read"], status: 422 },
      { method: "POST", path: "/sync", body: '{"scopes":["nothing"]}', needs: ["sync"], status: 422 },
      { method: "DELETE", path: "/sync", needs: ["sync"], status: 200 },
      { method: "DELETE", path: "/sync/scopes/nothing", needs: ["sync"], status: 422 },
      { method: "GET", path: "/webhooks", needs: ["admin"], status: 200 },
      { method: "POST", path: "/webhooks", body: '{"scope":"nothing"}', needs: ["admin"], status: 422 },
      { method: "POST", path: "/webhooks/nothing/test", needs: ["admin"], status: 422 },
      { method: "POST", path: "/webhooks/nothing/rotate", needs: ["admin"], status: 422 },
      { method: "DELETE", path: "/webhooks/nothing", needs: ["admin"], status: 422 },
      // A token as the credential cannot be authorized by a user.
      { method: "POST", path: "/authorization", needs: ["admin"], status: 422 },
    ];
    // Without a caller's token, a webhook proves itself by its signature.
    const documented = routeDocs.flatMap(({ route, open }) =>
      route.includes("{connector_id}") && open !== true ? [route.replace("{scope}", "nothing")] : [],
    );
    const checked = routes.map(({ method, path }) => `${method.toLowerCase()} ${base}/{connector_id}${path}`);
    expect(documented.toSorted()).toEqual(checked.toSorted());
    for (const [grant, token] of tokens)
      for (const { method, path, query = "", body, needs, status } of routes) {
        const send = (id: string) => at.tenon.send(method, `${base}/${id}${path}${query}`, body, headers(token));
        // A scope has records of all entities, and a sync reads them for others too: a grant for some of them can end neither.
        const whole = method === "DELETE" || path.startsWith("/webhooks") ? grant.entities === null : true;
        const may = whole && needs.some((right) => grant.rights.includes(right));
        const label = `${method} ${path} ${grant.rights.join()}`;
        expect([label, (await send(own)).status]).toEqual([label, may ? status : 403]);
        if (method === "GET" && path === "") {
          // Scopes may have the names of private repositories, so that a key for the metrics sees none of them.
          const sees = grant.rights.includes("read") || grant.rights.includes("sync");
          expect([label, (await send(own)).body["data"]?.["cache"]]).toEqual([label, sees ? [] : null]);
        }
        if (!isWhole && !eachRight.includes(grant)) continue;
        const unknown = await send("unknown");
        for (const id of [foreign, unusable]) {
          const one = await send(id);
          expect([label, id, one.status, { ...one.body, instance: "" }]).toEqual([
            label,
            id,
            404,
            { ...unknown.body, instance: "" },
          ]);
        }
      }
  });

  it("of metrics shows no series of a connector or an entity that is not allowed", async () => {
    for (const [grant, token] of tokens) {
      const { status, text } = await at.tenon.send("GET", "/metrics", undefined, headers(token));
      expect([grant.rights, status]).toEqual([grant.rights, grant.rights.includes("metrics") ? 200 : 403]);
      if (status !== 200) continue;
      const values = (label: string) =>
        new Set(Array.from(text.matchAll(new RegExp(`\\b${label}="([^"]*)"`, "g")), ([, value]) => value));
      expect([...values("instance")].toSorted()).toEqual(connectors.map(({ name }) => ownOf(name)).toSorted());
      expect([...values("entity")].filter((entity) => !(grant.entities?.includes(entity ?? "") ?? true))).toEqual([]);
      expect(text).toContain("tenon_request_seconds_count{");
    }
    const all = (await at.tenon.send("GET", "/metrics", undefined)).text;
    for (const id of [own, foreign, unusable, "github"]) expect(all).toContain(`tenon_connector_state{instance="${id}"`);
  });

  // The other ways in translate to the same actions, wherever callers are stored.
  const otherWays = services === 1 || isWhole;

  it.runIf(otherWays)("of the routes for the client of another service is that of the native ones", async () => {
    const wrong: unknown[] = [];
    for (const [grant, token] of tokens) {
      const authorization = { authorization: `Bearer ${token}` };
      await everywhere(grant, async ({ id, entity, action, writes }) => {
        const body = { entity, action, params: { nothing: true }, skip_truncation: true };
        const may = mayRun(grant, { entity, writes });
        const { status } = await sent(at.tenon.url, "POST", `${connectorsPath}/${id}/execute`, body, authorization);
        const expected = id === foreign ? 404 : may ? 422 : 403;
        if (status !== expected) wrong.push([grant.rights, grant.entities, entity, action, id, status, expected]);
      });
      const get = async (path: string) => sent(at.tenon.url, "GET", `${prefix}${path}`, undefined, authorization);
      const ids = shaped<{ id: string }[]>((await get("/integrations/connectors")).body["data"]);
      expect(ids.map(({ id }) => id)).toEqual(connectors.map(({ name }) => ownOf(name)).toSorted());
      for (const path of ["/integrations/connectors/ID/inspect", "/skills/docs?id=ID"]) {
        const statuses = [own, foreign, unusable, "unknown"].map(async (id) => (await get(path.replace("ID", id))).status);
        expect([path, ...(await Promise.all(statuses))]).toEqual([path, 200, 404, 404, 404]);
      }
      for (const connector of connectors) {
        const outline = shaped<{ id: string }[]>((await get(`/skills/docs?id=${ownOf(connector.name)}`)).body["outline"]);
        const shown = outline.flatMap(({ id }) => (id.startsWith("entity:") ? [id.slice(7)] : []));
        const entities = Object.keys(connector.entities);
        expect(shown.toSorted()).toEqual(entities.filter((entity) => grant.entities?.includes(entity) ?? true).toSorted());
      }
    }
    expect(wrong).toEqual([]);
    expect(at.platform.requests).toEqual([]);
  });

  it("of every way in says the same of an unknown connector, a foreign one, and a foreign one that cannot be used", async () => {
    const attempt = { entity: "viewer", action: "get", writes: false };
    for (const [grant, token] of tokens) {
      const said = async (id: string) => {
        const body = JSON.stringify({ entity: "viewer", action: "get" });
        const { status, body: native } = await at.tenon.send("POST", `${base}/${id}/execute`, body, headers(token));
        const authorization = { authorization: `Bearer ${token}` };
        const compatible = await sent(at.tenon.url, "POST", `${connectorsPath}/${id}/execute`, body, authorization);
        return [
          status,
          native["code"],
          native["message"],
          compatible.status,
          compatible.body["message"],
          await tried(token, id, attempt),
        ];
      };
      const unknown = await said("unknown");
      // A caller who can run no action is refused before the message of MCP is read.
      const runsActions = grant.rights.includes("read") || grant.rights.includes("write");
      const byTool = runsActions ? "no connector" : "no right";
      expect(unknown).toEqual([404, "unknown_connector", expect.any(String), 404, expect.any(String), byTool]);
      expect([await said(foreign), await said(unusable)]).toEqual([unknown, unknown]);
    }
  });

  it.runIf(otherWays)("of the tools for models is that of the actions, or the tool is not there", async () => {
    const wrong: unknown[] = [];
    for (const [grant, token] of tokens)
      await everywhere(grant, async ({ id, entity, action, writes }) => {
        const may = grant.rights.includes(writes ? "write" : "read");
        const sees = grant.entities?.includes(entity) ?? true;
        const outcome = await tried(token, id, { entity, action, writes });
        const noTool = writes && !may;
        // A tool knows no other entities than those of the caller.
        const onOwn = !sees ? "no entity" : may ? "looked at" : "forbidden";
        const noRight = !grant.rights.includes("read") && !grant.rights.includes("write");
        const expected = noRight ? "no right" : noTool ? "no tool" : id === foreign ? "no connector" : onOwn;
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
