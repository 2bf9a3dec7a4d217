import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../../runtime/postgres/index.ts";
import { raw, sql, steady } from "../../../runtime/sql/index.ts";
import { PostgresStore } from "../../../runtime/store/postgres/postgres-store.ts";
import { chaosCollection, chaosPlans, syncEntityRuns } from "../../e2e/support/chaos-records.ts";
import { until } from "../../e2e/support/service.ts";
import { endsWithTests } from "../../support/ends-with-tests.ts";
import { type Cluster, findPrograms, freePort, makeCluster, serverUser } from "../../support/postgres/cluster.ts";
import { dumpStore } from "../../support/postgres/dump.ts";
import { startProxy } from "../../support/postgres/proxy.ts";

// PgBouncer in transaction mode, where each transaction may get another session: two sessions serve the connections of two processes.

const programs = findPrograms();
const hasPooler = spawnSync("pgbouncer", ["--version"]).status === 0;

describe.skipIf(programs === undefined || !hasPooler)("a database behind PgBouncer in transaction mode", () => {
  const root = mkdtempSync(join(tmpdir(), "tenon-pooler-"));
  let cluster: Cluster;
  let pooler: ChildProcess;
  let url = "";
  let pooled: Database[] = [];
  let direct: Database;
  let twin: Database;
  beforeAll(async () => {
    chmodSync(root, 0o755);
    mkdirSync(join(root, "server"));
    cluster = await makeCluster(programs ?? "", join(root, "server"), false);
    const { password } = new URL(cluster.url("postgres"));
    const port = await freePort();
    const lines = [
      "[databases]",
      `postgres = host=127.0.0.1 port=${cluster.port} user=tenon password=${password}`,
      "[pgbouncer]",
      ...["listen_addr = 127.0.0.1", `listen_port = ${port}`, "unix_socket_dir =", "auth_type = any"],
      ...["pool_mode = transaction", "default_pool_size = 2"],
    ];
    writeFileSync(join(root, "pgbouncer.ini"), `${lines.join("\n")}\n`);
    const user = serverUser();
    pooler = endsWithTests(spawn("pgbouncer", [join(root, "pgbouncer.ini")], { ...user, stdio: ["ignore", "ignore", "pipe"] }));
    let told = "";
    pooler.stderr?.on("data", (data) => {
      told += String(data);
    });
    await until(() => told.includes("process up"));
    url = `postgres://tenon@127.0.0.1:${port}/postgres`;
    pooled = [1, 2].map(() => openDatabase(url, { connections: 4 }));
    direct = openDatabase(cluster.url("postgres"), { connections: 1 });
    await direct.alone(raw("CREATE DATABASE twin"));
    twin = openDatabase(cluster.url("twin"), { connections: 2 });
  });
  afterAll(async () => {
    await Promise.all([...pooled, direct, twin].map((database) => database?.close()));
    pooler?.kill("SIGKILL");
    if (pooler !== undefined && pooler.exitCode === null && pooler.signalCode === null) await once(pooler, "exit");
    await cluster?.stop("immediate");
    rmSync(root, { recursive: true, force: true });
  });

  it("stores and finds the same records, and no setting of one transaction is left for the next", async () => {
    const [writer, reader] = pooled.map((database) => new PostgresStore({ database, plans: chaosPlans }));
    if (writer === undefined || reader === undefined) throw new Error("nothing was opened");
    await syncEntityRuns(writer, 1);
    const query = { sort: [], limit: 100, fields: null, explain: false };
    const search = () => reader.search({ ...chaosCollection, entity: "things" }, query, performance.now() + 100_000);
    const [, ...answers] = await Promise.all([syncEntityRuns(writer, 4), ...Array.from({ length: 20 }, search)]);
    expect(answers).toHaveLength(20);
    const other = new PostgresStore({ database: twin, plans: chaosPlans });
    await syncEntityRuns(other, 4);
    expect(await dumpStore(direct)).toEqual(await dumpStore(twin));
    // Outside of a transaction each session has what it began with.
    const clients = [1, 2].map(() => new pg.Client(url));
    for (const client of clients) await client.connect();
    const look = "SELECT pg_sleep(0.1), current_setting('statement_timeout') AS timeout";
    const looks = await Promise.all(clients.map((client) => client.query(look)));
    expect(looks.flatMap(({ rows }) => rows.map(({ timeout }) => timeout))).toEqual(["0", "0"]);
    await Promise.all(clients.map((client) => client.end()));
    await Promise.all([writer.close(), reader.close(), other.close()]);
  });

  it.each([
    ["has no statement kept through it", () => Number(new URL(url).port), false],
    ["has, where a proxy leads to the server itself", () => cluster.port, true],
  ] as const)("%s", async (_, port, expected) => {
    let sent = "";
    const proxy = await startProxy(port(), (data) => {
      sent += data.toString("latin1");
    });
    const through = new URL(cluster.url("postgres"));
    through.port = String(proxy.port);
    const database = openDatabase(through.href, { connections: 4 });
    const statement = steady(sql`SELECT ${5}::integer AS five`);
    for (let round = 0; round < 5; round++) {
      const all = Array.from({ length: 4 }, () => database.query(statement, {}));
      expect(await Promise.all(all)).toEqual(Array.from({ length: 4 }, () => [{ five: 5 }]));
    }
    await database.close();
    await proxy.close();
    expect(sent).toContain("SELECT pg_backend_pid()");
    expect(sent.includes("kept_")).toBe(expected);
  });
});
