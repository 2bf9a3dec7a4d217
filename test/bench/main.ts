// `make bench`, `make bench NAME=execute`: prints tables and writes .cache/bench/<name>.json. Search is measured at 1,000,000 records as
// well where it is asked for by name: those take minutes to load and 4 GB of disk.

import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { benchAnswers } from "./answers.ts";
import { benchExecute } from "./execute.ts";
import { benchGenerator } from "./generator.ts";
import { type Result, table } from "./report.ts";
import { benchSearch } from "./search.ts";
import { benchSemantic } from "./semantic.ts";
import { benchService } from "./service.ts";
import { benchStart } from "./start.ts";
import { benchSync } from "./sync.ts";

const benches: Readonly<Record<string, () => Promise<Result>>> = {
  answers: benchAnswers,
  execute: benchExecute,
  generator: benchGenerator,
  search: () => benchSearch(wanted.includes("search") ? undefined : [100_000]),
  semantic: () => benchSemantic(wanted.includes("semantic") ? undefined : 100_000),
  service: benchService,
  start: benchStart,
  sync: () => benchSync(wanted.includes("sync") ? 1 : 0.1),
};
const wanted = process.argv.slice(2).filter((name) => name !== "");
const unknown = wanted.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  console.error(`unknown bench "${unknown.join(", ")}"; there are ${Object.keys(benches).join(", ")}`);
  process.exit(2);
}
const machine = { node: process.versions.node, cores: availableParallelism(), processor: cpus()[0]?.model ?? "unknown" };
console.log(`Node ${machine.node}, ${machine.cores} cores, ${machine.processor}\n`);
mkdirSync(".cache/bench", { recursive: true });
for (const name of wanted.length > 0 ? wanted : Object.keys(benches)) {
  const result = await benches[name]?.();
  if (result === undefined) continue;
  console.log(table(result));
  writeFileSync(`.cache/bench/${name}.json`, `${JSON.stringify({ machine, ...result }, null, 2)}\n`);
}
