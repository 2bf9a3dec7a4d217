import { execFile } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { chownSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

// A private PostgreSQL server of the programs that are installed on this machine.

const run = promisify(execFile);

export interface Cluster {
  /** The URL of one of its databases, over TCP. */
  url(database: string): string;
  readonly port: number;
  start(): Promise<void>;
  /** What the server has logged. */
  log(): string;
  /** `immediate` is a crash: the server recovers at its next start. */
  stop(mode: "fast" | "immediate"): Promise<void>;
}

/** The folder of PostgreSQL's programs: the newest version of Debian's packages, or the one on PATH; undefined when there is none. */
export function findPrograms(): string | undefined {
  const packaged = globSync("/usr/lib/postgresql/*/bin").sort((a, b) => versionOf(a) - versionOf(b));
  const onPath = (process.env["PATH"] ?? "").split(delimiter);
  return [...packaged.reverse(), ...onPath].find(
    (folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "pg_ctl")),
  );
}

function versionOf(folder: string): number {
  return Number(/\/(\d+)\/bin$/.exec(folder)?.[1] ?? 0);
}

/** The server refuses to run as root, so then it runs as the user that the packages have made for it, or as `nobody`. */
export function serverUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const [, , uid, gid] = users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody") ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

/**
 * Makes a server in a folder and starts it. It listens on the loopback address only and asks for a password.
 *
 * @param durable whether commits wait for the disk, so that they survive a crash
 * @param more further settings of the server
 */
export async function makeCluster(
  programs: string,
  folder: string,
  durable: boolean,
  more: Readonly<Record<string, string | number>> = {},
): Promise<Cluster> {
  const user = serverUser();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const call = (name: string, args: readonly string[]) => run(join(programs, name), args, { ...user, cwd: folder });
  const password = randomBytes(16).toString("hex");
  writeFileSync(join(folder, "password"), password, { mode: 0o644 });
  const data = join(folder, "data");
  // The order of this locale is not that of code points, so that a statement which forgets to ask for that is found.
  const locale = ["--encoding=UTF8", "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en"];
  const access = ["-U", "tenon", "-A", "scram-sha-256", "--pwfile", join(folder, "password")];
  await call("initdb", ["-D", data, "--no-sync", ...access, ...locale]);
  const port = await freePort();
  const safety = durable ? {} : { fsync: "off", full_page_writes: "off", synchronous_commit: "off" };
  const settings = { port, listen_addresses: "127.0.0.1", unix_socket_directories: folder, max_connections: 100 };
  const lines = Object.entries({ ...settings, ...safety, ...more }).map(([name, value]) => `${name} = '${value}'\n`);
  writeFileSync(join(data, "postgresql.auto.conf"), lines.join(""));
  return started(programs, folder, port, password);
}

/** Starts a server that was made in a folder before. */
export function openCluster(programs: string, folder: string): Promise<Cluster> {
  const port = /^port = '(\d+)'$/m.exec(readFileSync(join(folder, "data", "postgresql.auto.conf"), "utf8"))?.[1];
  return started(programs, folder, Number(port), readFileSync(join(folder, "password"), "utf8"));
}

async function started(programs: string, folder: string, port: number, password: string): Promise<Cluster> {
  const control = (args: readonly string[]) =>
    run(join(programs, "pg_ctl"), ["-D", join(folder, "data"), "-w", "-s", ...args], { ...serverUser(), cwd: folder });
  const start = async () => void (await control(["-l", join(folder, "log"), "start"]));
  await start();
  return {
    port,
    start,
    log: () => readFileSync(join(folder, "log"), "utf8"),
    url: (database) => `postgres://tenon:${password}@127.0.0.1:${port}/${database}`,
    stop: async (mode) => void (await control(["-m", mode, "stop"])),
  };
}

/** Stops a server that another process has started. */
export async function stopCluster(programs: string, folder: string): Promise<void> {
  const args = ["-D", join(folder, "data"), "-m", "immediate", "-w", "-s", "stop"];
  await run(join(programs, "pg_ctl"), args, { ...serverUser(), cwd: dirname(folder) }).catch(() => undefined);
}

/**
 * A port that nobody listens on, below those that systems give to connections: while the server restarts, no connection gets its port.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
