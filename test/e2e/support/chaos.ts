import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { type Database, openDatabase } from "../../../runtime/postgres/index.ts";
import { raw, sql } from "../../../runtime/sql/index.ts";
import { type Cluster, findPrograms, makeCluster } from "../../support/postgres/cluster.ts";
import { type BreakingProxy, startProxy } from "../../support/postgres/proxy.ts";

/** A durable PostgreSQL server that breaks in every way. */
export interface ChaosPlace {
  readonly cluster: Cluster;
  readonly proxy: BreakingProxy;
  /** The URL of the database through the proxy; another one for readers, so that a COMMIT that is cut is one of a change. */
  readonly url: string;
  readonly readerUrl: string;
  /** Past the proxy. */
  readonly direct: Database;
  /** The folder that the server writes into, when it is on a small disk of its own; undefined where this machine cannot have one. */
  readonly disk: string | undefined;
  /** Opens another database of the server, past the proxy. */
  open(name: string): Promise<Database>;
  close(): Promise<void>;
}

export type ChaosFault = readonly [name: string, make: () => void | Promise<void>];

export const postgresPrograms = findPrograms();

/**
 * @param small whether the server gets a small disk of its own, which only an administrator may make
 * @param more further settings of the server
 */
export async function makeChaosPlace(small: boolean, more: Readonly<Record<string, string | number>> = {}): Promise<ChaosPlace> {
  const root = mkdtempSync(join(tmpdir(), "tenon-chaos-"));
  const disk = small && mounted(root) ? root : undefined;
  // The user that the server runs as has to come through.
  chmodSync(root, 0o755);
  const settings = { deadlock_timeout: "100ms", max_wal_size: "64MB", min_wal_size: "32MB", max_connections: 20, ...more };
  const cluster = await makeCluster(postgresPrograms ?? "", join(root, "server"), true, settings);
  const [changes, reads] = [await startProxy(cluster.port), await startProxy(cluster.port)];
  const through = ({ port }: BreakingProxy) => {
    const url = new URL(cluster.url("postgres"));
    url.port = String(port);
    return url.href;
  };
  const both = [changes, reads];
  const proxy: BreakingProxy = {
    ...changes,
    cut: () => both.forEach((one) => void one.cut()),
    close: async () => void (await Promise.all(both.map((one) => one.close()))),
  };
  const direct = openDatabase(cluster.url("postgres"), { connections: 2 });
  const opened = [direct];
  return {
    cluster,
    proxy,
    url: through(changes),
    readerUrl: through(reads),
    direct,
    disk,
    open: async (name) => {
      await direct.alone(raw(`CREATE DATABASE ${name}`));
      const database = openDatabase(cluster.url(name), { connections: 2 });
      opened.push(database);
      return database;
    },
    close: async () => {
      await proxy.close();
      await Promise.all(opened.map((database) => database.close()));
      await cluster.stop("immediate");
      if (disk !== undefined) execFileSync("umount", [disk]);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function mounted(folder: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=400m", "tmpfs", folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A connection to the server that may break. @throws while the server accepts none */
async function connected(cluster: Cluster): Promise<pg.Client> {
  const client = new pg.Client(cluster.url("postgres"));
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** Resolves when the server accepts connections. */
async function there(cluster: Cluster): Promise<void> {
  for (;;) {
    const client = await connected(cluster).catch(() => undefined);
    if (client !== undefined) return client.end();
    await pause(10);
  }
}

/** What breaks between a process and the server, whatever the process does. Each ends when the server is there again. */
export function serverFaults({ cluster, proxy, direct }: ChaosPlace): readonly ChaosFault[] {
  const kill9 = async () => {
    const find = sql`SELECT pid FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY state = 'active' DESC LIMIT 1`;
    // The server ends all connections before it recovers. How long that takes does not depend on Tenon.
    const witness = await connected(cluster);
    const reset = new Promise((resolve) => witness.once("end", resolve));
    const [backend] = await direct.query<{ pid: number }>(find);
    if (backend !== undefined) process.kill(backend.pid, "SIGKILL");
    await reset;
    await there(cluster);
  };
  return [
    ["a COMMIT whose answer never arrives", () => proxy.cutAtCommit("after")],
    ["an immediate restart of the server", () => cluster.stop("immediate").then(() => cluster.start())],
    ["a COMMIT that never arrives", () => proxy.cutAtCommit("before")],
    ["kill -9 of a backend, after which the server recovers", kill9],
    ["all connections cut", () => proxy.cut()],
  ];
}
