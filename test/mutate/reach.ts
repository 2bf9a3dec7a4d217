import { spawn } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { copyWith, root } from "./copy.ts";
import type { Mutant } from "./mutants.ts";

/** Which test files reach which mutants. */
export interface Reach {
  /** Test files that pass without a mutant, with the seconds that each takes. */
  readonly seconds: Readonly<Record<string, number>>;
  /** Test files that fail in a copy whose text is changed, such as those that check the style of the sources. They catch nothing. */
  readonly unfit: readonly string[];
  /** By the number of a mutant, places of test files in the list of all. */
  readonly tests: Readonly<Record<number, readonly number[]>>;
  readonly files: readonly string[];
}

/** What vitest's JSON reporter writes of each test file. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly startTime: number;
    readonly endTime: number;
  }[];
}

/**
 * Runs all tests once with a switch at every mutant, or takes what an earlier run of the same tree has recorded.
 * @param hash Of the tree and the chosen tests. Names the record.
 * @param only Parts of the paths of the test files to run, separated by spaces, or an empty text for all.
 */
export async function recordReach(
  files: readonly string[],
  mutants: readonly Mutant[],
  hash: string,
  only: string,
): Promise<Reach> {
  const cache = join(root, ".cache/mutants");
  const cached = join(cache, `${hash}.json`);
  if (existsSync(cached)) return JSON.parse(readFileSync(cached, "utf8")) as Reach;
  console.log("All tests run once, to record which of them reach which mutant. This takes longer than make test.");
  const own = mkdtempSync(join(tmpdir(), "tenon-reach-"));
  const log = join(own, "reached");
  writeFileSync(log, "");
  const copy = copyWith(files, new Map(mutants.entries()), log);
  try {
    const report = join(own, "report.json");
    await run(copy.folder, ["--reporter=json", `--outputFile=${report}`, ...only.split(" ").filter(Boolean)]);
    const reach = await read(log, JSON.parse(readFileSync(report, "utf8")) as Report, copy.folder);
    mkdirSync(cache, { recursive: true });
    writeFileSync(cached, JSON.stringify(reach));
    return reach;
  } finally {
    copy.remove();
    rmSync(own, { recursive: true, force: true });
  }
}

function run(cwd: string, args: readonly string[]): Promise<void> {
  const child = spawn("npx", ["vitest", "run", "--config", "test/mutants.config.ts", ...args], {
    cwd,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", () => resolve());
  });
}

async function read(log: string, report: Report, folder: string): Promise<Reach> {
  const seconds: Record<string, number> = {};
  const unfit: string[] = [];
  for (const { name, status, startTime, endTime } of report.testResults) {
    const file = name.replace(`${folder}/`, "");
    if (status === "passed") seconds[file] = (endTime - startTime) / 1000;
    else unfit.push(file);
  }
  const files = Object.keys(seconds);
  const places = new Map(files.map((file, place) => [file, place]));
  const tests: Record<number, Set<number>> = {};
  for await (const line of createInterface({ input: createReadStream(log) })) {
    const [number = "", file = ""] = line.split("\t");
    const place = places.get(file);
    if (place === undefined) continue;
    const reaching = tests[Number(number)] ?? new Set();
    tests[Number(number)] = reaching.add(place);
  }
  return { seconds, unfit, files, tests: Object.fromEntries(Object.entries(tests).map(([number, set]) => [number, [...set]])) };
}
