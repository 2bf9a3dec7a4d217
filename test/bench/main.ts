// `make bench`, `make bench NAME=execute`: prints tables and writes .cache/bench/<name>.json. Search is measured at 1,000,000 records as
// well if it is named: those take minutes to load and 4 GB of disk (TENON_BENCH_SIZE for one other size). PostgreSQL is
// measured at 300,000 records (TENON_BENCH_SIZE=1000000 for more) and needs the server's programs. With TENON_BENCH_RECORD=1 the results
// are also kept in runtime/site/figures.json, from which the front page of the documentation takes its figures.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { benchAgents } from "./agents/index.ts";
import { benchAnswers } from "./answers.ts";
import { benchAttack } from "./attack.ts";
import { benchAttackPlatform } from "./attack-platform.ts";
import { benchChanges } from "./changes.ts";
import { benchExecute } from "./execute.ts";
import { benchGenerator } from "./generator.ts";
import { benchIndexes } from "./indexes.ts";
import { benchPlanner } from "./planner.ts";
import { benchPlatforms } from "./platforms.ts";
import { benchPostgres } from "./postgres.ts";
import { busyMachine } from "./quiet.ts";
import { type Result, round, table } from "./report.ts";
import { benchSearch } from "./search.ts";
import { benchSemantic } from "./semantic.ts";
import { benchService } from "./service.ts";
import { benchSql } from "./sql.ts";
import { benchStart } from "./start.ts";
import { benchSync } from "./sync.ts";

const size = process.env["TENON_BENCH_SIZE"];
const benches: Readonly<Record<string, () => Promise<Result>>> = {
  agents: benchAgents,
  answers: benchAnswers,
  "attack-platform": benchAttackPlatform,
  attack: benchAttack,
  changes: () => benchChanges(Number(process.env["TENON_BENCH_SIZE"] ?? 20_000)),
  execute: benchExecute,
  generator: benchGenerator,
  indexes: benchIndexes,
  planner: () => benchPlanner(Number(process.env["TENON_BENCH_SIZE"] ?? 50_000)),
  platforms: benchPlatforms,
  postgres: () => benchPostgres(Number(process.env["TENON_BENCH_SIZE"] ?? (wanted.includes("postgres") ? 300_000 : 50_000))),
  search: () => benchSearch(size === undefined ? (wanted.includes("search") ? undefined : [100_000]) : [Number(size)]),
  semantic: () => benchSemantic(wanted.includes("semantic") ? undefined : 100_000),
  service: benchService,
  sql: () => benchSql(Number(process.env["TENON_BENCH_SIZE"] ?? (wanted.includes("sql") ? 1_000_000 : 50_000))),
  start: benchStart,
  sync: () => benchSync(wanted.includes("sync") ? 1 : 0.1),
};
/** Two help only whoever changes the indexes or the planner, and take minutes; the others measure attacks. */
const onlyByName = ["attack", "attack-platform", "indexes", "planner"];
const wanted = process.argv.slice(2).filter((name) => name !== "");
const unknown = wanted.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  console.error(`unknown bench "${unknown.join(", ")}"; there are ${Object.keys(benches).join(", ")}`);
  process.exit(2);
}
const machine = { node: process.versions.node, cores: availableParallelism(), processor: cpus()[0]?.model ?? "unknown" };
console.log(`Node ${machine.node}, ${machine.cores} cores, ${machine.processor}\n`);
mkdirSync(".cache/bench", { recursive: true });
const isRecorded = process.env["TENON_BENCH_RECORD"] === "1";
for (const name of wanted.length > 0 ? wanted : Object.keys(benches).filter((one) => !onlyByName.includes(one))) {
  if (isRecorded || name === "execute") await refuseBusyMachine();
  const result = await benches[name]?.();
  if (result === undefined) continue;
  console.log(table(result));
  writeFileSync(`.cache/bench/${name}.json`, `${JSON.stringify({ machine, ...result }, null, 2)}\n`);
  if (!isRecorded) continue;
  // Another program may have begun meanwhile.
  await refuseBusyMachine();
  record(name, result);
}

async function refuseBusyMachine(): Promise<void> {
  const busy = await busyMachine();
  if (busy === undefined) return;
  console.error(busy);
  process.exit(1);
}

/** Keeps a result, with the day and what else the machine had to do: the mean number of processes that wanted a core. */
function record(name: string, { notes, rows }: Result): void {
  const file = "runtime/site/figures.json";
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as object) : {};
  const date = new Date().toISOString().slice(0, 10);
  const load = round(loadavg()[1] ?? 0, 1);
  const results = Object.entries({ ...kept, [name]: { date, machine: { ...machine, load }, notes, rows } });
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(results.sort(([a], [b]) => (a < b ? -1 : 1))), null, 1)}\n`);
}
