import { execFile } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openDatabase, withReplica } from "../../../runtime/postgres/index.ts";
import { raw, sql } from "../../../runtime/sql/index.ts";
import { type Cluster, findPrograms, freePort, makeCluster, serverUser, stopCluster } from "../../support/postgres/cluster.ts";

// A real replica, which streams from its primary and then loses it.

const programs = findPrograms() ?? "";
/** Half a minute has to pass before a replica that has lost its primary is too old. */
const isLong = process.env["TENON_TEST_CHAOS"] !== undefined;
const patiently = { timeout: 60_000, interval: 50 };

describe.skipIf(programs === "")("a replica that streams", () => {
  const root = mkdtempSync(join(tmpdir(), "tenon-replica-"));
  const standby = join(root, "standby");
  const data = join(standby, "data");
  let cluster: Cluster;
  let replicaUrl = "";
  const call = (name: string, args: readonly string[]) =>
    promisify(execFile)(join(programs, name), args, { ...serverUser(), cwd: join(root, "primary") });
  beforeAll(async () => {
    chmodSync(root, 0o755);
    mkdirSync(standby, { mode: 0o777 });
    chmodSync(standby, 0o777);
    cluster = await makeCluster(programs, join(root, "primary"), false);
    await call("pg_basebackup", ["-d", cluster.url("postgres"), "-D", data, "--write-recovery-conf", "--checkpoint=fast"]);
    const port = await freePort();
    appendFileSync(join(data, "postgresql.auto.conf"), `port = ${port}\nunix_socket_directories = '${standby}'\n`);
    await call("pg_ctl", ["-D", data, "-l", join(standby, "log"), "-w", "-s", "start"]);
    const url = new URL(cluster.url("postgres"));
    url.port = String(port);
    replicaUrl = url.href;
  });
  afterAll(async () => {
    for (const folder of ["primary", "standby"]) await stopCluster(programs, join(root, folder));
    rmSync(root, { recursive: true, force: true });
  });

  it("is used as long as it receives what changes, and is too old when it has lost its primary", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const primary = openDatabase(cluster.url("postgres"), { connections: 2 });
    const told: string[] = [];
    const database = withReplica(primary, openDatabase(replicaUrl, { connections: 2 }), (text) => told.push(text));
    const isReplica = async () => {
      // Time for another look.
      vi.advanceTimersByTime(5_001);
      const [row] = await database.query<{ replica: boolean }>(sql`SELECT pg_is_in_recovery() AS replica`);
      return row?.replica;
    };
    try {
      await primary.run(sql`CREATE TABLE numbers AS SELECT 1 AS number`);
      await vi.waitFor(async () => {
        expect(await isReplica()).toBe(true);
        expect(await database.query(sql`SELECT number FROM numbers`)).toEqual([{ number: 1 }]);
      }, patiently);
      if (!isLong) return;
      await primary.alone(raw("ALTER SYSTEM SET max_wal_senders = 0"));
      await cluster.stop("fast");
      await cluster.start();
      await primary.run(sql`UPDATE numbers SET number = 2`);
      await vi.waitFor(async () => expect(await isReplica()).toBe(false), patiently);
      expect(await database.query(sql`SELECT number FROM numbers`)).toEqual([{ number: 2 }]);
      expect(told.at(-1)).toMatch(/searches use the primary, because the replica is \d+ s behind/);
    } finally {
      vi.useRealTimers();
      await Promise.all([database.close(), primary.close()]);
    }
  });
});
