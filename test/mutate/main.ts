import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { allMutants, copyWith, git, projectFiles, root, treeHash } from "./copy.ts";
import { distance, type Hunt, huntFar, huntNear, type Trial } from "./hunt.ts";
import type { Mutant } from "./mutants.ts";
import { recordReach } from "./reach.ts";
import { Tests } from "./run.ts";

// `make mutate`: plants small faults (mutants) and checks that a test fails on each. Exits with 1 when a mutant survives that is not listed
// in equivalent.yaml. What was found out is kept by the tree's hash: a run that was cut off goes on where it ended. Options come from the
// environment:
// SEED draws the mutants (`1,2,3`: each draws some), COUNT says how many, MINUTES when to stop. ROOM is the beginning of the paths of the
// files to take mutants from. SINCE takes them from the lines that differ from a revision. TESTS uses only test files whose paths contain
// one of its words.

const { SEED, COUNT = "40", MINUTES = "20", ROOM = "", SINCE, TESTS = "" } = process.env;
const seeds = (SEED || String(Date.now() % 1_000_000)).split(",").map(Number);
/** Seconds of tests of single parts that a mutant meets alone. */
const nearSeconds = 20;

interface Equivalent {
  readonly file: string;
  readonly source: string;
  readonly from: string;
  readonly to: string;
  /** Why no test can tell the mutant from the code as it stands. */
  readonly reason: string;
}

/** That a test file passed with a mutant on, or what failed. */
interface Judged {
  readonly number: number;
  readonly test: string;
  readonly failed?: string;
}

const equivalents = (parse(readFileSync(join(import.meta.dirname, "equivalent.yaml"), "utf8")) ?? []) as readonly Equivalent[];
const isEquivalent = (one: Mutant) =>
  equivalents.some((e) => (["file", "source", "from", "to"] as const).every((part) => e[part] === one[part]));

const files = projectFiles();
const mutants = allMutants(files);
const hash = treeHash(files);
const drawn = new Map(seeds.map((seed) => [seed, choose(seed)]));
const chosen = new Set([...drawn.values()].flat());
const words = TESTS.split(" ").filter(Boolean);
const { seconds, unfit, tests } = await recordReach(
  files,
  mutants,
  chosen,
  hash,
  (test) => words.length === 0 || words.some((word) => test.includes(word)),
);
if (unfit.length > 0) console.log(`Not used, because they fail when only the text of the sources differs: ${unfit.join(", ")}`);

console.log(`Seed ${seeds.join(", ")}: ${chosen.size} of ${mutants.length} mutants, ${Object.keys(seconds).length} test files.`);

const deadline = Date.now() + Number(MINUTES) * 60_000;
const judgedFile = join(root, ".cache/mutants", hash, "judged");
const caught = new Map<number, string>();
const passed = new Set<string>();
for (const line of existsSync(judgedFile) ? readFileSync(judgedFile, "utf8").split("\n").filter(Boolean) : []) {
  const { number, test, failed } = JSON.parse(line) as Judged;
  if (failed === undefined) passed.add(`${number} ${test}`);
  else if (chosen.has(number) && seconds[test] !== undefined) caught.set(number, failed);
}

const copy = copyWith(files, new Map([...chosen].map((number) => [number, mutantAt(number)])));
const runner = new Tests(copy.folder);
/** Whether a test file passed once more without a mutant. */
const sound = new Map<string, boolean>();
const hunt: Hunt = {
  attempt,
  caught: (number, by) => {
    caught.set(number, by);
    console.log(`${describe(mutantAt(number))}\n  caught by ${by}`);
  },
  isOver: () => Date.now() > deadline,
};
try {
  const left = () => [...chosen].filter((number) => !caught.has(number));
  await huntNear(new Map(left().map((number) => [number, nearTests(number)])), hunt);
  const reaching = new Map<string, number[]>();
  for (const number of left()) for (const test of openTests(number)) reaching.set(test, [...(reaching.get(test) ?? []), number]);
  const cheapest = [...reaching].sort(([a], [b]) => (seconds[a] ?? 0) - (seconds[b] ?? 0));
  const undecided = { has: (number: number) => chosen.has(number) && !caught.has(number) };
  await huntFar(new Map(cheapest), undecided, hunt);
} finally {
  await runner.close();
  copy.remove();
}
report();

/** The test files that reach a mutant and have not passed with it. */
function openTests(number: number): string[] {
  return (tests.get(number) ?? []).filter(
    (test) => seconds[test] !== undefined && sound.get(test) !== false && !passed.has(`${number} ${test}`),
  );
}

function nearTests(number: number): string[] {
  const { file } = mutantAt(number);
  const far = (test: string) => distance(file, test);
  const near = openTests(number)
    .filter((test) => far(test) <= 2)
    .sort((a, b) => far(a) - far(b) || (seconds[a] ?? 0) - (seconds[b] ?? 0));
  const isIn = (place: number) => near.slice(0, place + 1).reduce((sum, test) => sum + (seconds[test] ?? 0), 0) <= nearSeconds;
  return near.filter((_, place) => place === 0 || isIn(place));
}

async function attempt(trials: readonly Trial[]): Promise<Map<string, string>> {
  const found = await run(trials);
  // What hangs once may only have been slow.
  const late = trials.filter(({ test, on }) => on.length === 1 && found.get(test)?.isLate === true);
  const again = late.length === 0 ? found : await run(late);
  const failed = new Map<string, string>();
  for (const { test, on } of trials) {
    const by = found.get(test);
    const isSlow = on.length === 1 && by?.isLate === true && !again.has(test);
    if (by === undefined || isSlow) for (const number of on) judge({ number, test });
    else if (on.length > 1) failed.set(test, by.failed);
    // Tests of whole processes may fail because something else keeps the machine busy.
    else if ((!by.isLate && distance("", test) <= 2) || (await isSound(test))) {
      failed.set(test, by.failed);
      for (const number of on) judge({ number, test, failed: by.failed });
    }
  }
  return failed;
}

async function isSound(test: string): Promise<boolean> {
  if (!sound.has(test)) sound.set(test, (await run([{ test, on: [] }])).size === 0);
  return sound.get(test) === true;
}

/** Runs trials. @returns those that did not pass, by the test file */
async function run(trials: readonly Trial[]): Promise<Map<string, { readonly failed: string; readonly isLate: boolean }>> {
  const on = Object.fromEntries(trials.map((trial) => [trial.test, trial.on]));
  // Processes that do not know whose they are have all of them on: where a single test file runs, these are right.
  copy.switchOn(trials.length === 1 ? { ...on, "*": trials[0]?.on ?? [] } : on);
  const fresh = trials.some((trial) => trial.on.some((number) => /^(generator|runtime\/site)\//.test(mutantAt(number).file)));
  const order = { tests: trials.map(({ test }) => test), bail: trials.length === 1, fresh };
  const { ended, late, blamed } = await runner.run(order, (test) => 20 + 5 * (seconds[test] ?? 0));
  // No mutant keeps the tests of others from running.
  if (trials.length > 1 && ended.length === 0 && late.length === 0) throw new Error(`No test could be run: ${blamed}`);
  const found = new Map<string, { readonly failed: string; readonly isLate: boolean }>();
  for (const { test } of trials) {
    const own = ended.filter((one) => one.test === test);
    const failed = own.find((one) => one.failed !== undefined)?.failed ?? (trials.length === 1 ? blamed : undefined);
    if (failed !== undefined) found.set(test, { failed, isLate: false });
    else if (late.includes(test)) found.set(test, { failed: `${test}, which did not end`, isLate: true });
    else if (own.length === 0) found.set(test, { failed: `${test}, which ended without a result`, isLate: true });
  }
  return found;
}

function judge(one: Judged): void {
  if (one.failed === undefined) passed.add(`${one.number} ${one.test}`);
  appendFileSync(judgedFile, `${JSON.stringify(one)}\n`);
}

function mutantAt(number: number): Mutant {
  const found = mutants[number];
  if (found === undefined) throw new Error(`There is no mutant ${number}.`);
  return found;
}

/** Numbers of mutants, drawn with a seed. */
function choose(seed: number): number[] {
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
  const some: number[] = [];
  while (some.length < Number(COUNT) && numbers.length > 0)
    some.push(...numbers.splice(Math.floor(random() * numbers.length), 1));
  return some;
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
  for (const [seed, numbers] of drawn) {
    const ended = numbers.filter((number) => caught.has(number) || openTests(number).length === 0);
    const left = ended.filter((number) => !caught.has(number)).map(mutantAt);
    const survivors = left.filter((one) => !isEquivalent(one));
    if (survivors.length > 0) console.log(`\nSurvivors of seed ${seed}:\n${survivors.map(describe).join("\n")}`);
    const undecided = numbers.length - ended.length;
    if (undecided > 0) console.log(`\nThe ${MINUTES} minutes were over before ${undecided} more of seed ${seed} were decided.`);
    const equivalent = left.length - survivors.length;
    console.log(`\n${ended.length - left.length} caught, ${survivors.length} survived, ${equivalent} equivalent`);
    if (survivors.length > 0) process.exitCode = 1;
  }
}
