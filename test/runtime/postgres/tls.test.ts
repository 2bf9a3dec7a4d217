import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../../runtime/postgres/index.ts";
import { sql } from "../../../runtime/sql/index.ts";
import { type Cluster, findPrograms, makeCluster, serverUser } from "../../support/postgres/cluster.ts";

// A server with a certificate of an own authority, made for the name localhost.

const programs = findPrograms();
const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

describe.skipIf(programs === undefined || !hasOpenssl)("a database that is reached over TLS", () => {
  const root = mkdtempSync(join(tmpdir(), "tenon-tls-"));
  const path = (name: string) => join(root, name);
  let cluster: Cluster;
  beforeAll(async () => {
    chmodSync(root, 0o755);
    const openssl = (...args: string[]) => execFileSync("openssl", args, { stdio: "ignore" });
    const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    for (const name of ["authority", "stranger"])
      openssl(
        "req",
        "-x509",
        ...newKey,
        "-days",
        "2",
        "-subj",
        `/CN=${name}`,
        "-keyout",
        path(`${name}.key`),
        "-out",
        path(`${name}.crt`),
      );
    openssl("req", ...newKey, "-subj", "/CN=localhost", "-keyout", path("server.key"), "-out", path("server.csr"));
    writeFileSync(path("names"), "subjectAltName=DNS:localhost");
    const signer = ["-CA", path("authority.crt"), "-CAkey", path("authority.key"), "-CAcreateserial", "-extfile", path("names")];
    openssl("x509", "-req", "-in", path("server.csr"), ...signer, "-days", "2", "-out", path("server.crt"));
    const { uid, gid } = serverUser();
    if (uid !== undefined && gid !== undefined) chownSync(path("server.key"), uid, gid);
    chmodSync(path("server.key"), 0o600);
    mkdirSync(path("server"));
    const settings = { ssl: "on", ssl_cert_file: path("server.crt"), ssl_key_file: path("server.key") };
    cluster = await makeCluster(programs ?? "", path("server"), false, settings);
  });
  afterAll(async () => {
    await cluster?.stop("immediate");
    rmSync(root, { recursive: true, force: true });
  });

  function opened(host: string, params: Readonly<Record<string, string>>): Database {
    const url = new URL(cluster.url("postgres"));
    url.hostname = host;
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
    return openDatabase(url.href, { connections: 1 });
  }

  async function isEncrypted(host: string, params: Readonly<Record<string, string>>): Promise<boolean> {
    const database = opened(host, params);
    try {
      const [row] = await database.query<{ ssl: boolean }>(sql`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`);
      return row?.ssl === true;
    } finally {
      await database.close();
    }
  }
  const refused = { code: "database_unavailable", message: expect.stringMatching(/certificate that is not accepted/) };

  it("is used when its certificate is of the authority that the URL names, and has the name of the URL", async () => {
    expect(await isEncrypted("localhost", { sslmode: "verify-full", sslrootcert: path("authority.crt") })).toBe(true);
  });

  it.each([
    ["over TLS", () => opened("localhost", { sslmode: "verify-full", sslrootcert: path("authority.crt") })],
    ["over TLS, by its address", () => opened("127.0.0.1", { sslmode: "verify-ca", sslrootcert: path("authority.crt") })],
    ["in the clear", () => opened("127.0.0.1", { sslmode: "disable" })],
    ["over a socket", () => opened("localhost", { host: path("server") })],
  ])("ends a query on the server when its caller goes, %s", async (_how, open) => {
    const [database, watcher] = [open(), opened("127.0.0.1", { sslmode: "disable" })];
    const running = async () => {
      const find = sql`SELECT count(*)::int AS count FROM pg_stat_activity WHERE state = 'active' AND query = 'SELECT pg_sleep(1000)'`;
      return (await watcher.query<{ count: number }>(find))[0]?.count;
    };
    const controller = new AbortController();
    // The server itself would end it at its deadline.
    const limits = { signal: controller.signal, deadline: performance.now() + 1_000_000 };
    const query = database.query(sql`SELECT pg_sleep(1000)`, limits);
    query.catch(() => undefined);
    await expect.poll(running).toBe(1);
    controller.abort(new Error("gone"));
    await expect(query).rejects.toThrow("gone");
    await expect.poll(running).toBe(0);
    await Promise.all([database.close(), watcher.close()]);
  });

  it("is refused when the certificate has another name, is of another authority, or of one that nobody named", async () => {
    const full = { sslmode: "verify-full" };
    await expect(isEncrypted("127.0.0.1", { ...full, sslrootcert: path("authority.crt") })).rejects.toMatchObject(refused);
    await expect(isEncrypted("localhost", { ...full, sslrootcert: path("stranger.crt") })).rejects.toMatchObject(refused);
    await expect(isEncrypted("localhost", full)).rejects.toMatchObject(refused);
  });
});
