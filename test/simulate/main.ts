import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { isOnPglite } from "./seeds.ts";
import type { Covered } from "./world.ts";

// `make simulate`: simulates services that share a store, under virtual time, seed after seed, and says what that covered. It exits with 1
// when something that must hold does not. SEED is the first seed, HOURS how many hours all seeds together simulate, FAULT plants a fault
// that has to be found (`all`: each of the list), MINUTES how long that may take.

const { SEED = "1", HOURS = "48", FAULT = "", MINUTES = "10" } = process.env;
/**
 * Hours that one seed simulates, in a process of its own. PGlite takes 15 times as long for them as SQLite, or longer. A planted fault
 * shows within six hours, or not with this seed.
 */
const hoursOfSeed = (seed: number, fault: string) => (fault === "" ? (isOnPglite(seed) ? 2 : 12) : isOnPglite(seed) ? 0.5 : 6);

const run = (seed: number, hours: number, fault: string, signal: AbortSignal): Promise<Covered | undefined> => {
  const args = [join(import.meta.dirname, "one.ts"), String(seed), String(hours), ...(fault === "" ? [] : [fault])];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], signal });
  child.on("error", () => undefined);
  const pieces: Buffer[] = [];
  child.stdout.on("data", (bytes: Buffer) => void pieces.push(bytes));
  return new Promise((resolve) => {
    child.on("close", () => {
      const text = Buffer.concat(pieces).toString();
      resolve(text === "" ? undefined : (JSON.parse(text) as Covered));
    });
  });
};

/** Simulates seeds until the hours are over, or one of them finds something. */
async function simulateAll(hours: number, fault: string, until: number) {
  const total = new Map<string, number>();
  const add = (name: string, count: number) => total.set(name, (total.get(name) ?? 0) + count);
  const end = new AbortController();
  let next = Number(SEED);
  let left = hours;
  let found: { readonly seed: number; readonly hours: number; readonly covered: Covered } | undefined;
  const work = async () => {
    while (left > 0 && found === undefined && Date.now() < until) {
      const seed = next++;
      const mine = Math.min(left, hoursOfSeed(seed, fault));
      left -= mine;
      const timer = setTimeout(() => end.abort(), Math.min(until - Date.now(), 2 ** 31 - 1));
      const covered = await run(seed, mine, fault, end.signal);
      clearTimeout(timer);
      if (covered === undefined) {
        if (!end.signal.aborted) throw new Error(`Seed ${seed} ended without a report.`);
        continue;
      }
      add("seeds", 1);
      add(`hours on ${covered.engine}`, covered.hours);
      add("events", covered.events);
      for (const [name, count] of Object.entries(covered.counts)) add(name, count);
      for (const [name, count] of Object.entries(covered.faults)) add(`fault: ${name}`, count);
      if (covered.violation === undefined) continue;
      found ??= { seed, hours: mine, covered };
      end.abort();
    }
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
  return { total, found };
}

const begun = performance.now();
const seconds = () => ((performance.now() - begun) / 1000).toFixed(0);
if (FAULT !== "") {
  const { plantedFaults } = await import("./planted.ts");
  const names = FAULT === "all" ? Object.keys(plantedFaults) : [FAULT];
  for (const name of names) {
    const from = performance.now();
    const { found, total } = await simulateAll(Number.POSITIVE_INFINITY, name, Date.now() + Number(MINUTES) * 60_000);
    const hours = (total.get("hours on SQLite") ?? 0) + (total.get("hours on PGlite") ?? 0);
    const took = `${hours.toFixed(0)} simulated hours, ${((performance.now() - from) / 1000).toFixed(0)} s`;
    if (found === undefined) process.exitCode = 1;
    console.log(
      `${name}: ${found === undefined ? "NOT FOUND" : `seed ${found.seed}: ${found.covered.violation?.split("\n")[0]}`} (${took})`,
    );
  }
} else {
  const { total, found } = await simulateAll(Number(HOURS), "", Number.POSITIVE_INFINITY);
  for (const [name, count] of [...total].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`${name.padEnd(40)} ${Math.round(count).toLocaleString("en")}`);
  if (found === undefined) console.log(`Everything held, in ${seconds()} s.`);
  else {
    const { seed, hours, covered } = found;
    console.log(`\nSeed ${seed} fails after ${covered.hours.toFixed(2)} hours: ${covered.violation}\n`);
    for (const line of covered.end) console.log(line.slice(0, 300));
    console.log(`\nAgain: TRACE=1 node test/simulate/one.ts ${seed} ${hours}`);
    process.exitCode = 1;
  }
}
