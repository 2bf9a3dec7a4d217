import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { allMutants, copyWith, git, projectFiles, treeHash } from "./copy.ts";
import type { Mutant } from "./mutants.ts";
import { type Reach, recordReach } from "./reach.ts";
import { catchMutant, nearestFirst, type Verdict } from "./run.ts";

// `make mutate`: plants small faults (mutants) one at a time and checks that a test fails on each. Exits with 1 when a mutant survives that
// is not listed in equivalent.yaml. The environment has the options:
// SEED draws the mutants, COUNT says how many, MINUTES when to stop. ROOM is the beginning of the paths of the files to take mutants from.
// SINCE takes them from the lines that differ from a revision. TESTS uses only test files whose paths contain one of its words.

const { SEED, COUNT = "40", MINUTES = "20", ROOM = "", SINCE, TESTS = "" } = process.env;
const seed = SEED ? Number(SEED) : Date.now() % 1_000_000;
/** Seconds of tests that each mutant gets in the first round. What none of these catches waits until every mutant had its first round. */
const firstRound = 20;

interface Equivalent {
  readonly file: string;
  readonly source: string;
  readonly from: string;
  readonly to: string;
  /** Why no test can tell the mutant from the code as it stands. */
  readonly reason: string;
}

const equivalents = (parse(readFileSync(join(import.meta.dirname, "equivalent.yaml"), "utf8")) ?? []) as readonly Equivalent[];
const isEquivalent = (one: Mutant) =>
  equivalents.some((e) => (["file", "source", "from", "to"] as const).every((part) => e[part] === one[part]));

const begun = Date.now();
const files = projectFiles();
const mutants = allMutants(files);
const reach = await recordReach(
  files,
  mutants,
  `${treeHash(files)}${TESTS === "" ? "" : `-${TESTS.replaceAll(/\W+/g, "-")}`}`,
  TESTS,
);
if (reach.unfit.length > 0)
  console.log(`Not used, because they fail when only the text of the sources differs: ${reach.unfit.join(", ")}`);

const chosen = choose();
const planted = new Map(chosen.map((number) => [number, mutantAt(number)]));
console.log(`Seed ${seed}: ${chosen.length} of ${mutants.length} mutants, ${reach.files.length} test files.`);

const deadline = Math.max(begun, Date.now()) + Number(MINUTES) * 60_000;
const verdicts = new Map<number, Verdict>();
const copy = copyWith(files, planted);
try {
  for (const round of ["first", "rest"] as const) {
    for (const number of chosen) {
      if (verdicts.has(number) || Date.now() > deadline) continue;
      const verdict = await judge(number, round);
      if (verdict === undefined) continue;
      verdicts.set(number, verdict);
      console.log(`${describe(mutantAt(number))}\n  ${verdict.by ?? "SURVIVED"}`);
    }
  }
} finally {
  copy.remove();
}
report();

/** Runs the nearest tests of a mutant, or the rest of them. Undefined while the mutant has tests left. */
async function judge(number: number, round: "first" | "rest"): Promise<Verdict | undefined> {
  const order = nearestFirst(mutantAt(number), reach, number);
  const split = order.findIndex((_, place) => seconds(order.slice(0, place + 1), reach) > firstRound);
  const near = split === -1 ? order : order.slice(0, Math.max(1, split));
  const mine = round === "first" ? near : order.slice(near.length);
  if (mine.length > 0) {
    copy.switchOn(number);
    const by = await catchMutant(copy.folder, mine, seconds(mine, reach), deadline);
    if (by !== undefined) return by;
  }
  return round === "rest" || near.length === order.length ? { by: undefined } : undefined;
}

function seconds(tests: readonly string[], { seconds: all }: Reach): number {
  return tests.reduce((sum, test) => sum + (all[test] ?? 0), 0);
}

function mutantAt(number: number): Mutant {
  const found = mutants[number];
  if (found === undefined) throw new Error(`There is no mutant ${number}.`);
  return found;
}

/** Numbers of mutants, drawn with the seed. */
function choose(): number[] {
  const changed = SINCE === undefined || SINCE === "" ? undefined : changedLines(SINCE);
  const numbers = [...mutants.keys()].filter((number) => {
    const { file, line } = mutantAt(number);
    return file.startsWith(ROOM) && (changed === undefined || changed.get(file)?.has(line) === true);
  });
  let state = seed;
  // A linear congruential generator is enough to draw lots (constants of Numerical Recipes).
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const drawn: number[] = [];
  while (drawn.length < Number(COUNT) && numbers.length > 0)
    drawn.push(...numbers.splice(Math.floor(random() * numbers.length), 1));
  return drawn;
}

/** By file, the lines that differ from a revision. */
function changedLines(revision: string): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>();
  let file = "";
  for (const line of git("diff", "--unified=0", revision, "--", "runtime", "generator")) {
    if (line.startsWith("+++ b/")) file = line.slice("+++ b/".length);
    const hunk = /^@@ \S+ \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk === null) continue;
    const lines = found.get(file) ?? new Set();
    for (let i = 0; i < Number(hunk[2] ?? 1); i++) lines.add(Number(hunk[1]) + i);
    found.set(file, lines);
  }
  return found;
}

function describe({ file, line, source, from, to }: Mutant): string {
  const short = (text: string) => text.replaceAll(/\s+/g, " ").slice(0, 100);
  return `${file}:${line}: ${short(source)}\n  ${short(from)}  →  ${to === "" ? "(nothing)" : short(to)}`;
}

function report(): void {
  const caught = [...verdicts.values()].filter(({ by }) => by !== undefined).length;
  const left = [...verdicts].filter(([, { by }]) => by === undefined).map(([number]) => mutantAt(number));
  const survivors = left.filter((one) => !isEquivalent(one));
  if (survivors.length > 0) console.log(`\nSurvivors:\n${survivors.map(describe).join("\n")}`);
  const undecided = chosen.length - verdicts.size;
  if (undecided > 0) console.log(`\nThe ${MINUTES} minutes were over before ${undecided} more were decided.`);
  console.log(`\n${caught} caught, ${survivors.length} survived, ${left.length - survivors.length} equivalent`);
  process.exitCode = survivors.length > 0 ? 1 : 0;
}
