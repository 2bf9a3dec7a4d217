import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { type CallerLimits, createCaller, deriveKeys, fullGrant, type Right } from "../../runtime/accounts/index.ts";
import { openSqliteAccounts } from "../../runtime/accounts/sqlite/sqlite-account-store.ts";
import { startThread } from "../../runtime/base/thread.ts";
import { type Attack, type AttackKeys, attacks } from "./attack-kinds.ts";
import { memoryOf, started } from "./child.ts";
import { allCores, pin } from "./pin.ts";
import { median, type Result, type Row, round, sum } from "./report.ts";

const secretKey = "secret-key-of-the-attack-benchmark-0000";
const perSecond = 100;
/** Only the attacks with one of these texts in their name. */
const only = (process.env["TENON_BENCH_ATTACK"] ?? "").split(";");
/** Seconds of a window without, and of one with an attack, and after that. */
const windows = { without: 3, during: 5, between: 1 };
/** How often each attack is measured; the figure is the median. A single window shows what else the machine did. */
const rounds = 3;

/** The innocent caller may search as much as it likes: its own limits are not what is measured, and a slow machine would reach them. */
const innocentLimits = { requests: 1_000_000, searchSeconds: 100_000 };

/** A key for each of the rights, in the accounts of a folder. */
async function keysIn(dataDir: string, names: readonly Right[], limits: CallerLimits = {}): Promise<string[]> {
  const store = openSqliteAccounts(dataDir);
  try {
    const made = names.map(async (right) => {
      const grant = { ...fullGrant, rights: [right], limits };
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

/** Seconds after which the attacks begin all the same. */
const mostRest = 120;

/** Resolves when the service uses hardly any processor time. */
async function rested(child: ChildProcess): Promise<void> {
  const used = async () => {
    child.send("cpu");
    const [{ user, system }] = (await once(child, "message")) as [NodeJS.CpuUsage];
    return (user + system) / 1000;
  };
  let before = await used();
  for (let seconds = 0; seconds < mostRest; seconds++) {
    await wait(1000);
    const now = await used();
    if (now - before < 50) return;
    before = now;
  }
}

/** MiB that the process has resident now; not a number where the system does not say so. */
function resident({ pid }: ChildProcess): number {
  const file = `/proc/${pid}/status`;
  const kib = existsSync(file) ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(file, "utf8"))?.[1] : undefined;
  return kib === undefined ? Number.NaN : Number(kib) / 1024;
}

/** The cores of the service and of everything else. */
const cores = { service: "0", clients: "1" };

/**
 * The searches of an innocent caller without and during each attack. Where the system can, the service has one core, and the attacker, the
 * innocent caller and the platform share another one, where the innocent caller goes first: the figures then are what the service takes,
 * and not what the clients take from it. Elsewhere all share the machine, and an attacker who only uses the processor slows down the
 * others.
 */
export async function benchAttack(): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "tenon-bench-"));
  const filling = await started("./service-cache.ts", [folder]);
  await once(filling.child, "exit");
  const measured = attacks.filter(({ name }) => only.some((text) => name.includes(text)));
  // Each round has keys of its own, whose budgets are full.
  const times = measured.length * rounds;
  const readers = await keysIn(
    folder,
    Array.from({ length: times }, () => "read" as const),
  );
  const others = await keysIn(
    folder,
    Array.from({ length: times }, () => "metrics" as const),
  );
  const keys = readers.map((reader, index) => ({ reader, metrics: others[index] ?? "" }));
  const [innocentKey = ""] = await keysIn(folder, ["read"], innocentLimits);
  const platform = await started("./service-platform.ts", []);
  const secret = { BENCH_SECRET_KEY: secretKey };
  const operator = "tenon_bench_key_0123456789abcdef";
  const { child, url } = await started("./service-server.ts", [folder, operator, platform.url], ["--expose-gc"], secret);
  const attacker = await started("./attack-client.ts", [url]);
  const innocent = startThread(new URL("./attack-innocent.ts", import.meta.url), { url, key: innocentKey, perSecond });
  const isApart = [
    pin(child.pid, cores.service),
    ...[platform.child.pid, attacker.child.pid, process.pid].map((pid) => pin(pid, cores.clients)),
  ].every(Boolean);
  try {
    // The first window warms up. The texts of the cache are embedded meanwhile, and are done when the service rests.
    await window(innocent, windows.without);
    await rested(child);
    const rows: Row[] = [];
    for (const [index, attack] of measured.entries())
      rows.push(...(await measure(attack, keys.slice(index * rounds, (index + 1) * rounds), attacker.child, child, innocent)));
    return {
      name: "attack",
      notes: `One caller searches 20,000 cached issues ${perSecond} times a second, ${rounds} times ${windows.without} s without and ${windows.during} s during each attack; latency counts from when a search was due, and p50 and p99 are medians of the ${rounds} times. Attackers have the usual limits and a new key each time. ${isApart ? "The service has one core, and attacker, caller and platform share another one" : "Attackers, callers and service share the machine"}`,
      rows,
    };
  } finally {
    await innocent.terminate();
    for (const one of [attacker.child, platform.child, child]) one.kill();
    pin(process.pid, allCores);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  { name }: Attack,
  keys: readonly AttackKeys[],
  attacker: ChildProcess,
  child: ChildProcess,
  innocent: Worker,
): Promise<Row[]> {
  let peak = resident(child);
  const look = setInterval(() => {
    peak = Math.max(peak, resident(child));
  }, 100);
  const [without, during]: [Window[], Window[]] = [[], []];
  for (const own of keys) {
    without.push(await window(innocent, windows.without));
    attacker.send({ name, keys: own });
    during.push(await window(innocent, windows.during));
    attacker.send("end");
    await wait(windows.between * 1000);
  }
  clearInterval(look);
  const { rss } = await memoryOf(child);
  const middle = (of: readonly Window[], part: "p50" | "p99") => median(of.map((one) => one[part]));
  const times = round(middle(during, "p99") / middle(without, "p99"), 1);
  const row = (what: string, value: number, unit: string, aim?: string): Row => ({
    what: `${name}: ${what}`,
    value,
    unit,
    ...(aim === undefined ? {} : { aim }),
  });
  return [
    row("p50 without", middle(without, "p50"), "ms"),
    row("p50 during", middle(during, "p50"), "ms"),
    row("p99 without", middle(without, "p99"), "ms"),
    row("p99 during", middle(during, "p99"), "ms", "< 100 ms"),
    row("p99 during, worst time", Math.max(...during.map(({ p99 }) => p99)), "ms"),
    row("p99, times", times, "", "3"),
    row("searches that failed", sum(during.map(({ failed }) => failed)), "", "0"),
    row("resident memory, most", round(peak, 0), "MiB", "< 1,024 MiB"),
    row("resident memory, afterwards", round(rss, 0), "MiB"),
  ];
}
