import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { createCaller, deriveKeys, fullGrant, type Right } from "../../runtime/accounts/index.ts";
import { openSqliteAccounts } from "../../runtime/accounts/sqlite/sqlite-account-store.ts";
import { startThread } from "../../runtime/base/thread.ts";
import { attacks, type Target } from "./attack-kinds.ts";
import { memoryOf, started } from "./child.ts";
import { type Result, type Row, round } from "./report.ts";

const secretKey = "secret-key-of-the-attack-benchmark-0000";
const perSecond = 100;
/** Only the attacks with this text in their name. */
const only = process.env["TENON_BENCH_ATTACK"] ?? "";
/** Seconds of a window without, and of one with an attack, and between two attacks. */
const windows = { without: 4, during: 6, between: 2 };

/** A key for each of the rights, in the accounts of a folder. */
async function keysIn(dataDir: string, names: readonly Right[]): Promise<string[]> {
  const store = openSqliteAccounts(dataDir);
  try {
    const made = names.map(async (right) => {
      const grant = { ...fullGrant, rights: [right] };
      const caller = { kind: "key", name: `bench ${right}`, grant, expiresAt: null } as const;
      return (await createCaller(store, deriveKeys([secretKey]), caller)).secret;
    });
    return await Promise.all(made);
  } finally {
    await store.close();
  }
}

interface Window {
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
}

/** Lets the innocent caller search for some seconds. */
async function window(innocent: Worker, seconds: number): Promise<Window> {
  innocent.postMessage(seconds);
  const [times] = (await once(innocent, "message")) as [(number | undefined)[]];
  const good = times.filter((time) => time !== undefined).sort((one, other) => one - other);
  const at = (share: number) => round(good[Math.min(good.length - 1, Math.floor(good.length * share))] ?? Number.NaN, 1);
  return { p50: at(0.5), p99: at(0.99), failed: times.length - good.length };
}

/** MiB that the process has resident now; not a number where the system does not say so. */
function resident({ pid }: ChildProcess): number {
  const file = `/proc/${pid}/status`;
  const kib = existsSync(file) ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(file, "utf8"))?.[1] : undefined;
  return kib === undefined ? Number.NaN : Number(kib) / 1024;
}

/**
 * The searches of an innocent caller without and during each attack. The service, the attacker and the innocent caller share the machine,
 * so that an attacker who only uses the processor slows the others down too.
 */
export async function benchAttack(): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "tenon-bench-"));
  const filling = await started("./service-cache.ts", [folder]);
  await once(filling.child, "exit");
  const [reader = "", metrics = "", innocentKey = ""] = await keysIn(folder, ["read", "metrics", "read"]);
  const platform = await started("./service-platform.ts", []);
  const secret = { BENCH_SECRET_KEY: secretKey };
  const operator = "tenon_bench_key_0123456789abcdef";
  const { child, url } = await started("./service-server.ts", [folder, operator, platform.url], ["--expose-gc"], secret);
  const innocent = startThread(new URL("./attack-innocent.ts", import.meta.url), { url, key: innocentKey, perSecond });
  try {
    // The first window warms up.
    await window(innocent, windows.without);
    const rows: Row[] = [];
    for (const attack of attacks.filter(({ name }) => name.includes(only)))
      rows.push(...(await measure(attack, { url, reader, metrics }, child, innocent)));
    return {
      name: "attack",
      notes: `One caller searches 20,000 cached issues ${perSecond} times a second, ${windows.without} s without and ${windows.during} s during each attack; latency counts from when a search was due. Attackers have the usual limits. Attackers, callers and service share the machine`,
      rows,
    };
  } finally {
    await innocent.terminate();
    for (const one of [platform.child, child]) one.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  { name, start }: (typeof attacks)[number],
  target: Target,
  child: ChildProcess,
  innocent: Worker,
): Promise<Row[]> {
  const before = await window(innocent, windows.without);
  let peak = resident(child);
  const look = setInterval(() => {
    peak = Math.max(peak, resident(child));
  }, 100);
  const end = start(target);
  const during = await window(innocent, windows.during);
  end();
  clearInterval(look);
  await wait(windows.between * 1000);
  const { rss } = await memoryOf(child);
  const ms = (what: string, value: number, aim?: string): Row => ({
    what: `${name}: ${what}`,
    value,
    unit: "ms",
    ...(aim === undefined ? {} : { aim }),
  });
  return [
    ms("p50 without", before.p50),
    ms("p50 during", during.p50),
    ms("p99 without", before.p99),
    ms("p99 during", during.p99, "< 100 ms"),
    { what: `${name}: p99, times`, value: round(during.p99 / before.p99, 1), unit: "", aim: "3" },
    { what: `${name}: searches that failed`, value: during.failed, unit: "", aim: "0" },
    { what: `${name}: resident memory, most`, value: round(peak, 0), unit: "MiB", aim: "< 1,024 MiB" },
    { what: `${name}: resident memory, afterwards`, value: round(rss, 0), unit: "MiB" },
  ];
}
