import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { type ChaosPlace, makeChaosPlace } from "../e2e/support/chaos.ts";
import { endsWithTests } from "../support/ends-with-tests.ts";
import { type Platform, startPlatform } from "../support/github/start.ts";
import { installWitness, scope } from "./witness.ts";

// The processes of histories: two services and three workers over one PostgreSQL server, which they reach through a proxy that breaks.

const apiKey = "key-of-the-histories-6f1d9c0b7a3e5824";
const connector = "/api/v1/integrations/connectors/github";
const command = join(import.meta.dirname, "../../runtime/cli/tenon.js");

/** A process that may be killed, suspended and started again. */
export interface Process {
  readonly name: string;
  child: ChildProcess;
  /** Starts it again after it has ended. */
  again(): void;
  /** Resolves when it works. */
  ready(): Promise<void>;
}

/** Status and body; undefined where no response came. */
export type Reply = { readonly status: number; readonly text: string } | undefined;

export interface Service extends Process {
  execute(entity: string, action: string, params: object, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** Wants the scope to be synced soon. */
  sync(): Promise<Reply>;
}

export interface Fleet {
  readonly place: ChaosPlace;
  readonly platform: Platform;
  readonly services: readonly Service[];
  readonly workers: readonly Process[];
  close(): Promise<void>;
}

/** @param imports a module that each process loads first, to plant a fault */
export async function startFleet(imports?: string): Promise<Fleet> {
  const place = await makeChaosPlace(false, { track_commit_timestamp: "on", max_connections: 100 });
  const platform = await startPlatform();
  const folder = mkdtempSync(join(tmpdir(), "tenon-histories-"));
  const children = new Set<ChildProcess>();
  const start = (name: string, args: readonly string[], port: number) => {
    const database = new URL(place.url);
    database.searchParams.set("application_name", name);
    const env = {
      ...{ GITHUB_TOKEN: ownerToken, GITHUB_API_URL: platform.url, GITHUB_GRAPHQL_URL: platform.graphqlUrl, PORT: String(port) },
      ...{ TENON_API_KEY: apiKey, TENON_SECRET_KEY: "secret-key-of-the-histories-of-tenon", TENON_DATABASE_URL: database.href },
      ...{ TENON_DATA_DIR: join(folder, name), TENON_DATABASE_CONNECTIONS: "4", TENON_SYNC_SCOPES: `github:${scope}` },
      ...{ TENON_ALLOW_PRIVATE_ADDRESSES: "true", TENON_CALLER_REQUESTS: "0" },
    };
    const all = imports === undefined ? args : ["--import", imports, ...args];
    const stdio = ["ignore", "pipe", "ignore"] as const;
    const child = endsWithTests(spawn(process.execPath, [...all], { env: { ...process.env, ...env }, stdio: [...stdio] }));
    children.add(child);
    child.once("exit", () => children.delete(child));
    return child;
  };
  const ports = await Promise.all([freePort(), freePort()]);
  const services = ports.map((port, place_) => {
    const name = `service ${place_ + 1}`;
    return serviceOf(name, port, (times) => start(`${name}.${times}`, [command, "serve", "--no-sync"], port));
  });
  const workers = [1, 2, 3].map((number) => {
    const name = `worker ${number}`;
    return processOf(name, (times) => start(`${name}.${times}`, [command, "work"], 0));
  });
  const fleet: Fleet = {
    place,
    platform,
    services,
    workers,
    close: async () => {
      await Promise.all([...children].map(ended));
      await platform.close();
      await place.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await Promise.all([...services, ...workers].map((one) => one.ready()));
    await until(async () => {
      const reply = await services[0]?.execute("issues", "context_store_search", { query: {}, limit: 1 });
      return reply?.status === 200 && (JSON.parse(reply.text) as { data: unknown[] }).data.length > 0;
    });
    await installWitness(place.direct);
    await call(ports[0] ?? 0, "POST", `${connector}/webhooks`, { scope, url: `http://127.0.0.1:${ports[0]}` });
  } catch (thrown) {
    await fleet.close();
    throw thrown;
  }
  return fleet;
}

/** Kills a process. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

/** Waits until something is so. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 100));
}

function processOf(name: string, start: (times: number) => ChildProcess): Process {
  let times = 0;
  let url: Promise<string> = Promise.resolve("");
  const begin = () => {
    const child = start(++times);
    url = new Promise((resolve) => {
      if (child.stdout === null) return;
      // Where it ends, whoever waits for it tries again instead of waiting for its address.
      child.once("exit", () => resolve(""));
      createInterface({ input: child.stdout }).on("line", (line) => {
        if (line.includes('"listening"')) resolve((JSON.parse(line) as { url: string }).url);
      });
    });
    return child;
  };
  const one: Process = {
    name,
    child: begin(),
    again: () => {
      one.child = begin();
    },
    ready: () =>
      until(async () => {
        const at = await url;
        const response = await fetch(`${at}/readyz`, { signal: AbortSignal.timeout(15_000) }).catch(() => undefined);
        await response?.body?.cancel();
        // A process that finds no database when it starts ends. Whoever runs one starts it again.
        if (one.child.exitCode !== null || one.child.signalCode !== null) one.again();
        return response?.status === 200;
      }),
  };
  return one;
}

function serviceOf(name: string, port: number, start: (times: number) => ChildProcess): Service {
  return Object.assign(processOf(name, start), {
    execute: (entity: string, action: string, params: object, headers: Readonly<Record<string, string>> = {}) =>
      call(port, "POST", `${connector}/execute`, { entity, action, params }, headers),
    sync: () => call(port, "POST", `${connector}/sync`, { scopes: [scope] }),
  });
}

async function call(
  port: number,
  method: string,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const all = { authorization: `Bearer ${apiKey}`, "content-type": "application/json", ...headers };
  const init = { method, headers: all, body: JSON.stringify(body), signal: AbortSignal.timeout(15_000) };
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    return { status: response.status, text: await response.text() };
  } catch {
    return undefined;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}
